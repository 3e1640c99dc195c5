import type { Guardrails } from "#domain/schedule/schedule";
import { areaOf, type City, type CityLimit, type CityPolicy } from "./city";
import { darkMinutes, guardrailEdges, isRestricted } from "./guardrails";
import { keptBy } from "./kept";
import { belongingsOf, inTargetSince } from "./targets";
import { DAY } from "./wall-clock";

/** From when to when, and since when that is known. */
type Known = { from: number; to: number; since: number };

/** What limits one device; `since`: its rules are what they are. */
type Limits = { rules: Guardrails; since: number; permits: Known[]; closures: Known[] };

const known = new WeakMap<City, Map<string, Limits>>();
const ofSameLimits = keptBy<Map<string, Limits>>();

function limitsOf(city: City, device_id: string): Limits {
  let all = known.get(city);
  if (!all) {
    const { devices, groups, areas, rules, changed_at, policies, permits, closures } = city;
    all = ofSameLimits([devices, groups, areas, rules, changed_at, policies, permits, closures], () => new Map());
    known.set(city, all);
  }
  const before = all.get(device_id);
  if (before) return before;
  const made = {
    ...rulesFor(city, device_id),
    permits: spansOf(city, device_id, city.permits),
    closures: spansOf(city, device_id, city.closures),
  };
  all.set(device_id, made);
  return made;
}

function spansOf(city: City, device_id: string, all: ReadonlyMap<string, CityLimit>): Known[] {
  return [...all.values()].flatMap(({ target, from, to, changed_at }) => {
    const since = inTargetSince(city, device_id, target);
    return since === null ? [] : [{ from, to, since: Math.max(changed_at, since) }];
  });
}

/** What its groups say, else its area, else the area's type, else the city; of two groups the darker and the shorter. */
function rulesFor(city: City, device_id: string): Pick<Limits, "rules" | "since"> {
  const { rules, policies } = city;
  const device = city.devices.get(device_id);
  const groups = belongingsOf(city, device_id).flatMap(({ kind, id, since }) => {
    const policy = kind === "group" && policies.get(`group:${id}`);
    return policy ? [{ ...policy, changed_at: Math.max(policy.changed_at, since) }] : [];
  });
  const place = [policies.get(`area:${device?.area}`), policies.get(`type:${areaOf(city, device_id)?.type}`)];
  const wider = place.filter((policy) => policy !== undefined);
  const [darkest] = groups.flatMap(darkTimes).toSorted((a, b) => darkMinutes(b) - darkMinutes(a));
  const [shortest] = groups.flatMap(longestOn).toSorted((a, b) => (a || Infinity) - (b || Infinity));
  const dark = darkest ?? wider.flatMap(darkTimes)[0];
  const max_on = shortest ?? wider.flatMap(longestOn)[0];
  const changes = [...groups, ...wider].map(({ changed_at }) => changed_at);
  return {
    rules: {
      HARD_CURFEW_OFF: (dark ?? rules).HARD_CURFEW_OFF,
      BLACKOUT_WINDOW: (dark ?? rules).BLACKOUT_WINDOW,
      MAX_ON_DURATION_MIN: max_on ?? rules.MAX_ON_DURATION_MIN,
      zone: rules.zone,
    },
    since: Math.max(inheritedSince(city, dark === undefined, (max_on ?? 0) === 0), device?.area_since ?? 0, ...changes),
  };
}

/** What a policy says the city cannot change; without a longest time on, what has no end takes the city's. */
function inheritedSince({ changed_at }: City, isDark: boolean, isMaxOn: boolean): number {
  const { HARD_CURFEW_OFF, BLACKOUT_WINDOW, MAX_ON_DURATION_MIN, zone } = changed_at;
  return Math.max(zone, ...(isDark ? [HARD_CURFEW_OFF, BLACKOUT_WINDOW] : []), isMaxOn ? MAX_ON_DURATION_MIN : 0);
}

/** A dark time is said as a pair. */
function darkTimes({ HARD_CURFEW_OFF, BLACKOUT_WINDOW }: CityPolicy) {
  if (HARD_CURFEW_OFF === null && BLACKOUT_WINDOW === null) return [];
  return [{ HARD_CURFEW_OFF: HARD_CURFEW_OFF ?? "", BLACKOUT_WINDOW: BLACKOUT_WINDOW ?? "" }];
}

function longestOn({ MAX_ON_DURATION_MIN }: CityPolicy): number[] {
  return MAX_ON_DURATION_MIN === null ? [] : [MAX_ON_DURATION_MIN];
}

