import { parseClock } from "#domain/time/parse-clock";
import type { Recurring } from "./schedule";
import type { SunEvents, SunTime } from "./sun-time";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#domain/time/units";
import { toInstant, toWall } from "#domain/time/wall-clock";
import { toIso } from "#domain/time/to-iso";

const NOON_MS = DAY_MS / 2;

/**
 * The instant (epoch ms) of a time by the sun on a date (days since 1970); null where the sun does not do it. Sunset and
 * dusk of a date lie between its noon and the next, sunrise and dawn between its midnights. `instantOf` reads a wall time.
 */
export function sunTimeOn(
  sun: SunTime,
  date: number,
  events: SunEvents,
  instantOf: (wall: number) => number,
): number | null {
  const from = beginOf(sun, date);
  const event = events(sun.event, instantOf(from), instantOf(from + DAY_MS));
  if (event === null) return null;
  const after = clampOn(sun, sun.not_before);
  const before = clampOn(sun, sun.not_after);
  let instant = event + sun.offset_min * MINUTE_MS;
  if (after !== null) instant = Math.max(instant, instantOf(date * DAY_MS + after));
  if (before !== null) instant = Math.min(instant, instantOf(date * DAY_MS + before));
  return instant;
}

/**
 * The date (days since 1970) to which a wall time that `sunTimeOn` has given belongs: a dusk at 12:30 AM is of the evening
 * before. A bound stands on its own day; any other is as far from the event as its offset says.
 */
export function dateOfSunTime(sun: SunTime, wall: number): number {
  const time_of_day = wall - Math.floor(wall / DAY_MS) * DAY_MS;
  const isBound = [sun.not_before, sun.not_after].some((bound) => clockMs(bound) === time_of_day);
  const event = isBound ? wall : wall - sun.offset_min * MINUTE_MS;
  return Math.floor((event - beginOf(sun, 0)) / DAY_MS);
}

/** The same of a time by the sun or, with null, by the clock: the days since 1970 of `wall`, the wall clock as if in UTC. */
export function dateOfTime(sun: SunTime | null | undefined, wall: number): number {
  return sun ? dateOfSunTime(sun, wall) : Math.floor(wall / DAY_MS);
}

/**
 * By how many days the dates of its nights change where a schedule gets another zone and keeps its instants: what begins at 10
 * PM in Los Angeles is of the next day in New York, also as a weekday.
 */
export function datesMovedBy({ start_at, start_sun, timezone }: Recurring, zone: string): number {
  const dateIn = (of: string) => dateOfTime(start_sun, toWall(of, Date.parse(start_at)));
  return dateIn(zone) - dateIn(timezone);
}

/**
 * The schedule as it would be on each date of its rule: what is skipped, and the sun, which may not do it, are left out. One that
 * begins by the sun does so within its date, also where that is after midnight, which is how its UNTIL is counted.
 */
export function onEveryDate(schedule: Recurring): Recurring {
  const { start_at, start_sun, timezone } = schedule;
  const every = { ...schedule, skips: null, calendar: null, start_sun: null, end_sun: null };
  if (!start_sun) return every;
  const wall = toWall(timezone, Date.parse(start_at));
  const midnight = dateOfSunTime(start_sun, wall) * DAY_MS;
  const start = toInstant(timezone, Math.min(Math.max(wall, midnight), midnight + DAY_MS - MINUTE_MS));
  return { ...every, start_at: toIso(start), end_at: toIso(start + HOUR_MS) };
}

/** Whether no instant is both: a bound before noon of an evening's event belongs to the next day. */
export function boundsCross(sun: SunTime): boolean {
  const [after, before] = [clampOn(sun, sun.not_before), clampOn(sun, sun.not_after)];
  return after !== null && before !== null && after > before;
}

function isEvening({ event }: Pick<SunTime, "event">): boolean {
  return event === "sunset" || event === "dusk";
}

/** The wall time from which on the sun's event of a date is looked for. */
function beginOf(sun: SunTime, date: number): number {
  return date * DAY_MS + (isEvening(sun) ? NOON_MS : 0);
}

/** A bound in ms after the midnight with which the date begins; null if there is none. */
function clampOn(sun: SunTime, bound: string | null): number | null {
  const clock = clockMs(bound);
  return clock !== null && isEvening(sun) && clock < NOON_MS ? clock + DAY_MS : clock;
}

function clockMs(bound: string | null): number | null {
  const minutes = bound === null ? null : parseClock(bound);
  return minutes === null ? null : minutes * MINUTE_MS;
}
