import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { withDatabase } from "../../worker/local/database.mjs";
import { builtWorker } from "../../worker/local/runtime.mjs";
import { makeSecrets } from "../../worker/local/secrets.mjs";
import { load } from "../../worker/local/typescript.mjs";

/** Builds the worker and a state with the demo city, once, before the browser tests start their servers. */
export async function setup(project) {
  await makeSecrets();
  project.provide("worker", await builtWorker());
  const city = await mkdtemp(join(tmpdir(), "lamplighter-city-"));
  await withDatabase(city, makeCity);
  project.provide("city", city);
  return () => rm(city, { recursive: true, force: true });
}

async function makeCity(d1) {
  const [{ OFFSET_MS, shiftSql }, { seedIfEmpty }, { PASSWORD }, { quickHash }] = await Promise.all(
    ["tests/support/clock.ts", "worker/local/seed.ts", "db/seed/people.ts", "tests/support/quick-hash.ts"].map(load),
  );
  await migrate(d1, shiftSql);
  await seedIfEmpty(d1, Date.now() + OFFSET_MS);
  await d1.prepare("UPDATE users SET password_hash = ?").bind(quickHash(PASSWORD)).run();
}

/**
 * Applies the migrations with the SQL defaults on the tests' clock, and fills wrangler's list of applied ones. wrangler
 * itself, which other tests start, takes several seconds for it.
 */
async function migrate(d1, shiftSql) {
  const migrations = await readD1Migrations("db/migrations");
  const queries = [
    "CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT UNIQUE, applied_at TEXT)",
    ...migrations.flatMap(({ name, queries }) => [...queries, `INSERT INTO d1_migrations (name) VALUES ('${name}')`]),
  ];
  await d1.batch(queries.map((query) => d1.prepare(shiftSql(query))));
}
