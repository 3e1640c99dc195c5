import type { Planned } from "#domain/resolve/claims";
import { resolve } from "#domain/resolve/desired-state";
import { sawState, sentOn, type Instants } from "#domain/resolve/instants";
import { isDark, type Claim } from "#domain/resolve/reason";
import type { Resolved } from "#domain/resolve/rungs";
import { earliest } from "#domain/earliest";
import { asAsked, expanded, type Windows } from "./forecast-windows";
import type { Occurrence } from "#domain/schedule/schedule";
import type { Limits } from "#domain/guardrails/device-limits";

/** The inputs of resolve: a device's open schedules, its instants and what limits it. */
export type Outlook = { schedules: readonly Planned[]; instants: Instants; limits: Limits };

/**
 * A device's desired state from an instant (epoch ms) on. `claims` are the windows that run then, also those that do not
 * light it: an OFF, a limit or a guardrail keeps them dark.
 */
export type Step = { at: number; resolved: Resolved; claims: Claim[] };

/** How far to look for the next flip: enough for a fortnight of nights without light. */
const MOST_STEPS = 100;

/**
 * The next instant at which a device's desired state changes between on and off by itself, and the reason then (`flip`). Null
 * if it never changes, or not within a hundred steps; what keeps it dark for a season is one. The steps before it say why
 * the light is on (or dark) until then: the last may be a booking that has begun meanwhile.
 */
export function upToFlip(
  { schedules, ...light }: Outlook,
  now: number,
): { steps: Step[]; last: Step; flip: Step } | null {
  const steps: Step[] = [];
  for (const step of walk(light, asAsked(schedules), now, Infinity, afterTheDark)) {
    const last = steps.at(-1);
    if (last && (step.resolved.state === "on") !== (last.resolved.state === "on")) return { steps, last, flip: step };
    steps.push(step);
    if (steps.length > MOST_STEPS) return null;
  }
  return null;
}

/**
 * What a device is going to do from `from` up to `to` (epoch ms), step by step. The lamp is ideal: what is owed is done at
 * once, one that a hand lit stays on until its limit, and no ON waits for another light or for a lamp to cool. `expand`
 * answers a schedule's occurrences that overlap the span, for callers who know them already.
 */
export function foresee(
  { schedules, ...light }: Outlook,
  from: number,
  to: number,
  expand?: (schedule: Planned) => Occurrence[],
): Generator<Step> {
  return walk(light, expanded(schedules, from, to, expand), from, to);
}

type Light = Omit<Outlook, "schedules">;

/** Follows `resolve` from each instant at which the answer, or what is booked, can change to the next. */
function* walk(light: Light, windows: Windows, from: number, to: number, nextOf = nextChange): Generator<Step> {
  let { instants } = light;
  for (let at: number | null = from; at !== null && at < to;) {
    const step: Step & { instants: Instants } = stepAt({ ...light, instants }, windows, at);
    yield step;
    instants = step.instants;
    const next = nextOf(step, windows);
    if (next !== null && next <= at) throw new Error("a light wants to be woken for the past");
    at = next;
  }
}

function nextChange({ at, resolved, claims }: Step, windows: Windows): number | null {
  return earliest(resolved.until, windows.nextStart(at), ...claims.map(({ end }) => end));
}

/** The same for a caller that only asks when light comes: what makes dark does so until it ends, whatever is booked. */
function afterTheDark(step: Step, windows: Windows): number | null {
  const { reason } = step.resolved;
  return isDark(reason) ? reason.until : nextChange(step, windows);
}

function stepAt({ instants: before, limits }: Light, windows: Windows, now: number): Step & { instants: Instants } {
  const claims = windows.at(now);
  const situation = { now, claims, next_start: windows.nextStart(now), limits };
  const resolved = resolve({ ...situation, instants: before });
  const step = { at: now, resolved, claims };
  if (resolved.state === "none") return { ...step, instants: resolved.instants };
  const obeyed = resolved.state === "on" ? sentOn(resolved.instants, now) : sawState(resolved.instants, "off", now);
  if (resolved.state === "on") return { ...step, instants: obeyed };
  // Once the light is off, fewer things can change the answer than while it is still to go off.
  const after = resolve({ ...situation, instants: obeyed });
  return { ...step, resolved: { ...resolved, until: after.until }, instants: after.instants };
}
