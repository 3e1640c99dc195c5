import type { Guardrails } from "#domain/schedule";

/**
 * The oracle's own calendar, written from the design and not from the engine: American summer time by its law, rules
 * expanded day by day, guardrails as windows on the wall. Slow and plain; what it has worked out it keeps.
 */
export type Window = { start: number; end: number };

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const STANDARD: Record<string, number> = {
  UTC: 0,
  "America/Los_Angeles": -8,
  "America/Denver": -7,
  "America/Chicago": -6,
  "America/New_York": -5,
};

/** What the clocks of the zone are ahead of UTC: an hour more from March's second Sunday to November's first, at 2:00. */
export function offsetOf(zone: string, at: number): number {
  const standard = (STANDARD[zone] ?? 0) * HOUR;
  if (zone === "UTC") return 0;
  const year = new Date(at).getUTCFullYear();
  const begins = sunday(year, 2, 2) + 2 * HOUR - standard;
  const ends = sunday(year, 10, 1) + 2 * HOUR - standard - HOUR;
  return at >= begins && at < ends ? standard + HOUR : standard;
}

const sundays = new Map<string, number>();

function sunday(year: number, month: number, nth: number): number {
  const key = `${year} ${month}`;
  const known = sundays.get(key);
  if (known !== undefined) return known;
  const first = Date.UTC(year, month, 1);
  const made = first + (((7 - new Date(first).getUTCDay()) % 7) + 7 * (nth - 1)) * DAY;
  sundays.set(key, made);
  return made;
}

export function wallOf(zone: string, at: number): number {
  return at + offsetOf(zone, at);
}

/** A wall time that is skipped moves forward by the gap; of one that comes twice, the one asked for. */
export function instantOf(zone: string, wall: number, which: "first" | "last"): number {
  const standard = (STANDARD[zone] ?? 0) * HOUR;
  const both = [wall - standard - HOUR, wall - standard].filter((at) => wallOf(zone, at) === wall);
  const [first, last] = [both[0] ?? wall - standard, both.at(-1) ?? wall - standard];
  return which === "first" ? first : last;
}

export type Plan = {
  id: string;
  /** Null where it is for a group, or for all lights. */
  device_id: string | null;
  title: string;
  start_at: string;
  end_at: string;
  rrule: string | null;
  timezone: string;
  status: "scheduled" | "canceled";
};

/** Every occurrence of a plan up to two years after its start, by start. */
export function windowsOf(plan: Plan): Window[] {
  const key = `${plan.start_at} ${plan.end_at} ${plan.rrule} ${plan.timezone}`;
  const known = expanded.get(key);
  if (known) return known;
  const made = expand(plan);
  expanded.set(key, made);
  return made;
}

const expanded = new Map<string, Window[]>();
const DAYS = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];

function expand({ start_at, end_at, rrule, timezone }: Plan): Window[] {
  const begin = wallOf(timezone, Date.parse(start_at));
  const nominal = wallOf(timezone, Date.parse(end_at)) - begin;
  // From 1:30 to the second 1:30 is nothing on the wall, and an hour all the same.
  const length = nominal > 0 ? nominal : Date.parse(end_at) - Date.parse(start_at);
  if (rrule === null) return [{ start: Date.parse(start_at), end: Date.parse(end_at) }];
  const parts = new Map(rrule.split(";").map((part) => [part.split("=")[0] ?? "", part.split("=")[1] ?? ""]));
  const count = Number(parts.get("COUNT") ?? Infinity);
  const interval = Number(parts.get("INTERVAL") ?? 1);
  const days = parts.get("BYDAY")?.split(",");
  const stored = { start: Date.parse(start_at), end: Date.parse(end_at) };
  const until = parts.has("UNTIL") ? untilOf(parts.get("UNTIL") ?? "") : Infinity;
  const monday = begin - ((new Date(begin).getUTCDay() + 6) % 7) * DAY;
  const found: Window[] = [];
  for (let n = 0; n < 730 && found.length < count; n += 1) {
    const wall = begin + n * DAY;
    if (!days && n % interval !== 0) continue;
    if (days && !days.includes(DAYS[new Date(wall).getUTCDay()] ?? "")) continue;
    if (days && Math.floor((wall - monday) / (7 * DAY)) % interval !== 0) continue;
    // On its own day it is as it was stored, be it in the second of two hours that the clocks show alike.
    const start = n === 0 ? stored.start : instantOf(timezone, wall, "first");
    const end = n === 0 ? stored.end : instantOf(timezone, wall + length, "first");
    if (start > until) break;
    found.push({ start, end: end > start ? end : start + length });
  }
  return found;
}

