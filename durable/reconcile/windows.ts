import type { Claim, ScheduleWindow } from "#domain/resolve/reason";
import type { Resolved } from "#domain/resolve/rungs";
import { beginsAt } from "#domain/resolve/claims";
import { earliest } from "#domain/earliest";
import { occurrenceOn, occurrences } from "#domain/schedule/recurrence";
import { commandFor } from "#durable/commands/command-table";
import { plan } from "#durable/state/plan";
import type { DeviceRow } from "#durable/state/plan-rows";
import type { EngineContext } from "#durable/state/context";
import { claimAt, claimsOf, forgetClaimsBefore, putClaim, type RememberedClaim } from "#durable/state/claims";
import { memoryOf, type DeviceMemory } from "#durable/state/device-memory";
import { clockWasAt } from "#durable/state/set-back";
import { cutNote, darkNote, recordSkipped } from "./window-records";
import { recordAwaitedUntil } from "./entrusted";
import { plannedFor } from "./planned-for";
import { plannedSince, type Evaluation, type View } from "./evaluation";

/** How long a claim is remembered after its end; longer than any window. */
export const CLAIMS_KEPT_MS = 2 * 86_400_000;

/**
 * Remembers the claims of this evaluation, and records once each one that a guardrail, or the longest time a light may be on,
 * cuts short. A closure cuts one that is lit; of one that it keeps dark there is a record at its end only, since it may be
 * reopened before. `memory` is the device's after this evaluation.
 */
export function noteClaims(context: EngineContext, memory: DeviceMemory, claims: Claim[], resolved: Resolved): void {
  const { device_id } = memory;
  const note = darkNote(context, memory, resolved);
  const isCut = cuts(resolved);
  for (const claim of claims) {
    const { outcome = null } = rememberedOf(context, device_id, claim) ?? {};
    putClaim(context.sql, device_id, { ...claim, outcome: isCut ? "cut" : outcome, note });
    if (isCut && outcome !== "cut") recordSkipped(context, device_id, claim, "cut", cutNote(context, resolved, claim));
  }
  forgetClaimsBefore(context.sql, device_id, context.now() - CLAIMS_KEPT_MS);
}

/**
 * Records what an evaluation that nobody made would have cut short: of the windows that were seen before, or still run. Of those
 * that began and ended in the meantime it is said that they were missed.
 */
export function noteMissedCuts(context: EngineContext, memory: DeviceMemory, { claims, resolved }: Evaluation): void {
  if (!cuts(resolved)) return;
  const cut = claims.filter((claim) => {
    const outcome = outcomeOf(context, memory.device_id, claim);
    return outcome === undefined ? claim.end > context.now() : outcome !== "missed" && outcome !== "skipped";
  });
  noteClaims(context, memory, cut, resolved);
}

function cuts({ state, reason }: Resolved): boolean {
  if (reason.kind === "closure") return state === "off";
  return reason.kind === "curfew" || reason.kind === "blackout" || reason.kind === "max_on";
}

/** Undefined where no evaluation has seen the window; null where it has no record yet. */
function outcomeOf(context: EngineContext, device_id: string, claim: Claim): string | null | undefined {
  return rememberedOf(context, device_id, claim)?.outcome;
}

/** What is remembered of the window; nothing of one that was over before its night was moved to later on the same day. */
function rememberedOf({ sql }: EngineContext, device_id: string, window: ScheduleWindow): RememberedClaim | null {
  const known = claimAt(sql, device_id, window);
  return known && known.end > window.start ? known : null;
}

/**
 * Records once, as missed, each occurrence that lay wholly between the last evaluation (epoch ms) and this one, and that no
 * evaluation saw: nothing ran then. What began before it was planned so was not missed, only planned late. Where the clock was
 * set back and is beyond that again, nobody knows what became of those that had ended by then.
 */
export function noteMissed(context: EngineContext, view: View, reconciled_at: number | null): void {
  if (reconciled_at === null) return;
  const { device } = view;
  const now = context.now();
  const was_at = clockWasAt(context.sql);
  for (const schedule of view.schedules) {
    const since = Math.max(reconciled_at, plannedSince(view, schedule));
    for (const o of occurrences(schedule, since, now)) {
      const claim = { ...o, schedule_id: schedule.id, title: schedule.title };
      if (o.start <= since || o.end > now) continue;
      if (o.end <= was_at && was_at <= now) continue;
      const isAwaited = recordAwaitedUntil(context, device, o) > now;
      if (!noteUnseen(context, device.id, claim, isAwaited ? null : "missed") || isAwaited) continue;
      recordSkipped(context, device.id, claim, "missed", `${claim.title} · missed: nothing ran at the time`);
    }
  }
}

