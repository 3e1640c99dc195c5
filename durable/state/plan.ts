import { GUARDRAIL_DEFAULTS, SYSTEM_DEFAULTS } from "#domain/setting-defaults";
import type { GuardrailSettings, SystemSettings } from "#domain/records";
import type { Guardrails } from "#domain/schedule";
import type { Address } from "#durable/providers/provider";
import { meta, setMeta } from "./context";
import { keptTable, READ_ONLY, type Rows, type Store } from "./kept";
import {
  readRow,
  windowsKey,
  type AreaRow,
  type D1Rows,
  type DeviceRow,
  type HubRow,
  type PlanKind,
  type PlanRows,
  type ScheduleRow,
} from "./plan-rows";

export type { AreaRow, DeviceRow, HubRow, ScheduleRow };

/** Rows of the copy, parsed once until the plan is written again. */
const areas = planned("area", 10_000);
const hubs = planned("hub", 10_000);
const devices = planned("device", 20_000);
const schedules = planned("schedule", 4_000);
/** The settings in force, which every look asks for. */
const inForce = keptTable<SystemSettings & GuardrailSettings>({
  read: (sql) => ({ ...SYSTEM_DEFAULTS, ...GUARDRAIL_DEFAULTS, ...JSON.parse(bodyOf(sql, "settings", "") ?? "{}") }),
  ...READ_ONLY,
  most: 1,
});
/** Few devices' schedules are kept: a city has ten times as many of them as of everything else. */
const schedulesOf = keptTable<ScheduleRow[]>({
  // The index is named, or SQLite takes the primary key for the order's sake and reads every schedule of the city.
  read: (sql, device_id) =>
    sql
      .exec<{ body: string }>(
        "SELECT body FROM plan INDEXED BY plan_owner WHERE kind = 'schedule' AND owner = ? ORDER BY id",
        device_id,
      )
      .toArray()
      .map((row) => readRow("schedule", row.body)),
  ...READ_ONLY,
  most: 4_000,
});

/** The object's copy of what D1 owns: rows as they were at one version of the configuration. */
export const plan = {
  area: (sql: Store, id: string) => areas(sql).get(id),
  hub: (sql: Store, id: string) => hubs(sql).get(id),
  device: (sql: Store, id: string) => devices(sql).get(id),
  schedulesOf: (sql: Store, device_id: string) => schedulesOf(sql).get(device_id) ?? [],
  schedule: (sql: Store, id: string) => schedules(sql).get(id),
  deviceIds: (sql: Store) => ids(sql, "SELECT id FROM plan WHERE kind = 'device'"),
  deviceIdsOfArea: (sql: Store, id: string) =>
    ids(sql, "SELECT id FROM plan INDEXED BY plan_owner WHERE kind = 'device' AND owner = ?", id),
  deviceIdsOfHub: (sql: Store, id: string) =>
    ids(sql, "SELECT id FROM plan INDEXED BY plan_via WHERE kind = 'device' AND via = ?", id),
};

function planned<K extends PlanKind>(kind: K, most: number): (sql: Store) => Rows<PlanRows[K]> {
  return keptTable<PlanRows[K]>({
    read: (sql, id) => {
      const body = bodyOf(sql, kind, id);
      return body === null ? null : readRow(kind, body);
    },
    ...READ_ONLY,
    most,
  });
}

/** Whoever writes the plan empties what was kept of it. */
function forgetPlan(sql: Store): void {
  for (const table of [areas, hubs, devices, schedules, schedulesOf, inForce]) table(sql).forget?.();
}

/**
 * Replaces one row of the copy. Where it plans other windows than the copy did, it does so since `changed_at` (epoch ms);
 * D1's `updated_at` is no answer where a restore brought an old row back.
 */
export function putPlan<K extends PlanKind>(sql: Store, kind: K, row: D1Rows[K], changed_at: number): void {
  const owner = "device_id" in row ? row.device_id : "area_id" in row ? row.area_id : null;
  const via = "hub_id" in row ? row.hub_id : null;
  const known = bodyOf(sql, kind, row.id);
  const before = known === null ? null : readRow(kind, known);
  const planned_at = before !== null && windowsKey(before) === windowsKey(row) ? before.planned_at : changed_at;
  sql.exec(
    `INSERT INTO plan (kind, id, owner, via, body) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (kind, id) DO UPDATE SET owner = excluded.owner, via = excluded.via, body = excluded.body`,
    kind,
    row.id,
    owner,
    via,
    JSON.stringify({ ...row, planned_at }),
  );
  forgetPlan(sql);
}

/** Removes one row of the copy. */
export function dropPlan(sql: Store, kind: PlanKind, id: string): void {
  sql.exec("DELETE FROM plan WHERE kind = ? AND id = ?", kind, id);
  forgetPlan(sql);
}

/** The ids that the copy has of a kind; a full pull removes those that D1 no longer has. */
export function plannedIds(sql: Store, kind: PlanKind): string[] {
  return ids(sql, "SELECT id FROM plan WHERE kind = ?", kind);
}

/** Replaces the stored settings; one that is missing has its default. */
export function putSettings(sql: Store, rows: { key: string; value: unknown }[]): void {
  sql.exec(
    `INSERT INTO plan (kind, id, body) VALUES ('settings', '', ?)
     ON CONFLICT (kind, id) DO UPDATE SET body = excluded.body`,
    JSON.stringify(Object.fromEntries(rows.map((row) => [row.key, row.value]))),
  );
  forgetPlan(sql);
}

/** Whether the organization is served; one that is not switches nothing on. Until it is known, it counts as served. */
export function isServed(sql: Store): boolean {
  return meta(sql, "active") !== "false";
}

/** The settings in force: what is stored over the defaults. The UAC key is still sealed. */
export function settingsOf(sql: Store): SystemSettings & GuardrailSettings {
  return inForce(sql).get("") ?? { ...SYSTEM_DEFAULTS, ...GUARDRAIL_DEFAULTS };
}

/** Since when (epoch ms) the guardrails are what they are, and the organization is served or not; 0 if always. */
export function guardrailsSince(sql: Store): number {
  return Number(meta(sql, "guardrails_since") ?? 0);
}

/** Notes that the guardrails, or whether the organization is served, changed at `at` (epoch ms). */
export function setGuardrailsSince(sql: Store, at: number): void {
  setMeta(sql, "guardrails_since", String(at));
}

/** What resolve knows of the settings. */
export function guardrailsOf(settings: SystemSettings & GuardrailSettings): Guardrails {
  const { HARD_CURFEW_OFF, BLACKOUT_WINDOW, MAX_ON_DURATION_MIN, APP_TIMEZONE } = settings;
  return { HARD_CURFEW_OFF, BLACKOUT_WINDOW, MAX_ON_DURATION_MIN, zone: APP_TIMEZONE };
}

/** Where the device is reached as the plan stands: its hub, its own ids, and the mode that says which ways are tried. */
export function addressOf(sql: Store, device: DeviceRow): Address {
  const hub = device.hub_id === null ? null : plan.hub(sql, device.hub_id);
  return {
    mode: settingsOf(sql).PROVIDER_MODE,
    hub: hub && {
      id: hub.id,
      name: hub.name,
      ip_address: hub.ip_address,
      port: hub.port,
      connection_mode: hub.connection_mode,
      local_client_id: hub.local_client_id,
      local_client_secret: hub.local_client_secret,
    },
    lamp: device.cloud_device_id ?? device.local_ref ?? device.id,
    cloud_device_id: device.cloud_device_id,
    local_ref: device.local_ref,
    model: device.model,
    on_payload: device.on_payload,
    off_payload: device.off_payload,
  };
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
