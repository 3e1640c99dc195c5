import { PLACEHOLDER_RECIPIENT } from "#domain/setting-defaults";
import { post } from "./outbox";
import { settingsOf } from "./plan";
import { orgId, transact, type Room } from "./room";
import { putTimer } from "./timers";

type Pending = {
  id: string;
  incident: string;
  kind: string;
  message: string;
  recipients: string[];
  created_at: string;
  attempts: number;
};

const RETRIES_MS = [30_000, 120_000, 600_000];

/**
 * Records a message to the people in NOTIFY_SMS_TO and sends it by SMS, where SMS is configured. The placeholder number
 * is never sent to; what is not sent is recorded all the same, with the reason (decision 25).
 */
export function notify(room: Room, incident: string, kind: string, message: string): void {
  const { NOTIFY_ON_FAIL, NOTIFY_SMS_TO } = settingsOf(room.sql);
  if (!NOTIFY_ON_FAIL) return;
  const recipients = NOTIFY_SMS_TO.split(",")
    .map((number) => number.trim())
    .filter((number) => number !== "");
  const id = `${orgId(room)}:${incident}:${kind}`;
  const created_at = new Date(room.now()).toISOString();
  const pending: Pending = { id, incident, kind, message, recipients, created_at, attempts: 0 };
  const why = whyNot(room, recipients);
  if (why !== null) return record(room, pending, "not_sent", why);
  record(room, pending, "pending", null);
  room.sql.exec("INSERT OR REPLACE INTO messages (id, body) VALUES (?, ?)", id, JSON.stringify(pending));
  putTimer(room.sql, `sms:${id}`, room.now());
}

function whyNot(room: Room, recipients: string[]): string | null {
  if (room.sms === null) return "not sent: SMS is not configured";
  if (recipients.every((number) => number === PLACEHOLDER_RECIPIENT)) return "not sent: no recipient is set";
  return null;
}

/** Sends one recorded message to everybody it is for; tried again three times, later each time. Never rejects. */
export async function sendMessage(room: Room, id: string): Promise<void> {
  const [row] = room.sql.exec<{ body: string }>("SELECT body FROM messages WHERE id = ?", id).toArray();
  if (!row || !room.sms) return;
  const message: Pending = JSON.parse(row.body);
  const failed: string[] = [];
  let detail = "";
  for (const number of message.recipients) {
    if (number === PLACEHOLDER_RECIPIENT) continue;
    const sent = await room.sms(number, message.message);
    if (sent.ok) continue;
    failed.push(number);
    detail = sent.detail;
  }
  transact(room, () => {
    const now: Pending = { ...message, recipients: failed, attempts: message.attempts + 1 };
    const told = { ...message, attempts: now.attempts };
    const again_ms = failed.length > 0 ? RETRIES_MS[message.attempts] : undefined;
    if (again_ms !== undefined) {
      room.sql.exec("UPDATE messages SET body = ? WHERE id = ?", JSON.stringify(now), id);
      putTimer(room.sql, `sms:${id}`, room.now() + again_ms);
      return record(room, told, "pending", `not sent yet: ${detail}`);
    }
    room.sql.exec("DELETE FROM messages WHERE id = ?", id);
    record(room, told, failed.length > 0 ? "failed" : "sent", failed.length > 0 ? `not sent: ${detail}` : null);
  });
}

function record(
  room: Room,
  of: Pending,
  status: "pending" | "sent" | "not_sent" | "failed",
  detail: string | null,
): void {
  const sent_at = status === "sent" ? new Date(room.now()).toISOString() : null;
  post(room, "notification", of.id, { ...of, org_id: orgId(room), status, detail, sent_at });
}
