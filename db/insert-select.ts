import { getTableColumns, sql, SQL, type Column } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "./database";

/**
 * Inserts what a query selects. `given` has the columns that it tells; the others get their defaults, as when values are
 * inserted. `from` is the query behind its columns.
 */
export function insertSelect(db: Database, table: SQLiteTable, given: Record<string, SQL>, from: SQL) {
  const columns = Object.entries(getTableColumns(table)).map(([name, column]) => given[name] ?? defaultOf(column));
  return db.insert(table).select(sql`select ${sql.join(columns, sql`, `)} ${from}`);
}

function defaultOf(column: Column): SQL {
  if (column.default instanceof SQL) return column.default;
  return column.default === undefined ? sql`null` : sql`${sql.param(column.default, column)}`;
}
