/**
 * The plan that an on-site agent was last sent, the last one that it has stored, and up to which entry its log was taken
 * in. `answered_rev`: the last revision that it has taken or refused.
 */
export function standingPlans(sql: SqlStorage): void {
  sql.exec(`CREATE TABLE standing_plans (
    agent_id TEXT PRIMARY KEY, rev INTEGER NOT NULL, sent_at INTEGER, sent TEXT, answered_rev INTEGER, taken TEXT,
    log_upto INTEGER NOT NULL, log_run INTEGER NOT NULL
  ) WITHOUT ROWID`);
}
