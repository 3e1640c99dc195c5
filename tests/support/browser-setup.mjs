import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { migrate, withDatabase } from "../../worker/local/database.mjs";
import { builtWorker } from "../../worker/local/runtime.mjs";
import { makeSecrets } from "../../worker/local/secrets.mjs";
import { load } from "../../worker/local/typescript.mjs";

/** Builds the worker and a state with the demo city, once, before the browser tests start their servers. */
export async function setup(project) {
  await makeSecrets();
  project.provide("worker", await builtWorker());
  const city = await mkdtemp(join(tmpdir(), "lamplighter-city-"));
  const { OFFSET_MS, shiftSql } = await load("tests/support/clock.ts");
  if (OFFSET_MS !== 0) await withDatabase(city, (d1) => migrateShifted(d1, shiftSql));
  await migrate(city);
  const { seedIfEmpty } = await load("worker/local/seed.ts");
  const [{ PASSWORD }, { quickHash }] = [await load("db/seed/people.ts"), await load("tests/support/quick-hash.ts")];
  await withDatabase(city, async (d1) => {
    await seedIfEmpty(d1, Date.now() + OFFSET_MS);
    await d1.prepare("UPDATE users SET password_hash = ?").bind(quickHash(PASSWORD)).run();
  });
  project.provide("city", city);
  return () => rm(city, { recursive: true, force: true });
}

/** Applies the migrations with the SQL defaults on the tests' clock, and fills wrangler's list of applied ones. */
async function migrateShifted(d1, shiftSql) {
  const migrations = await readD1Migrations("db/migrations");
  const queries = [
    "CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT UNIQUE, applied_at TEXT)",
    ...migrations.flatMap(({ name, queries }) => [...queries, `INSERT INTO d1_migrations (name) VALUES ('${name}')`]),
  ];
  await d1.batch(queries.map((query) => d1.prepare(shiftSql(query))));
}
