import { earliest } from "#domain/earliest";
import type { WebhookType } from "#domain/enums";
import type { WebhookMessage } from "#domain/messages/webhook-records";
import { toIso } from "#domain/time/to-iso";
import { bodyWith } from "#durable/state/body";
import { orgId } from "#durable/state/meta";
import { transact, type EngineContext } from "#durable/state/context";
import { settingsOf } from "#durable/state/plan";
import { dropTimer, putTimer, putTimerNoLater } from "#durable/state/timers";
import { isLogWaiting, noteFate } from "./webhook-log";

/** A message that waits. `failures` counts the tries in vain since it was last asked for, `attempts` all of them. */
export type Waiting = WebhookMessage & { failures: number };

/** What became of the last try. Instants are ISO 8601. */
export type Fate = {
  status: "pending" | "delivered" | "failed";
  http_status: number | null;
  ms: number | null;
  answer: string | null;
  last_at: string | null;
  next_at: string | null;
};

const NOT_YET = { status: "pending", http_status: null, ms: null, answer: null, last_at: null, next_at: null } as const;
/** More wait for one webhook only where it takes nothing while a city's hubs come and go. */
const MOST_WAITING = 500;
/** What a person asks for waits beside those: they may just have mended the far end. */
const MOST_ASKED_FOR = 100;
const LOG_AGAIN_MS = 30_000;

/** Tells every webhook, but for `except`, of an alarm. Must run inside a transaction. */
export function tellWebhooks(
  context: EngineContext,
  type: WebhookType,
  alarm: { id: string; what: string; why: string; [more: string]: unknown },
  except: string | null,
): void {
  const created_at = toIso(context.now());
  for (const { id: webhook_id } of settingsOf(context.sql).WEBHOOKS) {
    if (webhook_id === except) continue;
    const id = `msg_${crypto.randomUUID()}`;
    const body = JSON.stringify({ id, type, at: created_at, organization: orgId(context), alarm });
    const subject = `${alarm.what}: ${alarm.why}`;
    queue(context, { id, webhook_id, type, alarm_id: alarm.id, subject, body, created_at, attempts: 0 });
  }
}

/** Sends a person's message, or one again, even where too many others wait. Must run inside a transaction. */
export function queueAsked(context: EngineContext, message: WebhookMessage): void {
  queue(context, message, MOST_WAITING + MOST_ASKED_FOR);
}

/** Sees to it that a message is sent now, whatever was tried before. Must run inside a transaction. */
function queue(context: EngineContext, message: WebhookMessage, most = MOST_WAITING): void {
  putTimerNoLater(context.sql, "webhooks", "", context.now());
  const { n } = context.sql
    .exec<{ n: number }>(
      "SELECT COUNT(*) AS n FROM webhook_messages WHERE webhook_id = ? AND id <> ?",
      message.webhook_id,
      message.id,
    )
    .one();
  if (n >= most) {
    return record(context, message, { ...NOT_YET, status: "failed", answer: "too many others were waiting" });
  }
  wait(context, { ...message, failures: 0 }, afterOpened(context, message) ?? context.now());
  record(context, message, NOT_YET);
}

/** Keeps a message to be tried at `due_at` (epoch ms). */
export function wait({ sql }: EngineContext, message: Waiting, due_at: number): void {
  sql.exec(
    "INSERT OR REPLACE INTO webhook_messages (id, webhook_id, due_at, body) VALUES (?, ?, ?, ?)",
    message.id,
    message.webhook_id,
    Math.ceil(due_at),
    JSON.stringify(message),
  );
}

/** Its tries in vain before the one that ends now; none where it was asked for while that was under way. */
export function failuresSoFar({ sql }: EngineContext, { id, failures }: Waiting): number {
  const [row] = sql
    .exec<{ failures: number | null }>("SELECT body ->> 'failures' AS failures FROM webhook_messages WHERE id = ?", id)
    .toArray();
  return row?.failures ?? failures;
}

/** It has been taken, or is given up. */
export function forget({ sql }: EngineContext, { id }: Pick<Waiting, "id">): void {
  sql.exec("DELETE FROM webhook_messages WHERE id = ?", id);
}

/** The next message that is due; webhooks have their turns, so that one that hangs holds up no other for long. */
export function nextMessage(context: EngineContext, last_webhook: string): Waiting | null {
  return firstAfter(context, last_webhook) ?? firstAfter(context, "");
}

function firstAfter(context: EngineContext, webhook_id: string): Waiting | null {
  const [row] = context.sql
    .exec<{ id: string; body: string }>(
      `SELECT id, body FROM webhook_messages INDEXED BY webhook_messages_webhook
       WHERE webhook_id > ? AND due_at <= ? ORDER BY webhook_id, due_at LIMIT 1`,
      webhook_id,
      context.now(),
    )
    .toArray();
  if (!row) return null;
  const message = bodyWith<Waiting>(row.body, ["webhook_id", "body"]);
  if (message) return message;
  // It would stay the first of all for ever.
  context.log({ level: "error", event: "webhook.unreadable", id: row.id });
  transact(context, () => forget(context, row));
  return firstAfter(context, webhook_id);
}

/**
 * Lets the end of an alarm wait while the alarm itself waits for the same webhook: told the other way round, the far end
 * would keep an alarm that is over. Answers whether it has to. Must run inside a transaction.
 */
export function letWaitForOpened(context: EngineContext, message: Waiting): boolean {
  const due_at = afterOpened(context, message);
  if (due_at !== null) wait(context, message, due_at);
  return due_at !== null;
}

/** When the end of an alarm may be told (epoch ms); null where the alarm itself does not wait for the same webhook. */
function afterOpened({ sql }: EngineContext, message: WebhookMessage): number | null {
  if (message.type !== "alarm.over") return null;
  const [opened] = sql
    .exec<{ due_at: number }>(
      `SELECT due_at FROM webhook_messages INDEXED BY webhook_messages_webhook
       WHERE webhook_id = ?
         AND CASE WHEN json_valid(body) THEN body ->> 'type' = 'alarm.opened' AND body ->> 'alarm_id' = ? END LIMIT 1`,
      message.webhook_id,
      message.alarm_id,
    )
    .toArray();
  return opened ? opened.due_at + 1 : null;
}

/** Asks to be woken for the message that is due first, and soon where D1 has something to be told. */
export function wakeForNext(context: EngineContext): void {
  const { sql } = context;
  const { due_at } = sql.exec<{ due_at: number | null }>("SELECT MIN(due_at) AS due_at FROM webhook_messages").one();
  const at = earliest(due_at, isLogWaiting(context) ? context.now() + LOG_AGAIN_MS : null);
  if (at === null) dropTimer(sql, "webhooks");
  else putTimer(sql, "webhooks", "", at);
}

/** Notes what became of a message. */
export function record(context: EngineContext, message: WebhookMessage, fate: Fate): void {
  const { id, webhook_id, type, alarm_id, subject, body, created_at, attempts } = message;
  const of = { id, webhook_id, type, alarm_id, subject, body, created_at, attempts };
  noteFate(context, { ...of, ...fate, org_id: orgId(context) });
}
