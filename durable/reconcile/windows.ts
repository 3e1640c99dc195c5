import type { Claim, ScheduleWindow } from "#domain/reason";
import type { Resolved } from "#domain/rungs";
import { beginsAt } from "#domain/claims";
import { earliest } from "#domain/earliest";
import { reasonSentence } from "#domain/reason-sentence";
import { occurrences } from "#domain/recurrence";
import { commandFor } from "#durable/commands/command";
import { plan, settingsOf, type DeviceRow } from "#durable/state/plan";
import { recordEvent } from "#durable/reporting/events";
import type { EngineContext } from "#durable/state/context";
import { claimAt, claimsOf, forgetClaimsBefore, putClaim, type RememberedClaim } from "#durable/state/claims";
import { memoryOf } from "#durable/state/device-memory";
import { plannedFor } from "./planned-for";
import { plannedSince, type Look, type View } from "./look";

/** How long a claim is remembered after its end; longer than any window. */
export const CLAIMS_KEPT_MS = 2 * 86_400_000;

/**
 * Remembers the claims of this look, and records once each one that a guardrail, or the longest time a light may be on,
 * cuts short.
 */
export function noteClaims(context: EngineContext, device: DeviceRow, claims: Claim[], resolved: Resolved): void {
  for (const claim of claims) {
    const { outcome = null } = claimAt(context.sql, device.id, claim) ?? {};
    putClaim(context.sql, device.id, { ...claim, outcome: isCut(resolved) ? "cut" : outcome, note: null });
    if (isCut(resolved) && outcome !== "cut")
      recordSkipped(context, device, claim, "cut", cutSentence(context, resolved, claim));
  }
  forgetClaimsBefore(context.sql, device.id, context.now() - CLAIMS_KEPT_MS);
}

/**
 * Records what a look that nobody made would have cut short: of the windows that were seen before, or still run. Of those
 * that began and ended in the meantime it is said that they were missed.
 */
export function noteMissedCuts(context: EngineContext, device: DeviceRow, { claims, resolved }: Look): void {
  if (!isCut(resolved)) return;
  const cut = claims.filter((claim) => {
    const outcome = outcomeOf(context, device.id, claim);
    return outcome === undefined ? claim.end > context.now() : outcome !== "missed" && outcome !== "skipped";
  });
  noteClaims(context, device, cut, resolved);
}

function isCut({ reason }: Resolved): boolean {
  return reason.kind === "curfew" || reason.kind === "blackout" || reason.kind === "max_on";
}

/** Undefined where no look has seen the window; null where it has no record yet. */
function outcomeOf(context: EngineContext, device_id: string, claim: Claim): string | null | undefined {
  return claimAt(context.sql, device_id, claim)?.outcome;
}

/**
 * Records once, as missed, each occurrence that lay wholly between the last look (epoch ms) and this one, and that no
 * look saw: nothing ran then. What began before it was planned so was not missed, only planned late.
 */
export function noteMissed(context: EngineContext, view: View, reconciled_at: number | null): void {
  if (reconciled_at === null) return;
  const { device } = view;
  const now = context.now();
  for (const schedule of view.schedules) {
    const since = Math.max(reconciled_at, plannedSince(view, schedule));
    for (const o of occurrences(schedule, since, now)) {
      if (o.start <= since || o.end > now || !noteUnseen(context, device.id, schedule.id, o)) continue;
      const claim = { ...o, schedule_id: schedule.id, title: schedule.title };
      recordSkipped(context, device, claim, "missed", `${claim.title} · missed: nothing ran at the time`);
    }
  }
}

/** Whether this is the first that is heard of a window that is over. */
function noteUnseen(
  context: EngineContext,
  device_id: string,
  schedule_id: string,
  { start, end }: { start: number; end: number },
): boolean {
  if (claimAt(context.sql, device_id, { schedule_id, start })) return false;
  putClaim(context.sql, device_id, { schedule_id, start, end, outcome: "missed", note: null });
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
  for (const claim of begun) if (!isEndedBy(context, claim, off_at)) setOutcome(context, device_id, claim, outcome);
}

/** Whether an OFF came after the window had begun, and so ended it. */
function isEndedBy(
  context: EngineContext,
  { schedule_id, start }: { schedule_id: string; start: number },
  off_at: number | null,
): boolean {
  if (off_at === null) return false;
  const schedule = plan.schedule(context.sql, schedule_id);
  return off_at >= (schedule ? beginsAt(schedule, start) : start);
}

/**
 * Records, as skipped, each claim that is over and never had another record, so that every occurrence ends in exactly
 * one. What was canceled or moved meanwhile is not an occurrence any more. Answers when the next one without a record ends
 * (epoch ms), so that somebody is there.
 */
export function closeClaims(context: EngineContext, device: DeviceRow, off_at: number | null): number | null {
  const over = openClaims(context, device.id).filter(({ end }) => end <= context.now());
  for (const { schedule_id, start, end } of over) {
    const schedule = plannedFor(context.sql, device).find(({ id }) => id === schedule_id);
    const stands =
      schedule?.status === "scheduled" && occurrences(schedule, start, start + 1).some((o) => o.start === start);
    const claim = { schedule_id, start, end, title: schedule?.title ?? "" };
    setOutcome(context, device.id, claim, "skipped");
    if (!stands) continue;
    const why = isEndedBy(context, claim, off_at) ? "switched off by hand" : "never confirmed in its window";
    recordSkipped(context, device, claim, "skipped", `${claim.title} · skipped: ${why}`);
  }
  return earliest(...openClaims(context, device.id).map(({ end }) => end));
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
  claim: { schedule_id: string; start: number },
  outcome: string,
): void {
  const known = claimAt(sql, device_id, claim);
  if (known?.outcome === null) putClaim(sql, device_id, { ...known, outcome });
}

function cutSentence(context: EngineContext, resolved: Resolved, claim: ScheduleWindow): string {
  const { APP_TIMEZONE } = settingsOf(context.sql);
  return `cut short: ${claim.title} · ${reasonSentence(resolved.state, resolved.reason, APP_TIMEZONE)}`;
}

/** Attempts 0: nothing was sent, and nobody is notified. A window that moved to another light is recorded for each. */
function recordSkipped(
  context: EngineContext,
  device: DeviceRow,
  claim: Pick<ScheduleWindow, "schedule_id" | "start">,
  what: "cut" | "missed" | "skipped",
  note: string,
): void {
  recordEvent(context, `${what}:${claim.schedule_id}:${claim.start}:${device.id}`, {
    device_id: device.id,
    device_name: device.name,
    dept_id: device.dept_id,
    source: "scheduler",
    action: "on",
    result: "fail",
    attempts: 0,
    note,
    cause: what,
  });
}
