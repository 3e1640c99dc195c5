import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { withDatabase } from "../worker/local/database.mjs";
import { seedIfEmpty } from "../worker/local/seed";
import { city, stormIsOver } from "./bench/storm.mjs";
import { migrateAtOnce } from "./support/migrate";

const state_dir = mkdtempSync(join(tmpdir(), "lamplighter-bench-test-"));

afterAll(() => rmSync(state_dir, { recursive: true, force: true }));

test("a storm is over when its own lights are told, whatever the demo city's log tells of its lights", async () => {
  await withDatabase(state_dir, async (d1) => {
    await migrateAtOnce(d1);
    await seedIfEmpty(d1);
    await city(d1, 2, null);
    const isOver = async () => (await stormIsOver({ d1 }, 2, Date.now() + 1_000, 10)) !== null;
    expect(await isOver()).toBe(false);

    const told = (columns: string) =>
      d1.prepare(`INSERT INTO ${columns} FROM devices WHERE org_id = 'demo-parks' AND name LIKE 'Light %'`);
    await d1.batch([
      told(
        `scheduler_events (id, org_id, ts, device_id, device_name, source, action, result, attempts)
           SELECT id, org_id, '2026-11-29T00:00:00.000Z', id, name, 'scheduler', 'on', 'ok', 1`,
      ),
      told(
        `device_events (id, org_id, created_at, device_id, device_name, action, result)
           SELECT id, org_id, '2026-11-29T00:00:00.000Z', id, name, 'on', 'success'`,
      ),
    ]);
    expect(await isOver()).toBe(true);
  });
});
