import { targetOf, type Target, type TargetColumns } from "#domain/schedule/target";
import type * as d1 from "#db/planned";

/** The kinds of records that the copy has, in the order in which they are put. */
export const PLAN_KINDS = [
  "area",
  "agent",
  "hub",
  "group",
  "calendar",
  "policy",
  "permit",
  "closure",
  "device",
  "schedule",
] as const;
export type PlanKind = (typeof PLAN_KINDS)[number];

/**
 * What the copy adds to D1's row: since when (epoch ms) it has planned the windows that it plans now. Unlike
 * `updated_at` it does not move with a title, a name or a note.
 */
type SincePlanned = { planned_at: number };

export type AreaRow = d1.AreaRow & SincePlanned;
export type HubRow = d1.HubRow & SincePlanned;
export type CalendarRow = Changed<d1.CalendarRow>;
export type PolicyRow = d1.PolicyRow & SincePlanned;
export type PermitRow = d1.PermitRow & SincePlanned;
export type ClosureRow = d1.ClosureRow & SincePlanned;
export type DeviceRow = d1.DeviceRow & SincePlanned;
export type ScheduleRow = Changed<d1.ScheduleRow>;

/** `was`: what planned other windows before that; it held the lights until then. */
type Changed<Row> = Row & SincePlanned & { was?: Row & SincePlanned };

/** A row as D1 has it, and as the copy does. */
export type D1Rows = {
  area: d1.AreaRow;
  agent: d1.AgentRow;
  hub: d1.HubRow;
  group: d1.GroupRow;
  calendar: d1.CalendarRow;
  policy: d1.PolicyRow;
  permit: d1.PermitRow;
  closure: d1.ClosureRow;
  device: d1.DeviceRow;
  schedule: d1.ScheduleRow;
};
export type PlanRows = { [K in PlanKind]: D1Rows[K] & SincePlanned } & { schedule: ScheduleRow; calendar: CalendarRow };

/** The columns that every row has had since the first release. */
type FirstColumns = {
  area: "id" | "updated_at" | "name" | "active";
  agent: keyof d1.AgentRow;
  hub: "id" | "area_id" | "name" | "ip_address" | "port" | "connection_mode";
  group: keyof d1.GroupRow;
  calendar: keyof d1.CalendarRow;
  policy: keyof d1.PolicyRow;
  permit: keyof d1.PermitRow;
  closure: keyof d1.ClosureRow;
  device: "id" | "updated_at" | "area_id" | "hub_id" | "dept_id" | "name";
  schedule:
    | "id"
    | "created_at"
    | "updated_at"
    | "device_id"
    | "title"
    | "start_at"
    | "end_at"
    | "rrule"
    | "timezone"
    | "status";
};

/**
 * What a row that an older release stored lacks. A column that the engine begins to plan from has its default here, the
 * same as in D1, or nothing compiles: without it each device would look rerouted by the first pull after the release.
 */
const DEFAULTS: { [K in PlanKind]: Omit<D1Rows[K], FirstColumns[K]> } = {
  area: { type: "park", location: null, positions: null, stagger_sec: 0 },
  agent: {},
  hub: { agent_id: null, local_client_id: null, local_client_secret: null },
  group: {},
  calendar: {},
  policy: {},
  permit: {},
  closure: {},
  device: {
    model: null,
    cloud_device_id: null,
    local_ref: null,
    on_payload: null,
    off_payload: null,
    restrike_min: 0,
    area_since: null,
  },
  schedule: {
    group_id: null,
    area_id: null,
    target_since: null,
    start_sun: null,
    end_sun: null,
    skips: null,
    calendar_id: null,
    calendar_rule: null,
  },
};

/** The row of a stored text, whichever release stored it. */
export function readRow<K extends PlanKind>(kind: K, body: string): PlanRows[K] {
  const stored = JSON.parse(body);
  const planned_at = stored.planned_at ?? (Date.parse(stored.updated_at ?? "") || 0);
  const was = stored.was && { was: { ...DEFAULTS[kind], ...stored.was } };
  return { ...DEFAULTS[kind], ...stored, planned_at, ...was };
}

/** Which windows hold which light, as far as the row says: rows with the same key plan the same. */
export function windowsKey<K extends PlanKind>(kind: K, row: D1Rows[K]): string {
  return WINDOWS_KEY[kind](row);
}

const WINDOWS_KEY: { [K in PlanKind]: (row: D1Rows[K]) => string } = {
  area: ({ active }) => JSON.stringify(active),
  agent: () => "",
  hub: () => "",
  group: ({ members }) => JSON.stringify(members.map(({ device_id }) => device_id).toSorted()),
  calendar: ({ dates }) => JSON.stringify(dates.map(({ date }) => date).toSorted()),
  policy: (row) => JSON.stringify([row.HARD_CURFEW_OFF, row.BLACKOUT_WINDOW, row.MAX_ON_DURATION_MIN]),
  permit: spanKey,
  closure: spanKey,
  device: ({ area_id }) => area_id,
  schedule: (row) =>
    JSON.stringify([
      [row.device_id, row.group_id, row.area_id, row.status],
      [row.start_at, row.end_at, row.start_sun, row.end_sun, row.rrule, row.timezone],
      [row.skips?.map(({ date }) => date), row.calendar_id, row.calendar_rule],
    ]),
};

function spanKey(row: D1Rows["permit" | "closure"]): string {
  return JSON.stringify([row.device_id, row.group_id, row.area_id, row.from_at, row.to_at]);
}

/** Whose a row is: a schedule's, a permit's or a closure's target, a device's, hub's or group's area. */
export function ownerOf<K extends PlanKind>(kind: K, row: D1Rows[K]): string | null {
  return OWNER[kind](row);
}

const OWNER: { [K in PlanKind]: (row: D1Rows[K]) => string | null } = {
  area: () => null,
  agent: () => null,
  hub: ({ area_id }) => area_id,
  group: ({ area_id }) => area_id,
  calendar: () => null,
  policy: () => null,
  permit: targetKeyOf,
  closure: targetKeyOf,
  device: ({ area_id }) => area_id,
  schedule: targetKeyOf,
};

function targetKeyOf(row: TargetColumns): string {
  return targetKey(targetOf(row));
}

/** A device's target has the device's id alone, as the rows of older releases have it. */
export function targetKey({ type, id }: Target): string {
  return type === "device" ? id : `${type}:${id}`;
}

/** What else a row is found by: a device's hub, a hub's agent, a schedule's calendar. */
export function viaOf<K extends PlanKind>(row: D1Rows[K]): string | null {
  if ("hub_id" in row) return row.hub_id;
  if ("agent_id" in row) return row.agent_id;
  return "calendar_id" in row ? row.calendar_id : null;
}
