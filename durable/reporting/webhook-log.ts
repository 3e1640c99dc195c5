import { causeOf } from "#domain/errors";
import { noteDeliveries, type DeliveryRecord } from "#db/webhooks";
import { bodyWith } from "#durable/state/body";
import { transact, type EngineContext } from "#durable/state/context";
import { D1_DEADLINE_MS, withDeadline } from "#durable/state/deadline";

const AT_ONCE = 50;

/** Keeps what D1 has to be told of a message; a newer fate takes the place of an untold one. */
export function noteFate({ sql }: EngineContext, fate: DeliveryRecord): void {
  sql.exec("INSERT OR REPLACE INTO webhook_log (id, body) VALUES (?, ?)", fate.id, JSON.stringify(fate));
}

/** Whether D1 has to be told something. */
export function isLogWaiting({ sql }: EngineContext): boolean {
  return sql.exec("SELECT 1 FROM webhook_log WHERE id > '' LIMIT 1").toArray().length > 0;
}

/**
 * Tells D1 what became of messages; answers whether all of it is told. What nobody can read, or D1 refuses for good, is
 * logged and dropped.
 */
export async function flushLog(context: EngineContext): Promise<boolean> {
  let most = AT_ONCE;
  for (;;) {
    const rows = context.sql
      .exec<{ id: string; body: string }>(
        "SELECT id, body FROM webhook_log WHERE id > '' ORDER BY id LIMIT ? + 0",
        most,
      )
      .toArray();
    if (rows.length === 0) return true;
    const [first, ...rest] = rows.flatMap((row) => fateOf(context, row) ?? []);
    try {
      if (first) await withDeadline(context, D1_DEADLINE_MS, noteDeliveries(context.db, first, rest));
    } catch (error) {
      const { error: reason } = causeOf(error);
      context.log({ level: "warn", event: "webhooks.log_unavailable", reason });
      if (!/constraint/i.test(reason)) return false;
      // Whose fault it is shows where each is told by itself.
      most = rows.length > 1 ? 1 : AT_ONCE;
      if (rows.length > 1) continue;
    }
    transact(context, () => {
      for (const { id, body } of rows) context.sql.exec("DELETE FROM webhook_log WHERE id = ? AND body = ?", id, body);
    });
    // Shown where messages to people are.
    context.recordsDelivered([{ kind: "notification", body: "{}" }]);
  }
}

function fateOf(context: EngineContext, { id, body }: { id: string; body: string }): DeliveryRecord | null {
  const fate = bodyWith<DeliveryRecord>(body, ["webhook_id"]);
  if (!fate) context.log({ level: "error", event: "webhook.unreadable", id });
  return fate;
}
