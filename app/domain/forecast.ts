import { claimsAt, nextStartOf, type Planned } from "./claims";
import { resolve, sawState, sentOn, type Instants, type Resolved } from "./desired-state";
import type { Guardrails } from "./schedule";

/** A device's desired state at an instant (epoch ms). */
export type Step = { at: number; resolved: Resolved };

/** The inputs of resolve: a device's open schedules, its instants and the guardrails. */
export type Outlook = { schedules: readonly Planned[]; instants: Instants; guardrails: Guardrails };

/** How far to look ahead: enough for a fortnight of nights without light. */
const MOST_STEPS = 60;

/**
 * The next instant at which a device's desired state changes between on and off by itself, and the reason then. Follows
 * `resolve` from one `until` to the next as if the lamp obeyed, so it respects windows that touch, max on and guardrails.
 * Null if it never changes, or not within sixty steps.
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
  // Resolve again as if the light had just changed, since max on counts from then.
  const after = resolve({ now, claims, next_start: nextStartOf(schedules, now), instants: obeyed, guardrails });
  return { resolved: { ...resolved, until: after.until }, instants: after.instants };
}
