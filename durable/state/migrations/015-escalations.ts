/** Alarms that are passed on until somebody acknowledges them: what people are told, and how many were. */
export function escalations(sql: SqlStorage): void {
  sql.exec(`CREATE TABLE escalations (
    incident TEXT PRIMARY KEY, message TEXT NOT NULL, told INTEGER NOT NULL
  ) WITHOUT ROWID`);
}
