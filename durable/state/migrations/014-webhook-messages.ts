/** Messages to webhooks that have not been taken yet, each with when it is tried next. */
export function webhookMessages(sql: SqlStorage): void {
  sql.exec(`CREATE TABLE webhook_messages (
    id TEXT PRIMARY KEY, webhook_id TEXT NOT NULL, due_at INTEGER NOT NULL, body TEXT NOT NULL
  ) WITHOUT ROWID`);
  sql.exec("CREATE INDEX webhook_messages_due ON webhook_messages (due_at)");
}
