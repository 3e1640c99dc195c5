import type { Pulled } from "./pull";
import { limitsOf, type DeviceLimits } from "../state/limits";
import { readable } from "../state/body";
import type { Store } from "../state/kept";
import { plan, plannedIds } from "../state/plan";
import { windowsKey } from "../state/plan-rows";
import { touchedDevices } from "./touched";

/** The guardrails of a device as text, its area, and whose policies it obeys. */
type Rules = { text: string; area_id: string } & Pick<DeviceLimits, "places">;

/** Of the devices that the changes may concern, and the ids of all policies. */
type Before = { rules: Map<string, Rules>; policies: Set<string> };

/** What the guardrails of the devices say that the changes may concern; asked before the copy is written. */
export function rulesBefore(sql: Store, pulled: Pick<Pulled, "rows" | "gone">): Before {
  const rules = new Map<string, Rules>();
  for (const id of new Set([...touchedDevices(sql, { changed: undated(sql, pulled) }), ...newcomers(pulled)])) {
    const known = readable(() => rulesOf(sql, id));
    if (known) rules.set(id, known);
  }
  return { rules, policies: new Set(rules.size > 0 ? plannedIds(sql, "policy") : []) };
}

/** Of what was pulled, that which can give a device other guardrails without a row that says since when. */
function undated(sql: Store, { rows, gone }: Pick<Pulled, "rows" | "gone">): NonNullable<Pulled["changed"]> {
  const changed = (kind: "group" | "policy" | "area", ids: string[]) => ids.map((record_id) => ({ kind, record_id }));
  const isOther = (row: Pulled["rows"]["group"][number]) => {
    const known = readable(() => plan.group(sql, row.id));
    return known === null || windowsKey("group", known) !== windowsKey("group", row);
  };
  const groups = rows.group.filter(isOther).map(({ id }) => id);
  const areas = rows.area
    .filter((row) => readable(() => plan.area(sql, row.id))?.type !== row.type)
    .map(({ id }) => id);
  return [
    ...changed("group", [...groups, ...gone.group]),
    ...changed("policy", gone.policy),
    ...changed("area", areas),
  ];
}

/** Where policies are gone: those that may have come to where one was. */
function newcomers({ rows, gone }: Pick<Pulled, "rows" | "gone">): string[] {
  if (gone.policy.length === 0) return [];
  const members = rows.group.flatMap((group) => group.members.map(({ device_id }) => device_id));
  return [...rows.device.map(({ id }) => id), ...members];
}

/**
 * The devices that have others now since they left a group, or since a policy is gone: no row tells when that was. What took
 * the policy's place may be younger, and its row tells since when it would have held, not since when it does. Of a device
 * that has moved its own row tells; but how long a policy held that is gone from where it has come to, none does. Where a
 * policy has let go of all, they are named by its id, else each by `device:` and its own.
 */
export function undatedLimits(sql: Store, { rules, policies }: Before): string[] {
  if (rules.size === 0) return [];
  const left = new Set(plannedIds(sql, "policy"));
  const isGone = (place: string) => policies.has(place) && !left.has(place);
  const isFreed = (was: Rules, is: Rules) => {
    if (is.places.some((place) => isGone(place) && !was.places.includes(place))) return true;
    if (is.text === was.text || is.area_id !== was.area_id) return false;
    const isLeft = (place: string) => !is.places.includes(place) && (policies.has(place) || place.startsWith("type:"));
    return was.places.some((place) => isGone(place) || isLeft(place));
  };
  const devices = [...rules].flatMap(([id, was]) => {
    const is = readable(() => rulesOf(sql, id));
    return is ? [{ id, places: is.places, isFreed: isFreed(was, is) }] : [];
  });
  const kept = new Set(devices.flatMap((device) => (device.isFreed ? [] : device.places)));
  const freed = devices.filter((device) => device.isFreed);
  const names = freed.map(({ id, places }) => places.find((p) => isGone(p) && !kept.has(p)) ?? `device:${id}`);
  return [...new Set(names)];
}

function rulesOf(sql: Store, id: string): Rules | null {
  const device = plan.device(sql, id);
  if (!device) return null;
  const { guardrails, places } = limitsOf(sql, device);
  return { text: JSON.stringify(guardrails), area_id: device.area_id, places };
}
