import { dayOf, firstIndex, recurringDays, ruleOf, type RecurringDays } from "./recurring-days";
import { parseUntil, type Rule, type Until } from "./rule";
import type { Occurrence, Recurring, Span } from "./schedule";
import { dateText, dayOfDate, skippedDates, type Skipped } from "./skipped-dates";
import { sunWindows, type SunWindows } from "./sun-windows";
import { instantsOf, toWall } from "#domain/time/wall-clock";
import { DAY_MS, MINUTE_MS } from "#domain/time/units";

/** More than the sum of a window's length (at most a day), an offset and a clock change. */
const SLACK_MS = 2 * DAY_MS;
/** By the sun a window may begin a day and a half after its date's midnight, and end a day and a half after the next. */
const SUN_SLACK_MS = 4 * DAY_MS;
/** A sun that has not done it for so many nights, through every season, never does. */
const MOST_NIGHTS_WITHOUT = 400;
/** As texts, by which the database compares, instants of five-digit years sort before all others. */
const LAST_INSTANT = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * Every occurrence that overlaps [from, to), by start (epoch ms, all finite). A schedule repeats in its zone's wall-clock
 * time, or by the sun; without a rule it is exactly its own window. A rule that can't be read has no occurrences, nor has a
 * night on which the sun does not do it, or whose end is not after its start: a dark field is better than one lit forever.
 */
export function occurrences(schedule: Recurring, from: number, to: number): Occurrence[] {
  const found: Occurrence[] = [];
  walk(planOf(schedule), from, to, (occurrence) => {
    if (occurrence.end > from) found.push(occurrence);
    return true;
  });
  return found;
}

/** The first `most` occurrences that end after an instant (epoch ms), by start, running ones included. */
export function comingOccurrences(schedule: Recurring, after: number, most: number): Occurrence[] {
  const found: Occurrence[] = [];
  if (most <= 0) return found;
  walk(planOf(schedule), after, Infinity, (occurrence) => {
    if (occurrence.end > after) found.push(occurrence);
    return found.length < most;
  });
  return found;
}

/** The first start after an instant (epoch ms); null if there is none. */
export function nextStart(schedule: Recurring, after: number): number | null {
  let next: number | null = null;
  walk(planOf(schedule), after, Infinity, ({ start }) => {
    if (start > after) next = start;
    return next === null;
  });
  return next;
}

/** The window of a date ('YYYY-MM-DD') of its rule, be it skipped or not; null if it has none. */
export function windowOn(schedule: Recurring, date: string): Span | null {
  const plan = planOf(schedule);
  const day = dayOfDate(date);
  const index = firstIndex(plan, day * DAY_MS);
  return index <= plan.last && dayOf(plan, index) === day ? spanOf(plan, day) : null;
}

/** The occurrence of a date ('YYYY-MM-DD'); null if it is skipped, or there is none. */
export function occurrenceOn(schedule: Recurring, date: string): Occurrence | null {
  const span = skippedDates(schedule)?.isSkipped(dayOfDate(date)) ? null : windowOn(schedule, date);
  return span && { ...span, date };
}

/** The last occurrence, be it skipped or not; null if there is none, or if the schedule never ends. */
export function lastOccurrence(schedule: Recurring): Occurrence | null {
  return lastOf(planOf(schedule));
}

/**
 * The end of the last occurrence (epoch ms), be it skipped or not, for last_end_at; null if the rule never ends, or not
 * before the year 10000. A schedule without occurrences (UNTIL before its start) ends at its start.
 */
export function lastEnd(schedule: Recurring): number | null {
  const plan = planOf(schedule);
  if (plan.last === Infinity) return null;
  const end = lastOf(plan)?.end ?? plan.stored.start;
  return end > LAST_INSTANT ? null : end;
}

/** A schedule as arithmetic: its occurrences are numbered from 0 to `last` (-1 for none, Infinity if endless). */
type Plan = RecurringDays & {
  /** The stored window, in instants. */
  stored: Span;
  /** The start and length of each day's window, by the wall clock. */
  time_of_day: number;
  length: number;
  last: number;
  first_day: number;
  instantOf: (wall: number) => number;
  /** Null for a schedule by the clock. */
  sun: SunWindows | null;
  skipped_dates: Skipped | null;
  slack: number;
  zone: string;
};

/** A schedule is asked for over and over, and is never changed in place. */
const plans = new WeakMap<Recurring, Plan>();

function planOf(schedule: Recurring): Plan {
  const known = plans.get(schedule);
  if (known) return known;
  const made = newPlan(schedule);
  plans.set(schedule, made);
  return made;
}

