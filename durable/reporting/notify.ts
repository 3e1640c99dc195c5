import { PLACEHOLDER_RECIPIENT } from "#domain/setting-defaults";
import { post } from "#durable/state/outbox";
import { settingsOf } from "#durable/state/plan";
import { orgId, transact, type Room } from "#durable/state/context";
import { dropTimer, putTimer } from "#durable/state/timers";

type Message = {
  id: string;
  incident: string;
  kind: string;
  message: string;
  recipients: string[];
  /** Who has not got it yet. */
  left: string[];
  /** Who will never get it, each with the reason. */
  refused: string[];
  created_at: string;
  attempts: number;
};

const RETRIES_MS = [30_000, 120_000, 600_000];
/** Longer than one text takes: whoever is sending by then has died. */
const SENDING_MS = 60_000;
const NOT_CONFIGURED = "not sent: SMS is not configured";

/**
 * Records a message to the people in NOTIFY_SMS_TO and sends it by SMS, where SMS is configured. The placeholder number
 * is never sent to; what is not sent is recorded all the same, with the reason (decision 25).
 */
export function notify(room: Room, incident: string, kind: string, message: string): void {
  const { NOTIFY_ON_FAIL, NOTIFY_SMS_TO } = settingsOf(room.sql);
  if (!NOTIFY_ON_FAIL) return;
  const recipients = [...new Set(NOTIFY_SMS_TO.split(",").map((number) => number.trim()))].filter(Boolean);
  const id = `${orgId(room)}:${incident}:${kind}`;
  const created_at = new Date(room.now()).toISOString();
  const left = recipients.filter((number) => number !== PLACEHOLDER_RECIPIENT);
  const made: Message = { id, incident, kind, message, recipients, left, refused: [], created_at, attempts: 0 };
  if (room.sms === null) return record(room, made, "not_sent", NOT_CONFIGURED);
  if (left.length === 0) return record(room, made, "not_sent", "not sent: no recipient is set");
  record(room, made, "pending", null);
  save(room, made, room.now());
}

/** Sees to it that a message outlives whoever is sending it. Must run inside a transaction. */
export function watchMessage(room: Room, id: string): void {
  const message = find(room, id);
  if (message) save(room, message, room.now() + SENDING_MS);
}

/**
 * Sends a message to everybody who has not got it; what may go better is tried again three times, later each time. Who
 * got it is stored before the next text leaves, so that a crash repeats one at most.
 */
export async function sendMessage(room: Room, id: string): Promise<void> {
  const message = find(room, id);
  if (!message) return;
  if (!room.sms) return transact(room, () => end(room, message, "not_sent", NOT_CONFIGURED));
  message.attempts += 1;
  const later: string[] = [];
  for (const number of message.left) {
    const sent = await room.sms(number, message.message);
    if (!sent.ok) (sent.again ? later : message.refused).push(`${number}: ${sent.detail}`);
    if (sent.ok || !sent.again) message.left = message.left.filter((other) => other !== number);
    transact(room, () => save(room, message, room.now() + SENDING_MS));
  }
  transact(room, () => conclude(room, message, later));
}

function conclude(room: Room, message: Message, later: string[]): void {
  const again_ms = later.length > 0 ? RETRIES_MS[message.attempts - 1] : undefined;
  if (again_ms !== undefined) {
    save(room, message, room.now() + again_ms);
    return record(room, message, "pending", `not sent yet to ${later.join("; ")}`);
  }
  const missed = [...message.refused, ...later];
  if (missed.length === 0) return end(room, message, "sent", null);
  end(room, message, "failed", `not sent to ${missed.join("; ")}`);
}

function end(room: Room, message: Message, status: "sent" | "not_sent" | "failed", detail: string | null): void {
  room.sql.exec("DELETE FROM messages WHERE id = ?", message.id);
  dropTimer(room.sql, `sms:${message.id}`);
  record(room, message, status, detail);
}

function find(room: Room, id: string): Message | null {
  const [row] = room.sql.exec<{ body: string }>("SELECT body FROM messages WHERE id = ?", id).toArray();
  return row ? JSON.parse(row.body) : null;
}

function save(room: Room, message: Message, due_at: number): void {
  room.sql.exec("INSERT OR REPLACE INTO messages (id, body) VALUES (?, ?)", message.id, JSON.stringify(message));
  putTimer(room.sql, `sms:${message.id}`, due_at);
}

function record(
  room: Room,
  of: Message,
  status: "pending" | "sent" | "not_sent" | "failed",
  detail: string | null,
): void {
  const sent_at = status === "sent" ? new Date(room.now()).toISOString() : null;
  post(room, "notification", of.id, { ...of, org_id: orgId(room), status, detail, sent_at });
}
