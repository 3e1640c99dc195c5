import type { Preview } from "./preview-request";
import { comingOccurrences, lastEnd, occurrences, windowOn } from "#domain/schedule/recurrence";
import type { Recurring } from "#domain/schedule/schedule";
import { dateText } from "#domain/schedule/skipped-dates";
import { dateOfTime, onEveryDate } from "#domain/schedule/time-by-sun";
import { DAY_MS } from "#domain/time/units";
import { toWall } from "#domain/time/wall-clock";

/** Ten years of nights. */
const MOST_WINDOWS = 3_660;
/** As many dates as one sentence has room for. */
const MOST_DATES = 3;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** How many windows of a schedule are still to come, running ones included; null if it never ends, or not in ten years. */
export function windowsToCome(schedule: Recurring, now: number): number | null {
  if (lastEnd(schedule) === null && schedule.calendar?.rule !== "only") return null;
  const { length } = comingOccurrences(schedule, now, MOST_WINDOWS + 1);
  return length > MOST_WINDOWS ? null : length;
}

/** What people should know before they save it, in sentences. */
export function previewWarnings(schedule: Recurring, seen: Preview): string[] {
  const { windows, devices, looked_at } = seen;
  const last = windows.at(-1);
  if (!last) return ["No window of it is left."];
  const warnings = last === undefined ? [] : nightsWithout(schedule, windows[0]?.start ?? last.start, last.end);
  if (devices === 0) warnings.push("There are no lights here yet; those that are added will follow it.");
  else if (!seen.isActive) warnings.push("The area is inactive: nothing is lit in it.");
  else if (windows.every(({ lit }) => lit.length === 0)) {
    warnings.push(
      windows.length === 1 ? "It lights nothing." : `None of these ${windows.length} windows lights anything.`,
    );
  }
  if (looked_at < devices) warnings.push(`Only ${looked_at} of ${devices} lights were looked at.`);
  return warnings;
}

/** The nights of its rule between two instants on which it does not happen. */
function nightsWithout(schedule: Recurring, from: number, to: number): string[] {
  const happening = new Set(occurrences(schedule, from, to).map(({ date }) => date));
  const [first, last] = [dateText(dayAt(schedule, from)), dateText(dayAt(schedule, to))];
  const missing = occurrences(onEveryDate(schedule), from - DAY_MS, to + DAY_MS)
    .map(({ date }) => date)
    .filter((date) => date >= first && date <= last && !happening.has(date));
  const sunless = missing.filter((date) => windowOn(schedule, date) === null);
  const skipped = missing.filter((date) => (windowOn(schedule, date)?.start ?? to) < to);
  return [
    ...(sunless.length > 0
      ? [`Nothing on ${listOf(sunless)}: the sun does not do it, or the window would end before it starts.`]
      : []),
    ...(skipped.length > 0 ? [`Not on ${listOf(skipped)}.`] : []),
  ];
}

/** To which of its nights an instant belongs (days since 1970). */
function dayAt({ start_sun, timezone }: Recurring, instant: number): number {
  return dateOfTime(start_sun, toWall(timezone, instant));
}

/** 'Nov 26, Dec 25 and 2 more nights'. */
function listOf(dates: string[]): string {
  const named = dates
    .slice(0, MOST_DATES)
    .map((date) => `${MONTHS[Number(date.slice(5, 7)) - 1]} ${Number(date.slice(8))}`);
  const more = dates.length - named.length;
  return `${named.join(", ")}${more > 0 ? ` and ${more} more ${more === 1 ? "night" : "nights"}` : ""}`;
}
