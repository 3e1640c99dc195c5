import { formatMoment } from "#domain/time/display";

/** As many moments as one line has room for. */
const MOST_MOMENTS = 3;

/**
 * What becomes of so many lights that were just turned off: '2 go on again at 6:30 PM, 1 tomorrow 5:30 PM; 3 stay off'.
 * `instants` (epoch ms) are those at which some of them go on again.
 */
export function relightSentence(count: number, instants: number[], zone: string, now: number): string {
  if (instants.length === 0) return count === 1 ? "Nothing lights it again." : "Nothing lights them again.";
  const counts = new Map<string, number>();
  for (const at of instants.toSorted((a, b) => a - b)) {
    const moment = formatMoment(at, zone, now);
    counts.set(moment, (counts.get(moment) ?? 0) + 1);
  }
  const moments = [...counts].slice(0, MOST_MOMENTS);
  const told = moments.map(([moment, n], index) => {
    const verb = index > 0 ? "" : n === 1 ? " goes on again" : " go on again";
    return `${n}${verb} ${/^\d/.test(moment) ? "at " : ""}${moment}`;
  });
  const later = instants.length - moments.reduce((sum, [, n]) => sum + n, 0);
  const dark = count - instants.length;
  const list = [...told, ...(later > 0 ? [`${later} later`] : [])].join(", ");
  return `${list}${dark > 0 ? `; ${dark} ${dark === 1 ? "stays" : "stay"} off` : ""}.`;
}