/** Whether this is the first that is heard of a window that is over. */
function noteUnseen(
  context: EngineContext,
  device_id: string,
  claim: ScheduleWindow,
  outcome: "missed" | null,
): boolean {
  if (rememberedOf(context, device_id, claim)) return false;
  putClaim(context.sql, device_id, { ...claim, outcome, note: null });
  return true;
}

/**
 * The light is on in the claims' windows, as they want it, and nothing is under way for it: that is their record. What
 * is under way has a record of its own to come, or, superseded, none.
 */
export function noteLit(context: EngineContext, device_id: string, claims: Claim[]): void {
  if (commandFor(context.sql, device_id)) return;
  for (const claim of claims) setOutcome(context, device_id, claim, "ok");
}

/**
 * An ON was verified, or failed for good: that event is the record of every claim that wanted it, also of one that ended a
 * moment ago and was not looked at since.
 */
export function noteEnd(context: EngineContext, device_id: string, outcome: "ok" | "fail"): void {
  const { off_at } = memoryOf(context.sql, device_id);
  const begun = openClaims(context, device_id).filter(({ start }) => start <= context.now());
  for (const claim of begun)
    if (!isEndedBy(context, device_id, claim, off_at)) setOutcome(context, device_id, claim, outcome);
}

/** The device's agent lit it alone at an instant (epoch ms): that is the record of the claims that wanted it then. */
export function noteLitAlone(context: EngineContext, device_id: string, at: number): void {
  const lit = openClaims(context, device_id).filter(({ start, end }) => start <= at && at < end);
  for (const claim of lit) setOutcome(context, device_id, claim, "ok");
}

/** Whether an OFF came after the window had begun, and so ended it. */
function isEndedBy(
  { sql }: EngineContext,
  device_id: string,
  { schedule_id, start }: { schedule_id: string; start: number },
  off_at: number | null,
): boolean {
  if (off_at === null) return false;
  const device = plan.device(sql, device_id);
  const schedule = device && plannedFor(sql, device).find(({ id }) => id === schedule_id);
  return off_at >= (schedule ? beginsAt(schedule, start) : start);
}

/**
 * Records, as skipped, each claim that is over and never had another record, so that every occurrence ends in exactly
 * one. What was canceled or moved meanwhile is not an occurrence any more. Answers when the next one without a record ends
 * (epoch ms), so that somebody is there.
 */
export function closeClaims(context: EngineContext, device: DeviceRow, off_at: number | null): number | null {
  const closesAt = (claim: RememberedClaim) => recordAwaitedUntil(context, device, claim);
  const over = openClaims(context, device.id).filter((claim) => closesAt(claim) <= context.now());
  for (const known of over) {
    const schedule = plannedFor(context.sql, device).find(({ id }) => id === known.schedule_id);
    const night = schedule?.status === "scheduled" ? occurrenceOn(schedule, known.date) : null;
    const claim = { ...known, ...night, title: schedule?.title ?? "" };
    // Its night was moved to later, and is not over yet.
    if (claim.end > context.now()) putClaim(context.sql, device.id, claim);
    else setOutcome(context, device.id, claim, "skipped");
    if (night === null || claim.end > context.now()) continue;
    const { note } = known;
    // A record may be awaited for days, and somebody switch the light off meanwhile.
    const isByHand = off_at !== null && off_at < claim.end && isEndedBy(context, device.id, claim, off_at);
    const why = isByHand ? "skipped: switched off by hand" : (note ?? "skipped: never confirmed in its window");
    recordSkipped(context, device.id, claim, isByHand || note === null ? "skipped" : "cut", `${claim.title} · ${why}`);
  }
  return earliest(...openClaims(context, device.id).map(closesAt));
}

/** The claims that have no record yet, by their end. */
function openClaims({ sql }: EngineContext, device_id: string): RememberedClaim[] {
  return claimsOf(sql, device_id)
    .filter(({ outcome }) => outcome === null)
    .toSorted((a, b) => a.end - b.end);
}

/**
 * The title of the window that the light was last lit in, for the OFF that ends it; null where it was lit without one.
 * `lit_since` is epoch ms.
 */
export function lastTitle({ sql, now }: EngineContext, device_id: string, lit_since: number | null): string | null {
  if (lit_since === null) return null;
  const claim = claimsOf(sql, device_id)
    .filter(({ start, end }) => start <= now() && end > lit_since)
    .toSorted((a, b) => a.end - b.end)
    .at(-1);
  return claim ? (plan.schedule(sql, claim.schedule_id)?.title ?? null) : null;
}

/** A record is the last word on a claim. */
function setOutcome(
  { sql }: EngineContext,
  device_id: string,
  claim: Pick<RememberedClaim, "schedule_id" | "date">,
  outcome: string,
): void {
  const known = claimAt(sql, device_id, claim);
  if (known?.outcome === null) putClaim(sql, device_id, { ...known, outcome });
}
