import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";

export type Database = DrizzleD1Database;

/** The database handle. Read and write records through the repositories, which are scoped to one organization. */
export function database(d1: D1Database): Database {
  // Without the schema, which only drizzle's relational queries read: to prepare it takes more than a query does.
  return drizzle(d1);
}
