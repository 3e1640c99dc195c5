import { formatDatedDay, formatDayOfYear } from "./dated-day";
import { formatClock, YEAR_SAID_AFTER_MS } from "./display";

/**
 * 'Fri, Nov 27, 7:30 PM to 11:30 PM', of two instants (ISO 8601) in the zone; names the end's day if it differs, with
 * its year where the two are so far apart that another day has the same name. A day that is as far from `now` (epoch ms) has
 * its year, too. An end of null is 'until reopened'.
 */
export function spanWords({ from, to }: { from: string; to: string | null }, zone: string, now: number): string {
  const [start, end] = [Date.parse(from), to === null ? null : Date.parse(to)];
  const day = formatDatedDay(start, zone, now);
  const begin = `${day}, ${formatClock(start, zone)}`;
  if (end === null) return `From ${begin} until reopened`;
  const last = end - start < YEAR_SAID_AFTER_MS ? formatDatedDay(end, zone, now) : formatDayOfYear(end, zone);
  return `${begin} to ${last === day ? "" : `${last}, `}${formatClock(end, zone)}`;
}
