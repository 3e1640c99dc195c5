import { WEEKDAYS } from "./enums";
import { memoize } from "./memoize";
import { parseRule, parseUntil, type Rule, type Until } from "./rule";
import type { Occurrence, Recurring } from "./schedule";
import { instantsOf, toWall } from "./wall-clock";

const DAY_MS = 86_400_000;
/** More than the sum of a window's length (at most a day), an offset and a clock change. */
const SLACK_MS = 2 * DAY_MS;

/**
 * Every occurrence that overlaps [from, to), by start (epoch ms, all finite). A schedule repeats in its zone's wall-clock
 * time; without a rule it is exactly its own window. A rule that can't be read has no occurrences: a dark field is better
 * than one lit forever.
 */
export function occurrences(schedule: Recurring, from: number, to: number): Occurrence[] {
  const plan = planOf(schedule);
  const found: Occurrence[] = [];
  for (let index = firstIndex(plan, from - SLACK_MS); index <= plan.last; index += 1) {
    const occurrence = occurrenceAt(plan, index);
    if (occurrence.start >= to) break;
    if (occurrence.end > from) found.push(occurrence);
  }
  return found;
}

/** The first `most` occurrences that end after an instant (epoch ms), by start, running ones included. */
export function comingOccurrences(schedule: Recurring, after: number, most: number): Occurrence[] {
  const plan = planOf(schedule);
  const found: Occurrence[] = [];
  for (let index = firstIndex(plan, after - SLACK_MS); index <= plan.last && found.length < most; index += 1) {
    const occurrence = occurrenceAt(plan, index);
    if (occurrence.end > after) found.push(occurrence);
  }
  return found;
}

/** The first start after an instant (epoch ms); null if there is none. */
export function nextStart(schedule: Recurring, after: number): number | null {
  const plan = planOf(schedule);
  for (let index = firstIndex(plan, after - SLACK_MS); index <= plan.last; index += 1) {
    const { start } = occurrenceAt(plan, index);
    if (start > after) return start;
  }
  return null;
}

/** The last occurrence; null if there is none, or if the schedule never ends. */
export function lastOccurrence(schedule: Recurring): Occurrence | null {
  const plan = planOf(schedule);
  return plan.last < 0 || plan.last === Infinity ? null : occurrenceAt(plan, plan.last);
}

/**
 * The end of the last occurrence (epoch ms), for last_end_at; null if the rule never ends. A schedule without occurrences
 * (UNTIL before its start) ends at its start.
 */
export function lastEnd(schedule: Recurring): number | null {
  const plan = planOf(schedule);
  if (plan.last === Infinity) return null;
  return plan.last < 0 ? plan.stored.start : occurrenceAt(plan, plan.last).end;
}

/**
 * A schedule as arithmetic: its occurrences are numbered from 0 to `last` (-1 for none, Infinity if endless), and the day of
 * each follows from its number. The same `days` repeat every `span` days, counted from the civil day `from`; the first
 * `skipped` of them lie before the schedule begins. All in days since 1970 by the zone's calendar.
 */
type Plan = {
  /** The stored window, in instants. */
  stored: Occurrence;
  /** The start and length of each day's window, by the wall clock. */
  time_of_day: number;
  length: number;
  from: number;
  span: number;
  days: readonly number[];
  skipped: number;
  last: number;
  first_day: number;
  instantOf: (wall: number) => number;
};

const ONCE = [0];

function planOf({ start_at, end_at, rrule, timezone }: Recurring): Plan {
  const stored = { start: Date.parse(start_at), end: Date.parse(end_at) };
  const wall = toWall(timezone, stored.start);
  const first_day = Math.floor(wall / DAY_MS);
  const nominal = toWall(timezone, stored.end) - wall;
  const plan: Plan = {
    stored,
    time_of_day: wall - first_day * DAY_MS,
    // In an autumn night the end's wall time can be before the start's.
    length: nominal > 0 ? nominal : stored.end - stored.start,
    from: first_day,
    span: 1,
    days: ONCE,
    skipped: 0,
    last: 0,
    first_day,
    instantOf: instantsOf(timezone),
  };
  return rrule === null ? plan : repeated(plan, ruleOf(rrule));
}

/** Cached, since a city's schedules share few rules and parsing one costs as much as the rest of resolve. */
const rules = memoize<string, Rule | null>(500);

function ruleOf(text: string): Rule | null {
  return rules(text, () => parseRule(text));
}

function repeated(plan: Plan, rule: Rule | null): Plan {
  if (rule === null) return { ...plan, last: -1 };
  if (rule.freq === "DAILY") plan.span = rule.interval;
  else {
    const weekday = weekdayOf(plan.first_day);
    plan.span = 7 * rule.interval;
    plan.from = plan.first_day - weekday;
    plan.days = rule.byday.map((day) => WEEKDAYS.indexOf(day));
    plan.skipped = plan.days.filter((day) => day < weekday).length;
  }
  plan.last = rule.count === null ? Infinity : rule.count - 1;
  const until = rule.until === null ? null : parseUntil(rule.until);
  if (until !== null) plan.last = lastBy(plan, until);
  return plan;
}

function lastBy(plan: Plan, until: Until): number {
  let last = firstIndex(plan, until.at + SLACK_MS);
  while (last >= 0 && beginsAt(plan, last, until.is) > until.at) last -= 1;
  return last;
}

function beginsAt(plan: Plan, index: number, as: Until["is"]): number {
  return as === "wall" ? dayOf(plan, index) * DAY_MS + plan.time_of_day : occurrenceAt(plan, index).start;
}

/** The number of the first occurrence at or after an instant or wall time, accurate to SLACK_MS. */
function firstIndex(plan: Plan, at: number): number {
  const days = Math.floor(at / DAY_MS) - plan.from;
  if (days <= 0) return 0;
  const spans = Math.floor(days / plan.span);
  const rest = days - spans * plan.span;
  let index = spans * plan.days.length - plan.skipped;
  for (const day of plan.days) if (day < rest) index += 1;
  return Math.max(0, index);
}

function dayOf({ from, span, days, skipped }: Plan, index: number): number {
  const place = index + skipped;
  const spans = Math.floor(place / days.length);
  return from + spans * span + (days[place - spans * days.length] ?? 0);
}

/**
 * The occurrence with a number. The schedule's own window is exactly as stored, because in the repeated autumn hour its
 * wall time alone would be ambiguous.
 */
function occurrenceAt(plan: Plan, index: number): Occurrence {
  const day = dayOf(plan, index);
  if (day === plan.first_day) return plan.stored;
  const wall = day * DAY_MS + plan.time_of_day;
  const start = plan.instantOf(wall);
  const end = plan.instantOf(wall + plan.length);
  return { start, end: end > start ? end : start + plan.length };
}

/** 0 for a Monday; day 0, in 1970, was a Thursday. */
function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}
