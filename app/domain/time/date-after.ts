import { DAY_MS } from "./units";

/** The date so many days after a date ('YYYY-MM-DD'). */
export function dateAfter(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
}
