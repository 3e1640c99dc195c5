import { slowSunTime, type SlowSunTime } from "#tests/support/slow-sun";
import { DAY, dateOf, instantOf, wallOf } from "./wall-clock";

/**
 * The oracle's own calendar, written from the design and not from the engine: rules expanded day by day, by the clock or by
 * a sun of its own. Slow and plain; what it has worked out it keeps.
 */
export type Plan = {
  id: string;
  title: string;
  start_at: string;
  end_at: string;
  rrule: string | null;
  timezone: string;
  status: "scheduled" | "canceled";
  start_sun: SlowSunTime | null;
  end_sun: SlowSunTime | null;
  /** Of a plan by the sun: the date of its first night, and how many days later that ends. */
  night: { date: string; days_long: number } | null;
  /** Dates on which it does not happen. */
  skips: readonly string[];
  calendar_id: string | null;
  calendar_rule: "skip" | "only" | null;
};

/** Where the sun is seen from, since when. */
export type Position = { lat: number; lon: number; since: number };

/**
 * A plan with what its nights depend on: the positions of its place, oldest first, and the dates of its calendar. A copy
 * for one light has the windows of its `source`.
 */
export type PlacedPlan = Plan & {
  positions: readonly Position[];
  dates: ReadonlySet<string> | null;
  source?: PlacedPlan;
};

/** `date`: of its recurrence. */
export type Window = { start: number; end: number; date: string };

/** So many days after its first each plan has long been ended by somebody, be it one without an end. */
const MOST_DAYS = 1_500;
/** Longer than any window, be it from one sunset to the sunrise after the next. */
const LONGEST = 3 * DAY;
const NONE: readonly Window[] = [];
const DAYS = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];

const byPlan = new WeakMap<PlacedPlan, Window[]>();
const byText = new Map<string, Window[]>();

/** Every occurrence of a plan up to four years after its start, by start. */
export function windowsOf(copy: PlacedPlan): Window[] {
  const plan = copy.source ?? copy;
  const known = byPlan.get(plan);
  if (known) return known;
  const { start_at, end_at, rrule, timezone, start_sun, end_sun, night, skips, calendar_rule, positions, dates } = plan;
  const isBySun = start_sun !== null || end_sun !== null;
  const key = JSON.stringify([
    [start_at, end_at, rrule, timezone, start_sun, end_sun, night, skips],
    calendar_rule && [calendar_rule, ...(dates ?? [])],
    isBySun && positions,
  ]);
  const made = byText.get(key) ?? expand(plan);
  if (byText.size > 2_000) byText.clear();
  byText.set(key, made);
  byPlan.set(plan, made);
  return made;
}

function expand(plan: PlacedPlan): Window[] {
  const { start_at, rrule, timezone } = plan;
  const parts = new Map((rrule ?? "").split(";").map((part) => [part.split("=")[0] ?? "", part.split("=")[1] ?? ""]));
  const count = rrule === null ? 1 : Number(parts.get("COUNT") ?? Infinity);
  const interval = Number(parts.get("INTERVAL") ?? 1);
  const days = parts.get("BYDAY")?.split(",");
  const until = parts.has("UNTIL") ? untilOf(parts.get("UNTIL") ?? "") : Infinity;
  const begin = plan.night ? Date.parse(plan.night.date) : wallOf(timezone, Date.parse(start_at));
  const monday = begin - ((new Date(begin).getUTCDay() + 6) % 7) * DAY;
  const on = plan.night ? bySun(plan, plan.night) : byClock(plan);
  const found: Window[] = [];
  let happened = 0;
  for (let n = 0; n < MOST_DAYS && happened < count; n += 1) {
    const wall = begin + n * DAY;
    if (!days && n % interval !== 0) continue;
    if (days && !days.includes(DAYS[new Date(wall).getUTCDay()] ?? "")) continue;
    if (days && Math.floor((wall - monday) / (7 * DAY)) % interval !== 0) continue;
    const window = on(n);
    if (window && window.start > until) break;
    // What is skipped, and a night without sun, is counted all the same.
    happened += 1;
    if (window && !isSkipped(plan, window.date)) found.push(window);
  }
  return found;
}

function isSkipped({ skips, calendar_rule, dates }: PlacedPlan, date: string): boolean {
  if (skips.includes(date)) return true;
  return calendar_rule !== null && (dates?.has(date) ?? false) === (calendar_rule === "skip");
}

function byClock({ start_at, end_at, timezone }: PlacedPlan): (n: number) => Window {
  const stored = { start: Date.parse(start_at), end: Date.parse(end_at) };
  const begin = wallOf(timezone, stored.start);
  const nominal = wallOf(timezone, stored.end) - begin;
  // From 1:30 to the second 1:30 is nothing on the wall, and an hour all the same.
  const length = nominal > 0 ? nominal : stored.end - stored.start;
  return (n) => {
    const wall = begin + n * DAY;
    // On its own day it is as it was stored, be it in the second of two hours that the clocks show alike.
    const start = n === 0 ? stored.start : instantOf(timezone, wall, "first");
    const end = n === 0 ? stored.end : instantOf(timezone, wall + length, "first");
    return { start, end: end > start ? end : start + length, date: dateOf(wall) };
  };
}

/** A night by the sun is as under the first position under which it had begun before the next one came. */
function bySun(plan: PlacedPlan, night: NonNullable<Plan["night"]>): (n: number) => Window | null {
  const { start_at, end_at, start_sun, end_sun, timezone, positions } = plan;
  const first = Date.parse(night.date);
  const instant = (wall: number) => instantOf(timezone, wall, "first");
  const clockOf = (stored: string, midnight: number) => {
    const time_of_day = wallOf(timezone, Date.parse(stored)) - midnight;
    return (on: number) => (on === midnight ? Date.parse(stored) : instant(on + time_of_day));
  };
  const starts = clockOf(start_at, first);
  const ends = clockOf(end_at, first + night.days_long * DAY);
  return (n) => {
    const midnight = first + n * DAY;
    const ended = midnight + night.days_long * DAY;
    let window: Window | null = null;
    for (const [i, position] of positions.entries()) {
      const start = start_sun ? slowSunTime(start_sun, midnight, position, instant) : starts(midnight);
      const end = end_sun ? slowSunTime(end_sun, ended, position, instant) : ends(ended);
      window = start === null || end === null || end <= start ? null : { start, end, date: dateOf(midnight) };
      if (window && window.start < (positions[i + 1]?.since ?? Infinity)) return window;
    }
    return window;
  };
}

function untilOf(text: string): number {
  const [, y, m, d, h, min, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text) ?? [];
  return Date.parse(`${y}-${m}-${d}T${h}:${min}:${s}Z`);
}

/** The windows of a plan that hold at an instant. */
export function holding(plan: PlacedPlan, at: number): readonly Window[] {
  const windows = windowsOf(plan);
  const [first, last] = [windows[0], windows.at(-1)];
  if (!first || !last || first.start > at || last.start + LONGEST <= at) return NONE;
  const found: Window[] = [];
  for (let i = firstAfter(windows, at - LONGEST); i < windows.length; i += 1) {
    const window = windows[i];
    if (!window || window.start > at) break;
    if (window.end > at) found.push(window);
  }
  return found;
}

/** The index of the first window that starts after an instant. */
export function firstAfter(windows: Window[], at: number): number {
  let low = 0;
  let high = windows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((windows[middle]?.start ?? Infinity) > at) high = middle;
    else low = middle + 1;
  }
  return low;
}
