import { WEEKDAYS } from "#domain/enums";
import { memoize } from "#domain/memoize";
import { parseRule, type Rule } from "./rule";
import { DAY_MS } from "#domain/time/units";

/**
 * The days of a rule as arithmetic: its occurrences are numbered from 0, and the day of each follows from its number. The
 * same `days` repeat every `span` days, counted from the civil day `from`; the first `skipped` of them lie before the
 * schedule begins. All in days since 1970 by the zone's calendar.
 */
export type RecurringDays = { from: number; span: number; days: readonly number[]; skipped: number };

const ONCE = [0];

/** The days of a schedule that begins on one; without a rule it is that day alone. */
export function recurringDays(first_day: number, rule: Rule | null): RecurringDays {
  if (rule === null || rule.freq === "DAILY")
    return { from: first_day, span: rule?.interval ?? 1, days: ONCE, skipped: 0 };
  const weekday = weekdayOf(first_day);
  const days = rule.byday.map((day) => WEEKDAYS.indexOf(day));
  return {
    from: first_day - weekday,
    span: 7 * rule.interval,
    days,
    skipped: days.filter((day) => day < weekday).length,
  };
}

/** Cached, since a city's schedules share few rules and parsing one costs as much as the rest of resolve. */
const rules = memoize<string, Rule | null>(500);

/** `parseRule`, remembered. */
export function ruleOf(text: string): Rule | null {
  return rules(text, () => parseRule(text));
}

/** The number of the first day at or after a wall time, never below 0. */
export function firstIndex(plan: RecurringDays, at: number): number {
  const days = Math.floor(at / DAY_MS) - plan.from;
  if (days <= 0) return 0;
  const spans = Math.floor(days / plan.span);
  const rest = days - spans * plan.span;
  let index = spans * plan.days.length - plan.skipped;
  for (const day of plan.days) if (day < rest) index += 1;
  return Math.max(0, index);
}

/** The day with a number. */
export function dayOf({ from, span, days, skipped }: RecurringDays, index: number): number {
  const place = index + skipped;
  const spans = Math.floor(place / days.length);
  return from + spans * span + (days[place - spans * days.length] ?? 0);
}

/** 0 for a Monday; day 0, in 1970, was a Thursday. */
function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}
