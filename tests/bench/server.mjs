import { rmSync } from "node:fs";
import { readdir, readFile, mkdtemp } from "node:fs/promises";
import { once } from "node:events";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Miniflare } from "miniflare";
import { withCrons } from "../../worker/local/cron.mjs";
import { migrate, withDatabase } from "../../worker/local/database.mjs";
import { builtWorker, runtimeOptions } from "../../worker/local/runtime.mjs";
import { makeSecrets } from "../../worker/local/secrets.mjs";
import { load } from "../../worker/local/typescript.mjs";

export const ORG = "demo-parks";
const TICKS_A_SECOND = 100; // of /proc, on every Linux

/**
 * The built worker on a demo city of its own, in workerd, with a door to the object's tables. `again()` ends the process
 * and starts it on the same state. `options` are more of Miniflare's.
 */
export async function aServer(log = (level, line) => void (level === "error" && console.error(line)), options = {}) {
  process.env.TZ = "UTC";
  await makeSecrets();
  const { SQL_PATH, underTest } = await load("tests/support/worker-under-test.ts");
  const { worker, ring } = withCrons(underTest(await builtWorker()));
  const state_dir = await mkdtemp(join(tmpdir(), "lamplighter-bench-"));
  const remove = () => rmSync(state_dir, { recursive: true, force: true, maxRetries: 10 });
  process.once("exit", remove); // also where it is stopped
  await withDatabase(state_dir, migrate);
  const { seedIfEmpty } = await load("worker/local/seed.ts");
  await withDatabase(state_dir, (d1) => seedIfEmpty(d1));
  const server = { url: "", miniflare: null, d1: null, pid: 0, object, again, ring: rung, stop };
  await start();
  return server;

  async function start() {
    const before = await workerds();
    const port = await freePort(); // just now: somebody else may take one that is not used at once
    server.url = `http://localhost:${port}`;
    server.miniflare = new Miniflare({ ...runtimeOptions({ port, state_dir, worker, log }), ...options });
    await server.miniflare.ready;
    server.pid = (await workerds()).find((pid) => !before.includes(pid));
    server.d1 = d1At(server.url + SQL_PATH);
  }

  async function again(meanwhile = async () => {}) {
    await server.miniflare.dispose();
    await withDatabase(state_dir, meanwhile);
    await start();
  }

  async function stop() {
    await server.miniflare.dispose();
    remove();
    process.off("exit", remove); // a whole bench starts so many that Node would take them for a leak
  }

  /** Runs a cron's work. */
  function rung(cron) {
    return ring(server.miniflare, cron);
  }

  /** The organization's object: its own calls, and `query` on its tables. */
  async function object() {
    const objects = await server.miniflare.getDurableObjectNamespace("SCHEDULER");
    return objects.get(objects.idFromName(ORG));
  }
}

/** Lamps that answer at once, so that what is waited for is the product's. */
export async function withoutLatency(object) {
  await object.query('INSERT OR REPLACE INTO faults VALUES (\'latency\', \'[{"kind":"slow","ms":0}]\')');
}

/**
 * The database of the worker at `url`, as far as the bench needs D1. Miniflare's own stops this process for each statement,
 * while the worker waits for this process to read its log: a busy one filled the pipe, and both stood still.
 */
function d1At(url) {
  const run = async (statements) => {
    const body = JSON.stringify({ statements: statements.map(({ sql, values }) => [sql, ...values]) });
    const response = await fetch(url, { method: "POST", headers: { Connection: "close" }, body });
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    return response.json();
  };
  const statement = (sql, values) => ({
    sql,
    values,
    bind: (...bound) => statement(sql, bound),
    all: async () => ({ results: (await run([{ sql, values }]))[0] }),
    run: async () => void (await run([{ sql, values }])),
    first: async (column) => (await run([{ sql, values }]))[0][0]?.[column] ?? null,
  });
  return { prepare: (sql) => statement(sql, []), batch: run };
}

/** The CPU that a process has used so far, user and system, in ms, by its children too. */
export async function cpuOf(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS_A_SECOND;
}

export async function freePort() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address();
  probe.close();
  await once(probe, "close");
  return port;
}

/** The workerd processes that this one has started. */
export async function workerds() {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")));
  return stats
    .filter(
      (stat) =>
        stat.includes("(workerd)") && stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] === String(process.pid),
    )
    .map((stat) => Number(stat.split(" ")[0]));
}
