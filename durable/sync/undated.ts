import type { Pulled } from "./pull";
import { limitsOf, type DeviceLimits } from "../state/limits";
import { readable } from "../state/body";
import type { Store } from "../state/kept";
import { plan, plannedIds } from "../state/plan";
import { touchedDevices } from "./touched";

/** The guardrails of a device as text, its area, and whose policies it obeys. */
type Rules = { text: string; area_id: string } & Pick<DeviceLimits, "places">;

/** Of the devices that the changes may concern, and the ids of all policies. */
type Before = { rules: Map<string, Rules>; policies: Set<string> };

/** Of what has changed, that which can give a device other guardrails without a row that says since when. */
const UNDATED = new Set(["group", "policy", "area"]);

/** What the guardrails of the devices say that the changes may concern; asked before the copy is written. */
export function rulesBefore(sql: Store, pulled: Pick<Pulled, "changed" | "rows" | "gone">): Before {
  const some = pulled.changed?.filter(({ kind }) => UNDATED.has(kind)) ?? [];
  const rules = new Map<string, Rules>();
  for (const id of new Set([...touchedDevices(sql, { changed: some }), ...newcomers(pulled)])) {
    const known = readable(() => rulesOf(sql, id));
    if (known) rules.set(id, known);
  }
  return { rules, policies: new Set(plannedIds(sql, "policy")) };
}

/** Where policies are gone: those that may have come to where one was. */
function newcomers({ changed, rows, gone }: Pick<Pulled, "changed" | "rows" | "gone">): string[] {
  if (changed === null || gone.policy.length === 0) return [];
  const members = rows.group.flatMap((group) => group.members.map(({ device_id }) => device_id));
  return [...rows.device.map(({ id }) => id), ...members];
}

/**
 * The devices that have others now since they left a group, or since a policy is gone: no row tells when that was. What took
 * the policy's place may be younger, and its row tells since when it would have held, not since when it does. Of a device
 * that has moved its own row tells; but how long a policy held that is gone from where it has come to, none does.
 */
export function undatedDevices(sql: Store, { rules, policies }: Before): string[] {
  const left = new Set(plannedIds(sql, "policy"));
  const isGone = (place: string) => policies.has(place) && !left.has(place);
  return [...rules].flatMap(([id, was]) => {
    const is = readable(() => rulesOf(sql, id));
    if (!is) return [];
    if (is.places.some((place) => isGone(place) && !was.places.includes(place))) return [id];
    if (is.text === was.text || is.area_id !== was.area_id) return [];
    const isLeft = (place: string) => !is.places.includes(place) && (policies.has(place) || place.startsWith("type:"));
    return was.places.some((place) => isGone(place) || isLeft(place)) ? [id] : [];
  });
}

function rulesOf(sql: Store, id: string): Rules | null {
  const device = plan.device(sql, id);
  if (!device) return null;
  const { guardrails, places } = limitsOf(sql, device);
  return { text: JSON.stringify(guardrails), area_id: device.area_id, places };
}
