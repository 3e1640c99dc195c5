import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inject } from "vitest";

/** What `npm start` runs, in a process group of its own, so that all of it can be killed at once. */
export type Server = {
  url: string;
  state_dir: string;
  /** `kill -9` of the whole group: nobody gets to say goodbye. */
  kill: () => Promise<void>;
  /** Starts again on the same state. */
  restart: () => Promise<void>;
  /** Ends it and removes its state. */
  stop: () => Promise<void>;
};

declare module "vitest" {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface ProvidedContext {
    /** The directory of a state with the demo city in it, made once. */
    city: string;
  }
}

/** On a copy of the demo city; or, `fresh`, on nothing at all, as on the first start of a new machine. */
export async function aServer({ fresh = false } = {}): Promise<Server> {
  const port = await freePort();
  const state_dir = await mkdtemp(join(tmpdir(), "lamplighter-state-"));
  if (!fresh) await cp(inject("city"), state_dir, { recursive: true });
  let group = await launch(port, state_dir);
  const kill = () => killGroup(group);
  return {
    url: `http://localhost:${port}`,
    state_dir,
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

async function launch(port: number, state_dir: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["worker/local/start.mjs"], {
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, PORT: String(port), STATE_DIR: state_dir, NODE_ENV: "production", WRANGLER_LOG: "warn" },
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += String(chunk)));
  child.stderr.on("data", (chunk) => (output += String(chunk)));
  const until = Date.now() + 90_000;
  while (!output.includes("Lamplighter is at")) {
    if (child.exitCode !== null || Date.now() > until) {
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
