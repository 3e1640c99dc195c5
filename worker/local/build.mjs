import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { checkFirstLoads } from "./first-load.mjs";
import { withLock } from "./lock.mjs";

/** Everything the screens' bundles are made from. The worker itself is bundled by wrangler at each start. */
const SOURCES = ["app", "worker/context.ts", "public", "package.json", "package-lock.json", "vite.config.ts"];
const RECORD = "build/.made-from";

// wrangler.toml's [build] runs this file before every bundle, watched or deployed.
if (process.argv[1] === import.meta.filename) {
  await buildScreens().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}

/**
 * Builds the screens, unless what is there was built from exactly these sources; so a restart is quick, and a second
 * copy does not pull the files from under the first. Throws with the build's own output.
 */
export function buildScreens() {
  return withLock(resolve("build"), async () => {
    const sources = await fingerprint();
    if ((await readFile(RECORD, "utf8").catch(() => "")) === `${sources} ${await builtAt()}`) return;
    await remixBuild();
    await checkFirstLoads();
    await mkdir("build", { recursive: true });
    await writeFile(RECORD, `${sources} ${await builtAt()}`);
  });
}

async function fingerprint() {
  const hash = createHash("sha256").update(process.version);
  for (const source of SOURCES) await addTo(hash, source);
  return hash.digest("hex");
}

async function addTo(hash, path) {
  const found = await stat(path).catch(() => null);
  if (found === null) return;
  if (!found.isDirectory()) return void hash.update(`\0${path}\0`).update(await readFile(path));
  for (const name of (await readdir(path)).toSorted()) await addTo(hash, join(path, name));
}

/** A build made by other means (`npm run build`) has another time, and is not taken for ours. */
async function builtAt() {
  const built = await stat("build/server/index.js").catch(() => null);
  return built === null ? "never" : String(built.mtimeMs);
}

async function remixBuild() {
  const child = spawn(process.execPath, ["node_modules/@remix-run/dev/dist/cli.js", "vite:build"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NODE_ENV: "production" },
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  const code = await new Promise((done) => child.on("exit", done));
  if (code !== 0) throw new Error(output.trim());
}
