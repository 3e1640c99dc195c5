import { claimsAt, nextStartOf, type Planned } from "./claims";
import { resolve, type Claim, type Reason, type ResolvedState } from "./desired-state";
import type { DeviceState, SwitchAction } from "./enums";
import { nextFlip, type Outlook, type Step } from "./forecast";
import { nextStart, occurrences } from "./recurrence";

/** What the engine remembers and hears of one light, beside what resolve needs. Instants are epoch ms. */
export type Heard = {
  /** E-mail addresses of who pressed last; null where nobody remembers. */
  off_by: string | null;
  on_by: string | null;
  /** What it is, as far as that can be believed: a command sent since the last reading makes it unknown. */
  known: DeviceState;
  /** `is_answered`: the lamp has said yes, but was not read since. `held_since`: it waits for the cloud's limit of calls. */
  command: { action: SwitchAction; attempt: number; is_answered: boolean; held_since: number | null } | null;
  /** Since when it cannot be switched as wanted, and how often that was tried; null while all is well. */
  trouble: { since: number; tries: number } | null;
  hub_away_since: number | null;
  is_tested: boolean;
  is_area_active: boolean;
};

/** All that is known of one light at one instant. */
export type LightFacts = Heard & {
  now: number;
  zone: string;
  wanted: ResolvedState;
  /** The next instant at which the resolution can change; null if only an event can change it. */
  until: number | null;
  reason: Reason;
  claims: Claim[];
  /** Windows that run now and were ended by an OFF: their titles. */
  interrupted: string[];
  next_start: number | null;
  /** When what is wanted changes next, see `nextFlip`. */
  flip: Step | null;
  lit_since: number | null;
  on_at: number | null;
  /** The OFF that keeps it dark: a person's, or, after so many minutes, the longest time on. */
  off: { at: number; cut_min: number | null } | null;
};

/** Puts together what is known of a light: `zone` is the one in which people read times. */
export function lightFacts(outlook: Outlook, heard: Heard, now: number): LightFacts {
  const { schedules, instants, guardrails } = outlook;
  const claims = claimsAt(schedules, now);
  const next_start = nextStartOf(schedules, now);
  const { state, reason, until } = resolve({ now, claims, next_start, instants, guardrails });
  const { off_at, cut_min, on_at, lit_since } = instants;
  const interrupted = claims.filter((claim) => off_at !== null && claim.begins_at <= off_at).map(({ title }) => title);
  const keepsDark = off_at !== null && (interrupted.length > 0 || !hasBegunSince(schedules, off_at, now));
  return {
    ...heard,
    now,
    zone: guardrails.zone,
    wanted: state,
    until,
    reason,
    claims,
    interrupted,
    next_start,
    flip: nextFlip(outlook, now),
    lit_since,
    on_at,
    off: keepsDark ? { at: off_at, cut_min } : null,
  };
}

/** Whether a window has lit the light after an OFF: then it is no longer dark for that. */
function hasBegunSince(schedules: readonly Planned[], off_at: number, now: number): boolean {
  return schedules.some((schedule) => {
    const made_at = Date.parse(schedule.created_at);
    const isMadeWithin = made_at > off_at && made_at <= now && occurrences(schedule, made_at, made_at + 1).length > 0;
    return isMadeWithin || (nextStart(schedule, off_at) ?? Infinity) <= now;
  });
}
