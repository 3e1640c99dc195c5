import { darkAt, nextDark, type Limits } from "#domain/guardrails/device-limits";
import { earliest } from "#domain/earliest";
import { foresee, type Outlook, type Step } from "#domain/forecast/forecast";
import type { Planned } from "#domain/resolve/claims";
import type { Instants } from "#domain/resolve/instants";
import { reasonKey } from "#domain/resolve/reason";
import type { Occurrence } from "#domain/schedule/schedule";
import type { PlannedLamp } from "./standing-plan";
import { MINUTE_MS } from "#domain/time/units";

type TimeSpan = PlannedLamp["on"][number];

/** When a lamp is on and when it must be dark, in order; `on` and `dark` never overlap. */
export type LampSpans = Pick<PlannedLamp, "on" | "dark" | "max_on_ms">;

/**
 * What a lamp is to do from `from` up to `to` (epoch ms), as spans that need no rule and no zone. A new span begins in
 * `on` wherever the scheduler would send another ON, so that spans may touch. A light that a hand lit is not in `on`: nobody wants it.
 * `expand` as in `foresee`.
 */
export function lampSpans(
  outlook: Outlook,
  from: number,
  to: number,
  expand?: (schedule: Planned) => Occurrence[],
): LampSpans {
  const on = onSpans(foresee(outlook, from, to, expand), to);
  return { on, dark: darkSpans(outlook, from, to), max_on_ms: longestOn(outlook.limits, on) };
}

function onSpans(steps: Iterable<Step>, to: number): TimeSpan[] {
  const spans: TimeSpan[] = [];
  let key = "";
  for (const { at, resolved } of steps) {
    const next = reasonKey(resolved.state, resolved.reason);
    if (next === key) continue;
    const last = spans.at(-1);
    if (last && last[1] === to) last[1] = at;
    if (resolved.state === "on") spans.push([at, to]);
    key = next;
  }
  return spans;
}

/** Curfew, blackout, closure, and a person's OFF with an end; what an emergency lights is not dark. */
function darkSpans({ limits, instants }: Outlook, from: number, to: number): TimeSpan[] {
  const begin = Math.max(from, instants.emergency_until ?? from);
  const spans: TimeSpan[] = [];
  for (let at = begin; at < to;) {
    const end = darkUntil(limits, instants, at);
    if (end === null) {
      at = nextDark(limits, at) ?? to;
      continue;
    }
    const last = spans.at(-1);
    if (last && last[1] === at) last[1] = Math.min(end, to);
    else spans.push([at, Math.min(end, to)]);
    at = end;
  }
  return spans;
}

function darkUntil(limits: Limits, { hold_action, hold_until }: Instants, at: number): number | null {
  const dark = darkAt(limits, at);
  const limited = dark && (dark.until ?? Infinity);
  const held = hold_action === "off" && hold_until !== null && hold_until > at ? hold_until : null;
  return limited === null ? held : Math.max(limited, held ?? -Infinity);
}

/** The rules' longest time on; a permit or an emergency that lifts it is in the spans, and so in the longest of them. */
function longestOn({ guardrails, organization_max_on_min }: Limits, on: TimeSpan[]): number | null {
  const limit_ms = (guardrails.MAX_ON_DURATION_MIN || organization_max_on_min) * MINUTE_MS;
  if (limit_ms === 0) return null;
  return Math.max(limit_ms, ...on.map(([from, to]) => to - from));
}

/** The end of the stretch that is lit at `at`, over spans that touch; null where it is not (epoch ms). */
export function litUntil({ on, dark }: Pick<PlannedLamp, "on" | "dark">, at: number): number | null {
  let end: number | null = null;
  for (const [from, to] of on) {
    if (from > (end ?? at)) break;
    if (to > at) end = Math.max(end ?? to, to);
  }
  if (end === null || dark.some((span) => isIn(span, at))) return null;
  return earliest(end, ...dark.map(([from]) => from).filter((from) => from > at));
}

/** Whether an instant lies in a span; its end does not. */
export function isIn([from, to]: TimeSpan, at: number): boolean {
  return from <= at && at < to;
}
