import type { Pulled } from "./pull";
import { limitsOf } from "../state/limits";
import { readable } from "../state/body";
import type { Store } from "../state/kept";
import { plan } from "../state/plan";
import { touchedDevices } from "./touched";

/** The guardrails of a device as text, and since when (epoch ms) they are known to be so. */
type Rules = { text: string; since: number };

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
 * the policy's place may be younger than that was, and was known all the same at the last pull (`pulled_at`, epoch ms).
 */
export function undatedDevices(sql: Store, before: Map<string, Rules>, pulled_at: number): string[] {
  return [...before].flatMap(([id, was]) => {
    const is = readable(() => rulesOf(sql, id));
    return is && is.text !== was.text && is.since <= Math.max(was.since, pulled_at) ? [id] : [];
  });
}

function rulesOf(sql: Store, id: string): Rules | null {
  const device = plan.device(sql, id);
  if (!device) return null;
  const { guardrails, guardrails_since } = limitsOf(sql, device);
  return { text: JSON.stringify(guardrails), since: guardrails_since };
}
