import { spawn, execFile } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { Queue, Worker } from "bullmq";

const LEAD_MS = 8_000;
const PATIENCE_MS = 60_000;

/** So many jobs of the same instant in BullMQ, on a Redis of its own: how late each is taken up, and the CPU of both. */
export async function measureBullmq({ count, port, cpuOf }) {
  await promisify(execFile)("redis-server", ["--version"]).catch(() => {
    throw new Error("Redis is not installed");
  });
  const redis = spawn("redis-server", ["--port", String(port), "--save", "", "--bind", "127.0.0.1"], {
    stdio: "ignore",
  });
  await listening(port).catch((error) => {
    redis.kill("SIGTERM");
    throw error;
  });
  const connection = { host: "127.0.0.1", port, maxRetriesPerRequest: null };
  const queue = new Queue("lights", { connection });
  const late = [];
  const due = Math.ceil((Date.now() + LEAD_MS) / 1_000) * 1_000;
  const worker = new Worker("lights", async () => void late.push(Date.now() - due), { connection, concurrency: 100 });
  try {
    const delay = due - Date.now();
    await queue.addBulk(Array.from({ length: count }, (_, n) => ({ name: "light", data: { n }, opts: { delay } })));
    await sleep(due - Date.now());
    const before = ownCpu() + (await cpuOf(redis.pid));
    const until = Date.now() + PATIENCE_MS;
    while (late.length < count && Date.now() < until) await sleep(50);
    const cpu_ms = ownCpu() + (await cpuOf(redis.pid)) - before;
    late.sort((a, b) => a - b);
    return { p99_ms: late[Math.floor(count * 0.99)] ?? null, cpu_ms_each: cpu_ms / count };
  } finally {
    await worker.close(true);
    await queue.close();
    const gone = new Promise((done) => redis.on("exit", done));
    redis.kill("SIGTERM");
    await gone;
  }
}

/** BullMQ prints an error for each connection that is refused, and Redis takes a moment to start. */
async function listening(port) {
  for (const until = Date.now() + PATIENCE_MS; ; await sleep(20)) {
    const socket = connect(port, "127.0.0.1");
    const failure = await once(socket, "connect").catch((error) => error);
    socket.destroy();
    if (!(failure instanceof Error)) return;
    if (Date.now() > until) throw failure;
  }
}

function ownCpu() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
