import { PLACEHOLDER_RECIPIENT } from "#domain/records/setting-defaults";
import { listed } from "#domain/messages/message-settings";
import type { ToldAlarm } from "#domain/messages/recipients";
import { toIso } from "#domain/time/to-iso";
import { bodyWith } from "#durable/state/body";
import { enqueue } from "#durable/state/outbox";
import { settingsOf } from "#durable/state/plan";
import { nextSeq, orgId } from "#durable/state/meta";
import { transact, type EngineContext } from "#durable/state/context";
import { dropTimer, putTimer } from "#durable/state/timers";
import { noteTogether, turnOf, type Settled } from "./gather";
import { hold } from "./held";
import { RETRIES_MS, SENDING_MS } from "./message-times";
import { isEmail, messengerTo, NO_EMAIL, NO_SMS, reachable } from "./messengers";
import { peopleToTell, peopleWhoHeard, type Heard } from "./recipients";

type Message = {
  id: string;
  incident: string;
  kind: string;
  message: string;
  /** Telephone numbers and e-mail addresses. */
  recipients: string[];
  /** Who has not got it yet. */
  left: string[];
  /** Who will never get it, each with the reason. */
  refused: string[];
  created_at: string;
  attempts: number;
  /** After how many of them somebody was left to be tried again; the release before counts them as attempts. */
  failures?: number;
  /** Its place in the order of all messages; one that the release before has made gets it at its turn. */
  seq?: number;
  /** Whether it says that the incident is over. */
  isEnd?: boolean;
};

const NOBODY = "not sent: no recipient is set";
const HELD = "not sent now: kept for the end of quiet hours";

/**
 * Records a message of an alarm to the people in NOTIFY_SMS_TO and NOTIFY_EMAIL_TO, and to those who chose to hear of it,
 * and sends it by SMS and e-mail, where they are configured; what somebody's quiet hours hold back is kept for their digest.
 * The placeholder number is never sent to; what is not sent is recorded all the same, with the reason. Must run inside a
 * transaction.
 */
export function notify(context: EngineContext, incident: string, kind: string, message: string, heard: Heard): void {
  if (!settingsOf(context.sql).NOTIFY_ON_FAIL) return;
  const people = peopleToTell(context, heard);
  for (const { user_id, until } of people.later) hold(context, user_id, until, heard);
  const why_nobody = people.later.length > 0 ? HELD : NOBODY;
  tell(context, incident, kind, message, everybody(context, people.now), { why_nobody });
}

/**
 * The same of the end of alarms, to those who heard of one at its `told_at` (epoch ms) or in a digest since, and to the
 * addresses that they were passed on to; `of` has none of which nobody can say what it was. Must run inside a transaction.
 */
export function notifyOfEnd(
  context: EngineContext,
  incident: string,
  kind: string,
  message: string,
  of: (ToldAlarm & { told_at: number })[],
  passed_on: string[],
): void {
  if (!settingsOf(context.sql).NOTIFY_ON_FAIL) return;
  const people = of.flatMap((alarm) => peopleWhoHeard(context, alarm, alarm.told_at));
  const recipients = everybody(context, [...people, ...reachable(context, passed_on)]);
  tell(context, incident, kind, message, recipients, { isEnd: true });
}

/** The addresses of the settings and these, each once. */
function everybody(context: EngineContext, people: string[]): string[] {
  const { NOTIFY_SMS_TO, NOTIFY_EMAIL_TO } = settingsOf(context.sql);
  return [...new Set([...listed(NOTIFY_SMS_TO), ...reachable(context, listed(NOTIFY_EMAIL_TO)), ...people])];
}

/** The same to one person's addresses alone, whatever the settings say. Must run inside a transaction. */
export function notifyPerson(
  context: EngineContext,
  incident: string,
  kind: string,
  message: string,
  to: string[],
): void {
  tell(context, incident, kind, message, to);
}

function tell(
  context: EngineContext,
  incident: string,
  kind: string,
  message: string,
  recipients: string[],
  { why_nobody = NOBODY, isEnd = false } = {},
): void {
  const id = `${idsOf(context, incident)}${kind}`;
  const created_at = toIso(context.now());
  const left = recipients.filter((to) => to !== PLACEHOLDER_RECIPIENT);
  const made: Message = {
    id,
    incident,
    kind,
    message,
    recipients,
    left,
    refused: [],
    created_at,
    attempts: 0,
    isEnd,
    seq: nextSeq(context),
  };
  if (left.length === 0 && (context.sms !== null || why_nobody === HELD))
    return record(context, made, "not_sent", why_nobody);
  if (isInVain(context, left)) return record(context, made, "not_sent", `not sent: ${missing(left)}`);
  record(context, made, "pending", null);
  save(context, made, context.now());
}

/** Sees to it that a message outlives whoever is sending it. Must run inside a transaction. */
export function watchMessage(context: EngineContext, id: string): void {
  const message = find(context, id);
  if (message) save(context, message, context.now() + SENDING_MS);
}

/**
 * Sends a message to everybody who has not got it, where its turn has come; what may go better is tried again three times,
 * later each time. Who got it is stored before the next message leaves, so that a crash repeats one at most.
 */
