/** The lamps of an agent's plan that is too long for one row: `plan` is `sent` or `taken`, `rev` that plan's. */
export function plannedLamps(sql: SqlStorage): void {
  sql.exec(`CREATE TABLE planned_lamps (
    agent_id TEXT NOT NULL, plan TEXT NOT NULL, n INTEGER NOT NULL, rev INTEGER NOT NULL, lamps TEXT NOT NULL,
    PRIMARY KEY (agent_id, plan, n)
  ) WITHOUT ROWID`);
}
