import { darkAt } from "#domain/guardrails/device-limits";
import { reasonKey } from "#domain/resolve/reason";
import type { Instants } from "#domain/resolve/instants";
import type { Resolved } from "#domain/resolve/rungs";
import { earliest } from "#domain/earliest";
import { reasonSentence } from "#domain/resolve/reason-sentence";
import type { CommandSource, SwitchAction } from "#domain/enums";
import { entrustedSince, LEFT_TO_AGENT } from "./entrusted";
import { isOnPlan } from "./lamp-on-plan";
import { firstOfSeveral, viewOf } from "./evaluation";
import { evaluateNow } from "./missed-evaluations";
import { noteHold } from "./hold";
import { noteProblem } from "./problem";
import { closeClaims, lastTitle, noteClaims, noteLit, noteMissed } from "./windows";
import { closeIncident } from "#durable/reporting/incidents";
import { noteDesired } from "#durable/reporting/state-log";
import { endKeptUp, startCommand, supersede } from "#durable/commands/command";
import { commandFor } from "#durable/commands/command-table";
import { plan, settingsOf } from "#durable/state/plan";
import type { DeviceRow } from "#durable/state/plan-rows";
import { attempt, type EngineContext } from "#durable/state/context";
import { knownState, noteSent, saveMemory, memoryOf, type DeviceMemory } from "#durable/state/device-memory";
import { dropTimer, putTimer, putTimerIfNone, putTimerNoLater, timerDueAt } from "#durable/state/timers";

/** What beside a changed resolution starts a command. */
export type Trigger = "hub_back" | "address" | "watchdog" | "test_over" | "command_lost" | null;

/** An evaluation that finds nothing to wait for is still repeated, in case a rule changed under it. */
const IDLE_RECONCILE_MS = 24 * 3_600_000;
/** One change of what an agent is to do alone seldom comes alone. */
const CHANGES_SETTLE_MS = 2_000;
/** The key of a light that is lit without a reason, see `reasonKey`. */
const EXTERNAL = "none external";

/**
 * Makes the device's timer and command follow from what is true now: resolves, stores the instants, asks for the next
 * wake-up, and starts, keeps or drops its command. Harmless to repeat. Must run inside a transaction. Never throws: a
 * device that can't be reconciled is a fault of its own timer, `recheck`, and nobody else's trouble.
 */
export function reconcileDevice(context: EngineContext, device_id: string, trigger: Trigger = null): Resolved | null {
  const failed = (error: unknown) => {
    context.log({ level: "error", event: "reconcile.failed", device_id, reason: String(error) });
    putTimerIfNone(context.sql, "recheck", device_id, context.now());
    return null;
  };
  return attempt(context, () => reconcileOrThrow(context, device_id, trigger), failed);
}

/** As reconcileDevice, but throws. */
export function reconcileOrThrow(context: EngineContext, device_id: string, trigger: Trigger = null): Resolved | null {
  const device = plan.device(context.sql, device_id);
  if (!device) return null;
  const now = context.now();
  const view = viewOf(context.sql, device);
  const before = memoryOf(context.sql, device_id);
  const woken_at = timerDueAt(context.sql, "wake", device_id);
  const { claims, next_start, resolved, desired_told } = evaluateNow(context, view, before, now);
  const key = reasonKey(resolved.state, resolved.reason);
  const after: DeviceMemory = {
    ...before,
    ...resolved.instants,
    desired_told,
    asked_at: isToggleOver(before, resolved.instants) ? now : before.asked_at,
    resolved_state: resolved.state,
    resolved_reason: key,
    reconciled_at: now,
  };

  noteMissed(context, view, before.reconciled_at);
  noteClaims(context, after, claims, resolved);
  if (resolved.state === "on" && knownState(after) === "on") noteLit(context, device_id, claims);
  const next_end = closeClaims(context, device, after.off_at);
  // A test's light obeys the limits as any other; what an emergency lights in a dark time may be tested.
  const isForbidden = (darkAt(view.limits, now) !== null && resolved.state !== "on") || !view.isServed;
  const isTestOver = after.test_until !== null && (after.test_until <= now || isForbidden);
  if (isTestOver) after.test_until = null;
  const told = noteDesired(context, after, { at: now, resolved, claims });
  saveMemory(context.sql, told);
  dropTimer(context.sql, "recheck", device_id);
  // The watchdog would find it, too, where it is on; in a large city that takes hours.
  if (before.resolved_reason === EXTERNAL && key !== EXTERNAL) closeIncident(context, `external:${device_id}`);
  const why = before.resolved_reason !== key ? "changed" : isTestOver ? "test_over" : trigger;
  const entrusted = follow(context, device, told, resolved, why);
  // A window that begins under a guardrail, or ends unlit, changes nothing, and has to be recorded all the same.
  wakeAgain(context, told, earliest(resolved.until, next_start, next_end, firstOfSeveral({ resolved, claims })));
  noteProblem(context, device, noteHold(context, told), resolved);
  noteReplanned(context, device, told.desired_told !== before.desired_told, woken_at);
  if (entrusted === null) return resolved;
  // As if it were sent: it may be lit from now on, which the longest time on counts from.
  noteSent(context.sql, device_id, entrusted, now);
  return reconcileOrThrow(context, device_id);
}

