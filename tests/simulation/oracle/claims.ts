import { holding } from "./calendar";
import { openedAt, type City } from "./city";
import { plansOf, type DevicePlan } from "./targets";

/** `begins`: it counts from then on. */
export type Claim = { plan: string; start: number; end: number; begins: number };

/**
 * The windows that hold a device; one that was asked for after its start begins when it was asked for. Of the past, those
 * that were known by then, of a plan that was changed since as it was before.
 */
export function claimsOf(city: City, device_id: string, at: number, isPast = false): Claim[] {
  const opened_at = openedAt(city, device_id);
  const area_since = city.devices.get(device_id)?.area_since ?? 0;
  const isKnown = ({ changed_at }: DevicePlan) => !isPast || Math.max(changed_at, opened_at, area_since) <= at;
  const claims: Claim[] = [];
  for (const plan of plansOf(city, device_id)) {
    const then = [plan, ...(plan.formers ?? [])].find(isKnown);
    if (!then) continue;
    for (const { start, end } of holding(then, at))
      claims.push({ plan: plan.id, start, end, begins: Math.max(start, then.made_at) });
  }
  return claims;
}
