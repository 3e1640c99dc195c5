import { formatDay, formatHours } from "#domain/time/display";

/** A coming window of a schedule: its date, by which it is skipped, and its start and end (epoch ms). */
export type ComingNight = { date: string; start: number; end: number };

/** 'Tue, Nov 24, 6:00 PM - 10:00 PM'. */
export function nightWords({ start, end }: ComingNight, zone: string): string {
  return `${formatDay(start, zone)}, ${formatHours(start, end, zone)}`;
}

/** 'Tue, Nov 24', of a skipped date. */
export function dateWords(date: string): string {
  return formatDay(Date.parse(date), "UTC");
}
