/** Webhooks have their turns, and how many messages wait for one is asked at each alarm. */
export function messagesByWebhook(sql: SqlStorage): void {
  sql.exec("CREATE INDEX webhook_messages_webhook ON webhook_messages (webhook_id, due_at)");
}
