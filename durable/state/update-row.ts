type Columns = Record<string, SqlStorageValue>;

/**
 * Writes the columns in which a row differs from what is stored: a light's memory has dozens, of which a send changes a
 * handful. `key` finds the row.
 */
export function updateRow(sql: SqlStorage, table: string, key: Columns, stored: Columns, row: Columns): void {
  const changed = Object.keys(row).filter((name) => row[name] !== stored[name]);
  if (changed.length === 0) return;
  const set = changed.map((name) => `${name} = ?`).join(", ");
  const where = Object.keys(key)
    .map((name) => `${name} = ?`)
    .join(" AND ");
  const values = changed.map((name) => row[name] ?? null);
  sql.exec(`UPDATE ${table} SET ${set} WHERE ${where}`, ...values, ...Object.values(key));
}
