import type { PlacedPlan } from "./calendar";
import { areaOf, type City, type CityPlan, type CityTarget } from "./city";

/** A plan as it is for one device: made and changed, for a device, also when the device came to be in its target. */
export type DevicePlan = CityPlan & PlacedPlan;

/** All that a device belongs to, each since when. */
export type Belonging = CityTarget & { since: number };

const belongings = new WeakMap<City, Map<string, Belonging[]>>();

export function belongingsOf(city: City, device_id: string): Belonging[] {
  const known = belongings.get(city) ?? new Map<string, Belonging[]>();
  belongings.set(city, known);
  const before = known.get(device_id);
  if (before) return before;
  const made: Belonging[] = [{ kind: "device", id: device_id, since: 0 }];
  for (const [id, { members }] of city.groups) {
    const since = members.get(device_id);
    if (since !== undefined) made.push({ kind: "group", id, since });
  }
  const device = city.devices.get(device_id);
  if (device) made.push({ kind: "area", id: device.area, since: device.area_since });
  known.set(device_id, made);
  return made;
}

/** Since when a device is in a target; null where it is not. */
export function inTargetSince(city: City, device_id: string, { kind, id }: CityTarget): number | null {
  return belongingsOf(city, device_id).find((own) => own.kind === kind && own.id === id)?.since ?? null;
}

/** The plans that can hold a device: not canceled, and none where its area is inactive. */
export function plansOf(city: City, device_id: string): DevicePlan[] {
  if (!areaOf(city, device_id)?.isActive) return [];
  return (byDevice(city).get(device_id) ?? []).filter((plan) => plan.status === "scheduled");
}

const planned = new WeakMap<City, Map<string, DevicePlan[]>>();

function byDevice(city: City): Map<string, DevicePlan[]> {
  const known = planned.get(city);
  if (known) return known;
  const made = new Map<string, DevicePlan[]>();
  for (const plan of city.plans.values()) {
    const calendar_changed_at = city.calendars.get(plan.calendar_id ?? "")?.changed_at ?? 0;
    for (const id of city.devices.keys()) {
      const since = inTargetSince(city, id, plan.target);
      if (since === null) continue;
      const here = placed(city, plan, areaOf(city, id)?.positions ?? null);
      const moved_at = plan.night ? (here.positions.at(-1)?.since ?? 0) : 0;
      const joined = {
        ...here,
        source: here,
        made_at: Math.max(plan.made_at, since),
        changed_at: Math.max(plan.changed_at, since, calendar_changed_at, moved_at),
      };
      made.set(id, [...(made.get(id) ?? []), joined]);
    }
  }
  planned.set(city, made);
  return made;
}

/** With what its nights depend on, wherever its lights are. */
export function placedPlan(city: City, plan: CityPlan): DevicePlan {
  const { kind, id } = plan.target;
  const area = kind === "area" ? id : kind === "group" ? city.groups.get(id)?.area : city.devices.get(id)?.area;
  return placed(city, plan, city.areas.get(area ?? "")?.positions ?? null);
}

const placedPlans = new WeakMap<CityPlan, DevicePlan>();

function placed(city: City, plan: CityPlan, own: PlacedPlan["positions"] | null): DevicePlan {
  const dates = city.calendars.get(plan.calendar_id ?? "")?.dates ?? null;
  const positions = own ?? city.positions;
  const before = placedPlans.get(plan);
  if (before?.positions === positions && before.dates === dates) return before;
  const made = { ...plan, positions, dates };
  placedPlans.set(plan, made);
  return made;
}
