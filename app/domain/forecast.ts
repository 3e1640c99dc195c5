import { claimsAt, nextStartOf, type Planned } from "./claims";
import { resolve, sawState, sentOn, type Instants, type Resolved } from "./desired-state";
import type { Guardrails } from "./schedule";

/** A device's desired state at an instant (epoch ms). */
export type Step = { at: number; resolved: Resolved };

/** What a device is resolved from: its open schedules, what is remembered of it, and the rules. */
export type Outlook = { schedules: readonly Planned[]; instants: Instants; guardrails: Guardrails };

/** A fortnight of nights that all keep a light dark; what comes later than that nobody asks a card. */
const MOST_STEPS = 60;

/**
 * The next instant at which a device, left alone, goes from wanted on to not, or the other way round, and why then. Follows
 * `resolve` from one wake-up to the next as if the lamp obeyed, so it knows windows that touch, the longest time on and
 * every guardrail. Null if it never changes, or not within the next sixty wake-ups.
 */
export function nextFlip(outlook: Outlook, now: number): Step | null {
  let { resolved, instants } = stepAt(outlook, outlook.instants, now);
  const isOn = resolved.state === "on";
  for (let step = 0; step < MOST_STEPS && resolved.until !== null; step += 1) {
    const at = resolved.until;
    ({ resolved, instants } = stepAt(outlook, instants, at));
    if ((resolved.state === "on") !== isOn) return { at, resolved };
  }
  return null;
}

function stepAt(outlook: Outlook, before: Instants, now: number): { resolved: Resolved; instants: Instants } {
  const { schedules, guardrails } = outlook;
  const claims = claimsAt(schedules, now);
  const resolved = resolve({
    now,
    claims,
    next_start: nextStartOf(schedules, now),
    instants: before,
    guardrails,
  });
  if (resolved.state === "none") return { resolved, instants: resolved.instants };
  const obeyed = resolved.state === "on" ? sentOn(resolved.instants, now) : sawState(resolved.instants, "off", now);
  if (resolved.state === "on" && before.lit_since !== null) return { resolved, instants: obeyed };
  // The resolution of a light that has just changed says when it changes next: the longest time on counts from now.
  const after = resolve({ now, claims, next_start: nextStartOf(schedules, now), instants: obeyed, guardrails });
  return { resolved: { ...resolved, until: after.until }, instants: after.instants };
}
