import type { DeviceState, SchedulerResult } from "#domain/enums";
import { addressOf } from "#durable/state/addresses";
import { plan } from "#durable/state/plan";
import type { Address } from "#durable/providers/provider";
import { namesOf, recordAttempt, type Names } from "#durable/reporting/events";
import { nextSeq } from "#durable/state/meta";
import type { EngineContext } from "#durable/state/context";
import { count } from "#durable/state/tally";
import { commandFor, deviceTarget, endCommand, queueOf, saveCommand, type Command, type Target } from "./command-table";

const NEWER_TOGGLE = "replaced by a newer press";

/**
 * Makes `action` the device's one live command; what it supersedes is recorded with the reason. Answers the command,
 * which the pump sends, or null where the plan does not know the device. Must run inside a transaction.
 */
export function startCommand(
  context: EngineContext,
  device_id: string,
  intent: Pick<Command, "action" | "source" | "reason"> & {
    schedule_title?: string | null;
    on_at_before?: number | null;
  },
): Command | null {
  const device = plan.device(context.sql, device_id);
  if (!device) return null;
  const isToggle = intent.source === "manual";
  const why = isToggle ? NEWER_TOGGLE : `replaced by ${intent.action.toUpperCase()}: ${intent.reason}`;
  supersede(context, device_id, why, "replaced");
  return saveNew(context, {
    ...intent,
    target: deviceTarget(device_id),
    device_id,
    address: addressOf(context.sql, device),
    names: namesOf(context, device_id, intent.schedule_title ?? null),
  });
}

/** The OFF of a lit lamp whose address is about to be forgotten: nothing else would ever switch it off. */
export function startPendingOff(
  context: EngineContext,
  device_id: string,
  address: Address,
  names: Names,
  why: string,
): void {
  const target: Target = { kind: "pending_off", id: `${device_id}:${nextSeq(context)}` };
  saveNew(context, { target, device_id, action: "off", source: "scheduler", reason: why, address, names });
}

function saveNew(
  context: EngineContext,
  intent: Pick<Command, "target" | "device_id" | "action" | "source" | "reason" | "address" | "names"> & {
    on_at_before?: number | null;
  },
): Command {
  count(context, "commands");
  const { target, device_id, action, source, reason, address, names, on_at_before = null } = intent;
  const command: Command = {
    target,
    device_id,
    hub: queueOf(address),
    action,
    source,
    attempt: 0,
    seq: nextSeq(context),
    phase: "send",
    due_at: context.now(),
    reason,
    address,
    via: null,
    held_since: null,
    held_ms: 0,
    busy_since: null,
    hasLeft: false,
    kept_since: null,
    on_at_before,
    queued_at: null,
    names,
  };
  saveCommand(context, command);
  context.startRunners();
  return command;
}

/** A held command that has left: how long it waited is part of its story. */
export function released(command: Command, left_at: number): Command {
  return { ...command, held_ms: heldFor(command, left_at), held_since: null, busy_since: null };
}

/** How long, in ms until then, it waited for the cloud's limit of calls. */
function heldFor({ held_since, held_ms }: Command, until: number): number {
  return held_ms + (held_since === null ? 0 : until - held_since);
}

/** One scheduler event for the verified outcome of an attempt, or for its end without one (`dropped`). */
export function recordOutcome(
  context: EngineContext,
  command: Command,
  result: SchedulerResult,
  note: string | null,
  cause: "attempt" | "replaced" | "dropped" = "attempt",
  end: "verified" | "dropped" = "verified",
): void {
  recordAttempt(context, { ...command, held_ms: heldFor(command, context.now()) }, result, note, cause, end);
}

/**
 * Ends the device's live command without an outcome. What was never sent is a fail with attempts 0, which never notifies;
 * what was sent but not verified is a retry, since the device was not found at fault. An attempt that has its event
 * already keeps it: what is dropped then is the next one, with the reason.
 */
export function supersede(
  context: EngineContext,
  device_id: string,
  why: string,
  cause: "replaced" | "dropped" = "dropped",
): void {
  const live = commandFor(context.sql, device_id);
  if (live) dropUnfinished(context, live, why, cause);
}

/**
 * Ends an ON that has failed and waits for its next try, so that another can begin at once: for a booking that begins, or a
 * hub that is back, that try would come too late, and it would leave no record of the booking.
 */
export function endKeptUp(context: EngineContext, device_id: string): void {
  const kept = commandFor(context.sql, device_id);
  if (kept?.action === "on" && waitsForNextTry(kept)) endCommand(context, kept.target);
}

/** An OFF of a light that is kept up does not wait for its next try: it is to show whether it can be done by now. */
export function hurryOff(context: EngineContext, device_id: string): void {
  const kept = commandFor(context.sql, device_id);
  if (kept?.action !== "off" || !waitsForNextTry(kept)) return;
  saveCommand(context, { ...kept, due_at: context.now() });
  context.startRunners();
}

/** Ends a command that is kept up where its lamp was read as it wants it meanwhile: somebody else has switched it. */
export function endReached(context: EngineContext, device_id: string, state: DeviceState): void {
  const kept = commandFor(context.sql, device_id);
  if (kept?.action === state && waitsForNextTry(kept)) endCommand(context, kept.target);
}

/** Whether it has failed, is kept up, and nothing is under way for it: the next try may be minutes away. */
export function waitsForNextTry({ kept_since, phase }: Pick<Command, "kept_since" | "phase">): boolean {
  return kept_since !== null && phase === "send";
}

/** Ends a command without an outcome, as `supersede` does. */
export function dropUnfinished(
  context: EngineContext,
  live: Command,
  why: string,
  cause: "replaced" | "dropped",
): void {
  // One that is kept up counts its tries anew, after a ladder that failed.
  const wasSent = live.attempt > 0 || (live.kept_since !== null && live.hasLeft);
  if (!wasSent) recordOutcome(context, live, "fail", `not sent, ${why}`, cause);
  else if (live.phase === "send") recordOutcome(context, live, "retry", `not tried again, ${why}`, cause, "dropped");
  else recordOutcome(context, live, "retry", why, cause);
  endCommand(context, live.target);
  context.waiting.get(live.seq)?.({ superseded: why });
}
