import { compare } from "#domain/compare";
import { GUARDRAIL_DEFAULTS, SYSTEM_DEFAULTS } from "#domain/records/setting-defaults";
import { MESSAGE_DEFAULTS, type MessageSettings } from "#domain/messages/message-settings";
import { vendorId } from "#domain/light/sockets";
import type { CityPlace } from "#domain/schedule/positions";
import type { Recipient } from "#domain/messages/recipients";
import type { WebhookTarget } from "#domain/messages/webhook-records";
import type { GuardrailSettings, SystemSettings } from "#domain/records/records";
import type { Guardrails } from "#domain/schedule/schedule";
import type { Address } from "#durable/providers/provider";
import { readable } from "./body";
import { meta } from "./meta";
import type { Store } from "./kept";
import { keptTable, READ_ONLY, type Rows } from "./kept-table";
import type { Target } from "#domain/schedule/target";
import { readRow, targetKey, type DeviceRow, type PlanKind, type PlanRows, type ScheduleRow } from "./plan-rows";

/** A group that a device is in, and since when (ISO). */
export type Membership = { group_id: string; added_at: string };

/** Rows of the copy, parsed once until the plan is written again. */
const areas = planned("area", 10_000);
const agents = planned("agent", 1_000);
const hubs = planned("hub", 10_000);
const devices = planned("device", 20_000);
const schedules = planned("schedule", 4_000);
const groups = planned("group", 2_000);
const calendars = planned("calendar", 100);
const permits = planned("permit", 500);
const closures = planned("closure", 500);
/** What is stored, with what people do not see. */
type SettingsInForce = SystemSettings &
  GuardrailSettings &
  MessageSettings &
  CityPlace & { WEBHOOKS: WebhookTarget[]; RECIPIENTS: Recipient[] };
const DEFAULTS = { ...SYSTEM_DEFAULTS, ...GUARDRAIL_DEFAULTS, ...MESSAGE_DEFAULTS, WEBHOOKS: [], RECIPIENTS: [] };
/** The settings in force, which every evaluation asks for. */
const inForce = keptTable<SettingsInForce>({
  read: (sql) => ({ ...DEFAULTS, ...JSON.parse(bodyOf(sql, "settings", "") ?? "{}") }),
  ...READ_ONLY,
  most: 1,
});
/** By target. Few schedules are kept: a city has ten times as many of them as of everything else. */
const schedulesOf = keptTable<ScheduleRow[]>({
  // The index is named, or SQLite takes the primary key for the order's sake and reads every row of the city.
  read: (sql, target) =>
    sql
      .exec<{ body: string }>(
        "SELECT body FROM plan INDEXED BY plan_owner WHERE kind = 'schedule' AND owner = ? ORDER BY id",
        target,
      )
      .toArray()
      .map((row) => readRow("schedule", row.body)),
  readMany: (sql, targets) =>
    grouped(
      targets,
      sql.exec<{ key: string; id: string; body: string }>(
        `SELECT value AS key, plan.id AS id, body FROM json_each(?) CROSS JOIN plan INDEXED BY plan_owner
         ON kind = 'schedule' AND owner = value`,
        targets,
      ),
      ({ body }) => readRow("schedule", body),
    ),
  ...READ_ONLY,
  most: 4_000,
});
/** The groups of a device. */
const memberships = keptTable<Membership[]>({
  read: (sql, device_id) =>
    sql
      .exec<{ group_id: string; added_at: string }>(
        `SELECT via AS group_id, body AS added_at FROM plan INDEXED BY plan_owner
         WHERE kind = 'member' AND owner = ? ORDER BY id`,
        device_id,
      )
      .toArray(),
  readMany: (sql, device_ids) =>
    grouped(
      device_ids,
      sql.exec<{ key: string; id: string; group_id: string; added_at: string }>(
        `SELECT value AS key, plan.id AS id, via AS group_id, body AS added_at
         FROM json_each(?) CROSS JOIN plan INDEXED BY plan_owner ON kind = 'member' AND owner = value`,
        device_ids,
      ),
      ({ group_id, added_at }) => ({ group_id, added_at }),
    ),
  ...READ_ONLY,
  most: 20_000,
});

