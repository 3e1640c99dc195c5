import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { ROOT } from "../worker/local/command.mjs";
import { waitForClock } from "../worker/local/wait-for-clock.mjs";

const MINUTE = 60_000;
const POWER_CUT = Date.parse("2026-06-10T19:05:00Z");
let state_dir: string;

beforeEach(async () => {
  state_dir = await mkdtemp(join(tmpdir(), "lamplighter-clock-"));
  for (const [name, at] of [
    ["v3/d1/db/1.sqlite", POWER_CUT - 3 * MINUTE],
    ["v3/do/scheduler/2.sqlite-wal", POWER_CUT],
  ] as const) {
    await mkdir(dirname(join(state_dir, name)), { recursive: true });
    await writeFile(join(state_dir, name), "");
    await utimes(join(state_dir, name), at / 1_000, at / 1_000);
  }
});

afterEach(() => rm(state_dir, { recursive: true }));

/** Starts a server whose clock says `from`, and is set right so long after that. Answers how long it waited, and what it said. */
async function started(from: number, rightAfter_ms: number) {
  let waited_ms = 0;
  const said: string[] = [];
  await waitForClock(state_dir, {
    now: () => (waited_ms < rightAfter_ms ? from + waited_ms : POWER_CUT + 20 * MINUTE + waited_ms),
    wait: (ms: number) => Promise.resolve(void (waited_ms += ms)),
    say: (line: string) => said.push(line),
  });
  return { waited_ms, said };
}

test.each([
  ["months", "2026-03-12T19:25:00Z", "2026-03-12 19:25"],
  ["an hour", "2026-06-10T18:05:00Z", "2026-06-10 18:05"],
])("a server whose clock is %s behind what it last wrote waits until that is set right", async (_, from, told) => {
  const { waited_ms, said } = await started(Date.parse(from), 2 * MINUTE);
  expect(waited_ms).toBeGreaterThanOrEqual(2 * MINUTE);
  expect(waited_ms).toBeLessThan(2.1 * MINUTE);
  expect(said).toEqual([
    `The clock says ${told} UTC, but this server ran until 2026-06-10 19:05 UTC. Waiting ten minutes at most for the network's time.`,
  ]);
});

test("a server whose clock nobody sets right starts after ten minutes, by that clock", async () => {
  const { waited_ms, said } = await started(Date.parse("2026-03-12T19:25:00Z"), Infinity);
  expect(waited_ms).toBe(10 * MINUTE);
  expect(said[1]).toBe("The clock says 2026-03-12 19:35 UTC still. Going by it.");
});

test("a server whose clock is minutes behind, or that has no state yet, starts at once", async () => {
  expect(await started(POWER_CUT - 9 * MINUTE, Infinity)).toEqual({ waited_ms: 0, said: [] });
  await rm(join(state_dir, "v3"), { recursive: true });
  expect(await started(0, Infinity)).toEqual({ waited_ms: 0, said: [] });
});

test("a server that waited in vain does not wait for the same again at its next start", async () => {
  const wrong = Date.parse("2026-03-12T19:25:00Z");
  expect((await started(wrong, Infinity)).waited_ms).toBe(10 * MINUTE);
  expect(await started(wrong + 10 * MINUTE, Infinity)).toEqual({ waited_ms: 0, said: [] });
});

test("what else lies beside the databases, or cannot be read, is no reason to wait or to fail", async () => {
  await writeFile(join(state_dir, "before-the-move.sqlite"), "");
  await symlink(join(state_dir, "gone"), join(state_dir, "v3/d1/db/3.sqlite"));
  expect(await started(POWER_CUT, Infinity)).toEqual({ waited_ms: 0, said: [] });
});

test("npm start waits for its clock before it touches the state", async () => {
  const nextYear = new Date(Date.now() + 365 * 86_400_000);
  await utimes(join(state_dir, "v3/do/scheduler/2.sqlite-wal"), nextYear, nextYear);
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  const PORT = String(typeof address === "object" ? address?.port : "");
  const server = spawn(process.execPath, ["worker/local/start.mjs"], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, PORT, STATE_DIR: state_dir },
  });
  const ended = once(server, "close");
  onTestFinished(() => void server.kill("SIGKILL"));
  let said = "";
  server.stdout.on("data", (chunk) => (said += String(chunk)));
  await expect.poll(() => said, { timeout: 20_000 }).toContain("Waiting ten minutes at most");
  server.kill("SIGTERM");
  await ended;
  expect(await readdir(state_dir)).toEqual(["v3"]);
});
