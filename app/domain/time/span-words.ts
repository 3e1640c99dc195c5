import { formatClock, formatDay, YEAR_SAID_AFTER_MS } from "./display";
import { toWall } from "./wall-clock";

/**
 * 'Fri, Nov 27, 7:30 PM to 11:30 PM', of two instants (ISO 8601) in the zone; names the end's day if it differs, with
 * its year where the two are so far apart that another day has the same name. A day that is as far from `now` (epoch ms) has
 * its year, too. An end of null is 'until reopened'.
 */
export function spanWords({ from, to }: { from: string; to: string | null }, zone: string, now: number): string {
  const [start, end] = [Date.parse(from), to === null ? null : Date.parse(to)];
  const named = (at: number, isFar: boolean) =>
    `${formatDay(at, zone)}${isFar ? `, ${new Date(toWall(zone, at)).getUTCFullYear()}` : ""}`;
  const isAway = (at: number) => Math.abs(at - now) >= YEAR_SAID_AFTER_MS;
  const day = named(start, isAway(start));
  const begin = `${day}, ${formatClock(start, zone)}`;
  if (end === null) return `From ${begin} until reopened`;
  const last = named(end, isAway(end) || end - start >= YEAR_SAID_AFTER_MS);
  return `${begin} to ${last === day ? "" : `${last}, `}${formatClock(end, zone)}`;
}
