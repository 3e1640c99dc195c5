import { nextStart, occurrences } from "./recurrence";
import type { Recurring } from "./schedule";

/** One window of a plan, in epoch milliseconds. */
type Window<Plan> = { plan: Plan; start: number; end: number };

/** The windows of all plans that end after `now` (epoch ms), the running ones first, then by start; at most `most`. */
export function upcoming<Plan extends Recurring>(plans: Plan[], now: number, most: number): Window<Plan>[] {
  return plans
    .flatMap((plan) => upcomingOf(plan, now, most))
    .toSorted((a, b) => a.start - b.start || a.end - b.end)
    .slice(0, most);
}

function upcomingOf<Plan extends Recurring>(plan: Plan, now: number, most: number): Window<Plan>[] {
  const windows = occurrences(plan, now, now + 1).map((occurrence) => ({ plan, ...occurrence }));
  let start = nextStart(plan, now);
  while (start !== null && windows.length < most) {
    const at = start;
    const next = occurrences(plan, at, at + 1).find((occurrence) => occurrence.start === at);
    if (next) windows.push({ plan, ...next });
    start = nextStart(plan, at);
  }
  return windows;
}
