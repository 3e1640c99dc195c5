import type { AlarmKind } from "#domain/enums";
import { toIso } from "#domain/time/to-iso";
import { readable } from "#durable/state/body";
import { orgId, nextSeq } from "#durable/state/meta";
import type { EngineContext } from "#durable/state/context";
import { enqueue } from "#durable/state/outbox";
import { plan } from "#durable/state/plan";
import { type Names } from "./events";
import { tellWebhooks } from "./webhook-queue";

/** What an alarm is about, by the names that it has when the alarm opens. */
export type Subject = Omit<Names, "schedule_title" | "device_name"> & {
  device_id: string | null;
  device_name: string | null;
  hub_id: string | null;
};

/** 'Dark' since some time: 'still off after 3 tries'. */
export type AlarmText = { what: string; why: string };

/** An alarm as it was last told; the incident keeps it, so that its end can be told when its subject is gone. */
export type Alarm = Subject & AlarmText & { kind: AlarmKind };

/** Of a cloud, an account or the database: the whole organization's. */
export const WHOLE_CITY: Subject = {
  device_id: null,
  device_name: null,
  hub_id: null,
  hub_name: null,
  area_id: null,
  area_name: null,
  dept_id: null,
};

/** A light, with the names of the command that failed. */
export function aboutLight(context: EngineContext, device_id: string, names: Names): Subject {
  const { schedule_title: _, ...named } = names;
  return { ...named, device_id, hub_id: plan.device(context.sql, device_id)?.hub_id ?? null };
}

/** A hub of the plan; an area that cannot be read has no name, so that its hubs are told all the same. */
export function aboutHub(context: EngineContext, hub: { id: string; name: string; area_id: string }): Subject {
  const area_name = readable(() => plan.area(context.sql, hub.area_id))?.name ?? null;
  return { ...WHOLE_CITY, hub_id: hub.id, hub_name: hub.name, area_id: hub.area_id, area_name };
}

/** The department of an alarm: its light's as it is now, or as it was where the light is gone. */
export function deptOf(
  { sql }: EngineContext,
  { device_id, dept_id }: Pick<Subject, "device_id" | "dept_id">,
): string | null {
  const device = device_id === null ? null : plan.device(sql, device_id);
  return device ? device.dept_id : dept_id;
}

/** 'still off after 3 tries'; `tries` may be none. */
export function afterTries(why: string, tries: number): string {
  if (tries === 0) return why;
  return `${why} after ${tries === 1 ? "1 try" : `${tries} tries`}`;
}

/**
 * Tells D1 an alarm as it is now, or that it is over (epoch ms). One id for each incident, so that a second delivery is
 * harmless; what people wrote of it stays. Must run inside a transaction.
 */
export function tellAlarm(
  context: EngineContext,
  { incident, since }: { incident: string; since: number },
  alarm: Alarm,
  { over_at = null, isNew = false }: { over_at?: number | null; isNew?: boolean },
): void {
  const id = alarmId(context, incident, since);
  const times = { opened_at: toIso(since), over_at: over_at === null ? null : toIso(over_at) };
  const isNews = over_at !== null || isNew;
  // Not of a webhook that fails to itself.
  const except = alarm.kind === "webhook_failing" ? incident.slice("webhook:".length) : null;
  if (isNews) tellWebhooks(context, isNew ? "alarm.opened" : "alarm.over", { id, ...alarm, ...times }, except);
  enqueue(context, "alarm", id, {
    ...alarm,
    ...times,
    id,
    org_id: orgId(context),
    seq: nextSeq(context),
    version: 1,
    isNews,
  });
}

/** The id in D1 of the alarm that an incident is since then (epoch ms). */
export function alarmId(context: EngineContext, incident: string, since: number): string {
  return `${orgId(context)}:${incident}:${since}`;
}
