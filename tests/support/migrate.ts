import { readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { shiftSql } from "./clock";

/**
 * Applies the migrations with the SQL defaults on the tests' clock, and fills wrangler's list of applied ones. wrangler
 * itself, which other tests start, takes several seconds for it.
 */
export async function migrateAtOnce(d1: D1Database): Promise<void> {
  const migrations = await readD1Migrations("db/migrations");
  const statements = [
    "CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT UNIQUE, applied_at TEXT)",
    ...migrations.flatMap(({ name, queries }) => [...queries, `INSERT INTO d1_migrations (name) VALUES ('${name}')`]),
  ];
  await d1.batch(statements.map((statement) => d1.prepare(shiftSql(statement))));
}
