import { targetOf } from "#domain/schedule/target";
import type { Pulled } from "./pull";
import { CLAIMS_KEPT_MS } from "#durable/reconcile/windows";
import { limitsOf, type DeviceLimits } from "#durable/state/limits";
import { readable } from "#durable/state/body";
import type { Store } from "#durable/state/kept";
import { plan, plannedIds } from "#durable/state/plan";
import { touchedDevices } from "./touched";

type Permit = { start: number; end: number; since: number };

/** The guardrails of a device as text, its area, whose policies and permits it has, and these permits. */
type Rules = { text: string; area_id: string; permits: readonly Permit[] } & Pick<DeviceLimits, "places">;

/**
 * Of the devices that the changes may concern, with the ids of all policies, the places and devices whose permits go although
 * they have let something burn by `now` (epoch ms), and the areas that become of another type.
 */
type Before = {
  rules: Map<string, Rules>;
  policies: Set<string>;
  lifted: Set<string>;
  retyped: Set<string>;
  now: number;
};

/** What limits the devices that the changes may concern; asked before the copy is written. `now` is epoch ms. */
export function rulesBefore(sql: Store, pulled: Pick<Pulled, "rows" | "gone">, now: number): Before {
  const rules = new Map<string, Rules>();
  const lifted = liftedPlaces(sql, pulled, now);
  const retyped = retypedAreas(sql, pulled);
  const touched = touchedDevices(sql, { changed: undated(sql, pulled) });
  for (const id of new Set([...touched, ...newcomers(pulled, lifted.size + retyped.size > 0)])) {
    const known = readable(() => rulesOf(sql, id));
    if (known) rules.set(id, known);
  }
  return { rules, policies: new Set(rules.size > 0 ? plannedIds(sql, "policy") : []), lifted, retyped, now };
}

function liftedPlaces(sql: Store, { gone }: Pick<Pulled, "gone">, now: number): Set<string> {
  const begun = gone.permit.flatMap((id) => {
    const permit = readable(() => plan.permit(sql, id));
    if (!permit) return [];
    const span = { start: Date.parse(permit.from_at), end: Date.parse(permit.to_at) };
    return hasLet(span, now) ? [targetOf(permit)] : [];
  });
  return new Set(begun.map(({ type, id }) => `${type}:${id}`));
}

/**
 * Whether a permit has let anything burn that may yet be made up for: one of long ago, which retention deletes, has not, and
 * without it nothing that was missed would be.
 */
function hasLet({ start, end }: Pick<Permit, "start" | "end">, now: number): boolean {
  return start <= now && end > now - CLAIMS_KEPT_MS;
}

/** One that is new has always been what it is. */
function retypedAreas(sql: Store, { rows }: Pick<Pulled, "rows">): Set<string> {
  const typeBefore = (id: string) => readable(() => plan.area(sql, id))?.type;
  return new Set(rows.area.filter(({ id, type }) => (typeBefore(id) ?? type) !== type).map(({ id }) => id));
}

/** Of what was pulled, that which can give a device other guardrails without a row that says since when. */
function undated(sql: Store, { rows, gone }: Pick<Pulled, "rows" | "gone">): NonNullable<Pulled["changed"]> {
  const changed = (kind: "group" | "policy" | "permit" | "area", ids: string[]) =>
    ids.map((record_id) => ({ kind, record_id }));
  const isOther = (row: Pulled["rows"]["group"][number]) => {
    const known = readable(() => plan.group(sql, row.id));
    return known === null || membersKey(known) !== membersKey(row);
  };
  const groups = rows.group.filter(isOther).map(({ id }) => id);
  const areas = rows.area
    .filter((row) => readable(() => plan.area(sql, row.id))?.type !== row.type)
    .map(({ id }) => id);
  return [
    ...changed("group", [...groups, ...gone.group]),
    ...changed("policy", gone.policy),
    ...changed("permit", gone.permit),
    ...changed("area", areas),
  ];
}

/** Who is in a group, and since when: one that left it and is in it again has its permits anew. */
function membersKey({ members }: Pulled["rows"]["group"][number]): string {
  return JSON.stringify(members.map(({ device_id, added_at }) => `${device_id} ${added_at}`).toSorted());
}

/** Where policies, permits or the type of an area are gone: those that may have come to where one was. */
function newcomers({ rows, gone }: Pick<Pulled, "rows" | "gone">, isOther: boolean): string[] {
  if (gone.policy.length === 0 && !isOther) return [];
  const members = rows.group.flatMap((group) => group.members.map(({ device_id }) => device_id));
  return [...rows.device.map(({ id }) => id), ...members];
}

/**
 * The devices that have others now since they left a group, or since a policy or a permit is gone: no row tells when that
 * was. What took the policy's place may be younger, and its row tells since when it would have held, not since when it does.
 * Of a device that has moved its own row tells; but how long what is gone from where it has come to held there, none does,
 * nor how long that was of another type.
 * Where a policy or a permit has let go of all, they are named by its place, else each by `device:` and its own id.
 */
export function undatedLimits(sql: Store, { rules, policies, lifted, retyped, now }: Before): string[] {
  if (rules.size === 0) return [];
  const left = new Set(plannedIds(sql, "policy"));
  const isGone = (place: string) => policies.has(place) && !left.has(place);
  // Without the permit, what it let burn would seem to have been cut.
  const hasLost = (was: Rules, is: Rules) =>
    was.permits.some((permit) => hasLet(permit, now) && !is.permits.some((other) => isSamePermit(permit, other)));
  const isFreed = (id: string, was: Rules, is: Rules) => {
    if ([...is.places, `device:${id}`].some((place) => lifted.has(place))) return true;
    if (is.places.some((place) => isGone(place) && !was.places.includes(place))) return true;
    if (is.area_id !== was.area_id) return retyped.has(is.area_id);
    if (hasLost(was, is)) return true;
    if (is.text === was.text) return false;
    const isLeft = (place: string) => !is.places.includes(place) && (policies.has(place) || place.startsWith("type:"));
    return was.places.some((place) => isGone(place) || isLeft(place));
  };
  const devices = [...rules].flatMap(([id, was]) => {
    const is = readable(() => rulesOf(sql, id));
    return is ? [{ id, places: is.places, isFreed: isFreed(id, was, is) }] : [];
  });
  const kept = new Set(devices.flatMap((device) => (device.isFreed ? [] : device.places)));
  const freed = devices.filter((device) => device.isFreed);
  const isNamed = (place: string) => (isGone(place) || lifted.has(place)) && !kept.has(place);
  const names = freed.map(({ id, places }) => places.find(isNamed) ?? `device:${id}`);
  return [...new Set(names)];
}

function rulesOf(sql: Store, id: string): Rules | null {
  const device = plan.device(sql, id);
  if (!device) return null;
  const { guardrails, places, permits } = limitsOf(sql, device);
  return { text: JSON.stringify(guardrails), area_id: device.area_id, places, permits };
}

/** A light that left a group and is in it again has its permits anew. */
function isSamePermit(one: Permit, other: Permit): boolean {
  return one.start === other.start && one.end === other.end && one.since === other.since;
}
