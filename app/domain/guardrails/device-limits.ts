import { earliest } from "#domain/earliest";
import { guardrailAt, nextGuardrailStart } from "./guardrail";
import type { Guardrails, Span } from "#domain/schedule/schedule";

/** A place that is closed; `end` is Infinity until somebody says when it is reopened. */
export type Closure = Span & { id: string; reason: string };

/** What limits one device: its policy's guardrails, and the permits and closures that name it or its place. */
export type Limits = {
  guardrails: Guardrails;
  /** The organization's longest time on, for what would have no end where the device's own is 0. */
  organization_max_on_min: number;
  /** While one runs, neither the dark time nor the longest time on bites. */
  permits: readonly Span[];
  closures: readonly Closure[];
};

export type GuardrailReason = { kind: "curfew" | "blackout"; until: number };

/** `until` is null while nobody has said when it is reopened. */
export type ClosureReason = { kind: "closure"; id: string; reason: string; until: number | null };

/** Why a light may not be on. */
export type DarkReason = GuardrailReason | ClosureReason;

/** What keeps the device dark now (epoch ms). Of several it is the one that ends last; null where it may be lit. */
export function darkAt(limits: Limits, now: number): DarkReason | null {
  const guardrail = guardrailNow(limits, now);
  const closure = closureAt(limits, now);
  if (guardrail === null || closure === null) return guardrail ?? closure;
  return (closure.until ?? Infinity) > guardrail.until ? closure : guardrail;
}

/** The closure in force (epoch ms), of several the one that ends last; null where there is none. */
export function closureAt({ closures }: Pick<Limits, "closures">, now: number): ClosureReason | null {
  let last: ClosureReason | null = null;
  for (const { start, end, id, reason } of closures) {
    const isLast = last === null || end > (last.until ?? Infinity);
    if (start <= now && now < end && isLast) {
      last = { kind: "closure", id, reason, until: end === Infinity ? null : end };
    }
  }
  return last;
}

/** When the device is next made dark after now (epoch ms), also by what begins while something else keeps it dark. */
export function nextDark(limits: Limits, now: number): number | null {
  const closed = limits.closures.map(({ start }) => start).filter((start) => start > now);
  return earliest(nextGuardrail(limits, now), ...closed);
}

/** The first instant (epoch ms) from `at` on that no permit covers. */
export function afterPermits({ permits }: Pick<Limits, "permits">, at: number): number {
  const permit = permits.find((span) => isWithin(span, at));
  return permit === undefined ? at : afterPermits({ permits }, permit.end);
}

/** The guardrail in force, until it ends or a permit lifts it. */
function guardrailNow(limits: Limits, now: number): GuardrailReason | null {
  const { guardrails, permits } = limits;
  const guardrail = guardrailAt(guardrails, now);
  if (guardrail === null || isPermitted(limits, now)) return null;
  const lifted = permits.map(({ start }) => start).filter((start) => start > now);
  return { ...guardrail, until: Math.min(guardrail.until, ...lifted) };
}

/** The next start of a guardrail that no permit covers, or the end of a permit within one. */
function nextGuardrail(limits: Limits, now: number): number | null {
  const { guardrails, permits } = limits;
  const resumed = permits
    .map(({ end }) => end)
    .filter((end) => end > now && !isPermitted(limits, end) && guardrailAt(guardrails, end) !== null);
  let start = nextGuardrailStart(guardrails, now);
  while (start !== null && isPermitted(limits, start)) start = nextGuardrailStart(guardrails, start);
  return earliest(start, ...resumed);
}

function isPermitted({ permits }: Pick<Limits, "permits">, at: number): boolean {
  return permits.some((permit) => isWithin(permit, at));
}

function isWithin({ start, end }: Span, at: number): boolean {
  return start <= at && at < end;
}
