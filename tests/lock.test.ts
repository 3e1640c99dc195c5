import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../worker/local/command.mjs";
import { tryLock, tryLockFolder } from "../worker/local/lock.mjs";

let scratch = "";
const begun: ChildProcess[] = [];

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "lamplighter-lock-"));
});
afterAll(async () => {
  for (const child of begun) child.kill("SIGKILL");
  await rm(scratch, { recursive: true });
});

/** A process that tries the lock when it is told to, and stays. */
async function aProcess(name: string) {
  const script = `
    import { tryLock } from "./worker/local/lock.mjs";
    process.stdin.once("data", async () => console.log((await tryLock(${JSON.stringify(name)})) ? "held" : "refused"));
    console.log("ready");
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    cwd: ROOT,
    stdio: ["pipe", "pipe", "inherit"],
  });
  begun.push(child);
  const line = async () => String(await once(child.stdout, "data")).trim();
  expect(await line()).toBe("ready");
  return {
    tried: async () => {
      const said = line();
      child.stdin.write("\n");
      return said;
    },
    end: async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

test("of those who start at one moment after the holder was killed, one gets the lock", async () => {
  for (const round of ["first", "second", "third", "fourth"]) {
    const name = join(scratch, round);
    const holder = await aProcess(name);
    expect(await holder.tried()).toBe("held");
    expect(await tryLock(name)).toBeNull();
    await holder.end();
    const others = await Promise.all([1, 2, 3, 4].map(() => aProcess(name)));
    const said = await Promise.all(others.map(({ tried }) => tried()));
    expect(said.toSorted()).toEqual(["held", "refused", "refused", "refused"]);
    for (const { end } of others) await end();
  }
}, 60_000);

test("a folder is one folder, also by a link", async () => {
  const folder = join(scratch, "state");
  const release = await tryLockFolder(folder);
  await symlink(folder, join(scratch, "link"));
  expect(await tryLockFolder(join(scratch, "link"))).toBeNull();
  release?.();
  expect(await tryLockFolder(join(scratch, "link"))).not.toBeNull();
});
