import type { PlacedPlan } from "./calendar";
import { areaOf, type City, type CityPlan, type CityTarget } from "./city";
import { keptBy } from "./kept";

/** A plan as it is for one device: made and changed, for a device, also when the device came to be in its target. */
export type DevicePlan = CityPlan & PlacedPlan & { formers?: readonly DevicePlan[] };

/** All that a device belongs to, each since when. */
export type Belonging = CityTarget & { since: number };

const belongings = new WeakMap<City, Map<string, Belonging[]>>();
const ofSameLights = keptBy<Map<string, Belonging[]>>();

export function belongingsOf(city: City, device_id: string): Belonging[] {
  let known = belongings.get(city);
  if (!known) {
    known = ofSameLights([city.devices, city.groups], () => new Map());
    belongings.set(city, known);
  }
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

/** The plans that can hold a device: not canceled, and none where its area, or the organization, is inactive. */
export function plansOf(city: City, device_id: string): DevicePlan[] {
  if (!city.isServed || !areaOf(city, device_id)?.isActive) return [];
  return byDevice(city).get(device_id) ?? [];
}

const planned = new WeakMap<City, Map<string, DevicePlan[]>>();

function byDevice(city: City): Map<string, DevicePlan[]> {
  const known = planned.get(city);
  if (known) return known;
  const made = new Map<string, DevicePlan[]>();
  for (const plan of city.plans.values()) {
    if (plan.status !== "scheduled") continue;
    for (const [id, joined] of joinedBy(city, plan)) {
      const others = made.get(id);
      if (others) others.push(joined);
      else made.set(id, [joined]);
    }
  }
  planned.set(city, made);
  return made;
}

const ofSamePlan = keptBy<[string, DevicePlan][]>();
const NO_CALENDAR = {};

/** A plan as it is for each device that it holds. */
function joinedBy(city: City, plan: CityPlan): [string, DevicePlan][] {
  const { devices, groups, areas, positions } = city;
  const calendar = city.calendars.get(plan.calendar_id ?? "");
  return ofSamePlan([devices, groups, areas, positions, calendar ?? NO_CALENDAR, plan], () =>
    lightsOf(city, plan.target).flatMap((id): [string, DevicePlan][] => {
      const since = inTargetSince(city, id, plan.target);
      if (since === null) return [];
      const [own, ...formers] = [plan, plan.was].flatMap((one) => {
        const in_since = one && inTargetSince(city, id, one.target);
        if (!one || typeof in_since !== "number") return [];
        const cities = [city, beforeCalendar(city, one)].filter((then) => then !== null);
        return cities.flatMap((then) => seenFromAll(then, one, id).map((seen) => joinedSince(then, seen, in_since)));
      });
      return own ? [[id, { ...own, formers }]] : [];
    }),
  );
}

/** The city with the plan's calendar as it was known before; null where it was not changed. */
function beforeCalendar(city: City, { calendar_id }: CityPlan): City | null {
  const was = city.calendars.get(calendar_id ?? "")?.was;
  return was ? { ...city, calendars: new Map(city.calendars).set(calendar_id ?? "", was) } : null;
}

/** A plan by the sun as seen from where its place is, and from each that it was at before, the latest first. */
function seenFromAll(city: City, plan: CityPlan, id: string): DevicePlan[] {
  const here = placed(city, plan, areaOf(city, id)?.positions ?? null);
  if (!plan.night) return [here];
  const { positions } = here;
  const before = positions.slice(1).map((_, n) => ({ ...here, positions: positions.slice(0, -1 - n) }));
  return [here, ...before];
}

function joinedSince(city: City, plan: DevicePlan, since: number): DevicePlan {
  const moved_at = plan.night ? (plan.positions.at(-1)?.since ?? 0) : 0;
  const made_at = Math.max(plan.made_at, since);
  const calendar = city.calendars.get(plan.calendar_id ?? "");
  const changed_at = Math.max(plan.changed_at, since, calendar?.changed_at ?? 0, moved_at);
  return { ...plan, source: plan, made_at, changed_at };
}

/** The known devices that may be in a target. */
function lightsOf({ devices, groups }: City, { kind, id }: CityTarget): string[] {
  if (kind === "area") return [...devices.keys()];
  const named = kind === "device" ? [id] : [...(groups.get(id)?.members.keys() ?? [])];
  return named.filter((device) => devices.has(device));
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
