import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../worker/local/command.mjs";
import { tryLock } from "../worker/local/lock.mjs";

test.each([
  { signals: ["SIGTERM"] as const },
  { signals: ["SIGINT"] as const },
  { signals: ["SIGINT", "SIGINT"] as const },
])("a server that is stopped by $signals ends when all that it had is put away, with 0", async ({ signals }) => {
  const script = `
    import { setTimeout as sleep } from "node:timers/promises";
    import { stopOnSignal } from "./worker/local/stop.mjs";
    // As wrangler and Miniflare do in whoever loads them.
    for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(3));
    stopOnSignal(async () => {
      await sleep(300);
      console.log("put away");
    });
    setInterval(() => {}, 1000);
    console.log("runs");`;
  const server = spawn(process.execPath, ["--input-type=module", "-e", script], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  server.stdout.on("data", (chunk) => (said += String(chunk)));
  const ended = once(server, "close");
  await expect.poll(() => said, { timeout: 20_000 }).toBe("runs\n");
  for (const signal of signals) server.kill(signal);
  expect(await ended).toEqual([0, null]);
  expect(said).toBe("runs\nput away\n");
});

test("a tool that is stopped while it has a demo city leaves neither its server nor its folder", async () => {
  const state_dir = await realpath(await mkdtemp(join(tmpdir(), "lamplighter-stopped-")));
  const script = `
    import { aDemoServer } from "./tests/support/demo-server.mjs";
    await aDemoServer({ state_dir: ${JSON.stringify(state_dir)}, offset_ms: 0 });`;
  const tool = spawn(process.execPath, ["--input-type=module", "-e", script], { cwd: ROOT, stdio: "ignore" });
  const isServed = async () => {
    const release = await tryLock(state_dir);
    release?.();
    return release === null;
  };
  const ended = once(tool, "close");
  await expect.poll(isServed, { timeout: 60_000 }).toBe(true);
  tool.kill("SIGTERM");
  expect(await ended).toEqual([1, null]);
  await expect.poll(isServed, { timeout: 20_000 }).toBe(false);
  expect(existsSync(state_dir)).toBe(false);
});
