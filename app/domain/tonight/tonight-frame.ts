import { dateAfter } from "#domain/time/date-after";
import { toLocalInput } from "#domain/time/display";
import { toWall } from "#domain/time/wall-clock";
import { HOUR_MS } from "#domain/time/units";

/** A night from noon to noon of the city's zone. Instants are epoch ms; dates are 'YYYY-MM-DD'. */
export type NightFrame = {
  date: string;
  from: number;
  to: number;
  kind: "past" | "running" | "coming";
  /** The sun at the city, where its position is known and the sun sets and rises. */
  sunset: number | null;
  sunrise: number | null;
  previous: string;
  /** Null where no forecast reaches. */
  next: string | null;
};

/** How far ahead a night may lie: what is foreseen for a page of lights stays within what one call may look at. */
export const MOST_DAYS_AHEAD = 31;

/** The date ('YYYY-MM-DD') on whose noon the night began that runs at an instant (epoch ms). */
export function runningDate(zone: string, now: number): string {
  const { date, time } = toLocalInput(now, zone);
  return time < "12:00" ? dateAfter(date, -1) : date;
}

/** The date of the last night that can be looked at. */
export function furthestDate(zone: string, now: number): string {
  return dateAfter(runningDate(zone, now), MOST_DAYS_AHEAD);
}

/** How far an instant is into the night, in percent of it; within it. */
export function placeOf(at: number, { from, to }: Pick<NightFrame, "from" | "to">): number {
  return Math.round(Math.min(Math.max((at - from) / (to - from), 0), 1) * 10_000) / 100;
}

/**
 * The even hours of the wall clock between two noons, as the axis marks them. On the two nights on which clocks change, an
 * hour that is left out or comes twice shifts what follows, as the bars do.
 */
export function hourMarks(
  { from, to }: Pick<NightFrame, "from" | "to">,
  zone: string,
): { at: number; label: string }[] {
  const marks: { at: number; label: string }[] = [];
  let last = -1;
  for (let at = from; at < to; at += HOUR_MS) {
    const hour = new Date(toWall(zone, at)).getUTCHours();
    if (hour % 2 !== 0 || hour === last) continue;
    last = hour;
    marks.push({ at, label: `${hour % 12 || 12} ${hour < 12 ? "AM" : "PM"}` });
  }
  return marks;
}
