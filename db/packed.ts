import { Column, sql, type GetColumnData, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

type Columns = Record<string, SQLiteColumn>;
type Row<Of extends Columns> = { [Name in keyof Of]: GetColumnData<Of[Name]> };

/**
 * Columns of one table as a single one, for thousands of rows: of several columns D1's client makes an object and Drizzle
 * an array and another object, which takes longer than to read them. D1 takes at most 32, and none may hold a REAL, of
 * which SQLite's JSON keeps 15 digits.
 */
export function packed<Of extends Columns>(columns: Of): SQL.Aliased<Row<Of>> {
  const names = Object.keys(columns);
  const decoders = Object.values(columns).map(decoderOf);
  const unpack = (text: string): Row<Of> => {
    const values: unknown[] = JSON.parse(text);
    return Object.fromEntries(values.map((value, n) => [names[n], decoders[n]?.(value) ?? value]));
  };
  return sql`json_array(${sql.join(Object.values(columns), sql`, `)})`.mapWith(unpack).as("row");
}

/** What makes the column's value of one that is not null; null where that is as the database has it. */
function decoderOf(column: Column): ((value: unknown) => unknown) | null {
  if (column.mapFromDriverValue === Column.prototype.mapFromDriverValue) return null;
  return (value) => (value === null ? null : column.mapFromDriverValue(value));
}
