import type { Guardrails } from "#domain/schedule";
import type { Plan } from "./calendar";

/** What somebody said of the guardrails of a place; null says nothing. */
export type CityPolicy = Record<"HARD_CURFEW_OFF" | "BLACKOUT_WINDOW", string | null> & {
  MAX_ON_DURATION_MIN: number | null;
};

/** A permit or a closure of the area (`device_id` null) or of one device, and since when it is known as it is. */
export type CityLimit = { device_id: string | null; from: number; to: number; changed_at: number };

/** A plan, its group if it is for one, when it was made and when it was last changed. */
export type CityPlan = Plan & { group_id: string | null; made_at: number; changed_at: number };

export type CityDevice = { lamp: string; hub: string | null; dept: string | null; changed_at: number };

/** What D1 holds at one version of the configuration, as far as the lights depend on it; never changed in place. */
export type City = {
  /** Another after each restore from a backup; the lives number them. */
  epoch: string;
  version: number;
  rules: Guardrails;
  /** When each was last another: of the city's rules, and any policy. */
  changed_at: Record<keyof Guardrails | "policies", number>;
  watchdog: boolean;
  watchdog_sec: number;
  hub_check_sec: number;
  areaIsActive: boolean;
  hubs: ReadonlySet<string>;
  devices: ReadonlyMap<string, CityDevice>;
  plans: ReadonlyMap<string, CityPlan>;
  /** The devices of each group, and since when they have been in it. */
  groups: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** Of the area, and of its type. */
  policies: ReadonlyMap<"area" | "type", CityPolicy>;
  permits: ReadonlyMap<string, CityLimit>;
  closures: ReadonlyMap<string, CityLimit>;
  /** When the area was last switched on or off. */
  area_changed_at: number;
  /** When it was last restored from a backup. */
  restored_at: number;
};

/** The plans that can hold a device: not canceled, and none where its area is inactive. */
export function plansOf(city: City, device_id: string): CityPlan[] {
  if (!city.areaIsActive) return [];
  return (byDevice(city).get(device_id) ?? []).filter((plan) => plan.status === "scheduled");
}

const grouped = new WeakMap<City, Map<string, CityPlan[]>>();

/** A plan is made, and changed, for a device when the device came to be in its group. */
function byDevice(city: City): Map<string, CityPlan[]> {
  const known = grouped.get(city);
  if (known) return known;
  const made = new Map<string, CityPlan[]>();
  for (const plan of city.plans.values())
    for (const [id, since] of lightsOf(city, plan)) {
      const joined = {
        ...plan,
        made_at: Math.max(plan.made_at, since),
        changed_at: Math.max(plan.changed_at, since),
      };
      made.set(id, [...(made.get(id) ?? []), joined]);
    }
  grouped.set(city, made);
  return made;
}

/** The devices that a plan is for, each since when. */
function lightsOf({ devices, groups }: City, { device_id, group_id }: CityPlan): Iterable<[string, number]> {
  if (device_id !== null) return [[device_id, 0]];
  if (group_id !== null) return groups.get(group_id) ?? [];
  return [...devices.keys()].map((id) => [id, 0]);
}

/** Of a city in which nobody has changed a rule yet. */
export const NEVER_CHANGED: City["changed_at"] = {
  HARD_CURFEW_OFF: 0,
  BLACKOUT_WINDOW: 0,
  MAX_ON_DURATION_MIN: 0,
  zone: 0,
  policies: 0,
};
