import { formatClock, formatDay, YEAR_SAID_AFTER_MS } from "./display";
import { toWall } from "./wall-clock";

/**
 * 'Fri, Nov 27, 7:30 PM to 11:30 PM', of two instants (ISO 8601) in the zone; names the end's day if it differs, with
 * its year where the two are so far apart that another day has the same name. An end of null is 'until reopened'.
 */
export function spanWords({ from, to }: { from: string; to: string | null }, zone: string): string {
  const [start, end] = [Date.parse(from), to === null ? null : Date.parse(to)];
  const day = formatDay(start, zone);
  const begin = `${day}, ${formatClock(start, zone)}`;
  if (end === null) return `From ${begin} until reopened`;
  const isFar = end - start >= YEAR_SAID_AFTER_MS;
  const last = `${formatDay(end, zone)}${isFar ? `, ${new Date(toWall(zone, end)).getUTCFullYear()}` : ""}`;
  return `${begin} to ${last === day ? "" : `${last}, `}${formatClock(end, zone)}`;
}
