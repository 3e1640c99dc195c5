import { counted } from "#domain/counted";
import { assertNever } from "#domain/assert-never";
import type { Claim, Reason, ResolvedState } from "./reason";
import type { ClosureReason, DarkReason, GuardrailReason } from "#domain/guardrails/device-limits";
import { isEndless } from "#domain/guardrails/guardrail";
import { formatClock, formatDated } from "#domain/time/display";
import { DAY_MS } from "#domain/time/units";

/** Why the engine wants a light on or off at an instant (epoch ms), as its events note it: 'On until 10:00 PM: Little League'. */
export function reasonSentence(state: ResolvedState, reason: Reason, zone: string, now: number): string {
  const word = state === "on" ? "On" : "Off";
  switch (reason.kind) {
    case "emergency":
      return `${word} until ${formatClock(reason.until, zone)}: emergency`;
    case "curfew":
    case "blackout":
      return `${word}: ${guardrailWords(reason, now, (at) => endWords(at, zone, now))}`;
    case "closure":
      return `${word}: ${closedWords(reason, (at) => formatDated(at, zone, now))}`;
    case "hold_off":
      return `${word} until ${formatClock(reason.until, zone)}: switched off by a person`;
    case "max_on":
      return `${word}: ${maxOnReached(reason.max_on_min)}`;
    case "claim":
      return `${word} until ${formatClock(reason.until, zone)}: ${titlesOf(reason.claims)}`;
    case "hold_on":
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

/** Why an ON is refused at an instant (epoch ms): 'Lights may not go on during the blackout, until 5:00 AM'. */
export function refusalSentence(refused: DarkReason, zone: string, now: number): string {
  if (refused.kind === "closure") {
    return `Lights may not go on, ${closedWords(refused, (at) => formatDated(at, zone, now))}`;
  }
  if (isEndless(refused, now)) return `Lights may not go on: ${refused.kind} at all hours`;
  return `Lights may not go on during the ${refused.kind}, until ${endWords(refused.until, zone, now)}`;
}

/** '5:00 AM'; with its day where that is further ahead than the next one of that time, as a permit in all-day dark may be. */
function endWords(at: number, zone: string, now: number): string {
  return at - now > DAY_MS ? formatDated(at, zone, now) : formatClock(at, zone);
}

/** 'curfew until 5:00 AM', or 'curfew at all hours' where it goes on then. */
export function guardrailWords(reason: GuardrailReason, now: number, moment: (at: number) => string): string {
  return `${reason.kind} ${isEndless(reason, now) ? "at all hours" : `until ${moment(reason.until)}`}`;
}

/** 'closed until Nov 27, 6:00 AM: wet ground', or 'closed: wet ground' where nobody has said until when. */
export function closedWords({ reason, until }: ClosureReason, moment: (at: number) => string): string {
  return until === null ? closedFor(reason) : `closed until ${moment(until)}: ${reason}`;
}

/** 'closed: wet ground'. */
export function closedFor(reason: string): string {
  return `closed: ${reason}`;
}

/** What ended a light's time on: '240 minutes reached'. */
export function maxOnReached(max_on_min: number): string {
  return `${counted(max_on_min, "minute")} reached`;
}

/** The titles of the windows that hold a light, each once: 'Little League, Finals'. */
export function titlesOf(claims: Pick<Claim, "title">[]): string {
  return [...new Set(claims.map((claim) => claim.title))].join(", ");
}
