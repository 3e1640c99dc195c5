import type { Pulled } from "./pull";
import { limitsOf, type DeviceLimits } from "../state/limits";
import { readable } from "../state/body";
import type { Store } from "../state/kept";
import { plan } from "../state/plan";
import { touchedDevices } from "./touched";

/** The guardrails of a device as text, its area, and the policies that say so. */
type Rules = { text: string; area_id: string } & Pick<DeviceLimits, "policies">;

/** Of what has changed, that which can give a device other guardrails without a row that says since when. */
const UNDATED = new Set(["group", "policy", "area"]);

/** What the guardrails of the devices say that the changes may concern; asked before the copy is written. */
export function rulesBefore(sql: Store, { changed }: Pick<Pulled, "changed">): Map<string, Rules> {
  const some = changed?.filter(({ kind }) => UNDATED.has(kind)) ?? [];
  const rules = new Map<string, Rules>();
  for (const id of touchedDevices(sql, { changed: some })) {
    const known = readable(() => rulesOf(sql, id));
    if (known) rules.set(id, known);
  }
  return rules;
}

/**
 * The devices that have others now since they left a group, or since a policy is gone: no row tells when that was. What took
 * the policy's place may be younger, and its row tells since when it would have held, not since when it does. Of a device
 * that has moved its own row tells.
 */
export function undatedDevices(sql: Store, before: Map<string, Rules>): string[] {
  return [...before].flatMap(([id, was]) => {
    const is = readable(() => rulesOf(sql, id));
    if (!is || is.text === was.text || is.area_id !== was.area_id) return [];
    return was.policies.every((policy) => is.policies.includes(policy)) ? [] : [id];
  });
}

function rulesOf(sql: Store, id: string): Rules | null {
  const device = plan.device(sql, id);
  if (!device) return null;
  const { guardrails, policies } = limitsOf(sql, device);
  return { text: JSON.stringify(guardrails), area_id: device.area_id, policies };
}
