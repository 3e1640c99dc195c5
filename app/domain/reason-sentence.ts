import { assertNever } from "./assert-never";
import type { Claim, GuardrailReason, Reason, ResolvedState } from "./desired-state";
import { formatClock } from "./display";

/** Why the engine wants a light on or off, as its events note it: 'On until 10:00 PM: Little League practice'. */
export function reasonSentence(state: ResolvedState, reason: Reason, zone: string): string {
  const word = state === "on" ? "On" : "Off";
  switch (reason.kind) {
    case "curfew":
    case "blackout":
      return `${word}: ${reason.kind} until ${formatClock(reason.until, zone)}`;
    case "max_on":
      return `${word}: ${maxOnReached(reason.max_on_min)}`;
    case "claim":
      return `${word} until ${formatClock(reason.until, zone)}: ${titlesOf(reason.claims)}`;
    case "manual_on":
      return `${word} until ${formatClock(reason.until, zone)}: switched on by a person`;
    case "external":
      return `Switched on at the lamp; off at ${formatClock(reason.until, zone)} at the latest`;
    case "idle":
      return `${word}: nothing is scheduled`;
    case "pending_off":
      return `${word}: no schedule is running`;
    default:
      return assertNever(reason);
  }
}

/** Why an ON was refused: 'Lights may not go on during the blackout, until 5:00 AM'. */
export function refusalSentence(refused: GuardrailReason, zone: string): string {
  return `Lights may not go on during the ${refused.kind}, until ${formatClock(refused.until, zone)}`;
}

/** What ended a light's time on: '240 minutes reached'. */
export function maxOnReached(max_on_min: number): string {
  return max_on_min === 1 ? "1 minute reached" : `${max_on_min} minutes reached`;
}

/** The titles of the windows that hold a light, each once: 'Little League, Finals'. */
export function titlesOf(claims: Pick<Claim, "title">[]): string {
  return [...new Set(claims.map((claim) => claim.title))].join(", ");
}
