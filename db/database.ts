import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";
import * as schema from "./schema";

export type Database = DrizzleD1Database<typeof schema>;

/** The organization-independent handle; records are reached through the repositories, made for one organization. */
export function database(d1: D1Database): Database {
  return drizzle(d1, { schema });
}
