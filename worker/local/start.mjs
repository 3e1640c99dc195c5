// `npm start`: builds what is not built, makes what is missing (secrets, tables, a demo city) and serves.
// PORT (8787) and STATE_DIR (.wrangler/state) tell copies apart. `--watch` (`npm run dev`) rebuilds on change.
import { once } from "node:events";
import { createServer } from "node:net";
import { dirname, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { UserError } from "./user-error.mjs";

const watch = process.argv.includes("--watch");
const state_dir = resolve(process.env.STATE_DIR || ".wrangler/state");
const port = Number(process.env.PORT || 8787);
const SWEEP_MS = 5 * 60_000; // as wrangler.toml's [triggers]
const address = `http://localhost:${port}`;

process.chdir(resolve(dirname(fileURLToPath(import.meta.url)), "../.."));
// The house works without a network: nothing is reported, fetched or looked up.
Object.assign(process.env, {
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_SEND_ERROR_REPORTS: "false",
  WRANGLER_HIDE_BANNER: "true",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  CLOUDFLARE_INCLUDE_PROCESS_ENV: "false",
  WRANGLER_LOG_PATH: resolve(state_dir, "logs"),
  WRANGLER_LOG: process.env.WRANGLER_LOG ?? "warn",
});

try {
  await start();
} catch (error) {
  console.error(error instanceof UserError ? `\n${error.message}\n` : error);
  process.exit(1);
}

async function start() {
  requireNode(20, 19);
  await requirePort();
  await requireState();

  const { makeSecrets } = await import("./secrets.mjs");
  const made = await makeSecrets();
  if (made.length > 0) console.log(`Made .dev.vars with ${made.join(", ")}.`);

  const [accounts] = await Promise.all([database(), built()]);
  await serve();
  console.log(`\nLamplighter is at ${address}\n`);
  printAccounts(accounts);
}

function requireNode(major, minor) {
  const [has_major, has_minor] = process.versions.node.split(".").map(Number);
  if (has_major > major || (has_major === major && has_minor >= minor)) return;
  throw new UserError(`Lamplighter needs Node ${major}.${minor} or newer; this is Node ${process.versions.node}.`);
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

/** Two servers on one state would each fire every schedule. */
async function requireState() {
  const { tryLock } = await import("./lock.mjs");
  if ((await tryLock(state_dir)) !== null) return;
  throw new UserError(`Another copy is using ${state_dir}. Give this one its own: STATE_DIR=.wrangler/other npm start`);
}

async function built() {
  if (watch) return; // wrangler.toml's [build] does it, and again on every change
  const { buildScreens } = await import("./build.mjs");
  await buildScreens().catch((error) => {
    throw new UserError(`The build failed:\n\n${error.message}`);
  });
}

/** Brings the tables up to date, fills them if they are empty, and answers the demo accounts that exist. */
async function database() {
  const { migrate, withDatabase } = await import("./database.mjs");
  await migrate(state_dir).catch((error) => {
    throw new UserError(`The database in ${state_dir} could not be brought up to date:\n\n${error.message}`);
  });
  const { load } = await import("./typescript.mjs");
  const { seedIfEmpty, demoAccounts } = await load("worker/local/seed.ts");
  return withDatabase(state_dir, async (d1) => {
    if (await seedIfEmpty(d1)) console.log("Made the demo city.");
    return demoAccounts(d1);
  });
}

async function serve() {
  const { unstable_startWorker } = await import("wrangler");
  const worker = await unstable_startWorker({
    config: "wrangler.toml",
    build: { nodejsCompatMode: "v2", ...(watch ? {} : { custom: { watch: ["wrangler.toml"] } }) },
    dev: {
      server: { hostname: "127.0.0.1", port },
      persist: state_dir,
      watch,
      inspector: false,
      remote: false,
      testScheduled: true,
      logLevel: process.env.WRANGLER_LOG,
    },
  });
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop(worker));
  await Promise.race([answering(), watch ? new Promise(() => {}) : broken(worker)]);
  await sweep();
  setInterval(sweep, SWEEP_MS);
}

async function answering() {
  const until = Date.now() + 60_000;
  let last = "no answer";
  while (Date.now() < until || watch) {
    const signal = AbortSignal.timeout(10_000);
    const response = await fetch(`http://127.0.0.1:${port}/api/health`, { signal }).catch((error) => error);
    if (response.ok) return;
    last = response instanceof Error ? response.message : `${response.status} ${await response.text()}`;
    await sleep(100);
  }
  throw new UserError(`The server did not become healthy within a minute (${last}).`);
}

/** Rejects when the worker does not bundle; wrangler has told why, and would wait for ever for a change. */
function broken(worker) {
  return new Promise((_, reject) => {
    const dispatch = worker.raw.dispatch.bind(worker.raw);
    worker.raw.dispatch = (event) => {
      dispatch(event);
      if (event.type === "error") reject(new UserError("The worker could not be started; the reason is above."));
    };
  });
}

/** Stands in for cron, which the local runtime lacks: every organization's object sees to its alarm. */
async function sweep() {
  const response = await fetch(`http://127.0.0.1:${port}/__scheduled`).catch((error) => error);
  if (!response.ok) console.error("The sweep failed:", response.message ?? response.status);
}

async function stop(worker) {
  setTimeout(() => process.exit(0), 3000).unref();
  await worker.dispose().catch(() => undefined);
  process.exit(0);
}

function printAccounts(accounts) {
  if (accounts.length === 0) return;
  const widest = Math.max(...accounts.map(({ email }) => email.length));
  for (const { email, tells } of accounts) console.log(`  ${email.padEnd(widest)}  ${tells}`);
  console.log(`\n  The password of each is ${accounts[0].password}\n`);
}
