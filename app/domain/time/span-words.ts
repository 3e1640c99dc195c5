import { formatClock, formatDay } from "./display";

/**
 * 'Fri, Nov 27, 7:30 PM to 11:30 PM', of two instants (ISO 8601) in the zone; names the end's day if it differs. An end of
 * null is 'until reopened'.
 */
export function spanWords({ from, to }: { from: string; to: string | null }, zone: string): string {
  const [start, end] = [Date.parse(from), to === null ? null : Date.parse(to)];
  const day = formatDay(start, zone);
  const begin = `${day}, ${formatClock(start, zone)}`;
  if (end === null) return `From ${begin} until reopened`;
  const last = formatDay(end, zone);
  return `${begin} to ${last === day ? "" : `${last}, `}${formatClock(end, zone)}`;
}
