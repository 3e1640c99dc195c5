import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeScratch } from "./support/scratch.mjs";

let memory: string;

beforeEach(async () => {
  memory = await mkdtemp(join(tmpdir(), "lamplighter-memory-"));
});

afterEach(async () => {
  await rm(memory, { recursive: true });
});

/** Another run, that made its folder. */
async function anotherRun() {
  const options = { memory, room_bytes: 0 };
  const script = `
    import { makeScratch } from "./tests/support/scratch.mjs";
    console.log(await makeScratch(${JSON.stringify(options)}));
    setInterval(() => {}, 1000);`;
  const run = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(run.stdout, "data");
  return { run, folder: basename(String(line).trim()) };
}

test("what a killed run left is removed by the next one, what a living one has is kept", async () => {
  const [killed, living] = [await anotherRun(), await anotherRun()];
  killed.run.kill("SIGKILL");
  await once(killed.run, "exit");
  const own = basename(await makeScratch({ memory, room_bytes: 0 }));
  const left = await readdir(memory);
  living.run.kill("SIGKILL");
  expect(left.toSorted()).toEqual([living.folder, own].toSorted());
});
