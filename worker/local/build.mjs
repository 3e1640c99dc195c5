import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isCommand } from "./command.mjs";
import { checkFirstLoads } from "./first-load.mjs";
import { withLock } from "./lock.mjs";
import { endWithThisProcess } from "./runtime-end.mjs";

/** The sources of the screens' bundles. */
const SCREENS = ["app", "worker/context.ts", "public", "package.json", "package-lock.json", "vite.config.ts"];
/** The sources of the on-site agent's one file. */
export const AGENT = [
  "worker/agent",
  "worker/local/agent-bundle.mjs",
  "worker/local/make-folder.mjs",
  "app/domain",
  "durable",
  "package-lock.json",
];
/** The sources of the worker's bundle, which contains the screens'. */
const WORKER = [...SCREENS, "worker", "durable", "db", "wrangler.toml"];

// wrangler.toml's [build] runs this file before every bundle, watched or deployed; `npm run build` does too.
if (isCommand(import.meta.url)) {
  await buildFromCommandLine().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}

/** `wrangler dev` needs its tables and demo city created here. Deploying touches no state. */
async function buildFromCommandLine() {
  if (process.env.WRANGLER_COMMAND === "dev") {
    const { prepareForWranglerDev } = await import("./wrangler-dev.mjs");
    await prepareForWranglerDev();
  }
  await buildScreens();
}

/**
 * Builds the screens unless the build is up to date, so that a restart is quick and a second copy does not replace the
 * first one's files. Throws with the build's output.
 */
export async function buildScreens() {
  await unlessCurrent(SCREENS, "build/server/index.js", async () => {
    await run("node_modules/@remix-run/dev/dist/cli.js", ["vite:build"], { NODE_ENV: "production" });
    await checkFirstLoads();
  });
  await buildAgent();
  // Beside the screens, from where the technician downloads it; building those empties the folder.
  await cp("build/agent", "build/client/agent", { recursive: true, filter: (path) => !path.endsWith(".made-from") });
}

/** Builds the on-site agent's one file unless it is up to date; its version, SHA-256 and size. */
export async function buildAgent() {
  await unlessCurrent(AGENT, "build/agent/agent.mjs", async () => {
    const { bundleAgent } = await import("./agent-bundle.mjs");
    await bundleAgent();
  });
  return JSON.parse(await readFile("build/agent/agent.json", "utf8"));
}

/** Builds the screens and bundles the worker as for a deployment, unless they are up to date. */
export async function buildWorker() {
  await buildScreens();
  await unlessCurrent(WORKER, "build/worker/index.js", () =>
    run("node_modules/wrangler/bin/wrangler.js", ["deploy", "--dry-run", "--outdir", "build/worker"], {
      WRANGLER_LOG: "error",
      WRANGLER_SEND_METRICS: "false",
      WRANGLER_HIDE_BANNER: "true",
    }),
  );
}

/** The time tells our build from one made otherwise (`npm run deploy:check`). */
function unlessCurrent(sources, output, build) {
  return withLock(resolve(output), async () => {
    const record = join(dirname(output), ".made-from");
    const state = async () => `${await fingerprint(sources)} ${await builtAt(output)}`;
    if ((await readFile(record, "utf8").catch(() => "")) === (await state())) return;
    const before = await fingerprint(sources);
    await build();
    await mkdir(dirname(record), { recursive: true });
    await writeFile(record, `${before} ${await builtAt(output)}`);
  });
}

async function fingerprint(sources) {
  const hash = createHash("sha256").update(process.version);
  for (const source of sources) await addTo(hash, source);
  return hash.digest("hex");
}

async function addTo(hash, path) {
  const found = await stat(path).catch(() => null);
  if (found === null) return;
  if (!found.isDirectory()) return void hash.update(`\0${path}\0`).update(await readFile(path));
  for (const name of (await readdir(path)).toSorted()) await addTo(hash, join(path, name));
}

async function builtAt(output) {
  const built = await stat(output).catch(() => null);
  return built === null ? "never" : String(built.mtimeMs);
}

async function run(script, args, env) {
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  endWithThisProcess(child, "TERM"); // or it would write beside the build of the next start
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  const code = await new Promise((done) => child.on("exit", done));
  if (code !== 0) throw new Error(output.trim());
}
