/** The platform takes a hundred values in one statement. */
const MOST_VALUES = 100;

/** Writes rows by few statements: `one` writes one row, and is given its values in the order of its placeholders. */
export function insertRows(sql: SqlStorage, one: string, rows: SqlStorageValue[][]): void {
  const each = /VALUES (\([?, ]+\))/.exec(one)?.[1] ?? "";
  const at_once = Math.floor(MOST_VALUES / Math.max(1, rows[0]?.length ?? 0));
  for (let n = 0; n < rows.length; n += at_once) {
    const some = rows.slice(n, n + at_once);
    sql.exec(one.replace(each, each + `, ${each}`.repeat(some.length - 1)), ...some.flat());
  }
}
