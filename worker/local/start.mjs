// `npm start`: builds if needed, creates what is missing (secrets, tables, a demo city) and serves.
// Set PORT (8787) and STATE_DIR (.wrangler/state) to run several copies. `--watch` (`npm run dev`) rebuilds on change.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isCommand, requireNode, ROOT } from "./command.mjs";
import { endRuntimesWithThisProcess, endWithThisProcess, runtimeEnd } from "./runtime-end.mjs";
import { isStopping, stopOnSignal } from "./stop.mjs";
import { UserError } from "./user-error.mjs";

const watch = process.argv.includes("--watch");
const state_dir = resolve(process.env.STATE_DIR || ".wrangler/state");
const port = Number(process.env.PORT || 8787);
const SWEEP = "*/5 * * * *"; // as wrangler.toml's [triggers]
const SWEEP_MS = 5 * 60_000;
const DAILY = "17 11 * * *";
const DAY_MS = 24 * 60 * 60_000;
const ENDING_MS = 1_000;
const address = `http://localhost:${port}`;

// Works without a network: no telemetry, downloads or look-ups.
Object.assign(process.env, {
  TZ: "UTC", // as in a deployment; the runtime inherits it
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_SEND_ERROR_REPORTS: "false",
  WRANGLER_HIDE_BANNER: "true",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  CLOUDFLARE_INCLUDE_PROCESS_ENV: "false",
  WRANGLER_LOG_PATH: resolve(state_dir, "logs"),
  WRANGLER_LOG: process.env.WRANGLER_LOG ?? "warn",
});

if (isCommand(import.meta.url)) await start({ args: process.argv.slice(2) });

/**
 * Starts the server and resolves when it answers; if it cannot start, prints the reason and exits. Tests use `wrap` to add
 * their modules to the worker.
 */
export async function start({ args = [], wrap = (worker) => worker } = {}) {
  process.chdir(ROOT);
  try {
    requireNode();
    requireNoOption(args);
    endRuntimesWithThisProcess();
    await requirePort();
    await requireState();
    await (await import("./wait-for-clock.mjs")).waitForClock(state_dir);

    const { makeSecrets } = await import("./secrets.mjs");
    const made = await makeSecrets();
    if (made.length > 0) console.log(`Made .dev.vars with ${made.join(", ")}.`);
    const { requireConfiguration } = await import("./configuration.mjs");

    const [[accounts, lost]] = await Promise.all([database(), built(), requireConfiguration()]);
    if (lost !== null) console.warn(`Note: ${lost}`);
    await (watch ? serveWatched() : serve(wrap));
    console.log(`\nLamplighter is at ${address}\n`);
    const { printAccounts } = await import("./demo-city.mjs");
    printAccounts(accounts);
  } catch (error) {
    console.error(error instanceof UserError ? `\n${error.message}\n` : error);
    process.exit(1);
  }
}

/** `--port 9000` would otherwise be passed over, and the server be at 8787. */
function requireNoOption(args) {
  const option = args.find((arg) => arg !== "--watch");
  if (option === undefined) return;
  throw new UserError(
    `'${option}' is no option. The environment says the port and the folder of the state: PORT=8788 STATE_DIR=.wrangler/other npm start`,
  );
}

async function requirePort() {
  if (!Number.isInteger(port) || port < 1 || port > 65535) {
    throw new UserError(`PORT is '${process.env.PORT}', which is not a port from 1 to 65535.`);
  }
  const probe = createServer().listen(port, "127.0.0.1");
  await once(probe, "listening").catch((error) => {
    if (error.code === "EADDRINUSE") {
      throw new UserError(`Port ${port} is in use. Stop what uses it, or choose another: PORT=8788 npm start`);
    }
    throw new UserError(`Port ${port} cannot be used: ${error.message}`);
  });
  probe.close();
  await once(probe, "close");
}

/** Prevents two servers on one state, which would run every schedule twice. */
async function requireState() {
  const [{ requireStateFolder }, { tryLockFolder }] = await Promise.all([
    import("./state-folder.mjs"),
    import("./lock.mjs"),
  ]);
  await requireStateFolder(state_dir);
  if ((await tryLockFolder(state_dir)) !== null) return;
  throw new UserError(`Another copy is using ${state_dir}. Give this one its own: STATE_DIR=.wrangler/other npm start`);
}

