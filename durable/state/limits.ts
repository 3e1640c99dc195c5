import type { Closure, Limits } from "#domain/guardrails/device-limits";
import { mergePolicies, type PolicyInForce } from "#domain/guardrails/policy";
import type { Span } from "#domain/schedule/schedule";
import type { Target } from "#domain/schedule/target";
import { readable } from "./body";
import type { Store } from "./kept";
import { keptTable, READ_ONLY } from "./kept-table";
import { limitsSince, ORGANIZATION_LIMITS, organizationSince, type LimitsSince } from "./limits-since";
import { guardrailsOf, plan, settingsOf, targetsOf } from "./plan";
import {
  ownerOf,
  readRow,
  targetKey,
  type ClosureRow,
  type DeviceRow,
  type PermitRow,
  type PolicyRow,
} from "./plan-rows";

/** `since` (epoch ms): when it came to limit the device. */
type Since<Limit> = Limit & { since: number };

/** What limits one device, and since when (epoch ms) its guardrails are what they are; 0 if always. */
export type DeviceLimits = Limits & {
  guardrails_since: number;
  /** Its groups, its area and the area's type, by the ids that policies of these have. */
  places: readonly string[];
  permits: readonly Since<Span>[];
  closures: readonly Since<Closure>[];
};

/** Of every device that was looked at, until the plan is written again. */
const byDevice = keptTable<DeviceLimits>({
  read: (sql, id) => {
    const device = plan.device(sql, id);
    return device && limitsFor(sql, device);
  },
  ...READ_ONLY,
  most: 20_000,
});

/** A city has few policies, permits and closures: they are read at once, not device by device. */
const rows = keptTable<LimitRows>({ read: readRows, ...READ_ONLY, most: 1 });

/** What limits the device as the plan stands now. */
export function limitsOf(sql: Store, device: DeviceRow): DeviceLimits {
  return byDevice(sql).get(device.id) ?? limitsFor(sql, device);
}

/** The same as it was known at an instant (epoch ms) that is past: what came later did not limit it then. */
export function limitsKnownAt(limits: DeviceLimits, at: number): DeviceLimits {
  const isKnown = ({ since }: { since: number }) => since <= at;
  return { ...limits, permits: limits.permits.filter(isKnown), closures: limits.closures.filter(isKnown) };
}

/** When (epoch ms) each permit and closure came to limit the device. */
export function limitsCameAt({ permits, closures }: DeviceLimits): number[] {
  return [...permits, ...closures].map(({ since }) => since);
}

/** Whoever writes the plan empties what was kept of it. */
export function forgetLimits(sql: Store): void {
  for (const table of [byDevice, rows]) table(sql).forget?.();
}

type LimitRows = {
  policies: Map<string, PolicyRow>;
  since: LimitsSince;
  permits: Map<string, PermitRow[]>;
  closures: Map<string, ClosureRow[]>;
  /** The targets, or `type:` and a type of area, of rows that cannot be read. */
  unreadable: Set<string>;
};

function readRows(sql: Store): LimitRows {
  const unreadable = new Set<string>();
  return {
    policies: new Map(readKind(sql, "policy", unreadable).map((row) => [row.id, row])),
    since: limitsSince(sql),
    permits: byTarget("permit", readKind(sql, "permit", unreadable)),
    closures: byTarget("closure", readKind(sql, "closure", unreadable)),
    unreadable,
  };
}

/** A policy's id says what it is for, as the owner of the others does. */
function readKind<K extends "policy" | "permit" | "closure">(sql: Store, kind: K, unreadable: Set<string>) {
  return sql
    .exec<{ id: string; owner: string | null; body: string }>(
      "SELECT id, owner, body FROM plan WHERE kind = ? ORDER BY id",
      kind,
    )
    .toArray()
    .flatMap(({ id, owner, body }) => {
      const row = readable(() => readRow(kind, body));
      if (row === null) unreadable.add(owner ?? id);
      return row ?? [];
    });
}

function byTarget<K extends "permit" | "closure", Row extends Parameters<typeof ownerOf<K>>[1]>(kind: K, all: Row[]) {
  const found = new Map<string, Row[]>();
  for (const row of all) {
    const key = ownerOf(kind, row) ?? "";
    found.set(key, [...(found.get(key) ?? []), row]);
  }
  return found;
}

