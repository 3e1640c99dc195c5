import { formatDatedDay } from "#domain/time/dated-day";
import { formatHours } from "#domain/time/display";

/** A coming window of a schedule: its date, by which it is skipped, and its start and end (epoch ms). */
export type ComingNight = { date: string; start: number; end: number };

/** 'Tue, Nov 24, 6:00 PM - 10:00 PM'; with its year where that is far from `now` (epoch ms). */
export function nightWords({ start, end }: ComingNight, zone: string, now: number): string {
  return `${formatDatedDay(start, zone, now)}, ${formatHours(start, end, zone)}`;
}

/** 'Tue, Nov 24', of a skipped date; the same. */
export function dateWords(date: string, now: number): string {
  return formatDatedDay(Date.parse(date), "UTC", now);
}
