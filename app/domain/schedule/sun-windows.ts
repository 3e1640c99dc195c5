import type { Recurring, Span } from "./schedule";
import { sunAt } from "./sun";
import type { Position, SunEvents, SunTime } from "./sun-time";
import { dateOfTime, sunTimeOn } from "./time-by-sun";
import { toWall } from "#domain/time/wall-clock";
import { DAY_MS } from "#domain/time/units";

/** The windows of a schedule by the sun: the date of the first (days since 1970), and that of any date, or null. */
export type SunWindows = { first_day: number; on: (day: number) => Span | null };

/**
 * The windows of a schedule of which at least one end goes by the sun. The stored instants tell the first date, and
 * whether it ends on the same day or a later one; of an end by the clock also the time. A window that had begun before a
 * new position came keeps its instants, or a lamp that was switched off at sunset would be lit by a later one.
 */
export function sunWindows(schedule: Recurring, stored: Span, instantOf: (wall: number) => number): SunWindows {
  const { timezone: zone, start_sun = null, end_sun = null, positions = [] } = schedule;
  const first_day = dateOfTime(start_sun, toWall(zone, stored.start));
  const days_long = dateOfTime(end_sun, toWall(zone, stored.end)) - first_day;
  const start = edge(start_sun, stored.start, first_day, zone, instantOf);
  const end = edge(end_sun, stored.end, first_day + days_long, zone, instantOf);
  const suns = positions.map((position) => sunAt(position));

  const seenFrom = (sun: SunEvents, day: number): Span | null => {
    const from = start(day, sun);
    const to = end(day + days_long, sun);
    return from === null || to === null || to <= from ? null : { start: from, end: to };
  };
  return {
    first_day,
    on: (day) => {
      let window: Span | null = null;
      for (const [n, sun] of suns.entries()) {
        window = seenFrom(sun, day);
        if (window !== null && window.start < since(positions[n + 1])) return window;
      }
      return window;
    },
  };
}

/** When the next position came; the newest holds for ever. */
function since(next: Position | undefined): number {
  return next ? Date.parse(next.since) : Infinity;
}

/** A start or an end on a date: by the sun, or by the clock as on `stored_day`, on which it is exactly as stored. */
function edge(
  sun: SunTime | null,
  stored: number,
  stored_day: number,
  zone: string,
  instantOf: (wall: number) => number,
): (day: number, events: SunEvents) => number | null {
  if (sun !== null) return (day, events) => sunTimeOn(sun, day, events, instantOf);
  const time_of_day = toWall(zone, stored) - stored_day * DAY_MS;
  return (day) => (day === stored_day ? stored : instantOf(day * DAY_MS + time_of_day));
}
