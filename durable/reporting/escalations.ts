import type { AlarmKind } from "#domain/enums";
import { isUrgent } from "#domain/messages/escalation";
import type { EngineContext } from "#durable/state/context";
import { settingsOf } from "#durable/state/plan";
import { dropTimer, putTimer } from "#durable/state/timers";

/** An alarm that is passed on: what people are told, and how many were. */
export type Escalation = { incident: string; message: string; told: number };

/** Asks for an urgent alarm to be passed on if nobody acknowledges it in time. Must run inside a transaction. */
export function startEscalation(context: EngineContext, incident: string, kind: AlarmKind, message: string): void {
  const { ESCALATE_AFTER_MIN, NOTIFY_ON_FAIL } = settingsOf(context.sql);
  // What a release has left behind that does not know of it.
  forgetPassedOn(context, incident);
  if (ESCALATE_AFTER_MIN === 0 || !NOTIFY_ON_FAIL || !isUrgent(kind)) return;
  saveEscalation(context, { incident, message, told: 0 });
  putTimer(context.sql, "escalation", incident, context.now() + ESCALATE_AFTER_MIN * 60_000);
}

/**
 * The alarm is over or acknowledged, or nobody is left to be told. Who was told stays until the alarm is over, for the news
 * of it. Must run inside a transaction.
 */
export function stopEscalation({ sql }: EngineContext, incident: string): void {
  sql.exec("DELETE FROM escalations WHERE incident = ?", incident);
  dropTimer(sql, "escalation", incident);
}

/** The alarm is over. Must run inside a transaction. */
export function forgetPassedOn({ sql }: Pick<EngineContext, "sql">, incident: string): void {
  sql.exec("DELETE FROM passed_on WHERE incident = ?", incident);
}

/** Keeps what is passed on, and how many were told. Must run inside a transaction. */
export function saveEscalation({ sql }: EngineContext, { incident, message, told }: Escalation): void {
  sql.exec("INSERT OR REPLACE INTO escalations (incident, message, told) VALUES (?, ?, ?)", incident, message, told);
}

/** Notes whom it was passed on to. */
export function notePassedOn({ sql }: EngineContext, incident: string, address: string): void {
  sql.exec("INSERT OR IGNORE INTO passed_on (incident, address) VALUES (?, ?)", incident, address);
}

/** To whom it was passed on. */
export function passedOnTo({ sql }: EngineContext, incident: string): string[] {
  return sql
    .exec<{ address: string }>("SELECT address FROM passed_on WHERE incident = ?", incident)
    .toArray()
    .map(({ address }) => address);
}

/** What is passed on of an incident; null where nothing is. */
export function escalation({ sql }: EngineContext, incident: string): Escalation | null {
  return sql.exec<Escalation>("SELECT * FROM escalations WHERE incident = ?", incident).toArray()[0] ?? null;
}
