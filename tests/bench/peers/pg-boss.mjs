import { spawn, execFile } from "node:child_process";
import { chown, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import PgBoss from "pg-boss";

const run = promisify(execFile);
const LEAD_MS = 8_000;
const FETCHED_AT_ONCE = 500;
const WORKERS = 4;

/** So many jobs of the same instant in pg-boss, on a Postgres of its own: how late each is taken up, and the CPU of both. */
export async function measurePgBoss({ count, port, cpuOf }) {
  const postgres = await startPostgres(port);
  try {
    const connection = `postgres://lamplighter@127.0.0.1:${port}/postgres`;
    const boss = new PgBoss({ connectionString: connection, max: WORKERS + 2 });
    let isOver = false; // its connections end when Postgres does
    boss.on("error", (error) => isOver || console.error(error));
    await boss.start();
    await boss.createQueue("lights");
    const due = new Date(Math.ceil((Date.now() + LEAD_MS) / 1_000) * 1_000);
    await boss.insert(Array.from({ length: count }, (_, n) => ({ name: "lights", data: { n }, startAfter: due })));
    await sleep(due.getTime() - Date.now());
    const [own, theirs] = [ownCpu(), await postgresCpu(postgres.pid, cpuOf)];
    const late = [];
    await Promise.all(Array.from({ length: WORKERS }, () => work(boss, count, due.getTime(), late)));
    const cpu_ms = ownCpu() - own + (await postgresCpu(postgres.pid, cpuOf)) - theirs;
    isOver = true;
    await boss.stop({ graceful: false });
    late.sort((a, b) => a - b);
    return { p99_ms: late[Math.floor(count * 0.99)], cpu_ms_each: cpu_ms / count };
  } finally {
    await postgres.stop();
  }
}

async function work(boss, count, due, late) {
  while (late.length < count) {
    const jobs = (await boss.fetch("lights", { batchSize: FETCHED_AT_ONCE })) ?? [];
    for (const _ of jobs) late.push(Date.now() - due);
    if (jobs.length > 0)
      await boss.complete(
        "lights",
        jobs.map(({ id }) => id),
      );
    else await sleep(5);
  }
}

/** Postgres does not run as root: then it runs as the user of its own that its package brings. */
async function startPostgres(port) {
  const versions = await readdir("/usr/lib/postgresql").catch(() => []);
  const [version] = versions.toSorted((a, b) => Number(b) - Number(a));
  if (!version) throw new Error("Postgres is not installed");
  const bin = join("/usr/lib/postgresql", version, "bin");
  const dir = await mkdtemp(join(tmpdir(), "lamplighter-postgres-"));
  const user = process.getuid() === 0 ? await idOf("postgres") : {};
  if (user.uid !== undefined) await chown(dir, user.uid, user.gid);
  const options = { ...user, cwd: dir };
  const data = join(dir, "data");
  await run(join(bin, "initdb"), ["-D", data, "-U", "lamplighter", "-A", "trust", "--no-sync"], options);
  const args = ["-D", data, "-p", String(port), "-k", dir, "-c", "listen_addresses=127.0.0.1"];
  const child = spawn(join(bin, "postgres"), args, { ...options, stdio: "ignore" });
  const isReady = () =>
    run(join(bin, "pg_isready"), ["-h", "127.0.0.1", "-p", String(port)]).then(
      () => true,
      () => false,
    );
  for (let tries = 0; tries < 100 && !(await isReady()); tries += 1) await sleep(100);
  return {
    pid: child.pid,
    stop: async () => {
      const gone = new Promise((done) => child.on("exit", done));
      child.kill("SIGINT");
      await gone;
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function idOf(name) {
  const line = (await readFile("/etc/passwd", "utf8")).split("\n").find((each) => each.startsWith(`${name}:`));
  if (!line) throw new Error(`there is no user ${name} to run Postgres as`);
  const [, , uid, gid] = line.split(":");
  return { uid: Number(uid), gid: Number(gid) };
}

function ownCpu() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** The server's processes are its children, one a connection. */
async function postgresCpu(pid, cpuOf) {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  const pids = [pid, ...children.split(" ").filter(Boolean).map(Number)];
  const used = await Promise.all(pids.map((each) => cpuOf(each).catch(() => 0)));
  return used.reduce((sum, ms) => sum + ms, 0);
}
