import { assertNever } from "#domain/assert-never";
import type { DarkReason } from "#domain/guardrails/device-limits";
import type { Occurrence } from "#domain/schedule/schedule";

/** A schedule's one window. */
export type ScheduleWindow = Occurrence & { schedule_id: string; title: string };

/** A window that holds the device on now: start <= now < end. It counts from `begins_at`, see `claimsAt`. */
export type Claim = ScheduleWindow & { begins_at: number };

/** The reason; `until` is for people: when the light is expected to go off, or may go on again. */
export type Reason =
  | { kind: "emergency"; until: number }
  | DarkReason
  | { kind: "hold_off"; until: number }
  | { kind: "max_on"; max_on_min: number }
  | { kind: "claim"; claims: Claim[]; until: number }
  | { kind: "hold_on"; until: number }
  | { kind: "manual_on"; until: number }
  | { kind: "pending_off" }
  | { kind: "external"; until: number }
  | { kind: "idle" };

export type ResolvedState = "on" | "off" | "none";

/** Whether the reason is one that makes dark whatever is booked or asked by a person. */
export function isDark(reason: Reason): reason is DarkReason {
  return reason.kind === "curfew" || reason.kind === "blackout" || reason.kind === "closure";
}

/**
 * Resolutions with the same key need no new command: a curfew that becomes a blackout, a max-on cut and the pending OFF
 * after it, an unlit light before and in a curfew.
 */
export function reasonKey(state: ResolvedState, reason: Reason): string {
  switch (reason.kind) {
    case "emergency":
      return "on emergency";
    case "curfew":
    case "blackout":
    case "closure":
      return state === "off" ? "off guardrail" : "none";
    case "hold_off":
      return state === "off" ? "off hold" : "none";
    case "max_on":
    case "pending_off":
      return "off pending";
    case "claim":
      return `on ${reason.claims
        .map((claim) => `${claim.schedule_id}@${claim.start}`)
        .toSorted()
        .join(" ")}`;
    case "hold_on":
      return "on hold";
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