async function built() {
  if (watch) return; // wrangler.toml's [build] does this on every change
  const { buildWorker } = await import("./build.mjs");
  await buildWorker().catch((error) => {
    throw new UserError(`The build failed:\n\n${error.message}`);
  });
}

/** Migrates the tables; returns the demo accounts to print, and what SETTINGS_KEY does not open, in words or null. */
async function database() {
  const [{ despiteAssertions, withTables }, { demoCity }, { readVar }, { load }] = await Promise.all([
    import("./database.mjs"),
    import("./demo-city.mjs"),
    import("./secrets.mjs"),
    import("./typescript.mjs"),
  ]);
  const { lostKeyWords } = await load("worker/local/lost-key.ts");
  const key = (await readVar("SETTINGS_KEY")) ?? "";
  return despiteAssertions(() =>
    withTables(state_dir, async (d1) => [await demoCity(d1), await lostKeyWords(d1, key)]),
  );
}

async function serve(wrap) {
  const { Miniflare } = (await import("./tools.mjs")).miniflare();
  const { builtWorker, runtimeOptions } = await import("./runtime.mjs");
  const { withCrons } = await import("./cron.mjs");
  const { worker, ring } = withCrons(wrap(await builtWorker()));
  const miniflare = new Miniflare(runtimeOptions({ port, state_dir, worker, log }));
  stopOnSignal(() => miniflare.dispose());
  await miniflare.ready.catch((error) => {
    throw new UserError(`The worker could not be started: ${error.message}`);
  });
  await answering();
  void endWithRuntime();
  await everySweep(() => ring(miniflare, SWEEP));
  everyDay(() => ring(miniflare, DAILY));
}

/** The same with `wrangler dev`, which bundles again after every change. */
async function serveWatched() {
  const args = ["dev", "--ip", "127.0.0.1", "--port", String(port), "--persist-to", state_dir, "--test-scheduled"];
  const child = spawn(process.execPath, ["node_modules/wrangler/bin/wrangler.js", ...args], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, STATE_IS_READY: "yes" },
  });
  endWithThisProcess(child, "TERM"); // also where this process is killed
  const ended = once(child, "exit");
  stopOnSignal(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  const gone = ended.then(async () => {
    if (isStopping()) await new Promise(() => undefined);
    throw new UserError("wrangler dev has ended; the reason is above.");
  });
  await Promise.race([answering(), gone]);
  gone.catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
  await everySweep(async () => {
    const response = await fetch(`http://127.0.0.1:${port}/__scheduled`);
    if (!response.ok) throw new Error(`it answered ${response.status}`);
  });
  everyDay(() => fetch(`http://127.0.0.1:${port}/__scheduled?cron=${encodeURIComponent(DAILY)}`));
}

/** Prints the worker's log from WRANGLER_LOG's level up; the runtime's own lines have levels of their own. */
function log(level, line) {
  const levels = ["error", "warn", "info", "log", "debug"];
  if (levels.indexOf(level) <= levels.indexOf(process.env.WRANGLER_LOG)) console.error(line);
}

async function answering() {
  const until = Date.now() + 60_000;
  let last = "no answer";
  while (Date.now() < until || watch) {
    const signal = AbortSignal.timeout(10_000);
    const response = await fetch(`http://127.0.0.1:${port}/api/alive`, { signal }).catch((error) => error);
    if (response.ok) return;
    last = response instanceof Error ? response.message : `${response.status} ${await response.text()}`;
    await sleep(100);
  }
  throw new UserError(`The server did not become healthy within a minute (${last}).`);
}

/**
 * Miniflare does not tell that its runtime was killed: this process would stay, with a port that is dead, and nobody who
 * starts servers again would see that one has ended.
 */
async function endWithRuntime() {
  await runtimeEnd();
  await sleep(ENDING_MS); // a signal may end both
  if (isStopping()) return;
  console.error("The runtime has ended. Start again: what was under way is taken up.");
  process.exit(1);
}

/** Replaces cron, which the local runtime lacks: lets every organization's object check its alarm. */
async function everySweep(sweep) {
  const tried = () => sweep().catch((error) => console.error("The sweep failed:", error.message));
  await tried();
  setInterval(tried, SWEEP_MS);
}

/** The same for retention and the archive: first when the server has settled. */
function everyDay(work) {
  const tried = () => work().catch((error) => console.error("The daily work failed:", error.message));
  setTimeout(tried, SWEEP_MS);
  setInterval(tried, DAY_MS);
}