export async function sendMessage(context: EngineContext, id: string): Promise<void> {
  const message = find(context, id);
  if (!message) return;
  if (message.left.length > 0 && isInVain(context, message.left)) {
    return transact(context, () => end(context, message, "not_sent", `not sent: ${missing(message.left)}`));
  }
  const seq = message.seq ?? transact(context, () => placed(context, message));
  const attempts = message.attempts + 1;
  const failed_before = message.failures ?? message.attempts;
  const again: Unsent[] = [];
  const waits: number[] = [];
  for (const to of message.left) {
    const turn = await deliver(context, to, message, seq);
    if (turn.do === "wait") {
      waits.push(turn.until);
      continue;
    }
    const { sent } = turn;
    message.attempts = attempts;
    if (!sent.ok && sent.again) again.push({ to, detail: sent.detail });
    else settle(message, to, sent.ok ? null : sent.detail);
    message.failures = failed_before + (again.length > 0 ? 1 : 0);
    transact(context, () => save(context, message, context.now() + SENDING_MS));
  }
  transact(context, () => conclude(context, message, again, waits));
}

/** A try that may go better, and why it did not go. */
type Unsent = { to: string; detail: string };

/** It has reached an address, or never will, for a reason. */
function settle(message: Message, to: string, detail: string | null): void {
  message.left = message.left.filter((other) => other !== to);
  if (detail !== null) message.refused.push(`${to}: ${detail}`);
}

/** What became of a message at an address, or until when it waits there. */
async function deliver(context: EngineContext, to: string, message: Message, seq: number): Promise<Settled> {
  const messenger = messengerTo(context, to);
  if (!messenger) return { do: "over", sent: { ok: false, again: false, detail: missing([to]) } };
  const turn = transact(context, () => turnOf(context, to, seq));
  if (turn.do === "together") {
    const { text, made_until } = turn;
    const sent = await messenger(to, { id: `${message.id}:${made_until}`, text });
    transact(context, () => noteTogether(context, to, made_until, sent));
    return deliver(context, to, message, seq);
  }
  if (turn.do !== "alone") return turn;
  if (message.isEnd && waitsForAlarm(context, to, message)) {
    return { do: "over", sent: { ok: false, again: true, detail: "the alarm itself has not reached them yet" } };
  }
  return { do: "over", sent: await messenger(to, { id: message.id, text: message.message }) };
}

/**
 * Whether the alarm itself, or a digest that may tell of it, has yet to reach somebody: told the other way round, they would
 * take for open what is over.
 */
function waitsForAlarm(context: EngineContext, to: string, { id, incident }: Message): boolean {
  const waiting = [incident, "digest"].flatMap((of) => {
    const ids = idsOf(context, of);
    return context.sql
      .exec<{ body: string }>("SELECT body FROM messages WHERE id > ? AND id < ? AND id <> ?", ids, `${ids}~`, id)
      .toArray();
  });
  return waiting.some(({ body }) => bodyWith<Message>(body, ["left"])?.left.includes(to));
}

/** What the ids of an incident's messages begin with; their kinds follow. */
function idsOf(context: EngineContext, incident: string): string {
  return `${orgId(context)}:${incident}:`;
}

/** Nobody carries a message to any of them. */
function isInVain(context: EngineContext, left: string[]): boolean {
  return left.every((to) => messengerTo(context, to) === null);
}

function missing(left: string[]): string {
  return left.length > 0 && left.every(isEmail) ? NO_EMAIL : NO_SMS;
}

/** `again`: to whom it did not get just now. `waits`: until when (epoch ms) it waits at other addresses. */
function conclude(context: EngineContext, message: Message, again: Unsent[], waits: number[]): void {
  const again_ms = again.length > 0 ? RETRIES_MS[(message.failures ?? 0) - 1] : undefined;
  if (again_ms !== undefined) {
    save(context, message, context.now() + again_ms);
    const reasons = again.map(({ to, detail }) => `${to}: ${detail}`);
    return record(context, message, "pending", `not sent yet to ${reasons.join("; ")}`);
  }
  for (const { to, detail } of again) settle(message, to, detail);
  if (waits.length > 0) return save(context, message, Math.min(...waits));
  if (message.refused.length === 0) return end(context, message, "sent", null);
  end(context, message, "failed", `not sent to ${message.refused.join("; ")}`);
}

function end(
  context: EngineContext,
  message: Message,
  status: "sent" | "not_sent" | "failed",
  detail: string | null,
): void {
  context.sql.exec("DELETE FROM messages WHERE id = ?", message.id);
  dropTimer(context.sql, "message", message.id);
  record(context, message, status, detail);
}

/** Gives a message its place in the order of all, which it keeps. */
function placed(context: EngineContext, message: Message): number {
  const seq = nextSeq(context);
  message.seq = seq;
  save(context, message, context.now() + SENDING_MS);
  return seq;
}

function find(context: EngineContext, id: string): Message | null {
  const [row] = context.sql.exec<{ body: string }>("SELECT body FROM messages WHERE id = ?", id).toArray();
  return row ? JSON.parse(row.body) : null;
}

function save(context: EngineContext, message: Message, due_at: number): void {
  context.sql.exec("INSERT OR REPLACE INTO messages (id, body) VALUES (?, ?)", message.id, JSON.stringify(message));
  putTimer(context.sql, "message", message.id, due_at);
}

function record(
  context: EngineContext,
  message: Message,
  status: "pending" | "sent" | "not_sent" | "failed",
  detail: string | null,
): void {
  const sent_at = status === "sent" ? toIso(context.now()) : null;
  enqueue(context, "notification", message.id, { ...message, org_id: orgId(context), status, detail, sent_at });
}
