import { formatClock } from "#domain/time/display";
import { lastEnd, nextStart } from "./recurrence";
import type { Recurring } from "./schedule";
import { sunAt } from "./sun";
import type { SunTime } from "./sun-time";
import { boundsCross, dateOfSunTime, sunTimeOn } from "./time-by-sun";
import { instantsOf, toWall } from "#domain/time/wall-clock";
import { DAY_MS, MINUTE_MS } from "#domain/time/units";
import { toIso } from "#domain/time/to-iso";

type Problem = { field: string; detail: string };

/** Why a schedule's times by the sun cannot be, as a field and a message; null if they can. */
export function sunProblem({ start_sun, end_sun, positions = [] }: Recurring): Problem | null {
  for (const [field, sun] of [
    ["start_sun", start_sun],
    ["end_sun", end_sun],
  ] as const) {
    if (!sun) continue;
    if (positions.length === 0) return { field, detail: "Set the position of the area or of the city first" };
    if (boundsCross(sun)) {
      return {
        field: `${field}.not_after`,
        detail: `It can't be after ${clockOf(sun.not_before)} and before ${clockOf(sun.not_after)}`,
      };
    }
  }
  return null;
}

/**
 * The schedule with the sun's instants of its first night as its start and end. The dates of `start_at` and `end_at` say
 * which night that is; `before` is how it was stored, of which a start after midnight may belong to the evening before.
 * Where the sun does not do it in that night, what was typed stays.
 */
export function withFirstNight<Some extends Recurring>(schedule: Some, before?: Recurring): Some {
  return {
    ...schedule,
    start_at: instantOn(schedule, "start", before),
    end_at: instantOn(schedule, "end", before),
  };
}

/** Whether two instants (ISO) are the same to the minute: a form shows and sends no seconds. */
export function isSameMinute(one: string, other: string | undefined): boolean {
  return other !== undefined && Math.floor(Date.parse(one) / MINUTE_MS) === Math.floor(Date.parse(other) / MINUTE_MS);
}

/** Why none of its nights has light; null if one has. A first night without is none: another one may have. */
export function lightlessProblem(schedule: Recurring): Problem | null {
  const every = { ...schedule, skips: null, calendar: null };
  const from = Date.parse(schedule.start_at) - 2 * DAY_MS;
  if (!(schedule.start_sun || schedule.end_sun) || nextStart(every, from) !== null) return null;
  const isOver = lastEnd({ ...every, start_sun: null, end_sun: null }) === Date.parse(schedule.start_at);
  if (isOver && schedule.rrule !== null)
    return { field: "rrule", detail: "This recurrence ends before its first occurrence" };
  return { field: "end_at", detail: "With these times no night has light: its end is never after its start" };
}

function instantOn(schedule: Recurring, which: "start" | "end", before?: Recurring): string {
  const [at, sun] = which === "start" ? [schedule.start_at, schedule.start_sun] : [schedule.end_at, schedule.end_sun];
  const position = schedule.positions?.at(-1);
  if (!sun || !position) return at;
  const stored = which === "start" ? before?.start_at : before?.end_at;
  const instantOf = instantsOf(schedule.timezone);
  const on = (date: number) => sunTimeOn(sun, date, sunAt(position), instantOf);
  const date = dateOf(at, sun, schedule.timezone, on, isSameMinute(at, stored));
  const instant = on(date);
  return instant === null ? at : toIso(instant);
}

/** The date of an instant on the wall; of one that the sun has given, as it is stored or copied, that of its evening. */
function dateOf(
  at: string,
  sun: SunTime,
  zone: string,
  on: (date: number) => number | null,
  isStored: boolean,
): number {
  const wall = toWall(zone, Date.parse(at));
  const ofSun = dateOfSunTime(sun, wall);
  return isStored || on(ofSun) === Date.parse(at) ? ofSun : Math.floor(wall / DAY_MS);
}

function clockOf(clock: string | null): string {
  return formatClock(Date.parse(`1970-01-01T${clock ?? "00:00"}Z`), "UTC");
}
