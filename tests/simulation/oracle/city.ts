import type { ConnectionMode, ProviderMode } from "#domain/enums";
import type { Guardrails } from "#domain/schedule/schedule";
import type { Plan, Position } from "./calendar";

/** What a plan, a permit or a closure is for. */
export type CityTarget = { kind: "device" | "group" | "area"; id: string };

/** What somebody said of the guardrails of a place, since when; null says nothing. */
export type CityPolicy = Record<"HARD_CURFEW_OFF" | "BLACKOUT_WINDOW", string | null> & {
  MAX_ON_DURATION_MIN: number | null;
  changed_at: number;
};

/** A permit or a closure, and since when it is known as it is. */
export type CityLimit = { target: CityTarget; from: number; to: number; changed_at: number };

/** A plan, when it was made, for this target, and when it was last changed. `was`: how it was known before that, if it was. */
export type CityPlan = Plan & { target: CityTarget; made_at: number; changed_at: number; was?: CityPlan };

/** By which ways a hub is used in hybrid mode, and what is wrong with what opens it; null: it lets us in. */
export type CityAccess = { mode: ConnectionMode; wrong: string | null };

export type CityDevice = {
  lamp: string;
  hub: string | null;
  dept: string | null;
  area: string;
  /** Since when it is in its area; 0 if always. */
  area_since: number;
  restrike_min: number;
  changed_at: number;
};

/**
 * A place: `changed_at` is when it was last switched on or off; without positions it is where the city is.
 * `written_at` is when its row was last written, for whatever.
 */
export type CityArea = {
  type: string;
  isActive: boolean;
  changed_at: number;
  written_at: number;
  stagger_sec: number;
  positions: readonly Position[] | null;
};

/** The devices of a group, each since when it is in it. */
type CityGroup = { area: string; members: ReadonlyMap<string, number> };

/** `was`: as it was known before it was changed, if it was. */
type CityCalendar = { dates: ReadonlySet<string>; changed_at: number; was?: CityCalendar };

/** What D1 holds at one version of the configuration, as far as the lights depend on it; never changed in place. */
export type City = {
  /** Another after each restore from a backup; the lives number them. */
  epoch: string;
  version: number;
  rules: Guardrails;
  /** When each was last another: of the city's rules. */
  changed_at: Record<keyof Guardrails, number>;
  /** By which way lamps are reached. */
  mode: ProviderMode;
  watchdog: boolean;
  watchdog_sec: number;
  hub_check_sec: number;
  positions: readonly Position[];
  areas: ReadonlyMap<string, CityArea>;
  hubs: ReadonlySet<string>;
  /** Of hubs that were made without anything wrong with them nothing is said. */
  access: ReadonlyMap<string, CityAccess>;
  devices: ReadonlyMap<string, CityDevice>;
  groups: ReadonlyMap<string, CityGroup>;
  plans: ReadonlyMap<string, CityPlan>;
  calendars: ReadonlyMap<string, CityCalendar>;
  /** By 'type:park', 'area:...' and 'group:...'. */
  policies: ReadonlyMap<string, CityPolicy>;
  permits: ReadonlyMap<string, CityLimit>;
  closures: ReadonlyMap<string, CityLimit>;
  /** When it was last restored from a backup. */
  restored_at: number;
  /** Whether the organization is active; `served_at`: when that last changed, as far as it is known. */
  isServed: boolean;
  served_at: number;
};

/** The place of a device; null for one that is not known. */
export function areaOf({ areas, devices }: City, device_id: string): CityArea | null {
  return areas.get(devices.get(device_id)?.area ?? "") ?? null;
}

const AS_MADE: CityAccess = { mode: "hybrid", wrong: null };

export function accessOf({ access }: Pick<City, "access">, hub: string | null): CityAccess {
  return access.get(hub ?? "") ?? AS_MADE;
}

/** Whether a hub is reached in the same way, and lets us in as before. */
export function isSameAccess(one: CityAccess, other: CityAccess): boolean {
  return one.mode === other.mode && one.wrong === other.wrong;
}

/** When the device's place, or its whole organization, was last switched on or off. */
export function openedAt(city: City, device_id: string): number {
  return Math.max(city.served_at, areaOf(city, device_id)?.changed_at ?? 0);
}

/** Of a city in which nobody has changed a rule yet. */
export const NEVER_CHANGED: City["changed_at"] = {
  HARD_CURFEW_OFF: 0,
  BLACKOUT_WINDOW: 0,
  MAX_ON_DURATION_MIN: 0,
  zone: 0,
};
