import type { Guardrails } from "#domain/schedule";
import { guardrailEdges, isRestricted } from "./calendar";
import type { City, CityPolicy } from "./city";

const NOTHING: CityPolicy = { HARD_CURFEW_OFF: null, BLACKOUT_WINDOW: null, MAX_ON_DURATION_MIN: null };

/** The guardrails of the city's lights, which are all in one area: what the area says, else its type, else the city. */
export function rulesOf(city: City): Guardrails {
  const { rules } = city;
  const { dark, max_on } = policyOf(city);
  return {
    HARD_CURFEW_OFF: dark ? (dark.HARD_CURFEW_OFF ?? "") : rules.HARD_CURFEW_OFF,
    BLACKOUT_WINDOW: dark ? (dark.BLACKOUT_WINDOW ?? "") : rules.BLACKOUT_WINDOW,
    MAX_ON_DURATION_MIN: max_on ?? rules.MAX_ON_DURATION_MIN,
    zone: rules.zone,
  };
}

/** Since when the lights' guardrails are what they are: what a policy says, the city cannot change. */
export function rulesChangedAt(city: City): number {
  const { HARD_CURFEW_OFF, BLACKOUT_WINDOW, MAX_ON_DURATION_MIN, zone, policies } = city.changed_at;
  const { dark, max_on } = policyOf(city);
  const ofDark = dark ? [] : [HARD_CURFEW_OFF, BLACKOUT_WINDOW];
  // Where a policy says that there is no longest time on, the city's is the one of what has no end.
  return Math.max(zone, policies, ...ofDark, (max_on ?? 0) === 0 ? MAX_ON_DURATION_MIN : 0);
}

function policyOf({ policies }: City): { dark: CityPolicy | undefined; max_on: number | null } {
  const [area = NOTHING, type = NOTHING] = [policies.get("area"), policies.get("type")];
  const dark = [area, type].find((policy) => policy.HARD_CURFEW_OFF !== null || policy.BLACKOUT_WINDOW !== null);
  return { dark, max_on: area.MAX_ON_DURATION_MIN ?? type.MAX_ON_DURATION_MIN };
}

/** Whether the device may not be lit. Of the past, only what was known by then counts. */
export function isDark(city: City, device_id: string, at: number, isPast = false): boolean {
  if (limits(city.closures, device_id, at, isPast)) return true;
  return isRestricted(rulesOf(city), at) && !isPermitted(city, device_id, at, isPast);
}

/** Whether neither the dark time nor the longest time on bites. */
export function isPermitted(city: City, device_id: string, at: number, isPast = false): boolean {
  return limits(city.permits, device_id, at, isPast);
}

function limits(all: City["permits"], device_id: string, at: number, isPast: boolean): boolean {
  for (const { device_id: of, from, to, changed_at } of all.values()) {
    if ((of === null || of === device_id) && from <= at && at < to && (!isPast || changed_at <= at)) return true;
  }
  return false;
}

/** The instants around one at which what limits the city's lights can change. */
export function limitEdges(city: City, at: number): number[] {
  const spans = [...city.permits.values(), ...city.closures.values()];
  return [...guardrailEdges(rulesOf(city), at), ...spans.flatMap(({ from, to, changed_at }) => [from, to, changed_at])];
}
