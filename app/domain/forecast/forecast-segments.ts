import type { Explanation } from "#domain/resolve/explanation";
import type { Step } from "./forecast";
import { maxOnReached, reasonSentence } from "#domain/resolve/reason-sentence";

/** Some time in which a light is to be on, or off, for one reason. Instants are epoch ms. */
export type Segment = {
  from: number;
  to: number;
  state: "on" | "off";
  reason: Explanation["reason"];
  sentence: string;
  /** The schedules that light it; of a dark one, those whose windows run then and do not. */
  schedule_ids: string[];
};

/** The steps up to `to` (epoch ms) as segments without gaps, equal ones joined; `zone` is for the times in sentences. */
export function segmentsOf(steps: Iterable<Step>, to: number, zone: string): Segment[] {
  const segments: Segment[] = [];
  let key = "";
  for (const step of steps) {
    const last = segments.at(-1);
    const next = keyOf(step);
    if (last && next === key) continue;
    if (last) last.to = step.at;
    segments.push({ from: step.at, to, ...wantedOf(step, zone) });
    key = next;
  }
  return segments;
}

/** What is wanted of a light and why, in one sentence. */
export function wantedOf(step: Step, zone: string): Omit<Segment, "from" | "to"> {
  return { state: stateOf(step), reason: reasonOf(step), sentence: sentenceOf(step, zone), schedule_ids: idsOf(step) };
}

/** Steps with the same key want the same, for the same reason, of the same windows. */
export function keyOf(step: Step): string {
  const windows = windowsOf(step).map(({ schedule_id, start, end }) => `${schedule_id}@${start}-${end}`);
  return [stateOf(step), reasonOf(step), ...limitOf(step), ...windows.toSorted()].join(" ");
}

/** When its reason ends. Not max on, which for a dark light would count anew from each step. */
function limitOf({ resolved: { reason, instants } }: Step): (string | number | null)[] {
  if (reason.kind === "closure") return [reason.id, reason.until];
  if (reason.kind === "curfew" || reason.kind === "blackout") return [reason.until];
  return [instants.emergency_until, instants.hold_action, instants.hold_until];
}

/** Until when (epoch ms) windows run that do not light it; null where there are none. */
export function bookedUntil(step: Step): number | null {
  const dark = step.resolved.state === "on" ? [] : windowsOf(step);
  return dark.length === 0 ? null : Math.max(...dark.map(({ end }) => end));
}

/** A light that was switched on by hand stays on, though nothing wants it on. */
function stateOf({ resolved }: Step): "on" | "off" {
  return resolved.state === "on" || resolved.reason.kind === "external" ? "on" : "off";
}

/** A pending OFF counts as done. */
function reasonOf({ resolved }: Step): Segment["reason"] {
  return resolved.reason.kind === "pending_off" ? "idle" : resolved.reason.kind;
}

function windowsOf({ resolved, claims }: Step): Step["claims"] {
  if (resolved.reason.kind === "claim") return resolved.reason.claims;
  return resolved.state === "on" ? [] : claims;
}

function idsOf(step: Step): string[] {
  return [...new Set(windowsOf(step).map(({ schedule_id }) => schedule_id))].toSorted();
}

function sentenceOf(step: Step, zone: string): string {
  const { reason, state } = step.resolved;
  if (reason.kind !== "idle" && reason.kind !== "pending_off") return reasonSentence(state, reason, zone, step.at);
  // Beside a window that runs, 'nothing is scheduled' would be false.
  if (step.claims.length === 0) return reasonSentence("off", { kind: "idle" }, zone, step.at);
  const cut = cutOf(step);
  return `Off: ${cut ? maxOnReached(cut.minutes) : "switched off by a person"}`;
}

/** When (epoch ms) and after how many minutes the longest time on ended what would light it; null where it did not. */
export function cutOf({ resolved: { reason, instants }, claims }: Step): { at: number; minutes: number } | null {
  const { off_at, cut_at, cut_min } = instants;
  const isDark = reason.kind === "max_on" || reason.kind === "idle" || reason.kind === "pending_off";
  if (!isDark || claims.length === 0 || cut_at === null || cut_min === null) return null;
  return cut_at >= (off_at ?? -Infinity) ? { at: cut_at, minutes: cut_min } : null;
}
