import { spawn, type ChildProcess } from "node:child_process";
import { channel } from "node:diagnostics_channel";
import { once } from "node:events";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../worker/local/command.mjs";
import { endRuntimesWithThisProcess, runtimeEnd } from "../worker/local/runtime-end.mjs";

test("what waits to end a runtime goes with it, and ends nobody who has its number later", async () => {
  const begun: ChildProcess[] = [];
  const note = (message: unknown) => void begun.push(Object(message).process);
  channel("child_process").subscribe(note);
  endRuntimesWithThisProcess();
  const scratch = await mkdtemp(join(tmpdir(), "lamplighter-runtime-"));
  try {
    await symlink("/bin/sh", join(scratch, "workerd"));
    const runtime = spawn(join(scratch, "workerd"), ["-c", "read -r _"], { stdio: ["pipe", "ignore", "ignore"] });
    await expect.poll(() => begun.length).toBe(2);
    const [, shell] = begun;
    const gone = shell && once(shell, "exit");
    expect(shell?.exitCode).toBeNull();
    const told = runtimeEnd();
    runtime.stdin.end("\n");
    await told; // who serves by it has to end, too
    expect(await gone).toEqual([0, null]);
  } finally {
    channel("child_process").unsubscribe(note);
    await rm(scratch, { recursive: true });
  }
});

test.each(["SIGTERM", "SIGKILL"] as const)(
  "wrangler is told to end when npm run dev ends by %s",
  async (signal) => {
    // Like wrangler's command, it ends at a signal in its own way.
    const wrangler = `process.on("SIGTERM", () => { console.log("told"); process.exit(); }); console.log("runs"); setInterval(() => {}, 1000);`;
    const script = `
    import { spawn } from "node:child_process";
    import { endWithThisProcess } from "./worker/local/runtime-end.mjs";
    process.on("SIGTERM", () => process.exit());
    const child = spawn(process.execPath, ["-e", ${JSON.stringify(wrangler)}], { stdio: ["ignore", "inherit", "ignore"] });
    endWithThisProcess(child, "TERM");
  `;
    const args = ["--input-type=module", "-e", script];
    const dev = spawn(process.execPath, args, { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
    let said = "";
    dev.stdout.on("data", (chunk) => (said += String(chunk)));
    await expect.poll(() => said, { timeout: 20_000 }).toBe("runs\n");
    dev.kill(signal);
    await expect.poll(() => said, { timeout: 20_000 }).toBe("runs\ntold\n");
  },
  60_000,
);
