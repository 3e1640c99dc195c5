import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { withDatabase } from "../worker/local/database.mjs";
import { demoCity, printAccounts } from "../worker/local/demo-city.mjs";
import { migrateAtOnce } from "./support/migrate";

const state_dir = mkdtempSync(join(tmpdir(), "lamplighter-demo-test-"));

beforeAll(() => withDatabase(state_dir, migrateAtOnce), 60_000);
afterAll(() => rmSync(state_dir, { recursive: true, force: true }));

const people = () =>
  withDatabase(
    state_dir,
    async (d1: D1Database) => (await d1.prepare("SELECT count(*) AS n FROM users").first())?.["n"],
  );

async function printed(demo: "on" | "off"): Promise<string> {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  printAccounts(await withDatabase(state_dir, (d1) => demoCity(d1, demo)));
  const lines = log.mock.calls.join("\n");
  log.mockRestore();
  return lines;
}

test("the demo city is made, and its accounts are printed, only where DEMO is on", async () => {
  expect(await printed("off")).toBe("");
  expect(await people()).toBe(0);

  expect(await printed("on")).toContain("admin@parks.example");
  expect(await people()).toBeGreaterThan(5);

  expect(await printed("off")).toBe("");
}, 120_000);
