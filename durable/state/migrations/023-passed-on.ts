/** Whom an escalation has told, and not only how many: whoever edits the list meanwhile moves its places. */
export function passedOn(sql: SqlStorage): void {
  sql.exec(`CREATE TABLE passed_on (
    incident TEXT NOT NULL, address TEXT NOT NULL, PRIMARY KEY (incident, address)
  ) WITHOUT ROWID`);
}
