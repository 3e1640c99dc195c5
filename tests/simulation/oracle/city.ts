import type { Guardrails } from "#domain/schedule";
import type { Plan } from "./calendar";

/** A plan, when it was made and when it was last changed. */
export type CityPlan = Plan & { made_at: number; changed_at: number };

export type CityDevice = { lamp: string; hub: string | null; dept: string | null; changed_at: number };

/** What D1 holds at one version of the configuration, as far as the lights depend on it; never changed in place. */
export type City = {
  /** Another after each restore from a backup; the lives number them. */
  epoch: string;
  version: number;
  rules: Guardrails;
  rules_changed_at: number;
  watchdog: boolean;
  watchdog_sec: number;
  hub_check_sec: number;
  areaIsActive: boolean;
  hubs: ReadonlySet<string>;
  devices: ReadonlyMap<string, CityDevice>;
  plans: ReadonlyMap<string, CityPlan>;
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

const grouped = new WeakMap<City["plans"], Map<string, CityPlan[]>>();

function byDevice({ plans }: City): Map<string, CityPlan[]> {
  const known = grouped.get(plans);
  if (known) return known;
  const made = new Map<string, CityPlan[]>();
  for (const plan of plans.values()) made.set(plan.device_id, [...(made.get(plan.device_id) ?? []), plan]);
  grouped.set(plans, made);
  return made;
}
