import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { ROOT } from "../worker/local/command.mjs";

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
