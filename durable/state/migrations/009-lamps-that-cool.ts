/** A lamp that must cool before it is lit again: whether a reading said that it is on, and since when it is dark. */
export function lampsThatCool(sql: SqlStorage): void {
  sql.exec(`
    ALTER TABLE device_memory ADD COLUMN seen_lit INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE device_memory ADD COLUMN dark_since INTEGER`);
}
