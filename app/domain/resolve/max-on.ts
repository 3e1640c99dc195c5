import { afterPermits, type Limits } from "#domain/guardrails/device-limits";
import type { Instants } from "./instants";
import type { Claim } from "./reason";
import { MINUTE_MS } from "#domain/time/units";

/**
 * The longest time on, in minutes, of what keeps a light on, and when it is reached (epoch ms): null without a limit (0
 * minutes), or if nothing keeps it on. `expected_at` is when a light that goes on now would reach it. `over_at` is the same,
 * but reckons with bookings that end: an older one may go on that has lit the light for longer. Minutes under a permit
 * count, so a limit that passes under a permit takes effect at its end.
 */
export function maxOnOf(
  instants: Instants,
  claims: Claim[],
  limits: Limits,
  now: number,
): { minutes: number; at: number | null; expected_at: number | null; over_at: number | null } {
  const minutes = minutesOf(instants, claims, limits);
  if (minutes === 0) return { minutes, at: null, expected_at: null, over_at: null };
  const reached = (since: number, from: number) => afterPermits(limits, Math.max(since + minutes * MINUTE_MS, from));
  const since = keptOnSince(instants, claims);
  const at = since === null ? null : reached(since, now);
  const expected_at = at ?? reached(now, now);
  const lit_since = instants.lit_since ?? now;
  const later = stagesOf(instants, claims).map(({ from, left }) => reached(newest(lit_since, left), from));
  return { minutes, at, expected_at, over_at: Math.min(expected_at, ...later) };
}

/** Each time (epoch ms) at which a claim ends, with those that then go on, unless nothing keeps the light on any more. */
function stagesOf({ hold_action, hold_until }: Instants, claims: Claim[]): { from: number; left: Claim[] }[] {
  const held_until = hold_action === "on" ? (hold_until ?? 0) : 0;
  if (claims.length < 2 && held_until === 0) return [];
  return claims.flatMap(({ end: from }) => {
    const left = claims.filter(({ end }) => end > from);
    return left.length > 0 || held_until > from ? [{ from, left }] : [];
  });
}

/** A booking that begins restarts the count. */
function newest(lit_since: number, claims: Claim[]): number {
  return Math.max(lit_since, ...claims.map((claim) => claim.begins_at));
}

/** A limit of 0 frees what has an end of its own; what has none takes the organization's. */
function minutesOf({ hold_action }: Instants, claims: Claim[], limits: Limits): number {
  const { MAX_ON_DURATION_MIN: own } = limits.guardrails;
  const hasEnd = claims.length > 0 || hold_action === "on";
  return own === 0 && !hasEnd ? limits.organization_max_on_min : own;
}

/**
 * From when (epoch ms) the longest time on counts; null while nothing keeps the light on. A booking that begins restarts
 * the count; a person's ON without an end counts also while nothing says that the light is lit.
 */
function keptOnSince({ on_at, hold_action, lit_since, lit_by }: Instants, claims: Claim[]): number | null {
  if (on_at !== null) return Math.min(on_at, lit_since ?? on_at);
  const isKept = claims.length > 0 || hold_action === "on" || lit_by === "external";
  if (lit_since === null || !isKept) return null;
  return newest(lit_since, claims);
}
