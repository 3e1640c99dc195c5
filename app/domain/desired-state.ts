import { assertNever } from "./assert-never";
import { earliest } from "./earliest";
import { guardrailAt, nextGuardrailStart } from "./guardrail";
import type { Guardrails, Occurrence } from "./schedule";
import type { DeviceState } from "./enums";

/**
 * A device's stored instants, in epoch ms. `off_at`: the last manual OFF or max-on cut; only claims that began later
 * count. `on_at`: a manual ON while no claim counted. `lit_since`: when the first ON was sent or read, so the light may be
 * lit since then; `lit_by` says who lit it.
 */
export type Instants = {
  off_at: number | null;
  /** The max-on minutes after which the light was cut at `off_at`; null if a person switched it off then. */
  cut_min: number | null;
  on_at: number | null;
  lit_since: number | null;
  lit_by: "us" | "external";
};

/** A schedule's one window. */
export type ScheduleWindow = Occurrence & { schedule_id: string; title: string };

/** A window that holds the device on now: start <= now < end. It counts from `begins_at`, see `claimsAt`. */
export type Claim = ScheduleWindow & { begins_at: number };

export type GuardrailReason = { kind: "curfew" | "blackout"; until: number };

/** The reason; `until` is for people: when the light is expected to go off, or may go on again. */
export type Reason =
  | GuardrailReason
  | { kind: "max_on"; max_on_min: number }
  | { kind: "claim"; claims: Claim[]; until: number }
  | { kind: "manual_on"; until: number }
  | { kind: "pending_off" }
  | { kind: "external"; until: number }
  | { kind: "idle" };

export type ResolvedState = "on" | "off" | "none";

export type Resolved = { state: ResolvedState; reason: Reason; until: number | null; instants: Instants };

/** A device at one instant. `next_start` is its schedules' first start after now; an inactive area has no claims. */
export type Situation = {
  now: number;
  claims: Claim[];
  next_start: number | null;
  instants: Instants;
  guardrails: Guardrails;
};

const MINUTE_MS = 60_000;

/**
 * The desired state of one device at one instant, why, and the instants as they must be stored. `until` (epoch ms) is the
 * next instant at which the answer can change by itself, and so the device's one wake-up; null if only an event can change
 * it. Resolve again after anything that changes the instants.
 */
export function resolve(situation: Situation): Resolved {
  const { now, next_start, guardrails } = situation;
  const isLit = situation.instants.lit_since !== null;

  const guardrail = guardrailAt(guardrails, now);
  if (guardrail) {
    const instants = { ...ours(situation.instants), on_at: null };
    return { state: isLit ? "off" : "none", reason: guardrail, until: guardrail.until, instants };
  }

  const max_ms = guardrails.MAX_ON_DURATION_MIN * MINUTE_MS;
  const claims = situation.claims.filter((claim) => counts(claim, situation.instants));
  const on_at = claims.length === 0 && holds(situation.instants.on_at, now, max_ms) ? situation.instants.on_at : null;
  const isOurs = claims.length > 0 || on_at !== null;
  const instants = { ...(isOurs ? ours(situation.instants) : situation.instants), on_at };
  const isKept = isOurs || instants.lit_by === "external";

  const cut_at = maxOnBound(instants, claims, max_ms);
  const darkens = nextGuardrailStart(guardrails, now);
  if (isKept && cut_at !== null && now >= cut_at) {
    const cut = { ...ours(instants), on_at: null, off_at: now, cut_min: guardrails.MAX_ON_DURATION_MIN };
    const reason = { kind: "max_on" as const, max_on_min: guardrails.MAX_ON_DURATION_MIN };
    return { state: "off", reason, until: earliest(next_start, darkens), instants: cut };
  }
  if (claims.length > 0) {
    const over = Math.max(...claims.map((claim) => claim.end));
    const reason = { kind: "claim" as const, claims, until: earliest(over, cut_at ?? now + max_ms, darkens) ?? over };
    const until = earliest(next_start, cut_at, darkens, ...claims.map((claim) => claim.end));
    return { state: "on", reason, until, instants };
  }
  if (on_at !== null) {
    const over = Math.min(on_at + max_ms, earliest(cut_at, darkens) ?? Infinity);
    return { state: "on", reason: { kind: "manual_on", until: over }, until: earliest(next_start, over), instants };
  }
  if (cut_at === null) return { state: "none", reason: { kind: "idle" }, until: next_start, instants };
  if (instants.lit_by === "us") {
    return { state: "off", reason: { kind: "pending_off" }, until: earliest(next_start, darkens), instants };
  }
  const over = earliest(cut_at, darkens) ?? cut_at;
  return { state: "none", reason: { kind: "external", until: over }, until: earliest(next_start, over), instants };
}

