/**
 * What quiet hours hold back, by person: the first alarms of each kind as people are told of them, and how many there
 * were. `since` (epoch ms) says which incident of the name it was.
 */
export function heldMessages(sql: SqlStorage): void {
  sql.exec(`CREATE TABLE held_messages (
    user_id TEXT NOT NULL, kind TEXT NOT NULL, incident TEXT NOT NULL, since INTEGER NOT NULL, dept_id TEXT,
    message TEXT NOT NULL, PRIMARY KEY (user_id, kind, incident, since)
  ) WITHOUT ROWID`);
  sql.exec(`CREATE TABLE held_counts (
    user_id TEXT NOT NULL, kind TEXT NOT NULL, n INTEGER NOT NULL, first_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, kind)
  ) WITHOUT ROWID`);
}
