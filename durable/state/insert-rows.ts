/** The platform takes a hundred values in one statement. */
const MOST_VALUES = 100;

/** The statement that writes one row of the table, in the place of one with its key. */
export function replaceOne(table: string, columns: readonly string[]): string {
  return `INSERT OR REPLACE INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
}

/** By the statement for one row: those for more of them, so that none is put together and prepared twice. */
const statements = new Map<string, string[]>();

/** Writes rows by few statements: `one` writes one row, and is given its values in the order of its placeholders. */
export function insertRows(sql: SqlStorage, one: string, rows: SqlStorageValue[][]): void {
  const known = statements.get(one) ?? [];
  statements.set(one, known);
  execRows(sql, rows, (n) => (known[n] ??= forMany(one, n)));
}

function forMany(one: string, rows: number): string {
  const each = /VALUES (\([?, ]+\))/.exec(one)?.[1] ?? "";
  return one.replace(each, each + `, ${each}`.repeat(rows - 1));
}

/** Runs the statement for so many rows as one may take values of, and again for the next; all rows are as long. */
export function execRows(sql: SqlStorage, rows: SqlStorageValue[][], statementFor: (rows: number) => string): void {
  const at_once = Math.max(1, Math.floor(MOST_VALUES / Math.max(1, rows[0]?.length ?? 0)));
  for (let n = 0; n < rows.length; n += at_once) {
    const some = rows.slice(n, n + at_once);
    sql.exec(statementFor(some.length), ...some.flat());
  }
}
