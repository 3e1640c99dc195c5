import { SYSTEM_DEFAULTS } from "#domain/records/setting-defaults";
import { targetOf, type TargetColumns } from "#domain/schedule/target";
import type { Pulled } from "./pull";
import { readable } from "#durable/state/body";
import type { Store } from "#durable/state/kept";
import { plan, settingsOf } from "#durable/state/plan";
import type { PlanKind } from "#durable/state/plan-rows";

/** The devices that the changes may concern, as the copy of the plan knows them: asked before and after it is written. */
export function touchedDevices(sql: Store, { changed }: Pick<Pulled, "changed">): Set<string> {
  if (changed === null || changed.some((c) => c.kind === "settings")) return new Set(plan.deviceIds(sql));
  // A group that five lights joined has changed five times.
  const once = new Map(changed.map((change) => [`${change.kind}:${change.record_id}`, change]));
  // Whom a row concerns that cannot be read nobody knows.
  const some = readable(() =>
    [...once.values()].flatMap(({ kind, record_id }) => (isPlanKind(kind) ? CONCERNED[kind](sql, record_id) : [])),
  );
  return new Set(some ?? plan.deviceIds(sql));
}

/** The devices that may be reached in another way than before; asked before the copy is written. */
export function routedDevices(sql: Store, { rows, gone, settings }: Pulled): Set<string> {
  const mode = settings?.find(({ key }) => key === "PROVIDER_MODE")?.value ?? SYSTEM_DEFAULTS.PROVIDER_MODE;
  if (settings && mode !== settingsOf(sql).PROVIDER_MODE) return new Set(plan.deviceIds(sql));
  const hubs = [...rows.hub.map(({ id }) => id), ...gone.hub];
  const devices = [...rows.device.map(({ id }) => id), ...gone.device];
  return new Set([...devices, ...hubs.flatMap((id) => plan.deviceIdsOfHub(sql, id))]);
}

function isPlanKind(kind: string): kind is PlanKind {
  return kind in CONCERNED;
}

const CONCERNED: { [K in PlanKind]: (sql: Store, id: string) => string[] } = {
  area: plan.deviceIdsOfArea,
  // Its hubs are told of with it where they change.
  agent: () => [],
  hub: plan.deviceIdsOfHub,
  group: (sql, id) => plan.deviceIdsOf(sql, { type: "group", id }),
  calendar: (sql, id) => plan.scheduleIdsOfCalendar(sql, id).flatMap((schedule) => CONCERNED.schedule(sql, schedule)),
  policy: (sql, id) => {
    const [scope, ...rest] = id.split(":");
    const of = rest.join(":");
    if (scope === "type") return plan.areaIdsOfType(sql, of).flatMap((area) => plan.deviceIdsOfArea(sql, area));
    return plan.deviceIdsOf(sql, { type: scope === "group" ? "group" : "area", id: of });
  },
  permit: (sql, id) => devicesFor(sql, plan.permit(sql, id)),
  closure: (sql, id) => devicesFor(sql, plan.closure(sql, id)),
  device: (_, id) => [id],
  schedule: (sql, id) => devicesFor(sql, plan.schedule(sql, id)),
};

function devicesFor(sql: Store, row: TargetColumns | null): string[] {
  return row ? plan.deviceIdsOf(sql, targetOf(row)) : [];
}
