import { beginsAt, claimsAt, nextStartOf, type Planned } from "#domain/resolve/claims";
import { counts, resolve } from "#domain/resolve/desired-state";
import type { Claim, Reason, ResolvedState } from "#domain/resolve/reason";
import type { Instants } from "#domain/resolve/instants";
import type { DeviceState, SwitchAction } from "#domain/enums";
import { upToFlip, type Outlook, type Step } from "#domain/forecast/forecast";
import { darkAt, type DarkReason } from "#domain/guardrails/device-limits";
import { nextStart, occurrences } from "#domain/schedule/recurrence";

/** What the engine knows of a light besides the inputs of resolve. Instants are epoch ms. */
export type Heard = {
  /** E-mail addresses of the people who toggled it last; null if unknown. */
  off_by: string | null;
  on_by: string | null;
  /** Who holds it on or off until an instant, and why; of no meaning without a hold. The emergency likewise. */
  hold_by: string | null;
  hold_reason: string | null;
  emergency_by: string | null;
  emergency_reason: string | null;
  /** When somebody last held it, and last declared an emergency, also where that is over; null if nobody did. */
  hold_since: number | null;
  emergency_since: number | null;
  /** The last reading; unknown after a command was sent since. */
  known: DeviceState;
  /** `is_answered`: the lamp confirmed, but was not read since. `held_since`: waiting for the cloud's call limit. */
  command: { action: SwitchAction; attempt: number; is_answered: boolean; held_since: number | null } | null;
  /** When a lamp that is to go on has cooled and can be lit; null where it need not cool. */
  cools_until: number | null;
  /** Since when switching has failed, and the number of tries; null while there is no problem. */
  trouble: { since: number; tries: number } | null;
  hub_away_since: number | null;
  /** Since when its on-site agent is away and keeps it by its own plan; null where it does not. */
  entrusted_since: number | null;
  is_tested: boolean;
  is_area_active: boolean;
};

/** Everything known of a light at one instant. */
export type LightFacts = Heard & {
  now: number;
  zone: string;
  wanted: ResolvedState;
  /** The next instant at which the resolution can change; null if only an event can change it. */
  until: number | null;
  reason: Reason;
  claims: Claim[];
  /** The titles of windows that run now but were ended by an OFF. */
  interrupted: string[];
  next_start: number | null;
  /** When the desired state changes next, see `upToFlip`. */
  flip: Step | null;
  /** What keeps a light on from now until then, in its order. */
  kept_on_by: Reason[];
  /** What keeps dark the next window that is to come; null if it begins lit. */
  next_dark: DarkReason["kind"] | null;
  lit_since: number | null;
  on_at: number | null;
  /** The OFF that keeps it dark: a person's, or a max-on cut after these minutes. */
  off: { at: number; cut_min: number | null } | null;
};

/** Collects the facts about a light; `zone` is for the times that people read. */
export function lightFacts(outlook: Outlook, heard: Heard, now: number): LightFacts {
  const { schedules, instants, limits } = outlook;
  const claims = claimsAt(schedules, now);
  const next_start = nextStartOf(schedules, now);
  const { state, reason, until } = resolve({ now, claims, next_start, instants, limits });
  const { on_at, lit_since } = instants;
  const interrupted = claims.filter((claim) => !counts(claim, instants)).map(({ title }) => title);
  const ahead = upToFlip(outlook, now);
  const off = lastOff(instants);
  const keepsDark = off !== null && (interrupted.length > 0 || isLastWord(off, heard, schedules, now));
  return {
    ...heard,
    now,
    zone: limits.guardrails.zone,
    wanted: state,
    until,
    reason,
    claims,
    interrupted,
    next_start,
    flip: ahead?.flip ?? null,
    kept_on_by: ahead ? ahead.steps.map(({ resolved }) => resolved.reason) : [],
    next_dark: next_start === null ? null : (darkAt(limits, next_start)?.kind ?? null),
    lit_since,
    on_at,
    off: keepsDark ? off : null,
  };
}

/** The later of a person's OFF and of a cut by the longest time on. */
function lastOff({ off_at, cut_at, cut_min }: Instants): LightFacts["off"] {
  if (cut_at !== null && cut_at >= (off_at ?? -Infinity)) return { at: cut_at, cut_min };
  return off_at === null ? null : { at: off_at, cut_min: null };
}

/** Whether neither a window nor a person, as by an ON with an end or an emergency, has lit it after the OFF, or the cut. */
function isLastWord(
  off: { at: number },
  { hold_since, emergency_since }: Heard,
  schedules: readonly Planned[],
  now: number,
): boolean {
  const wasHeldSince = Math.max(hold_since ?? 0, emergency_since ?? 0) > off.at;
  return !wasHeldSince && !hasBegunSince(schedules, off.at, now);
}

/**
 * Whether a window lit the light after the OFF, which then no longer keeps it dark: also one that ran already when the schedule,
 * or the light in its target, came to be.
 */
function hasBegunSince(schedules: readonly Planned[], off_at: number, now: number): boolean {
  return schedules.some((schedule) => {
    const made_at = beginsAt(schedule, -Infinity);
    const isMadeWithin = made_at > off_at && made_at <= now && occurrences(schedule, made_at, made_at + 1).length > 0;
    return isMadeWithin || (nextStart(schedule, off_at) ?? Infinity) <= now;
  });
}
