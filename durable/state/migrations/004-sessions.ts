/** What the providers' sessions keep while the object sleeps: access tokens and device lists, sealed, in pieces. */
export function sessions(sql: SqlStorage): void {
  sql.exec(`
    CREATE TABLE sessions (
      account TEXT NOT NULL, part TEXT NOT NULL, n INTEGER NOT NULL, body TEXT NOT NULL,
      PRIMARY KEY (account, part, n)
    )`);
}
