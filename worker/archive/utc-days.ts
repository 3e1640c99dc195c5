import { DAY_MS } from "#domain/time/units";

/** The day in UTC of an instant (epoch ms), '2026-08-01'. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

export function nextDay(day: string): string {
  return dayOf(Date.parse(day) + DAY_MS);
}

/** The day so many days before an instant (epoch ms). */
export function daysBefore(at: number, days: number): string {
  return dayOf(at - days * DAY_MS);
}
