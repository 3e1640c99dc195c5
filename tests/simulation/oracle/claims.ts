import { holding } from "./calendar";
import { openedAt, type City } from "./city";
import { plansOf } from "./targets";

/** `begins`: it counts from then on. `planned`: nobody knew of it before. */
export type Claim = { plan: string; start: number; end: number; begins: number; planned: number };

/** The windows that hold a device; one that was asked for after its start begins when it was asked for. */
export function claimsOf(city: City, device_id: string, at: number): Claim[] {
  const opened_at = openedAt(city, device_id);
  const area_since = city.devices.get(device_id)?.area_since ?? 0;
  const claims: Claim[] = [];
  for (const plan of plansOf(city, device_id)) {
    for (const { start, end } of holding(plan, at)) {
      const planned = Math.max(plan.changed_at, opened_at, area_since);
      claims.push({ plan: plan.id, start, end, begins: Math.max(start, plan.made_at), planned });
    }
  }
  return claims;
}
