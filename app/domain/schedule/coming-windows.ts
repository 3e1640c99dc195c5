import { toIso } from "#domain/time/to-iso";
import { comingOccurrences } from "./recurrence";
import type { Recurring } from "./schedule";

/**
 * The upcoming windows stored beside a schedule: the first window that was not over when they were written, and the start
 * of the one after it (ISO, UTC); null if there is none. The next event is the first of the three instants that is still
 * to come. They are outdated once the window is over and the next one has begun.
 */
export type ComingWindows = {
  window_start_at: string | null;
  window_end_at: string | null;
  then_start_at: string | null;
};

/** For a canceled schedule. */
export const NOTHING_COMES: ComingWindows = { window_start_at: null, window_end_at: null, then_start_at: null };

/** The upcoming windows of a schedule that is not canceled, as of `now` (epoch ms). */
export function comingWindows(schedule: Recurring, now: number): ComingWindows {
  const [window, then] = comingOccurrences(schedule, now, 2);
  return {
    window_start_at: isoOrNull(window?.start),
    window_end_at: isoOrNull(window?.end),
    then_start_at: isoOrNull(then?.start),
  };
}

function isoOrNull(instant: number | undefined): string | null {
  return instant === undefined ? null : toIso(instant);
}