function limitsFor(sql: Store, device: DeviceRow): DeviceLimits {
  const known = rows(sql).get("") ?? readRows(sql);
  const targets = targetsOf(sql, device);
  if (known.unreadable.size > 0) refuseUnreadable(sql, device, targets, known.unreadable);
  return {
    ...guardrailsFor(sql, device, targets, known),
    permits: targets.flatMap((target) =>
      (known.permits.get(targetKey(target)) ?? []).map((permit) => ({
        start: Date.parse(permit.from_at),
        end: Date.parse(permit.to_at),
        since: Math.max(permit.planned_at, target.since),
      })),
    ),
    closures: targets.flatMap((target) =>
      (known.closures.get(targetKey(target)) ?? []).map((closure) => ({
        id: closure.id,
        reason: closure.reason,
        start: Date.parse(closure.from_at),
        end: closure.to_at === null ? Infinity : Date.parse(closure.to_at),
        since: Math.max(closure.planned_at, target.since),
      })),
    ),
  };
}

/** Nobody knows what such a row forbids: without it, a closed field would be lit. */
function refuseUnreadable(sql: Store, device: DeviceRow, targets: Target[], unreadable: Set<string>): void {
  const keys = [...targets.map(targetKey), `type:${plan.area(sql, device.area_id)?.type}`];
  const bad = keys.find((key) => unreadable.has(key));
  if (bad !== undefined) throw new Error(`a limit of ${bad} cannot be read`);
}

function guardrailsFor(
  sql: Store,
  device: DeviceRow,
  targets: (Target & { since: number })[],
  { policies, since }: LimitRows,
): Pick<DeviceLimits, "guardrails" | "guardrails_since" | "places" | "organization_max_on_min"> {
  const { zone, ...organization } = guardrailsOf(settingsOf(sql));
  const organization_max_on_min = organization.MAX_ON_DURATION_MIN;
  const type_id = `type:${plan.area(sql, device.area_id)?.type}`;
  const area_id = `area:${device.area_id}`;
  const memberships = targets.filter((target) => target.type === "group");
  const places = [type_id, area_id, ...memberships.map(({ id }) => `group:${id}`)];
  if (policies.size === 0 && Object.keys(since.gone).length === 0) {
    // Where it was before it may have been permitted, or booked, what it is not here.
    const guardrails_since = Math.max(organizationSince(since, "all", ...ORGANIZATION_LIMITS), device.planned_at);
    return { guardrails: { ...organization, zone }, guardrails_since, places, organization_max_on_min };
  }
  const type = policies.get(type_id) ?? null;
  const area = policies.get(area_id) ?? null;
  const groups = memberships.flatMap(({ id, since: member_since }) => {
    const policy = policies.get(`group:${id}`);
    return policy ? [{ ...policy, planned_at: Math.max(policy.planned_at, member_since) }] : [];
  });
  const policy = mergePolicies({ groups, area, type, organization });
  const { HARD_CURFEW_OFF, BLACKOUT_WINDOW, MAX_ON_DURATION_MIN } = policy;
  return {
    guardrails: { HARD_CURFEW_OFF, BLACKOUT_WINDOW, MAX_ON_DURATION_MIN, zone },
    guardrails_since: Math.max(
      inheritedSince(since, policy),
      device.planned_at,
      type?.planned_at ?? 0,
      area?.planned_at ?? 0,
      ...groups.map(({ planned_at }) => planned_at),
      ...[...places, `device:${device.id}`].map((id) => since.gone[id] ?? 0),
    ),
    places,
    organization_max_on_min,
  };
}

/** Since when (epoch ms) what the device has of its organization is what it is; what a policy says is no part of it. */
function inheritedSince(
  since: LimitsSince,
  { dark_source, max_on_source, MAX_ON_DURATION_MIN }: PolicyInForce,
): number {
  const isDarkInherited = dark_source === "organization";
  // Where the device has no longest time on, what has no end takes the organization's.
  const isMaxOnInherited = max_on_source === "organization" || MAX_ON_DURATION_MIN === 0;
  return Math.max(
    organizationSince(since, "all"),
    isDarkInherited ? organizationSince(since, "HARD_CURFEW_OFF", "BLACKOUT_WINDOW") : 0,
    isMaxOnInherited ? organizationSince(since, "MAX_ON_DURATION_MIN") : 0,
  );
}
