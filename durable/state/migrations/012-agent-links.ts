/** Since when an on-site agent is connected, or away, and its program's version; none while it has never been there. */
export function agentLinks(sql: SqlStorage): void {
  sql.exec(`CREATE TABLE agent_links (
    agent_id TEXT PRIMARY KEY, connected_since INTEGER, away_since INTEGER, agent_version TEXT
  ) WITHOUT ROWID`);
}
