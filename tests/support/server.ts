import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Miniflare } from "miniflare";
import { inject } from "vitest";
import { runtimeOptions, type BuiltWorker } from "../../worker/local/runtime.mjs";
import { shiftSql } from "./clock";
import { underTest } from "./worker-under-test";

export type Server = {
  url: string;
  /** Its database, through the server itself: a second connection to the file would lock it. */
  prepare: (query: string) => D1PreparedStatement;
  batch: (statements: D1PreparedStatement[]) => Promise<unknown>;
  /** Runs a statement on the tables of an organization's object. */
  inObject: (org_id: string, statement: string, ...values: (string | number)[]) => Promise<void>;
  /** Stops it and removes its state. */
  stop: () => Promise<void>;
};

/** `npm start` in a process group of its own, so that all of it can be killed at once. */
export type ServerProcess = {
  url: string;
  /** `kill -9` of the whole group: no process can clean up. */
  kill: () => Promise<void>;
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

/**
 * The worker on a copy of the demo city. The test files of a process share one Miniflare, which gets the copy of the file
 * that runs, so only one server per process can be up at a time.
 */
export async function aServer(): Promise<Server> {
  const [port, state_dir] = await Promise.all([freePort(), aState()]);
  const worker = underTest(inject("worker"));
  const options = runtimeOptions({
    port,
    state_dir,
    worker,
    log: (level, line) => void (level === "error" && console.error(line)),
  });
  if (miniflare === null) miniflare = new Miniflare(options);
  else await miniflare.setOptions(options);
  await miniflare.ready;
  const [d1, objects] = await Promise.all([
    miniflare.getD1Database("DB"),
    miniflare.getDurableObjectNamespace("SCHEDULER"),
  ]);
  return {
    url: `http://localhost:${port}`,
    prepare: (query) => d1.prepare(shiftSql(query)),
    batch: (statements) => d1.batch(statements),
    inObject: async (org_id, statement, ...values) => {
      const query = Reflect.get(objects.get(objects.idFromName(org_id)), "query");
      await query(statement, ...values);
    },
    stop: () => rm(state_dir, { recursive: true, force: true }),
  };
}

/** `npm start` on a copy of the demo city, or, if `fresh`, without any state as on a new machine. */
export async function aServerProcess({ fresh = false } = {}): Promise<ServerProcess> {
  const [port, state_dir] = await Promise.all([freePort(), aState(fresh)]);
  let group = await launch(port, state_dir);
  const kill = () => killGroup(group);
  return {
    url: `http://localhost:${port}`,
    kill,
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
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  process.kill(-child.pid, "SIGKILL");
  await gone;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("No free port");
  return address.port;
}