function isToggleOver(before: Instants, { hold_until, emergency_until }: Instants): boolean {
  return before.hold_until !== hold_until || before.emergency_until !== emergency_until;
}

/** When the light is looked at next says also when it is cut off, which depends on when it was lit. */
function noteReplanned(context: EngineContext, device: DeviceRow, isOther: boolean, woken_at: number | null): void {
  const { sql, now } = context;
  const agent_id = device.hub_id === null ? null : (plan.hub(sql, device.hub_id)?.agent_id ?? null);
  if (agent_id === null || (!isOther && timerDueAt(sql, "wake", device.id) === woken_at)) return;
  if (!isOnPlan(context, device, agent_id)) putTimerNoLater(sql, "agent_plan", agent_id, now() + CHANGES_SETTLE_MS);
}

/** Answers what an agent that is away is left to do instead of a command of ours. */
function follow(
  context: EngineContext,
  device: DeviceRow,
  memory: DeviceMemory,
  resolved: Resolved,
  trigger: Trigger | "changed",
): SwitchAction | null {
  if (memory.test_until !== null) return null;
  const { device_id } = memory;
  const wanted = resolved.state === "none" ? null : resolved.state;
  if (wanted === "on" && knownState(memory) !== "on" && (trigger === "changed" || trigger === "hub_back"))
    endKeptUp(context, device_id);
  const live = commandFor(context.sql, device_id);
  const { APP_TIMEZONE } = settingsOf(context.sql);
  const sentence = reasonSentence(resolved.state, resolved.reason, APP_TIMEZONE, context.now());
  // An OFF that nothing contradicts is kept: it is never refused and never too late.
  if (live && (live.action === wanted || (wanted === null && live.action === "off"))) return null;
  if (live && wanted === null) {
    supersede(context, device_id, `no longer wanted: ${sentence}`);
    return null;
  }
  if (wanted === null || (!live && (trigger === null || knownState(memory) === wanted))) return null;
  if (entrustedSince(context, device, wanted) !== null) {
    if (live) supersede(context, device_id, LEFT_TO_AGENT);
    return live || trigger === "changed" ? wanted : null;
  }
  const source: CommandSource = trigger === "watchdog" ? "watchdog" : "scheduler";
  const schedule_title =
    resolved.reason.kind === "claim"
      ? (resolved.reason.claims[0]?.title ?? null)
      : lastTitle(context, device_id, memory.lit_since);
  startCommand(context, device_id, { action: wanted, source, reason: sentence, schedule_title });
  context.startRunners();
  return null;
}

function wakeAgain(context: EngineContext, memory: DeviceMemory, until: number | null): void {
  const next = earliest(until, memory.test_until);
  if (next !== null) putTimer(context.sql, "wake", memory.device_id, next);
  else if (memory.lit_since !== null)
    putTimer(context.sql, "wake", memory.device_id, context.now() + IDLE_RECONCILE_MS);
  else dropTimer(context.sql, "wake", memory.device_id);
}
