import { getTableColumns, getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import * as schema from "#db/schema";

const values: unknown[] = Object.values(schema);

/** The tables whose rows belong to an organization, by the schema. */
export const ORGANIZATION_TABLES: string[] = values
  .filter((value) => is(value, SQLiteTable))
  .filter((table) => "org_id" in getTableColumns(table))
  .map((table) => getTableName(table));
