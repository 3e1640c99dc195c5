import { toInstant, toWall } from "#domain/time/wall-clock";
import type { WeekNight } from "./week-frame";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#domain/time/units";

/** What a pointer can mean exactly, and what people book by. */
const SNAP_MS = 15 * MINUTE_MS;
/** A click on an empty hour is a booking of this length. */
const CLICKED_MS = 2 * HOUR_MS;

/** What is dragged of a window: the whole, or one of its edges. */
export type Grip = "move" | "start" | "end";
type Ends = { start: number; end: number };

/** The instant (epoch ms) at a share of a night's length, 0 to 1, as far as a pointer can mean it. */
export function instantAt(share: number, { from, to }: Pick<WeekNight, "from" | "to">): number {
  const at = from + Math.min(Math.max(share, 0), 1) * (to - from);
  return Math.round(at / SNAP_MS) * SNAP_MS;
}

/** The window (epoch ms) between where an empty stretch of a night was pressed and where it was let go, within that night. */
export function slotBetween(pressed: number, released: number, night: Pick<WeekNight, "from" | "to">): Ends {
  const start = Math.min(pressed, released, night.to - SNAP_MS);
  const end = pressed === released ? start + CLICKED_MS : Math.max(pressed, released);
  return { start, end: Math.min(Math.max(end, start + SNAP_MS), night.to) };
}

/**
 * A window after its grip was dragged from one instant to another, by the wall clock, so that a night with 23 or 25 hours
 * shifts nothing. It stays between 15 minutes and a day long. What repeats stays on its date: another one would be
 * other weekdays.
 */
export function dragged(
  { start, end }: Ends,
  grip: Grip,
  { from, to }: { from: number; to: number },
  { repeats, zone }: { repeats: boolean; zone: string },
): Ends {
  const wall = (at: number) => toWall(zone, at);
  const by = wall(to) - wall(from);
  const [before, until] = [wall(start), wall(end)];
  const midnight = Math.floor(before / DAY_MS) * DAY_MS;
  const onItsDate = (at: number) => (repeats ? clamped(at, midnight, midnight + DAY_MS - SNAP_MS) : at);
  if (grip === "end") {
    return { start, end: toInstant(zone, clamped(snapped(until + by), before + SNAP_MS, before + DAY_MS)) };
  }
  if (grip === "start") {
    const at = clamped(onItsDate(snapped(before + by)), until - DAY_MS, until - SNAP_MS);
    return { start: toInstant(zone, at), end };
  }
  const shift = onItsDate(snapped(before + by)) - before;
  return { start: toInstant(zone, before + shift), end: toInstant(zone, until + shift) };
}

function snapped(at: number): number {
  return Math.round(at / SNAP_MS) * SNAP_MS;
}

function clamped(at: number, least: number, most: number): number {
  return Math.min(Math.max(at, least), most);
}
