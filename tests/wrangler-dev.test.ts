import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withDatabase } from "../worker/local/database.mjs";
import { tryLock } from "../worker/local/lock.mjs";
import { prepareForWranglerDev } from "../worker/local/wrangler-dev.mjs";

let state_dir: string;

beforeAll(async () => {
  state_dir = await mkdtemp(join(tmpdir(), "lamplighter-dev-test-"));
});
afterAll(() => rm(state_dir, { recursive: true, force: true }));

const accounts = () =>
  withDatabase(state_dir, (d1) => d1.prepare("SELECT count(*) AS n FROM users").first<number>("n"));

test("wrangler dev leaves the state alone while npm start uses it", async () => {
  const release = await tryLock(state_dir);
  await expect(prepareForWranglerDev(state_dir)).rejects.toThrow(/^Another copy is using /);
  await expect(stat(join(state_dir, "v3"))).rejects.toThrow("ENOENT");
  release?.();
});

test("wrangler dev finds tables and a demo city, and a rebuild leaves them alone", async () => {
  await prepareForWranglerDev(state_dir);
  const made = await accounts();
  expect(made).toBeGreaterThan(0);
  await withDatabase(state_dir, (d1) => d1.exec("DELETE FROM organizations"));
  await prepareForWranglerDev(state_dir);
  const left = await withDatabase(state_dir, (d1) => d1.prepare("SELECT count(*) AS n FROM organizations").first("n"));
  expect(left).toBe(0);
}, 60_000);