/**
 * A person's ON. If a guardrail refuses it, nothing changes. Otherwise current claims count again, max on restarts, and
 * on_at is stored only if no claim holds the light on.
 */
export function toggleOn(toggle: {
  now: number;
  claims: Claim[];
  instants: Instants;
  guardrails: Guardrails;
}): { refused: GuardrailReason } | { instants: Instants } {
  const refused = guardrailAt(toggle.guardrails, toggle.now);
  if (refused) return { refused };
  const { lit_since } = toggle.instants;
  return {
    instants: {
      off_at: null,
      cut_min: null,
      on_at: toggle.claims.length === 0 ? toggle.now : null,
      lit_since: lit_since === null ? null : toggle.now,
      lit_by: "us",
    },
  };
}

/** A person's OFF. Never refused; an external light is ours to switch off from now on. */
export function toggleOff(toggle: { now: number; instants: Instants }): Instants {
  return { ...ours(toggle.instants), off_at: toggle.now, cut_min: null, on_at: null };
}

/** After an ON was sent: the device counts as lit by us, since the first such ON. */
export function sentOn(instants: Instants, now: number): Instants {
  return { ...instants, lit_since: instants.lit_since ?? now, lit_by: "us" };
}

/** After a reading (verification, status or device report, never the answer to our own OFF). Unknown changes nothing. */
export function sawState(instants: Instants, state: DeviceState, now: number): Instants {
  if (state === "off") return { ...instants, lit_since: null };
  if (state === "on" && instants.lit_since === null) return { ...instants, lit_since: now, lit_by: "external" };
  return instants;
}

/**
 * After a manual ON's last retry failed: ends it, since nobody wants the park lit hours later. An earlier manual ON is
 * restored, unless something else ended it meanwhile.
 */
export function ladderFailed(instants: Instants, on_at_before: number | null): Instants {
  return { ...instants, on_at: instants.on_at === null ? null : on_at_before };
}

/**
 * Resolutions with the same key need no new command: a curfew that becomes a blackout, a max-on cut and the pending OFF
 * after it, an unlit light before and in a curfew.
 */
export function reasonKey(state: ResolvedState, reason: Reason): string {
  switch (reason.kind) {
    case "curfew":
    case "blackout":
      return state === "off" ? "off guardrail" : "none";
    case "max_on":
    case "pending_off":
      return "off pending";
    case "claim":
      return `on ${reason.claims
        .map((claim) => `${claim.schedule_id}@${claim.start}`)
        .toSorted()
        .join(" ")}`;
    case "manual_on":
      return "on manual";
    case "external":
      return "none external";
    case "idle":
      return "none";
    default:
      return assertNever(reason);
  }
}

function ours(instants: Instants): Instants {
  return { ...instants, lit_by: "us" };
}

function counts(claim: Claim, instants: Instants): boolean {
  return claim.begins_at > (instants.off_at ?? -Infinity);
}

function holds(on_at: number | null, now: number, max_ms: number): boolean {
  return now < (on_at ?? -Infinity) + max_ms;
}

/** When a lit device reaches max on (epoch ms); a new booking restarts the count. */
function maxOnBound(instants: Instants, claims: Claim[], max_ms: number): number | null {
  if (instants.lit_since === null) return null;
  return Math.max(instants.lit_since, ...claims.map((claim) => claim.begins_at)) + max_ms;
}
