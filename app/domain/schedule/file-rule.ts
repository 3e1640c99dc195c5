import { WEEKDAYS } from "#domain/enums";
import { DAY_MS } from "#domain/time/units";

/** A rule of a calendar file (RFC 5545), as ical.js reads it: `wkst` is 1 for a week that begins on Sunday. */
export type FileRule = { freq: string; interval: number; count?: number | null; wkst: number; parts: Parts };

type Parts = {
  BYMONTH?: number[] | undefined;
  BYMONTHDAY?: number[] | undefined;
  BYYEARDAY?: number[] | undefined;
  BYDAY?: string[] | undefined;
  BYSETPOS?: number[] | undefined;
};

/** What the events of one file may cost together: each day that is looked at counts. */
export type Looks = { left: number };

const PARTS: ReadonlySet<string> = new Set(["BYMONTH", "BYMONTHDAY", "BYYEARDAY", "BYDAY", "BYSETPOS"]);
const MONTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

/**
 * The days on which a rule that begins on `start` happens, from `from` to `to`, all in days since 1970; null if it says what
 * is not followed here. It looks at no day twice, and ends with what it has found when no looks are left: whoever follows a
 * rule from one time to the next never comes back from one that names February 30.
 */
export function ruleDays(rule: FileRule, start: number, from: number, to: number, looks: Looks): number[] | null {
  const { interval, count } = rule;
  const parts = withDefaults(rule, start);
  const periods = periodsOf(rule, parts, start);
  if (periods === null) return null;
  const isDay = dayTest(parts, rule.freq);
  const places = parts.BYSETPOS && new Set(parts.BYSETPOS);
  const first = periods.of(start);
  // Only COUNT has to know of the days before the window.
  const skipped = count ? 0 : Math.max(0, Math.floor((periods.of(from) - first) / interval));
  const found: number[] = [];
  for (let n = first + skipped * interval, seen = 0; looks.left > 0; n += interval) {
    const days = periods.days(n);
    // An interval may lead to where no date is, which is NaN.
    if (!((days[0] ?? 0) <= to)) break;
    looks.left -= Math.max(1, days.length);
    const all = days.filter(isDay);
    const those = places ? all.filter((_, at) => places.has(at + 1) || places.has(at - all.length)) : all;
    for (const day of those) {
      if (day >= start) seen += 1;
      if (day > to || (count && seen > count)) return found;
      if (day >= start && day >= from) found.push(day);
    }
  }
  return found;
}

/** What a rule leaves to its first day. */
function withDefaults({ freq, parts }: FileRule, start: number): Parts {
  if (parts.BYMONTHDAY ?? parts.BYYEARDAY ?? parts.BYDAY) return parts;
  const { month, date, weekday } = placeOf(start);
  if (freq === "WEEKLY") return { ...parts, BYDAY: [weekday] };
  if (freq === "MONTHLY") return { ...parts, BYMONTHDAY: [date] };
  if (freq === "YEARLY") return { ...parts, BYMONTHDAY: [date], BYMONTH: parts.BYMONTH ?? [month] };
  return parts;
}

/** The numbered days, weeks, months or years of a rule: which a day is in, and which days to look at, in order. */
type Periods = { of: (day: number) => number; days: (n: number) => number[] };

function periodsOf({ freq, wkst }: FileRule, parts: Parts, start: number): Periods | null {
  if (Object.keys(parts).some((part) => !PARTS.has(part))) return null;
  const months = parts.BYMONTH?.toSorted((a, b) => a - b) ?? MONTHS;
  if (freq === "MONTHLY") return { of: (day) => placeOf(day).months, days: monthDays };
  if (freq === "YEARLY") {
    const days = (year: number) => months.flatMap((month) => monthDays(12 * year + month - 1));
    return { of: (day) => Math.floor(placeOf(day).months / 12), days };
  }
  // The second Monday of a day or a week is none.
  if (parts.BYDAY?.some((text) => /\d/.test(text))) return null;
  if (freq === "DAILY") return { of: (day) => day, days: (n) => [n] };
  if (freq !== "WEEKLY") return null;
  const week = start - ((((start + 5 - wkst) % 7) + 7) % 7);
  return { of: (day) => Math.floor((day - week) / 7), days: (n) => run(week + 7 * n, 7) };
}

function dayTest(parts: Parts, freq: string): (day: number) => boolean {
  const months = parts.BYMONTH && new Set(parts.BYMONTH);
  const dates = parts.BYMONTHDAY && new Set(parts.BYMONTHDAY);
  const year_days = parts.BYYEARDAY && new Set(parts.BYYEARDAY);
  const weekdays = parts.BYDAY && new Set(parts.BYDAY.map((text) => text.replace("+", "")));
  // '2MO' is of the month, but of the year for a yearly rule that names no months.
  const isOfYear = freq === "YEARLY" && !months;
  return (day) => {
    const { month, months: number, date, weekday } = placeOf(day);
    if (months && !months.has(month)) return false;
    const length = monthStart(number + 1) - monthStart(number);
    if (dates && !dates.has(date) && !dates.has(date - length - 1)) return false;
    if (!year_days && !weekdays) return true;
    const january = number - (month - 1);
    const place = day - monthStart(january) + 1;
    const year = monthStart(january + 12) - monthStart(january);
    if (year_days && !year_days.has(place) && !year_days.has(place - year - 1)) return false;
    if (!weekdays || weekdays.has(weekday)) return true;
    const [nth, of] = isOfYear ? [place, year] : [date, length];
    return (
      weekdays.has(`${Math.ceil(nth / 7)}${weekday}`) || weekdays.has(`-${Math.ceil((of - nth + 1) / 7)}${weekday}`)
    );
  };
}

/** `months` is since January 1970. */
function placeOf(day: number) {
  const at = new Date(day * DAY_MS);
  const month = at.getUTCMonth() + 1;
  const months = (at.getUTCFullYear() - 1970) * 12 + month - 1;
  return { month, months, date: at.getUTCDate(), weekday: WEEKDAYS[(at.getUTCDay() + 6) % 7] ?? "MO" };
}

function monthDays(months: number): number[] {
  const first = monthStart(months);
  return run(first, monthStart(months + 1) - first);
}

function monthStart(months: number): number {
  return Date.UTC(1970, months) / DAY_MS;
}

/** Days in a row; NaN alone where no date is. */
function run(first: number, length: number): number[] {
  return Number.isNaN(length) ? [NaN] : Array.from({ length }, (_, n) => first + n);
}
