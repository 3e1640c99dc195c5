import { comingOccurrences } from "./recurrence";
import type { Recurring } from "./schedule";

/** One window of a plan, in epoch milliseconds. */
type Window<Plan> = { plan: Plan; start: number; end: number };

/** The first `most` windows of all plans that end after `now` (epoch ms), running ones first, then by start. */
export function upcoming<Plan extends Recurring>(plans: Plan[], now: number, most: number): Window<Plan>[] {
  return plans
    .flatMap((plan) => comingOccurrences(plan, now, most).map((occurrence) => ({ plan, ...occurrence })))
    .toSorted((a, b) => a.start - b.start || a.end - b.end)
    .slice(0, most);
}
