type Columns = Record<string, SqlStorageValue>;

/** The statement for each set of columns of a table, so that none is put together twice. */
export type Updates = { table: string; key: string[]; columns: string[]; statements: Map<number, string> };

/** Which of a row's columns differ is kept as the bits of one number. */
const MOST_COLUMNS = 53;

/** How a table's rows are changed: those with the same `key` columns, in some of the others. Throws where those are too many. */
export function updatesOf(table: string, key: string[], columns: string[]): Updates {
  if (columns.length > MOST_COLUMNS) throw new Error(`${table} has more columns than a number has bits`);
  return { table, key, columns, statements: new Map() };
}

/**
 * Writes the columns in which a row differs from what is stored: a light's memory has dozens, of which a send changes a
 * handful. Both have the key.
 */
export function updateRow(sql: SqlStorage, updates: Updates, stored: Columns, row: Columns): void {
  const values: SqlStorageValue[] = [];
  let changed = 0;
  let bit = 1;
  for (const name of updates.columns) {
    const value = row[name] ?? null;
    if (value !== stored[name]) {
      changed += bit;
      values.push(value);
    }
    bit *= 2;
  }
  if (changed === 0) return;
  for (const name of updates.key) values.push(row[name] ?? null);
  sql.exec(updates.statements.get(changed) ?? statementFor(updates, changed), ...values);
}

function statementFor({ table, key, columns, statements }: Updates, changed: number): string {
  const isChanged = (n: number) => Math.floor(changed / 2 ** n) % 2 === 1;
  const set = columns.filter((_, n) => isChanged(n)).map((name) => `${name} = ?`);
  const statement = `UPDATE ${table} SET ${set.join(", ")} WHERE ${key.map((name) => `${name} = ?`).join(" AND ")}`;
  statements.set(changed, statement);
  return statement;
}
