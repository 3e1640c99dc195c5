import { afterPermits, type Limits } from "#domain/guardrails/device-limits";
import type { Instants } from "./instants";
import type { Claim } from "./reason";
import { MINUTE_MS } from "#domain/time/units";

/**
 * The longest time on, in minutes, of what keeps a light on, and when it is reached (epoch ms): null where it has no limit
 * (0 minutes), or nothing keeps it on. `expected_at` is when it would be reached by a light that goes on now. Minutes under
 * a permit count, so a limit that passed in one bites at its end.
 */
export function maxOnOf(
  instants: Instants,
  claims: Claim[],
  limits: Limits,
  now: number,
): { minutes: number; at: number | null; expected_at: number | null } {
  const minutes = minutesOf(instants, claims, limits);
  if (minutes === 0) return { minutes, at: null, expected_at: null };
  const reached = (since: number) => afterPermits(limits, Math.max(since + minutes * MINUTE_MS, now));
  const since = keptOnSince(instants, claims);
  const at = since === null ? null : reached(since);
  return { minutes, at, expected_at: at ?? reached(now) };
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
  return Math.max(lit_since, ...claims.map((claim) => claim.begins_at));
}
