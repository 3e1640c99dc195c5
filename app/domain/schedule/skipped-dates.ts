import { memoize } from "#domain/memoize";
import type { Dated, Recurring } from "./schedule";
import { DAY_MS } from "#domain/time/units";

/** 'YYYY-MM-DD' of a day since 1970. */
export function dateText(day: number): string {
  return texts(day, () => new Date(day * DAY_MS).toISOString().slice(0, 10));
}

/** Days since 1970 of 'YYYY-MM-DD'. */
export function dayOfDate(date: string): number {
  return Date.parse(date) / DAY_MS;
}

/**
 * Which days a schedule leaves out, and the first from a day on that its calendar allows: Infinity for none, the day itself
 * unless the schedule keeps to the calendar's dates.
 */
export type Skipped = { isSkipped: (day: number) => boolean; allowedFrom: (day: number) => number };

/** The dates that a schedule skips, by itself or by its calendar; null for one that skips none. */
export function skippedDates({ skips, calendar }: Recurring): Skipped | null {
  const except = !skips || skips.length === 0 ? null : daysOf(skips);
  const listed = calendar ? daysOf(calendar.dates) : null;
  if (except === null && listed === null) return null;
  const isOnly = calendar?.rule === "only";
  const isListedOut = (day: number) => listed !== null && listed.days.has(day) !== isOnly;
  return {
    isSkipped: (day) => isListedOut(day) || (except !== null && except.days.has(day)),
    allowedFrom: (day) => (isOnly && listed !== null ? firstFrom(listed.inOrder, day) : day),
  };
}

type Days = { days: ReadonlySet<number>; inOrder: readonly number[] };

/** By the list itself: a calendar of two thousand dates is read once for all schedules that share it. */
const known = new WeakMap<readonly Dated[], Days>();

function daysOf(dates: readonly Dated[]): Days {
  const before = known.get(dates);
  if (before) return before;
  // A date that is none would have no place in the order, and the dates after it would not be found.
  const inOrder = dates.map(({ date }) => dayOfDate(date)).filter(Number.isInteger);
  inOrder.sort((a, b) => a - b);
  const made = { days: new Set(inOrder), inOrder };
  known.set(dates, made);
  return made;
}

function firstFrom(inOrder: readonly number[], day: number): number {
  let [low, high] = [0, inOrder.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((inOrder[middle] ?? Infinity) < day) low = middle + 1;
    else high = middle;
  }
  return inOrder[low] ?? Infinity;
}

/** Formatting a date costs as much as the rest of an occurrence. */
const texts = memoize<number, string>(5_000);
