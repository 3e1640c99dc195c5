import { digestText } from "#domain/messages/digest";
import type { AlarmKind } from "#domain/enums";
import { addressesOf, maySee, quietUntil, type Recipient } from "#domain/messages/recipients";
import type { EngineContext } from "#durable/state/context";
import { settingsOf } from "#durable/state/plan";
import { putTimer, timerKeys } from "#durable/state/timers";
import { takeHeld, type Held } from "./held";
import { deptByName, incident } from "./incidents";
import { reachable } from "./messengers";
import { notifyPerson } from "./notify";

/**
 * Tells somebody in one message what their quiet hours have held back, in the transaction that forgets it, so that a crash
 * repeats and loses nothing. Looks at their choices as they are now: quiet hours may last longer than they did, who has left
 * hears nothing, and nobody of a light that their departments hide by then. Must run inside a transaction.
 */
export function sendDigest(context: EngineContext, user_id: string): void {
  const { RECIPIENTS, APP_TIMEZONE, NOTIFY_ON_FAIL } = settingsOf(context.sql);
  const person = RECIPIENTS.find((one) => one.user_id === user_id);
  const until = person ? quietUntil(person, context.now(), APP_TIMEZONE) : null;
  if (until !== null) return putTimer(context.sql, "digest", user_id, until);
  const held = takeHeld(context, user_id);
  if (!person || !person.digest || !NOTIFY_ON_FAIL || held.first_at === null) return;
  const to = reachable(context, addressesOf(person, person.other_by));
  const text = textFor(context, person, held);
  if (text === null || to.length === 0) return;
  notifyPerson(context, `digest:${user_id}:${held.first_at}`, "digest", text, to);
}

/** Choices or clocks have changed: quiet hours may end at another time. Must run inside a transaction. */
export function reviseDigests(context: EngineContext): void {
  for (const user_id of timerKeys(context.sql, "digest")) putTimer(context.sql, "digest", user_id, context.now());
}

function textFor(context: EngineContext, person: Recipient, { rows, counts }: Held): string | null {
  const isHeard = ({ kind }: { kind: AlarmKind }) => !person.left_out.includes(kind);
  const wanted = rows.filter(isHeard);
  const shown = wanted.filter(({ incident: name, dept_id }) => maySee(person, deptByName(context, name, dept_id)));
  const count = counts.filter(isHeard).reduce((sum, { n }) => sum + n, 0) - (wanted.length - shown.length);
  const alarms = shown.map(({ kind, message, incident: name, since }) => {
    const isOver = incident(context, name)?.since !== since;
    return { kind, message, isOver };
  });
  return digestText(alarms, count);
}
