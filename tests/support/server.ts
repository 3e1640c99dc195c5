import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Miniflare } from "miniflare";
import { inject } from "vitest";
import { withCrons } from "../../worker/local/cron.mjs";
import { runtimeOptions, type BuiltWorker } from "../../worker/local/runtime.mjs";
import { SQL_PATH, underTest } from "./worker-under-test";

type Value = string | number | null;
type Statement = [query: string, ...values: Value[]];
type Row = Record<string, Value>;

export type Server = {
  url: string;
  /** Runs a statement on its database, through the server itself: a second connection to the file would lock it. */
  query: (statement: string, ...values: Value[]) => Promise<Row[]>;
  /** Runs statements on its database, all or none. */
  batch: (statements: Statement[]) => Promise<unknown>;
  /** Runs a statement on the tables of an organization's object. */
  inObject: (org_id: string, statement: string, ...values: Value[]) => Promise<void>;
  /** Lets one of wrangler.toml's crons ring. */
  ring: (cron: string) => Promise<void>;
  /** Stops it and removes its state. */
  stop: () => Promise<void>;
};

/** `npm start` in a process group of its own, so that all of it can be killed at once. */
export type ServerProcess = {
  url: string;
  /** `kill -9` of the whole group: no process can clean up. */
  kill: () => Promise<void>;
  /** `kill -9` of the process that somebody sees in a list, and none of its children. */
  killAlone: () => Promise<void>;
  /** Starts again on the same state. */
  restart: () => Promise<void>;
  /** Stops it and removes its state. */
  stop: () => Promise<void>;
};

declare module "vitest" {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface ProvidedContext {
    /** The directory of a state with the demo city, created once. */
    city: string;
    /** The built worker. */
    worker: BuiltWorker;
  }
}

let miniflare: Miniflare | null = null;
/** The same for all servers of the process, so that its browser keeps the screens' files. */
let port_of_all: Promise<number> | null = null;

/**
 * The worker on a copy of the demo city. The test files of a process share one Miniflare, which gets the copy of the file
 * that runs, so only one server per process can be up at a time. `settings` replace those of wrangler.toml.
 */
export async function aServer(settings: Record<string, string> = {}): Promise<Server> {
  port_of_all ??= freePort();
  const [port, state_dir] = await Promise.all([port_of_all, aState()]);
  const { worker: built, ring } = withCrons(underTest(inject("worker")));
  const worker = { ...built, bindings: { ...built.bindings, ...settings } };
  const options = runtimeOptions({
    port,
    state_dir,
    worker,
    log: (level, line) => void (level === "error" && console.error(line)),
  });
  if (miniflare === null) miniflare = new Miniflare(options);
  else await miniflare.setOptions(options);
  const running = miniflare;
  await running.ready;
  const url = `http://localhost:${port}`;
  return {
    url,
    query: async (...statement) => (await runSql(url, [statement]))[0] ?? [],
    batch: (statements) => runSql(url, statements),
    inObject: async (org_id, ...statement) => void (await runSql(url, [statement], org_id)),
    ring: (cron) => ring(running, cron),
    stop: () => rm(state_dir, { recursive: true, force: true }),
  };
}

/**
 * Each call on a connection of its own: on a busy machine one that is kept is used in the moment in which the runtime
 * closes it, as Miniflare's own access to D1 does.
 */
async function runSql(url: string, statements: Statement[], org_id?: string): Promise<Row[][]> {
  const response = await fetch(url + SQL_PATH, {
    method: "POST",
    headers: { Connection: "close" },
    body: JSON.stringify({ org_id, statements }),
    // A test that hangs is to say where.
    signal: AbortSignal.timeout(30_000),
  });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  const results: Row[][] = await response.json();
  return results;
}

/** `npm start` on a copy of the demo city, or, if `fresh`, without any state as on a new machine. */
export async function aServerProcess({ fresh = false } = {}): Promise<ServerProcess> {
  const [port, state_dir] = await Promise.all([freePort(), aState(fresh)]);
  let group = await launch(port, state_dir);
  const kill = () => killGroup(group);
  return {
    url: `http://localhost:${port}`,
    kill,
    killAlone: () => killAlone(group),
    restart: async () => {
      group = await launch(port, state_dir);
    },
    stop: async () => {
      await kill();
      await rm(state_dir, { recursive: true, force: true });
    },
  };
}

async function aState(fresh = false): Promise<string> {
  const state_dir = await mkdtemp(join(tmpdir(), "lamplighter-state-"));
  if (!fresh) await cp(inject("city"), state_dir, { recursive: true });
  return state_dir;
}

async function launch(port: number, state_dir: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["tests/support/start.mjs"], {
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, PORT: String(port), STATE_DIR: state_dir, NODE_ENV: "production", WRANGLER_LOG: "warn" },
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += String(chunk)));
  child.stderr.on("data", (chunk) => (output += String(chunk)));
  const until = performance.now() + 90_000;
  while (!output.includes("Lamplighter is at")) {
    if (child.exitCode !== null || performance.now() > until) {
      await killGroup(child);
      throw new Error(`The server did not start:\n${output}`);
    }
    await sleep(50);
  }
  return child;
}

async function killGroup(child: ChildProcess): Promise<void> {
  const gone = isGone(child) ? null : once(child, "exit");
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch {
    // None of it runs any more.
  }
  await gone;
}

async function killAlone(child: ChildProcess): Promise<void> {
  if (isGone(child)) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

const isGone = ({ pid, exitCode, signalCode }: ChildProcess) =>
  pid === undefined || exitCode !== null || signalCode !== null;

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("No free port");
  return address.port;
}
