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

/** Which days a schedule leaves out, and the last day on which it can happen (Infinity if there is none). */
export type Skipped = { isSkipped: (day: number) => boolean; last_day: number };

/** The dates that a schedule skips, by itself or by its calendar; null for one that skips none. */
export function skippedDates({ skips, calendar }: Recurring): Skipped | null {
  const except = !skips || skips.length === 0 ? null : daysOf(skips);
  const listed = calendar ? daysOf(calendar.dates) : null;
  if (except === null && listed === null) return null;
  const isOnly = calendar?.rule === "only";
  const isListedOut = (day: number) => listed !== null && listed.days.has(day) !== isOnly;
  return {
    isSkipped: (day) => isListedOut(day) || (except !== null && except.days.has(day)),
    last_day: isOnly && listed !== null ? listed.last : Infinity,
  };
}

type Days = { days: ReadonlySet<number>; last: number };

/** By the list itself: a calendar of two thousand dates is read once for all schedules that share it. */
const known = new WeakMap<readonly Dated[], Days>();

function daysOf(dates: readonly Dated[]): Days {
  const before = known.get(dates);
  if (before) return before;
  const days = dates.map(({ date }) => dayOfDate(date));
  const made = { days: new Set(days), last: days.reduce((last, day) => Math.max(last, day), -Infinity) };
  known.set(dates, made);
  return made;
}

/** Formatting a date costs as much as the rest of an occurrence. */
const texts = memoize<number, string>(5_000);
