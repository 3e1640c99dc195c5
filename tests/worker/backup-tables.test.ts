import { env, runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { IN_BACKUPS, NOT_IN_BACKUPS } from "#db/backup-tables";
import { OBJECT_IN_BACKUPS, OBJECT_NOT_IN_BACKUPS } from "#durable/state/backup-tables";

const TABLES =
  "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '\\_cf%' ESCAPE '\\'";

test("each table of D1 is in backups, or it says why not", async () => {
  const { results } = await env.DB.prepare(TABLES).all<{ name: string }>();
  const tables = results.map(({ name }) => name).filter((name) => name !== "d1_migrations");
  const decided = [...IN_BACKUPS.map(({ table }) => table), ...Object.keys(NOT_IN_BACKUPS)];
  expect(decided.toSorted()).toEqual(tables.toSorted());
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
