import type { AlarmKind } from "#domain/enums";
import { toIso } from "#domain/time/to-iso";
import { alarmId, deptOf, tellAlarm, type Alarm, type AlarmText, type Subject } from "./alarms";
import { forgetPassedOn, passedOnTo, startEscalation, stopEscalation } from "./escalations";
import { notify, notifyOfEnd } from "./notify";
import { everyWayTo } from "./recipients";
import { enqueue } from "#durable/state/outbox";
import { insertRows } from "#durable/state/insert-rows";
import { keptTable } from "#durable/state/kept-table";
import { settingsOf } from "#durable/state/plan";
import type { EngineContext } from "#durable/state/context";

/**
 * What went wrong and is not over: `since` when, `tries` and `sends` of the watchdog that were in vain, when it may try
 * `next_at`, when people were told, and the alarm that they see (JSON) from then on. Instants are epoch ms.
 */
export type Incident = {
  incident: string;
  since: number;
  tries: number;
  sends: number;
  next_at: number;
  notified_at: number | null;
  alarm: string | null;
};

/** One that is over, and to whom its alarm was passed on. */
export type Ended = Incident & { passed_on_to: string[] };

const incidents = keptTable<Incident>({
  read: (sql, name) => sql.exec<Incident>("SELECT * FROM incidents WHERE incident = ?", name).toArray()[0] ?? null,
  write: (sql, rows) =>
    insertRows(
      sql,
      "INSERT OR REPLACE INTO incidents (incident, since, tries, sends, next_at, notified_at, alarm) VALUES (?, ?, ?, ?, ?, ?, ?)",
      rows.map(({ key, row }) => [key, row.since, row.tries, row.sends, row.next_at, row.notified_at, row.alarm]),
    ),
  readAll: (sql) =>
    sql
      .exec<Incident>("SELECT * FROM incidents")
      .toArray()
      .map((row) => [row.incident, row]),
  drop: (sql, name) => void sql.exec("DELETE FROM incidents WHERE incident = ?", name),
  most: 30_000,
});

/**
 * The incident, if it is open. Its name tells what it is about: `device:{id}` that fails, or `pending_off:{id}` of an old lamp;
 * `external:{id}` lit without a reason; `hub:{id}` that is offline, `hub_access:{id}` that refuses us, `hub_trial:{id}` since it
 * is back, `hub_told:{id}` since people know that it was away; `agent:{id}` that is away, `agent_plan:{id}` that refuses its plan;
 * `webhook:{id}` that fails; and of the whole city `cloud:silent`, `cloud:refused`, `cloud:looked` since its lights were tried
 * again, `account:cloud`, `scheduler:late` and `outbox:set_aside`.
 */
export function incident({ sql }: EngineContext, name: string): Incident | null {
  return incidents(sql).get(name);
}

/** Opens the incident, or finds it open; answers whether it is new. */
export function openIncident(context: EngineContext, name: string): boolean {
  if (incident(context, name)) return false;
  const made = { incident: name, since: context.now(), tries: 0, sends: 0, next_at: 0, notified_at: null, alarm: null };
  incidents(context.sql).put(name, made);
  return true;
}

/** Changes what is known of an open incident; one that is over stays so. */
export function updateIncident(context: EngineContext, name: string, change: Partial<Incident>): void {
  const open = incident(context, name);
  if (open) incidents(context.sql).put(name, { ...open, ...change });
}

/** The names of the open incidents of a kind, `device` for `device:{id}`, without the kind. */
export function openIncidents({ sql }: EngineContext, kind: string): string[] {
  sql.kept?.write();
  return sql
    .exec<{ incident: string }>(
      "SELECT incident FROM incidents WHERE incident > ? AND incident < ?",
      `${kind}:`,
      `${kind};`, // the character after the colon
    )
    .toArray()
    .map((row) => row.incident.slice(kind.length + 1));
}

/**
 * Tells people of an open incident: opens its alarm, or says in it what has changed, and sends one message until it is
 * over. An incident from before there were alarms gets its alarm at the next evaluation that finds it open.
 */