export function rulesOf(city: City, device_id: string): Guardrails {
  return limitsOf(city, device_id).rules;
}

/**
 * Whether a device has other rules than before, since a policy has let go of it, or fewer permits of those that had begun by
 * `now`: nobody says when that was, whatever came in its place. A device that has moved left those of its old place when it did.
 */
export function isFreed(city: City, device_id: string, before: City, now: number): boolean {
  const isSame = city.policies === before.policies && city.permits === before.permits;
  if (isSame && limitsOf(city, device_id) === limitsOf(before, device_id)) return false;
  const [here, there] = [placesOf(city, device_id), placesOf(before, device_id)];
  const isGone = (name: string) => before.policies.has(name) && !city.policies.has(name);
  // How long it held where the device has come to nobody knows either.
  if (here.some((name) => isGone(name) && !there.includes(name))) return true;
  if (isLifted(city, [...here, `device:${device_id}`], before, now)) return true;
  const area = city.devices.get(device_id)?.area ?? "";
  const hasMoved = area !== before.devices.get(device_id)?.area;
  // Nor since when the place that it has come to is of another type.
  if (hasMoved) return before.areas.has(area) && before.areas.get(area)?.type !== city.areas.get(area)?.type;
  if (hasLostPermit(city, device_id, before, now)) return true;
  if (JSON.stringify(rulesOf(city, device_id)) === JSON.stringify(rulesOf(before, device_id))) return false;
  const isOtherType = (name: string) => name.startsWith("type:");
  return there.some(
    (name) => isGone(name) || ((before.policies.has(name) || isOtherType(name)) && !here.includes(name)),
  );
}

/** What has been over for longer than anybody looks back. */
const LOOKED_BACK = 2 * DAY;

/** Whether a permit of one of these, which had begun, is there no more. */
function isLifted(city: City, names: string[], before: City, now: number): boolean {
  return [...before.permits].some(([id, { target, from, to }]) => {
    const hasBegun = from <= now && to > now - LOOKED_BACK;
    return hasBegun && !city.permits.has(id) && names.includes(`${target.kind}:${target.id}`);
  });
}

function hasLostPermit(city: City, device_id: string, before: City, now: number): boolean {
  const { permits } = limitsOf(city, device_id);
  const isLeft = ({ from, to, since }: Known) =>
    permits.some((one) => one.from === from && one.to === to && one.since === since);
  const begun = limitsOf(before, device_id).permits.filter(({ from, to }) => from <= now && to > now - LOOKED_BACK);
  return begun.some((permit) => !isLeft(permit));
}

/** Whatever may have a policy that a device obeys, by the policy's name. */
function placesOf(city: City, device_id: string): string[] {
  const belongings = belongingsOf(city, device_id).filter(({ kind }) => kind !== "device");
  return [...belongings.map(({ kind, id }) => `${kind}:${id}`), `type:${areaOf(city, device_id)?.type}`];
}

/** Since when a device's rules are what they are. */
export function rulesSince(city: City, device_id: string): number {
  return limitsOf(city, device_id).since;
}

/** Whether the device may not be lit. Of the past, only what was known by then counts. */
export function isDark(city: City, device_id: string, at: number, isPast = false): boolean {
  if (isClosed(city, device_id, at, isPast)) return true;
  return isRestricted(rulesOf(city, device_id), at) && !isPermitted(city, device_id, at, isPast);
}

/** Whether neither the dark time nor the longest time on bites. */
export function isPermitted(city: City, device_id: string, at: number, isPast = false): boolean {
  return isWithin(limitsOf(city, device_id).permits, at, isPast);
}

function isClosed(city: City, device_id: string, at: number, isPast = false): boolean {
  return isWithin(limitsOf(city, device_id).closures, at, isPast);
}

function isWithin(spans: Known[], at: number, isPast: boolean): boolean {
  return spans.some(({ from, to, since }) => from <= at && at < to && (!isPast || since <= at));
}

/** The instants around one at which what limits the device can change. */
export function limitEdges(city: City, device_id: string, at: number): number[] {
  const { rules, permits, closures } = limitsOf(city, device_id);
  return [
    ...guardrailEdges(rules, at),
    ...[...permits, ...closures].flatMap(({ from, to, since }) => [from, to, since]),
  ];
}

/** Whether something makes the device dark after `from`, up to `to`. */
export function darkensBetween(city: City, device_id: string, from: number, to: number): boolean {
  return limitEdges(city, device_id, from).some((at) => at > from && at <= to && isDark(city, device_id, at));
}
