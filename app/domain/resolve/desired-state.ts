import { darkAt, nextDark, type Limits } from "#domain/guardrails/device-limits";
import { NO_HOLD, type Instants } from "./instants";
import { maxOnOf } from "./max-on";
import type { Claim } from "./reason";
import { nothing, RUNGS, type Resolved, type Scene } from "./rungs";

/** A device at one instant. `next_start` is its schedules' first start after now; an inactive area has no claims. */
export type Situation = {
  now: number;
  claims: Claim[];
  next_start: number | null;
  instants: Instants;
  limits: Limits;
};

/**
 * The desired state of one device at one instant, why, and the instants as they must be stored. `until` (epoch ms) is the
 * next instant at which the answer can change by itself, and so the device's one wake-up; null if only an event can change
 * it. Of a light that is to go on it holds also where the ON leaves at this very instant (`sentOn`). Resolve again after anything
 * else that changes the instants.
 */
export function resolve(situation: Situation): Resolved {
  const scene = sceneOf(situation);
  for (const rung of RUNGS) {
    const resolved = rung(scene);
    if (resolved) return resolved;
  }
  return nothing(scene);
}

/** Whether a claim counts: neither a person's OFF nor the longest time on ended it after it had begun. */
export function counts(claim: Claim, { off_at, cut_at }: Pick<Instants, "off_at" | "cut_at">): boolean {
  return claim.begins_at > Math.max(off_at ?? -Infinity, cut_at ?? -Infinity);
}

function sceneOf({ now, claims, next_start, instants, limits }: Situation): Scene {
  const dark = darkAt(limits, now);
  const counting = claims.filter((claim) => counts(claim, instants));
  const left = endWhatIsOver(instants, now, { isDark: dark !== null, isClaimed: counting.length > 0 });
  return {
    now,
    claims: counting,
    next_start,
    instants: left,
    dark,
    darkens: nextDark(limits, now),
    max_on: maxOnOf(left, counting, limits, now),
  };
}

/** A hold and an emergency end at their instant, a person's ON in the dark; one without an end also where a claim counts. */
function endWhatIsOver(instants: Instants, now: number, ended: { isDark: boolean; isClaimed: boolean }): Instants {
  const { hold_action, hold_until, emergency_until, on_at } = instants;
  const isHoldOver = (hold_until ?? Infinity) <= now || (ended.isDark && hold_action === "on");
  return {
    ...instants,
    ...(isHoldOver && NO_HOLD),
    emergency_until: (emergency_until ?? now) > now ? emergency_until : null,
    on_at: ended.isDark || ended.isClaimed ? null : on_at,
  };
}