export function notifyOnce(
  context: EngineContext,
  name: string,
  kind: AlarmKind,
  message: string,
  { what, why, about }: AlarmText & { about: Subject },
): void {
  const open = incident(context, name);
  if (!open) return;
  // What it is about keeps the names that it had when it opened.
  const alarm: Alarm = { ...(open.alarm === null ? { ...about, kind } : read(open.alarm)), what, why };
  const told = JSON.stringify(alarm);
  if (told !== open.alarm) tellAlarm(context, open, alarm, { isNew: open.alarm === null });
  // While messages are switched off nobody is told: of what lasts until they are on again, people hear then.
  const now = settingsOf(context.sql).NOTIFY_ON_FAIL ? context.now() : null;
  updateIncident(context, name, { notified_at: open.notified_at ?? now, alarm: told });
  const heard = { kind: alarm.kind, dept_id: deptOf(context, alarm), name, since: open.since, text: message };
  if (open.notified_at === null) notify(context, `${name}:${open.since}`, kind, `Alarm: ${message}`, heard);
  if (open.notified_at === null) startEscalation(context, name, kind, `Alarm: ${message}`);
}

/**
 * Tells whoever was told of one of the incidents that what they were about is back: once, however many there were. Must run
 * inside a transaction.
 */
export function notifyBack(context: EngineContext, over: Ended[], message_kind: string, message: string): void {
  const told = over.flatMap(({ notified_at: told_at, ...ended }) => (told_at === null ? [] : { ...ended, told_at }));
  // Its own message may be on its way still.
  const last = told.toSorted((a, b) => b.told_at - a.told_at)[0];
  if (last === undefined) return;
  const alarms = told.flatMap(({ alarm, told_at }) => {
    if (alarm === null) return [];
    const { kind, ...about } = read(alarm);
    return { kind, dept_id: deptOf(context, about), told_at };
  });
  const passed_on = told.flatMap((each) => {
    const dept_id = deptOfIncident(context, each);
    return each.passed_on_to.flatMap((address) => everyWayTo(context, address, dept_id));
  });
  notifyOfEnd(context, `${last.incident}:${last.since}`, message_kind, message, alarms, passed_on);
}

/** Sees to it that D1 has the alarms that are open, and no other: it was restored, or this object began anew. */
export function retellAlarms(context: EngineContext): void {
  context.sql.kept?.write();
  const open = context.sql.exec<Incident>("SELECT * FROM incidents WHERE alarm IS NOT NULL").toArray();
  for (const { alarm, ...of } of open) if (alarm !== null) tellAlarm(context, of, read(alarm), {});
  const ids = open.map(({ incident: name, since }) => alarmId(context, name, since));
  enqueue(context, "alarms_open", "", { ids, at: toIso(context.now()) });
}

/** The department of an open incident's alarm; null where everybody sees it. */
export function deptOfIncident(context: EngineContext, { alarm }: Pick<Incident, "alarm">): string | null {
  return alarm === null ? null : deptOf(context, read(alarm));
}

/** The same by the name of an incident that may be over; `dept_id` is what it was. */
export function deptByName(context: EngineContext, name: string, dept_id: string | null): string | null {
  const [, device_id = null] = /^(?:device|external):(.*)$/.exec(name) ?? [];
  return deptOf(context, { device_id, dept_id });
}

function read(alarm: string): Alarm {
  return JSON.parse(alarm);
}

/**
 * Counts `sends` that were in vain, and asks for the watchdog's next try, later each time: after the interval, twice that
 * ... at most 30 minutes.
 */
export function spaceOut(context: EngineContext, name: string, interval_sec: number, sends: number): void {
  const open = incident(context, name);
  if (!open) return;
  const wait_ms = Math.min(interval_sec * 1000 * 2 ** open.tries, 30 * 60_000);
  const next_at = context.now() + wait_ms;
  updateIncident(context, name, { tries: open.tries + 1, sends: open.sends + sends, next_at });
}

/** It is well again, and so its alarm is over; answers the incident that ended, if one was open. */
export function closeIncident(context: EngineContext, name: string): Ended | null {
  const open = incident(context, name);
  if (!open) return null;
  incidents(context.sql).drop(name);
  stopEscalation(context, name);
  const passed_on_to = passedOnTo(context, name);
  forgetPassedOn(context, name);
  if (open.alarm !== null) tellAlarm(context, open, read(open.alarm), { over_at: context.now() });
  return { ...open, passed_on_to };
}