/** The object's copy of what D1 owns: rows as they were at one version of the configuration. */
export const plan = {
  area: (sql: Store, id: string) => areas(sql).get(id),
  agent: (sql: Store, id: string) => agents(sql).get(id),
  isAgent: (sql: Store, id: string) => ids(sql, "SELECT id FROM plan WHERE kind = 'agent' AND id = ?", id).length > 0,
  /** What people call it; one that cannot be read by its id. Null where there is none. */
  agentName: (sql: Store, id: string) => {
    const read = readable(() => ({ name: agents(sql).get(id)?.name ?? null }));
    return read ? read.name : id;
  },
  hub: (sql: Store, id: string) => hubs(sql).get(id),
  /** The same for who looks at many: one that cannot be read is left out. */
  readableHub: (sql: Store, id: string) => readable(() => hubs(sql).get(id)),
  device: (sql: Store, id: string) => devices(sql).get(id),
  group: (sql: Store, id: string) => groups(sql).get(id),
  calendar: (sql: Store, id: string) => calendars(sql).get(id),
  membershipsOf: (sql: Store, device_id: string) => memberships(sql).get(device_id) ?? [],
  /** What is for exactly this target. */
  schedulesOf: (sql: Store, target: Target) => schedulesOf(sql).get(targetKey(target)) ?? [],
  permit: (sql: Store, id: string) => permits(sql).get(id),
  closure: (sql: Store, id: string) => closures(sql).get(id),
  schedule: (sql: Store, id: string) => schedules(sql).get(id),
  deviceIds: (sql: Store) => ids(sql, "SELECT id FROM plan WHERE kind = 'device'"),
  deviceIdsOfArea: (sql: Store, id: string) =>
    ids(sql, "SELECT id FROM plan INDEXED BY plan_owner WHERE kind = 'device' AND owner = ?", id),
  deviceIdsOfHub: (sql: Store, id: string) =>
    ids(sql, "SELECT id FROM plan INDEXED BY plan_via WHERE kind = 'device' AND via = ?", id),
  isAnyDeviceWithoutHub: (sql: Store) =>
    ids(sql, "SELECT id FROM plan INDEXED BY plan_via WHERE kind = 'device' AND via IS NULL LIMIT 1").length > 0,
  /** The devices that may have one of these lamps, be it other sockets of it, as far as their rows can be read. */
  deviceIdsOfLamps: (sql: Store, lamps: Pick<Address, "lamp" | "cloud_device_id" | "local_ref">[]) =>
    ids(
      sql,
      `SELECT id FROM plan WHERE kind = 'device' AND CASE WHEN json_valid(body) THEN EXISTS (
           SELECT 1 FROM json_each(json_array(body ->> 'cloud_device_id', body ->> 'local_ref', plan.id)) AS name
           WHERE LOWER(TRIM(SUBSTR(name.value, 1, INSTR(name.value || '#', '#') - 1))) IN (SELECT value FROM json_each(?)))
         END ORDER BY id`,
      JSON.stringify(
        lamps.flatMap(({ lamp, ...ids }) => [lamp, ids.cloud_device_id, ids.local_ref].map(vendorId)).filter(Boolean),
      ),
    ),
  hubIdsOfAgent: (sql: Store, id: string) =>
    ids(sql, "SELECT id FROM plan INDEXED BY plan_via WHERE kind = 'hub' AND via = ? ORDER BY id", id),
  scheduleIdsOfCalendar: (sql: Store, id: string) =>
    ids(sql, "SELECT id FROM plan INDEXED BY plan_via WHERE kind = 'schedule' AND via = ?", id),
  areaIdsOfType: (sql: Store, type: string) =>
    ids(sql, "SELECT id FROM plan WHERE kind = 'area' AND json_extract(body, '$.type') = ?", type),
  /** The devices that a target is for, as they are known. */
  deviceIdsOf: (sql: Store, { type, id }: Target): string[] => {
    if (type === "device") return [id];
    if (type === "area") return plan.deviceIdsOfArea(sql, id);
    return (
      groups(sql)
        .get(id)
        ?.members.map(({ device_id }) => device_id) ?? []
    );
  },
};

/** All that a device belongs to: itself, its groups and its area, each since when it does (epoch ms; 0 if always). */
export function targetsOf(sql: Store, device: DeviceRow): (Target & { since: number })[] {
  const groupsOf = plan.membershipsOf(sql, device.id).map(({ group_id, added_at }) => ({
    type: "group" as const,
    id: group_id,
    since: Date.parse(added_at),
  }));
  const area_since = device.area_since === null ? 0 : Date.parse(device.area_since);
  return [
    { type: "device", id: device.id, since: 0 },
    ...groupsOf,
    { type: "area", id: device.area_id, since: area_since },
  ];
}

