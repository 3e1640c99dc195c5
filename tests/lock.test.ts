import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tryLockFolder } from "../worker/local/lock.mjs";

let scratch = "";

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "lamplighter-lock-"));
});
afterAll(() => rm(scratch, { recursive: true }));

test("a folder is one folder, also by a link", async () => {
  const folder = join(scratch, "state");
  const release = await tryLockFolder(folder);
  await symlink(folder, join(scratch, "link"));
  expect(await tryLockFolder(join(scratch, "link"))).toBeNull();
  release?.();
  expect(await tryLockFolder(join(scratch, "link"))).not.toBeNull();
});
