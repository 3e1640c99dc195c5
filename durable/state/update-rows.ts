import { execRows } from "./insert-rows";

/** A row by its columns. */
export type Columns = Record<string, SqlStorageValue>;

/** The statements for each set of columns of a table, by how many rows they write, so that none is put together twice. */
export type Updates = { table: string; key: string[]; columns: string[]; statements: Map<number, string[]> };

/** Which of a row's columns differ is kept as the bits of one number. */
const MOST_COLUMNS = 53;

/** How a table's rows are changed: those with the same `key` columns, in some of the others. Throws where those are too many. */
export function updatesOf(table: string, key: string[], columns: string[]): Updates {
  if (columns.length > MOST_COLUMNS) throw new Error(`${table} has more columns than a number has bits`);
  return { table, key, columns, statements: new Map() };
}

/** A row as it is stored, and as it is to be; both have the key. */
export type Update = { stored: Columns; row: Columns };

/**
 * Writes the columns in which rows differ from what is stored: a light's memory has dozens, of which a send changes a
 * handful. Those that differ in the same columns are written together, many a statement.
 */
export function updateRows(sql: SqlStorage, updates: Updates, rows: Update[]): void {
  const byColumns = new Map<number, SqlStorageValue[][]>();
  for (const { stored, row } of rows) {
    const { changed, values } = differenceOf(updates, stored, row);
    if (changed === 0) continue;
    const alike = byColumns.get(changed);
    if (alike) alike.push(values);
    else byColumns.set(changed, [values]);
  }
  for (const [changed, alike] of byColumns) {
    const known = updates.statements.get(changed) ?? [];
    updates.statements.set(changed, known);
    execRows(sql, alike, (n) => (known[n] ??= forMany(updates, changed, n)));
  }
}

/** The values of the columns that differ, and the key's, in the order of the statement's placeholders. */
function differenceOf({ columns, key }: Updates, stored: Columns, row: Columns) {
  const values: SqlStorageValue[] = [];
  let changed = 0;
  let bit = 1;
  for (const name of columns) {
    const value = row[name] ?? null;
    if (value !== stored[name]) {
      changed += bit;
      values.push(value);
    }
    bit *= 2;
  }
  for (const name of key) values.push(row[name] ?? null);
  return { changed, values };
}

function forMany({ table, key, columns }: Updates, changed: number, rows: number): string {
  const differ = columns.filter((_, n) => Math.floor(changed / 2 ** n) % 2 === 1);
  const names = [...differ, ...key];
  if (rows === 1) {
    const set = differ.map((name) => `${name} = ?`).join(", ");
    return `UPDATE ${table} SET ${set} WHERE ${key.map((name) => `${name} = ?`).join(" AND ")}`;
  }
  const value = (name: string) => `${name} = new.column${names.indexOf(name) + 1}`;
  const each = `(${names.map(() => "?").join(", ")})`;
  return `UPDATE ${table} SET ${differ.map(value).join(", ")} FROM (VALUES ${Array(rows).fill(each).join(", ")}) new
    WHERE ${key.map((name) => `${table}.${value(name)}`).join(" AND ")}`;
}
