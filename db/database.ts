import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";
import * as schema from "./schema";

export type Database = DrizzleD1Database<typeof schema>;

/** The database handle. Read and write records through the repositories, which are scoped to one organization. */
export function database(d1: D1Database): Database {
  return drizzle(d1, { schema });
}
