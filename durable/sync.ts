import { and, eq, gt, inArray, sql as q, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { PLANNED, type Member } from "#db/planned";
import { targetOf, type TargetColumns } from "#domain/target";
import {
  areas,
  calendars,
  changes,
  closures,
  device_groups,
  devices,
  group_devices,
  hubs,
  organizations,
  permits,
  policies,
  schedules,
  settings,
} from "#db/schema";
import { CLAIMS_KEPT_MS } from "./reconcile/windows";
import {
  dropPlan,
  guardrailsOf,
  isServed,
  plan,
  plannedIds,
  putPlan,
  putSettings,
  setGuardrailsSince,
  settingsOf,
} from "./state/plan";
import { PLAN_KINDS, type D1Rows, type PlanKind } from "./state/plan-rows";
import { namesOf } from "./reporting/events";
import { reconcileDevice } from "./reconcile/reconcile";
import { meta, orgId, setMeta, transact, type EngineContext } from "./state/context";
import { D1_DEADLINE_MS, withDeadline } from "./state/deadline";
import type { Store } from "./state/kept";
import { runOneMore } from "./state/one-more";
import { saveMemory, memoryOf } from "./state/device-memory";
import { putTimerNoLater } from "./state/timers";
import { armWatchdog } from "./monitoring/watchdog";
import { forgetTrouble } from "./monitoring/circuit-breaker";
import { spreadHubChecks } from "./monitoring/hub-health";
import { closeIncident } from "./reporting/incidents";
import { routeOf, settleOldRoute } from "./reroute";

/** A city of ten thousand lights under new rules would hold a person up for seconds: the others have a timer each. */
const RECONCILED_AT_ONCE = 500;

type Pulled = {
  version: number;
  epoch: string;
  /** Null after a full pull. */
  changed: { kind: string; record_id: string }[] | null;
  rows: { [K in PlanKind]: D1Rows[K][] };
  settings: { key: string; value: unknown; updated_at: string }[];
};

/**
 * Brings the copy of the plan up to D1's, and reconciles whatever changed. A call is only a hint: an unequal version
 * means pull, another epoch (a restore) means pull everything. One pull runs at a time, and all who come meanwhile share
 * one more. Rejects where D1 does not answer within its deadline.
 */
export function sync(context: EngineContext): Promise<void> {
  return runOneMore(context.pulls, () => pull(context));
}

async function pull(context: EngineContext): Promise<void> {
  const org_id = orgId(context);
  const [organization] = await withDeadline(
    context,
    D1_DEADLINE_MS,
    context.db
      .select({ version: organizations.config_version, epoch: organizations.epoch, active: organizations.active })
      .from(organizations)
      .where(eq(organizations.id, org_id)),
  );
  if (!organization) return;
  noteServed(context, organization.active);
  const known = Number(meta(context.sql, "version") ?? -1);
  const sameEpoch = meta(context.sql, "epoch") === organization.epoch;
  if (sameEpoch && known === organization.version) return;
  const since = sameEpoch && known >= 0 && known < organization.version ? known : null;
  const pulled = await withDeadline(context, D1_DEADLINE_MS, read(context, org_id, since));
  if (pulled) transact(context, () => apply(context, pulled));
}

/** An organization that is switched off, or on again, concerns every light that it has. */
function noteServed(context: EngineContext, active: boolean): void {
  if (isServed(context.sql) === active) return;
  transact(context, () => {
    setMeta(context.sql, "active", String(active));
    setGuardrailsSince(context.sql, context.now());
    reconcileAll(context, new Set(plan.deviceIds(context.sql)));
  });
}

function reconcileAll(context: EngineContext, device_ids: Set<string>): void {
  for (const [n, id] of litFirst(context, device_ids).entries()) {
    if (n < RECONCILED_AT_ONCE) reconcileDevice(context, id);
    else putTimerNoLater(context.sql, "recheck", id, context.now());
  }
}

/** What went wrong with a hub that is no more concerns nobody any more. */
function forgetHub(context: EngineContext, hub_id: string): void {
  for (const kind of ["hub", "hub_access"]) closeIncident(context, `${kind}:${hub_id}`);
  forgetTrouble(context, `hub:${hub_id}`);
  context.sql.exec("DELETE FROM polls WHERE kind = 'ping' AND id = ?", hub_id);
}

/** Rows and version in one batch, so that they belong together. `since` null reads everything. */
async function read(context: EngineContext, org_id: string, since: number | null): Promise<Pulled | null> {
  const { db } = context;
  const only = (org: SQLiteColumn, id: SQLiteColumn | SQL, kind: PlanKind): SQL | undefined =>
    since === null
      ? eq(org, org_id)
      : and(
          eq(org, org_id),
          inArray(
            q`${id}`,
            db
              .select({ id: changes.record_id })
              .from(changes)
              .where(and(eq(changes.org_id, org_id), gt(changes.version, since), eq(changes.kind, kind))),
          ),
        );
  const [
    organization,
    oldest,
    changed,
    area,
    hub,
    group,
    member,
    calendar,
    policy,
    permit,
    closure,
    device,
    schedule,
    stored,
  ] = await db.batch([
    db
      .select({ version: organizations.config_version, epoch: organizations.epoch })
      .from(organizations)
      .where(eq(organizations.id, org_id)),
    db
      .select({ version: q<number | null>`min(${changes.version})` })
      .from(changes)
      .where(eq(changes.org_id, org_id)),
    db
      .selectDistinct({ kind: changes.kind, record_id: changes.record_id })
      .from(changes)
      .where(and(eq(changes.org_id, org_id), gt(changes.version, since ?? Number.MAX_SAFE_INTEGER))),
    db
      .select(PLANNED.area)
      .from(areas)
      .where(only(areas.org_id, areas.id, "area")),
    db
      .select(PLANNED.hub)
      .from(hubs)
      .where(only(hubs.org_id, hubs.id, "hub")),
    db
      .select(PLANNED.group)
      .from(device_groups)
      .where(only(device_groups.org_id, device_groups.id, "group")),
    db
      .select({
        group_id: group_devices.group_id,
        device_id: group_devices.device_id,
        added_at: group_devices.added_at,
      })
      .from(group_devices)
      .where(only(group_devices.org_id, group_devices.group_id, "group")),
    db
      .select(PLANNED.calendar)
      .from(calendars)
      .where(only(calendars.org_id, calendars.id, "calendar")),
    db
      .select(PLANNED.policy)
      .from(policies)
      .where(only(policies.org_id, POLICY_ID, "policy")),
    db
      .select(PLANNED.permit)
      .from(permits)
      .where(only(permits.org_id, permits.id, "permit")),
    db
      .select(PLANNED.closure)
      .from(closures)
      .where(only(closures.org_id, closures.id, "closure")),
    db
      .select(PLANNED.device)
      .from(devices)
      .where(only(devices.org_id, devices.id, "device")),
    db
      .select(PLANNED.schedule)
      .from(schedules)
      .where(only(schedules.org_id, schedules.id, "schedule")),
    db
      .select({ key: settings.key, value: settings.value, updated_at: settings.updated_at })
      .from(settings)
      .where(eq(settings.org_id, org_id)),
  ]);
  if (!organization[0]) return null;
  // Retention prunes old changes: where some between ours and now are gone, only everything will do.
  if (since !== null && (oldest[0]?.version ?? Number.MAX_SAFE_INTEGER) > since + 1) return read(context, org_id, null);
  const { version, epoch } = organization[0];
  return {
    version,
    epoch,
    changed: since === null ? null : changed,
    rows: {
      area,
      hub,
      group: withMembers(group, member),
      calendar,
      policy: policy.map((row) => ({ ...row, id: `${row.scope}:${row.scope_id}` })),
      permit,
      closure,
      device,
      schedule,
    },
    settings: stored,
  };
}

/** As the triggers name it in the changes. */
const POLICY_ID = q`${policies.scope} || ':' || ${policies.scope_id}`;

function withMembers<Group extends { id: string }>(
  groups: Group[],
  members: (Member & { group_id: string })[],
): (Group & { members: Member[] })[] {
  const byGroup = new Map<string, Member[]>(groups.map(({ id }) => [id, []]));
  for (const { group_id, device_id, added_at } of members) byGroup.get(group_id)?.push({ device_id, added_at });
  return groups.map((group) => ({ ...group, members: byGroup.get(group.id) ?? [] }));
}

function apply(context: EngineContext, pulled: Pulled): void {
  const isRestored = meta(context.sql, "epoch") !== pulled.epoch;
  const pulled_at = isRestored ? null : meta(context.sql, "pulled_at");
  const touched = touchedDevices(context, pulled);
  const before = new Map([...touched].map((id) => [id, routeOf(context, id)]));
  const names = new Map([...touched].map((id) => [id, namesOf(context, id, null)]));

  const changedAt = (updated_at: string) =>
    isRestored ? context.now() : Math.min(Date.parse(updated_at), context.now());
  putRules(context, pulled.settings, changedAt);
  if (isRestored) setGuardrailsSince(context.sql, context.now()); // what was planned before nobody knows
  for (const kind of PLAN_KINDS) putRows(context, kind, pulled, changedAt);
  setMeta(context.sql, "version", String(pulled.version));
  setMeta(context.sql, "epoch", pulled.epoch);
  setMeta(context.sql, "pulled_at", String(context.now()));

  spreadHubChecks(context);
  armWatchdog(context);
  for (const id of touchedDevices(context, pulled)) touched.add(id);
  for (const row of pulled.rows.device) touched.add(row.id);
  if (pulled_at !== null && isReplanned(pulled)) rewindLooks(context, touched, Number(pulled_at));
  for (const [n, id] of litFirst(context, touched).entries()) {
    const gone = names.get(id);
    const isRerouted = gone ? settleOldRoute(context, id, before.get(id) ?? null, gone) : false;
    if (isRerouted || n < RECONCILED_AT_ONCE) reconcileDevice(context, id, isRerouted ? "address" : null);
    else putTimerNoLater(context.sql, "recheck", id, context.now());
  }
}

/** Whether other windows may hold a light than before; settings and hubs have none. */
function isReplanned({ changed }: Pulled): boolean {
  return changed === null || changed.some(({ kind }) => kind !== "settings" && kind !== "hub");
}

/** A look that did not know the plan has seen nothing of what was planned; but of older windows nobody knows what was. */
function rewindLooks(context: EngineContext, device_ids: Set<string>, pulled_at: number): void {
  const since = Math.max(pulled_at, context.now() - CLAIMS_KEPT_MS);
  for (const id of device_ids) {
    const memory = memoryOf(context.sql, id);
    if ((memory.reconciled_at ?? 0) > since) saveMemory(context.sql, { ...memory, reconciled_at: since });
  }
}

/** New rules concern a lit light first: it may have to go out. */
function litFirst({ sql }: EngineContext, ids: Set<string>): string[] {
  sql.kept?.write();
  const lit = sql
    .exec<{ device_id: string }>("SELECT device_id FROM device_memory WHERE lit_since IS NOT NULL")
    .toArray();
  return [...new Set([...lit.map(({ device_id }) => device_id).filter((id) => ids.has(id)), ...ids])];
}

/** When something changed (epoch ms), as far as D1 tells: a restore brings old rows back now, whatever they say. */
type ChangedAt = (updated_at: string) => number;

function putRules(context: EngineContext, stored: Pulled["settings"], changedAt: ChangedAt): void {
  const before = JSON.stringify(guardrailsOf(settingsOf(context.sql)));
  putSettings(context.sql, stored);
  const guardrails = guardrailsOf(settingsOf(context.sql));
  if (JSON.stringify(guardrails) === before) return;
  const keys = new Set([...Object.keys(guardrails), "APP_TIMEZONE"]);
  const changed = stored.filter(({ key }) => keys.has(key)).map(({ updated_at }) => changedAt(updated_at));
  setGuardrailsSince(context.sql, changed.length === 0 ? context.now() : Math.max(...changed));
}

function putRows<K extends PlanKind>(context: EngineContext, kind: K, pulled: Pulled, changedAt: ChangedAt): void {
  const rows: D1Rows[K][] = pulled.rows[kind];
  const kept = new Set<string>(rows.map((row) => row.id));
  const ids = pulled.changed === null ? plannedIds(context.sql, kind) : changedIds(pulled.changed, kind);
  for (const id of ids) {
    if (kept.has(id)) continue;
    dropPlan(context.sql, kind, id);
    if (kind === "hub") forgetHub(context, id);
  }
  for (const row of rows)
    putPlan(context.sql, kind, row, "updated_at" in row ? changedAt(row.updated_at) : context.now());
}

function changedIds(changed: NonNullable<Pulled["changed"]>, kind: string): string[] {
  return changed.filter((c) => c.kind === kind).map((c) => c.record_id);
}

/** The devices that the changes may concern, as the copy of the plan knows them: asked before and after it is written. */
function touchedDevices({ sql }: EngineContext, { changed }: Pulled): Set<string> {
  if (changed === null || changed.some((c) => c.kind === "settings")) return new Set(plan.deviceIds(sql));
  return new Set(changed.flatMap(({ kind, record_id }) => (isPlanKind(kind) ? CONCERNED[kind](sql, record_id) : [])));
}

function isPlanKind(kind: string): kind is PlanKind {
  return kind in CONCERNED;
}

const CONCERNED: { [K in PlanKind]: (sql: Store, id: string) => string[] } = {
  area: plan.deviceIdsOfArea,
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