function planned<K extends PlanKind>(kind: K, most: number): (sql: Store) => Rows<PlanRows[K]> {
  return keptTable<PlanRows[K]>({
    read: (sql, id) => {
      const body = bodyOf(sql, kind, id);
      return body === null ? null : readRow(kind, body);
    },
    readMany: (sql, ids) =>
      sql
        .exec<{ id: string; body: string }>(
          "SELECT id, body FROM plan WHERE kind = ? AND id IN (SELECT value FROM json_each(?))",
          kind,
          ids,
        )
        .toArray()
        .map(({ id, body }) => [id, readRow(kind, body)]),
    ...READ_ONLY,
    most,
  });
}

/** What the rows of each key make, by their ids; a key without any has none. */
function grouped<Row extends { key: string; id: string }, T>(
  keys: string,
  rows: Iterable<Row>,
  make: (row: Row) => T,
): [key: string, made: T[]][] {
  const all = new Map<string, Row[]>(JSON.parse(keys).map((key: string) => [key, []]));
  for (const row of rows) all.get(row.key)?.push(row);
  return [...all].map(([key, some]) => [key, some.toSorted((a, b) => compare(a.id, b.id)).map(make)]);
}

/** Reads what the plan says of these devices alone, all at once. */
export function loadDevices(sql: Store, device_ids: string[]): void {
  devices(sql).load?.(device_ids);
  memberships(sql).load?.(device_ids);
  schedulesOf(sql).load?.(device_ids); // a device's target has the device's id alone
}

/** What is kept of the rows of each kind. */
const TABLES_OF: Record<PlanKind | "settings", ((sql: Store) => { forget?: () => void })[]> = {
  area: [areas],
  agent: [agents],
  hub: [hubs],
  group: [groups, memberships],
  calendar: [calendars],
  policy: [],
  permit: [permits],
  closure: [closures],
  device: [devices],
  schedule: [schedules, schedulesOf],
  settings: [inForce],
};

/** Whoever writes rows of a kind empties what was kept of them; of the others all holds still. */
export function forgetPlan(sql: Store, kind: PlanKind | "settings"): void {
  for (const table of TABLES_OF[kind]) table(sql).forget?.();
}

/** The ids that the copy has of a kind: all, or those after one, up to another or the end. */
export function plannedIds(sql: Store, kind: PlanKind, after = "", up_to: string | null = null): string[] {
  if (up_to === null) return ids(sql, "SELECT id FROM plan WHERE kind = ? AND id > ?", kind, after);
  return ids(sql, "SELECT id FROM plan WHERE kind = ? AND id > ? AND id <= ?", kind, after, up_to);
}

/** Whether the organization is served; one that is not switches nothing on. Until it is known, it counts as served. */
export function isServed(sql: Store): boolean {
  return meta(sql, "active") !== "false";
}

/** Since when (epoch ms) it is served, or is not; 0 if always. */
export function servedSince(sql: Store): number {
  return Number(meta(sql, "active_since") ?? 0);
}

/** The settings in force: what is stored over the defaults. The UAC key is still sealed. */
export function settingsOf(sql: Store): SettingsInForce {
  return inForce(sql).get("") ?? DEFAULTS;
}

/** What resolve knows of the settings. */
export function guardrailsOf(settings: SystemSettings & GuardrailSettings): Guardrails {
  const { HARD_CURFEW_OFF, BLACKOUT_WINDOW, MAX_ON_DURATION_MIN, APP_TIMEZONE } = settings;
  return { HARD_CURFEW_OFF, BLACKOUT_WINDOW, MAX_ON_DURATION_MIN, zone: APP_TIMEZONE };
}

function bodyOf(sql: SqlStorage, kind: string, id: string): string | null {
  const [row] = sql.exec<{ body: string }>("SELECT body FROM plan WHERE kind = ? AND id = ?", kind, id).toArray();
  return row?.body ?? null;
}

function ids(sql: Store, query: string, ...bindings: string[]): string[] {
  return sql
    .exec<{ id: string }>(query, ...bindings)
    .toArray()
    .map((row) => row.id);
}
