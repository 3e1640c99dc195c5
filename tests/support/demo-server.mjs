import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { load } from "../../worker/local/typescript.mjs";

/** The next such time of the week (epoch ms): a test's clock runs ahead of the real one. `weekday` is 0 for Sunday. */
export async function nextMoment({ zone, weekday, minutes }) {
  const { toInstant, toWall } = await load("app/domain/time/wall-clock.ts");
  const today = Math.floor(toWall(zone, Date.now()) / 86_400_000) * 86_400_000;
  const days = (weekday - new Date(today).getUTCDay() + 7) % 7 || 7;
  return toInstant(zone, today + days * 86_400_000 + minutes * 60_000);
}

/**
 * `npm start` on a state of its own, a new one with the demo city, with a clock that is ahead by `offset_ms`. Server and
 * state end with this process, also where a signal stops it.
 */
export async function aDemoServer({ state_dir, offset_ms }) {
  const port = await freePort();
  const server = spawn(process.execPath, ["tests/support/start.mjs"], {
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...process.env,
      PORT: String(port),
      STATE_DIR: state_dir,
      NODE_ENV: "production",
      TEST_CLOCK_OFFSET_MS: String(offset_ms),
    },
  });
  const gone = once(server, "exit");
  const kill = () => server.exitCode === null && server.signalCode === null && process.kill(-server.pid, "SIGKILL");
  const stop = async () => {
    kill();
    await gone;
  };
  process.once("exit", () => {
    kill();
    rmSync(state_dir, { recursive: true, force: true, maxRetries: 10 });
  });
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
  await listening(server).catch(async (error) => {
    await stop();
    throw error;
  });
  return { url: `http://localhost:${port}`, stop };
}

async function listening(server) {
  let output = "";
  server.stdout.on("data", (chunk) => (output += chunk));
  for (let tries = 0; tries < 1_800; tries += 1) {
    if (output.includes("Lamplighter is at")) return;
    if (server.exitCode !== null) break;
    await sleep(100);
  }
  throw new Error(`The server did not start:\n${output}`);
}

async function freePort() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address();
  probe.close();
  await once(probe, "close");
  return port;
}
