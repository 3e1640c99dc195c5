import { env, runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { IN_BACKUPS, NOT_IN_BACKUPS } from "#db/backup-tables";
import { restoredTable } from "#db/restored-table";
import { OBJECT_IN_BACKUPS, OBJECT_NOT_IN_BACKUPS } from "#durable/state/backup-tables";

/** Why these stay as they are, though people edit them. */
const EDITED_AND_KEPT: Record<string, string> = {
  users: "a restore brings nobody in, and no old password back",
  org_memberships: "a restore brings nobody in",
  dept_memberships: "a restore brings nobody in",
  message_choices: "each person's own",
  alarms: "they tell what happened",
};
const TABLES =
  "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '\\_cf%' ESCAPE '\\'";

test("each table of D1 is in backups, or it says why not", async () => {
  const { results } = await env.DB.prepare(TABLES).all<{ name: string }>();
  const tables = results.map(({ name }) => name).filter((name) => name !== "d1_migrations");
  const decided = [...IN_BACKUPS.map(({ table }) => table), ...Object.keys(NOT_IN_BACKUPS)];
  expect(decided.toSorted()).toEqual(tables.toSorted());
});

test("what people edit goes back to what it was, with its version going on", () => {
  const kept = IN_BACKUPS.filter(({ table, restored }) => {
    const { columns } = restoredTable(table);
    return restored === "keep" && columns.includes("version") && !(table in EDITED_AND_KEPT);
  });
  expect(kept).toEqual([]);
});

test("each table of the object is in backups, or it says why not", async () => {
  const stub = env.SCHEDULER.get(env.SCHEDULER.newUniqueId());
  const tables = await runInDurableObject(stub, (_object, { storage }) =>
    storage.sql
      .exec<{ name: string }>(TABLES)
      .toArray()
      .map(({ name }) => name),
  );
  const decided = [...Object.keys(OBJECT_IN_BACKUPS), ...Object.keys(OBJECT_NOT_IN_BACKUPS)];
  expect(decided.toSorted()).toEqual(tables.toSorted());
});
