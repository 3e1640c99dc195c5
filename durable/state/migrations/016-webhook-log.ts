/**
 * What D1 has to be told of messages to webhooks. It is no part of the outbox: release 1.0.0 stops at a record that it
 * does not know, and everything behind it.
 */
export function webhookLog(sql: SqlStorage): void {
  sql.exec("CREATE TABLE webhook_log (id TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID");
}
