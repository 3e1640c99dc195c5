import { nextStart, occurrences } from "./recurrence";
import type { Recurring } from "./schedule";

type Plan = Recurring & { id: string; status: "scheduled" | "canceled" | "done" };

/** The plans as people look for them: what runs now, what comes next, what is over, and last
 * what was canceled. `now` is epoch ms. */
export function inNextOrder<Each extends Plan>(plans: Each[], now: number): Each[] {
  return plans
    .map((plan) => ({ plan, place: placeOf(plan, now) }))
    .toSorted((a, b) => a.place.group - b.place.group || a.place.at - b.place.at)
    .map(({ plan }) => plan);
}

/** Whether one of the plan's windows touches the time from `start` to `end` (epoch ms). */
export function touches(plan: Recurring, start: number, end: number): boolean {
  return occurrences(plan, start, end).length > 0;
}

function placeOf(plan: Plan, now: number): { group: number; at: number } {
  const over = { group: plan.status === "canceled" ? 3 : 2, at: -Date.parse(plan.start_at) };
  if (plan.status !== "scheduled") return over;
  const [running] = occurrences(plan, now, now + 1);
  if (running) return { group: 0, at: running.end };
  const next = nextStart(plan, now);
  return next === null ? over : { group: 1, at: next };
}
