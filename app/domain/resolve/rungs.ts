import type { DarkReason } from "#domain/guardrails/device-limits";
import { earliest } from "#domain/earliest";
import { NO_HOLD, ours, type Instants } from "./instants";
import type { Claim, Reason, ResolvedState } from "./reason";

/** The answer of a rung; see `resolve`. */
export type Resolved = { state: ResolvedState; reason: Reason; until: number | null; instants: Instants };

/** What the rungs see of a device at one instant. */
export type Scene = {
  now: number;
  /** Those that count: no OFF and no cut came after they had begun. */
  claims: Claim[];
  next_start: number | null;
  /** What is over has ended in them. */
  instants: Instants;
  dark: DarkReason | null;
  /** When something next makes it dark (epoch ms). */
  darkens: number | null;
  /** The longest time on, see `maxOnOf`. */
  max_on: { minutes: number; at: number | null; expected_at: number | null; over_at: number | null };
};

/** Answers where it decides about the light; null leaves it to the next. */
type Rung = (scene: Scene) => Resolved | null;

/** Who wins: the first rung that answers decides. Where none does, nothing wants the light on. */
export const RUNGS: readonly Rung[] = [emergency, dark, holdOff, maxOn, keptOn];

/** On until its end, whatever else holds. */
function emergency({ instants, darkens, next_start }: Scene): Resolved | null {
  const { emergency_until: until, on_at, hold_action } = instants;
  if (until === null) return null;
  // Under the emergency the dark time still ends a person's ON for good, and a claim one without an end.
  const isEnded = hold_action === "on" || on_at !== null;
  return on({ kind: "emergency", until }, earliest(until, isEnded ? darkens : null, on_at && next_start), instants);
}

/** Curfew, blackout and closure: nothing may be on. */
function dark({ instants, dark: reason, darkens }: Scene): Resolved | null {
  return reason && off(reason, earliest(reason.until, darkens), instants);
}

/** A person's OFF with an end. */
function holdOff({ instants, darkens }: Scene): Resolved | null {
  const { hold_action, hold_until: until } = instants;
  if (hold_action !== "off" || until === null) return null;
  return off({ kind: "hold_off", until }, earliest(until, darkens), instants);
}

/** What keeps it on has done so for the longest time: a person's ON is over, and claims that have begun count no more. */
function maxOn(scene: Scene): Resolved | null {
  const { now, next_start, darkens, max_on } = scene;
  if (max_on.at === null || now < max_on.at) return null;
  const instants = { ...ours(scene.instants), ...NO_HOLD, on_at: null };
  if (instants.lit_since === null) return nothing({ ...scene, instants });
  const reason = { kind: "max_on", max_on_min: max_on.minutes } as const;
  return off(reason, earliest(next_start, darkens), { ...instants, cut_at: now, cut_min: max_on.minutes });
}

/** Claims, a person's ON with an end, and one without. */
function keptOn({ claims, next_start, instants, darkens, max_on }: Scene): Resolved | null {
  const { hold_action, hold_until, on_at } = instants;
  const held_until = hold_action === "on" ? hold_until : null;
  if (claims.length === 0 && held_until === null && on_at === null) return null;
  const ends = claims.map(({ end }) => end);
  if (held_until !== null) ends.push(held_until);
  const until = earliest(next_start, max_on.expected_at, darkens, ...ends);
  const last = ends.length === 0 ? Infinity : Math.max(...ends);
  const over = earliest(last, max_on.over_at, darkens) ?? last;
  if (claims.length > 0) return on({ kind: "claim", claims, until: over }, until, instants);
  return on({ kind: held_until === null ? "manual_on" : "hold_on", until: over }, until, instants);
}

/** Nothing wants it on: what we lit goes off, what a hand lit is left alone for the longest time on. */
export function nothing({ next_start, instants, darkens, max_on }: Scene): Resolved {
  if (instants.lit_since === null) return { state: "none", reason: { kind: "idle" }, until: next_start, instants };
  const over = earliest(max_on.at, darkens);
  if (instants.lit_by === "us" || over === null)
    return off({ kind: "pending_off" }, earliest(next_start, darkens), instants);
  return { state: "none", reason: { kind: "external", until: over }, until: earliest(next_start, over), instants };
}

function on(reason: Reason, until: number | null, instants: Instants): Resolved {
  return { state: "on", reason, until, instants: ours(instants) };
}

/** An unlit lamp costs no call. */
function off(reason: Reason, until: number | null, instants: Instants): Resolved {
  return { state: instants.lit_since === null ? "none" : "off", reason, until, instants: ours(instants) };
}
