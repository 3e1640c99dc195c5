import type { Preview, PreviewWindow } from "./preview-request";
import { counted, grouped } from "#domain/counted";
import { comingOccurrences, lastEnd, nextStart, occurrences, windowOn } from "#domain/schedule/recurrence";
import type { Recurring } from "#domain/schedule/schedule";
import { dateText } from "#domain/schedule/skipped-dates";
import { dateOfTime, onEveryDate } from "#domain/schedule/time-by-sun";
import { MONTHS } from "#domain/time/display";
import { DAY_MS } from "#domain/time/units";
import { toWall } from "#domain/time/wall-clock";

/** Ten years of nights. */
const MOST_WINDOWS = 3_660;
/** A rule may go on to the year 9999 without another window. */
const LONGEST_REST_MS = 366 * DAY_MS;
/** As many dates as one sentence has room for. */
const MOST_DATES = 3;

/** How many windows of a schedule are still to come, running ones included; null if it never ends, or not in ten years. */
export function windowsToCome(schedule: Recurring, now: number): number | null {
  if (lastEnd(schedule) === null && schedule.calendar?.rule !== "only") return null;
  const { length } = comingOccurrences(schedule, now, MOST_WINDOWS + 1);
  return length > MOST_WINDOWS ? null : length;
}

/** What people should know before they save it at an instant (epoch ms), in sentences. */
export function previewWarnings(schedule: Recurring, seen: Preview, now: number): string[] {
  const { windows, devices, looked_at } = seen;
  const last = windows.at(-1);
  if (!last) return ["No window of it is left."];
  const warnings = nightsWithout(schedule, last, now);
  if (devices === 0) warnings.push("There are no lights here yet; those that are added will follow it.");
  else if (!seen.isActive) warnings.push("The area is inactive: nothing is lit in it.");
  else if (windows.every(({ lit }) => lit.length === 0)) {
    warnings.push(
      windows.length === 1 ? "It lights nothing." : `None of these ${windows.length} windows lights anything.`,
    );
  }
  if (looked_at < devices) warnings.push(`Only ${grouped(looked_at)} of ${counted(devices, "light")} were looked at.`);
  return warnings;
}

/**
 * The coming nights of its rule on which it does not happen, in sentences: also those before its first window, and those
 * after the last window if no other follows.
 */
function nightsWithout(schedule: Recurring, last: Pick<PreviewWindow, "start" | "end">, now: number): string[] {
  const start = Date.parse(schedule.start_at);
  const from = Math.max(start, now) - DAY_MS;
  const every = everyNight(schedule);
  const isLast = nextStart(schedule, last.start) === null;
  const to = isLast ? Math.min(lastEnd(every) ?? Infinity, last.end + LONGEST_REST_MS) : last.end;
  const happening = new Set(occurrences(schedule, from - DAY_MS, to + 2 * DAY_MS).map(({ date }) => date));
  const today = dateText(Math.floor(toWall(schedule.timezone, now) / DAY_MS));
  const first = dateText(dayAt(schedule, start));
  const end = dateText(dayAt(schedule, last.end));
  const missing = occurrences(every, from, to + DAY_MS)
    .map(({ date }) => ({ date, window: windowOn(schedule, date) }))
    .filter(({ date }) => date >= first && (isLast || date <= end) && !happening.has(date));
  // A window that would run now may be of yesterday's date; of a night without one only the date is known.
  const sunless = missing.filter(({ date, window }) => window === null && date >= today);
  const skipped = missing.filter(({ window }) => window && window.end > now && (isLast || window.start < to));
  return [
    ...(sunless.length > 0
      ? [`Nothing on ${listOf(sunless)}: the sun does not do it, or the window would end before it starts.`]
      : []),
    ...(skipped.length > 0 ? [`Not on ${listOf(skipped)}.`] : []),
  ];
}

/**
 * The schedule on each date on which somebody might expect it. One that keeps to a calendar's dates is expected on these
 * only: there may be millions of others before the next.
 */
function everyNight(schedule: Recurring): Recurring {
  return { ...onEveryDate(schedule), calendar: schedule.calendar?.rule === "only" ? schedule.calendar : null };
}

/** To which of its nights an instant belongs (days since 1970). */
function dayAt({ start_sun, timezone }: Recurring, instant: number): number {
  return dateOfTime(start_sun, toWall(timezone, instant));
}

/** 'Nov 26, Dec 25 and 2 more nights'. */
function listOf(nights: { date: string }[]): string {
  const named = nights
    .slice(0, MOST_DATES)
    .map(({ date }) => `${MONTHS[Number(date.slice(5, 7)) - 1]} ${Number(date.slice(8))}`);
  const more = nights.length - named.length;
  return `${named.join(", ")}${more > 0 ? ` and ${counted(more, "more night")}` : ""}`;
}