function untilOf(text: string): number {
  const [, y, m, d, h, min, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text) ?? [];
  return Date.parse(`${y}-${m}-${d}T${h}:${min}:${s}Z`);
}

/** The windows of a plan that hold at an instant. */
export function holding(plan: Plan, at: number): Window[] {
  const windows = windowsOf(plan);
  const found: Window[] = [];
  // Windows are by start and none is longer than a day: from the first that could still hold.
  for (let i = firstAfter(windows, at - DAY - HOUR); i < windows.length; i += 1) {
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

/** Whether the curfew or the blackout is in force: wall-clock, half-open, at a doubled hour from the first to the last. */
export function isRestricted(rules: Guardrails, at: number): boolean {
  const day = Math.floor(wallOf(rules.zone, at) / DAY);
  return restrictions(rules, day).some(({ start, end }) => at >= start && at < end);
}

/** When the curfew or the blackout begins or ends, around an instant: from two days before it to two after. */
export function guardrailEdges(rules: Guardrails, at: number): number[] {
  const day = Math.floor(wallOf(rules.zone, at) / DAY);
  return restrictions(rules, day)
    .concat(restrictions(rules, day + 2))
    .flatMap(({ start, end }) => [start, end]);
}

const restricted = new Map<string, Window[]>();

function restrictions(rules: Guardrails, day: number): Window[] {
  const key = `${rules.zone} ${rules.HARD_CURFEW_OFF} ${rules.BLACKOUT_WINDOW} ${day}`;
  const known = restricted.get(key);
  if (known) return known;
  const found: Window[] = [];
  for (let d = day - 2; d <= day + 1; d += 1) {
    const blackout = blackoutOf(rules, d);
    if (blackout) found.push(blackout.real);
    const curfew = clockOf(rules.HARD_CURFEW_OFF);
    if (curfew === null) continue;
    const from = d * DAY + curfew;
    found.push(real(rules.zone, from, curfewEnd(rules, d, from)));
  }
  if (restricted.size > 2_000) restricted.clear();
  restricted.set(key, found);
  return found;
}

/** Until the end of the blackout in force then, or of the one that opens within twelve hours; with none, for six. */
function curfewEnd(rules: Guardrails, day: number, from: number): number {
  for (let d = day - 1; d <= day + 1; d += 1) {
    const blackout = blackoutOf(rules, d)?.wall;
    if (blackout && blackout.end > from && blackout.start <= from + 12 * HOUR) return blackout.end;
  }
  return from + 6 * HOUR;
}

function blackoutOf(rules: Guardrails, day: number): { wall: Window; real: Window } | null {
  const [from, to] = rules.BLACKOUT_WINDOW.split("-").map(clockOf);
  if (from === undefined || from === null || to === undefined || to === null) return null;
  const wall = { start: day * DAY + from, end: day * DAY + to + (to < from ? DAY : 0) };
  return { wall, real: real(rules.zone, wall.start, wall.end) };
}

function real(zone: string, from: number, to: number): Window {
  const start = instantOf(zone, from, "first");
  const end = instantOf(zone, to, "last");
  return { start, end: end > start ? end : start + (to - from) };
}

function clockOf(text: string): number | null {
  const [, hour, minute] = /^(\d\d):(\d\d)$/.exec(text) ?? [];
  return hour === undefined ? null : Number(hour) * HOUR + Number(minute) * MINUTE;
}
