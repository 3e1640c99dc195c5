import { formatDay, YEAR_SAID_AFTER_MS } from "./display";
import { toWall } from "./wall-clock";

/** 'Sat, Nov 20' in the zone; 'Sat, Nov 20, 2027' of a day (epoch ms) so far from `now` that another one has the same name. */
export function formatDatedDay(at: number, zone: string, now: number): string {
  return Math.abs(at - now) < YEAR_SAID_AFTER_MS ? formatDay(at, zone) : formatDayOfYear(at, zone);
}

/** 'Sat, Nov 20, 2027' in the zone, of an instant in epoch ms. */
export function formatDayOfYear(at: number, zone: string): string {
  return `${formatDay(at, zone)}, ${new Date(toWall(zone, at)).getUTCFullYear()}`;
}
