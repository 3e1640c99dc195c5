import type * as d1 from "#db/planned";

/** The kinds of records that the copy has, in the order in which they are put. */
export const PLAN_KINDS = ["area", "hub", "device", "schedule"] as const;
export type PlanKind = (typeof PLAN_KINDS)[number];

/**
 * What the copy adds to D1's row: since when (epoch ms) it has planned the windows that it plans now. Unlike
 * `updated_at` it does not move with a title, a name or a note.
 */
type SincePlanned = { planned_at: number };

export type AreaRow = d1.AreaRow & SincePlanned;
export type HubRow = d1.HubRow & SincePlanned;
export type DeviceRow = d1.DeviceRow & SincePlanned;
export type ScheduleRow = d1.ScheduleRow & SincePlanned;

/** A row as D1 has it, and as the copy does. */
export type D1Rows = { area: d1.AreaRow; hub: d1.HubRow; device: d1.DeviceRow; schedule: d1.ScheduleRow };
export type PlanRows = { area: AreaRow; hub: HubRow; device: DeviceRow; schedule: ScheduleRow };

/** The columns that every row has had since the first release. */
type FirstColumns = {
  area: "id" | "updated_at" | "name" | "active";
  hub: "id" | "area_id" | "name" | "ip_address" | "port" | "connection_mode";
  device: "id" | "updated_at" | "area_id" | "hub_id" | "dept_id" | "name";
  schedule: keyof d1.ScheduleRow;
};

/**
 * What a row that an older release stored lacks. A column that the engine begins to plan from has its default here, the
 * same as in D1, or nothing compiles: without it each device would look rerouted by the first pull after the release.
 */
const DEFAULTS: { [K in PlanKind]: Omit<D1Rows[K], FirstColumns[K]> } = {
  area: {},
  hub: { local_client_id: null, local_client_secret: null },
  device: { model: null, cloud_device_id: null, local_ref: null, on_payload: null, off_payload: null },
  schedule: {},
};

/** The row of a stored text, whichever release stored it. */
export function readRow<K extends PlanKind>(kind: K, body: string): PlanRows[K] {
  const stored = JSON.parse(body);
  const planned_at = stored.planned_at ?? (Date.parse(stored.updated_at ?? "") || 0);
  return { ...DEFAULTS[kind], ...stored, planned_at };
}

/** Which windows hold which light, as far as the row says: rows with the same key plan the same. */
export function windowsKey(row: D1Rows[PlanKind]): string {
  if ("rrule" in row)
    return JSON.stringify([row.device_id, row.status, row.start_at, row.end_at, row.rrule, row.timezone]);
  if ("active" in row) return String(row.active);
  return "dept_id" in row ? row.area_id : "";
}
