type Columns = Record<string, SqlStorageValue>;

/** The statement for each set of columns of a table, so that none is put together twice. */
export type Updates = { table: string; key: string[]; columns: string[]; statements: Map<number, string> };

/** How a table's rows are changed: those with the same `key` columns, in some of the others. */
export function updatesOf(table: string, key: string[], columns: string[]): Updates {
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
    bit *= 2; // a number has room for 53 columns
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