function newPlan(schedule: Recurring): Plan {
  const { start_at, end_at, rrule, timezone } = schedule;
  const stored = { start: Date.parse(start_at), end: Date.parse(end_at) };
  const wall = toWall(timezone, stored.start);
  const nominal = toWall(timezone, stored.end) - wall;
  const instantOf = instantsOf(timezone);
  const sun = schedule.start_sun || schedule.end_sun ? sunWindows(schedule, stored, instantOf) : null;
  const first_day = sun?.first_day ?? Math.floor(wall / DAY_MS);
  const rule = rrule === null ? null : ruleOf(rrule);
  const { from, span, days, skipped } = recurringDays(first_day, rule);
  const plan: Plan = {
    from,
    span,
    days,
    skipped,
    stored,
    time_of_day: wall - first_day * DAY_MS,
    // In an autumn night the end's wall time can be before the start's.
    length: nominal > 0 ? nominal : stored.end - stored.start,
    last: rrule === null ? 0 : -1,
    first_day,
    instantOf,
    sun,
    skipped_dates: skippedDates(schedule),
    slack: sun ? SUN_SLACK_MS : SLACK_MS,
    zone: timezone,
  };
  if (rule !== null) plan.last = lastIndex(plan, rule);
  return plan;
}

function lastIndex(plan: Plan, rule: Rule): number {
  const until = rule.until === null ? null : parseUntil(rule.until);
  if (until === null) return rule.count === null ? Infinity : rule.count - 1;
  let last = firstIndex(plan, until.at + plan.slack);
  while (last >= 0 && !isBy(plan, dayOf(plan, last), until)) last -= 1;
  return last;
}

/**
 * Whether a day's window begins by the end of the rule; by the sun, as if it began at the hour of the first, and in the day's
 * last minute at the latest: a form ends its rules with that minute.
 */
function isBy(plan: Plan, day: number, until: Until): boolean {
  if (plan.sun) {
    const time_of_day = Math.min(Math.max(plan.time_of_day, 0), DAY_MS - MINUTE_MS);
    return day * DAY_MS + time_of_day <= (until.is === "wall" ? until.at : toWall(plan.zone, until.at));
  }
  const begins = until.is === "wall" ? day * DAY_MS + plan.time_of_day : clockWindow(plan, day).start;
  return begins <= until.at;
}

/**
 * Visits the occurrences that may end after `from`, by start, while they start before `to` and the visitor says true. What
 * is skipped keeps its number: it counts for COUNT.
 */
function walk(plan: Plan, from: number, to: number, visit: (occurrence: Occurrence) => boolean): void {
  const { last, skipped_dates, slack } = plan;
  let without = 0;
  for (let index = firstIndex(plan, from - slack); index <= last; index += 1) {
    const day = dayOf(plan, index);
    if (skipped_dates !== null) {
      const allowed = skipped_dates.allowedFrom(day);
      if (allowed === Infinity) return;
      if (allowed > day) {
        // Day by day, a calendar whose next date is in the year 9999 would stop the whole city for a second.
        index = firstIndex(plan, allowed * DAY_MS) - 1;
        continue;
      }
      if (skipped_dates.isSkipped(day)) continue;
    }
    const span = spanOf(plan, day);
    if (span === null) {
      without += 1;
      if (without > MOST_NIGHTS_WITHOUT || day * DAY_MS - slack >= to) return;
      continue;
    }
    without = 0;
    if (span.start >= to || !visit({ start: span.start, end: span.end, date: dateText(day) })) return;
  }
}

function lastOf(plan: Plan): Occurrence | null {
  if (plan.last === Infinity) return null;
  for (let index = plan.last; index >= Math.max(0, plan.last - MOST_NIGHTS_WITHOUT); index -= 1) {
    const day = dayOf(plan, index);
    const span = spanOf(plan, day);
    if (span) return { start: span.start, end: span.end, date: dateText(day) };
  }
  return null;
}

function spanOf(plan: Plan, day: number): Span | null {
  return plan.sun === null ? clockWindow(plan, day) : plan.sun.on(day);
}

/**
 * The window of a day. The schedule's own is exactly as stored, because in the repeated autumn hour its wall time alone
 * would be ambiguous.
 */
function clockWindow(plan: Plan, day: number): Span {
  if (day === plan.first_day) return plan.stored;
  const wall = day * DAY_MS + plan.time_of_day;
  const start = plan.instantOf(wall);
  const end = plan.instantOf(wall + plan.length);
  return { start, end: end > start ? end : start + plan.length };
}
