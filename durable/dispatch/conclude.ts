import { ladderFailed } from "#domain/resolve/instants";
import { afterVerification } from "#domain/resolve/retry";
import { assertNever } from "#domain/assert-never";
import type { DeviceState } from "#domain/enums";
import { nameInArea } from "#domain/records/name-in-area";
import { noteEnd } from "#durable/reconcile/windows";
import { recordOutcome } from "#durable/commands/command";
import { endCommand, saveCommand, type Command } from "#durable/commands/command-table";
import { pauseOf } from "#durable/monitoring/circuit-breaker";
import { aboutLight, afterTries } from "#durable/reporting/alarms";
import { closeIncident, incident, openIncident, spaceOut, notifyOnce } from "#durable/reporting/incidents";
import { notifyOfCloud } from "#durable/monitoring/cloud-health";
import { notifyOfAgent } from "#durable/monitoring/agent-health";
import { plan, settingsOf } from "#durable/state/plan";
import type { Failure, ProviderResult } from "#durable/providers/provider";
import { entrustedSince, LEFT_TO_AGENT } from "#durable/reconcile/entrusted";
import { publishState } from "#durable/reporting/events";
import { noteReported } from "#durable/reporting/state-log";
import { reconcileDevice } from "#durable/reconcile/reconcile";
import { nextSeq } from "#durable/state/meta";
import type { EngineContext } from "#durable/state/context";
import { saveMemory, memoryOf, type DeviceMemory } from "#durable/state/device-memory";

/** How long an OFF that an old address is owed is kept up. */
const PENDING_OFF_KEPT_MS = 86_400_000;

export type Failed = ProviderResult & { ok: false };

/**
 * The verified outcome of an attempt: one event, and what follows from it. `failed` is why there is no reading. Must run
 * inside a transaction.
 */
export function conclude(
  context: EngineContext,
  command: Command,
  reading: DeviceState | null,
  failed: Failed | null,
): void {
  const { action, attempt } = command;
  if (failed && isLeftToAgent(context, command)) return leaveToAgent(context, command);
  const detail = failed?.detail;
  // The watchdog's own command is a single attempt: its turn comes again.
  const backoffs_sec = command.source === "watchdog" ? [] : settingsOf(context.sql).RETRY_BACKOFFS_SEC;
  const verified = afterVerification({ action, attempt, reading, backoffs_sec, now: context.now() });
  switch (verified.outcome) {
    case "ok":
      recordOutcome(context, command, "ok", null);
      if (action === "on" && isOwn(command)) noteEnd(context, command.device_id, "ok");
      endCommand(context, command.target);
      closeIncident(context, incidentOf(command));
      break;
    case "retry":
      recordOutcome(context, command, "retry", [verified.note, detail].filter(Boolean).join(": "));
      saveCommand(context, { ...command, phase: "send", via: null, due_at: verified.due_at });
      break;
    case "fail":
      return fail(context, command, verified.state, [verified.note, detail].filter(Boolean).join(": "), failed);
    default:
      return assertNever(verified);
  }
  if (isOwn(command)) reconcileDevice(context, command.device_id);
}

/** Never a person's toggle: the scheduler sees that through itself. */
function isLeftToAgent(context: EngineContext, command: Command): boolean {
  const device = plan.device(context.sql, command.device_id);
  if (!device || !isOwn(command) || command.source === "manual") return false;
  return entrustedSince(context, device, command.action) !== null;
}

/** The agent is away and switches the lamp by its own plan: this is no failure, and needs no retry. */
function leaveToAgent(context: EngineContext, command: Command): void {
  recordOutcome(context, command, "retry", LEFT_TO_AGENT);
  endCommand(context, command.target);
  reconcileDevice(context, command.device_id);
}

/** The attempt was the last: people are told, and what may be taken yet is kept up. `state` is what the lamp is in. */
export function fail(
  context: EngineContext,
  command: Command,
  state: DeviceState,
  note: string,
  failed: Failed | null,
): void {
  endCommand(context, command.target);
  noteFailure(context, command, { state, note, failed });
  const isUntouched = isOwn(command) && isToBeKept(context, command, failed);
  if (isOwn(command) && !isUntouched) noteGivenUp(context, command, state);
  // A command that is kept up stays so until it succeeds: the watchdog leaves it alone, and may be switched off.
  if (!isOwn(command) || isUntouched || command.kept_since !== null) return keepUp(context, command, failed);
  reconcileDevice(context, command.device_id);
}

function noteGivenUp(context: EngineContext, command: Command, state: DeviceState): void {
  const memory = memoryOf(context.sql, command.device_id);
  if (state === "unknown") {
    publishState(context, memory, "unknown", { always: true });
    noteReported(context, memory, "unknown");
  }
  saveMemory(context.sql, withoutFailed(memory, command));
}

/** What is remembered once a person's ON without an end has failed for good; any other command leaves it as it is. */
function withoutFailed(memory: DeviceMemory, command: Command): DeviceMemory {
  const gaveUp =
    command.source === "manual" && command.action === "on" ? ladderFailed(memory, command.on_at_before) : {};
  return { ...memory, ...gaveUp };
}

/**
 * A refused OFF, a command for a busy lamp or hub, and one that never left, unless the watchdog will come to it again. Not
 * an ON that nothing but a person's press without an end asks for: it would light the park hours later.
 */
function isToBeKept(context: EngineContext, command: Command, failed: Failed | null): boolean {
  const { action, hasLeft, source } = command;
  const memory = memoryOf(context.sql, command.device_id);
  if (withoutFailed(memory, command).on_at !== memory.on_at) return false;
  return isBusy(failed) || (action === "off" && failed?.reason === "refused") || (!hasLeft && source !== "watchdog");
}

/**
 * Retry the pending OFF for 24 h; after that assume the lamp was removed. The watchdog leaves it alone meanwhile. A device
 * of the plan keeps its incident beyond that, since it is not well again, and people were told of it. One that never left,
 * because another lamp's trouble paused the queue each time, leaves when the pause is over.
 */
function keepUp(context: EngineContext, command: Command, failed: Failed | null): void {
  const name = incidentOf(command);
  const now = context.now();
  const kept_since = command.kept_since ?? now;
  if (now - kept_since > PENDING_OFF_KEPT_MS) return isOwn(command) ? undefined : void closeIncident(context, name);
  const next_at = command.hasLeft
    ? incident(context, name)?.next_at
    : pauseOf(context, command.hub, command.address)?.until;
  saveCommand(context, {
    ...command,
    kept_since,
    source: "watchdog",
    attempt: 0,
    seq: nextSeq(context),
    phase: "send",
    due_at: Math.min(next_at ?? now, isBusy(failed) ? now + BUSY_AGAIN_MS : Infinity),
  });
}

/** A busy lamp or hub, unlike one that returns, does not say when it is free: it is tried again after this time at most. */
const BUSY_AGAIN_MS = 300_000;

/**
 * Whether the lamp or its hub answered that it has no time, whatever another way to it came to. What we did not send
 * ourselves says nothing of them, and of the cloud account's limit people are told as of one for all lights.
 */
export function isBusy(failed: Failed | null): boolean {
  const isOfIt = ({ where, reason }: Failure) => reason === "throttled" && (where === "hub" || where === "device");
  return failed?.reason === "throttled" && failed.failures.some(isOfIt);
}

/** One event and one message for an incident, however often the watchdog tries until it is over. */
function noteFailure(
  context: EngineContext,
  command: Command,
  { state, note, failed }: { state: DeviceState; note: string; failed: Failed | null },
): void {
  const name = incidentOf(command);
  const isNew = openIncident(context, name);
  // Only a try that is recorded stands for a window that began meanwhile: else that window would have no record at all.
  if (isNew || command.source !== "watchdog") {
    if (command.action === "on" && isOwn(command)) noteEnd(context, command.device_id, "fail");
    recordOutcome(context, command, "fail", note);
  }
  spaceOut(context, name, settingsOf(context.sql).WATCHDOG_INTERVAL_SEC, command.attempt);
  if (isOfTheWay(context, command, failed)) return;
  const { device_name, area_name } = command.names;
  const message = `${nameInArea({ name: device_name, area_name })} could not be switched ${command.action}: ${note}.`;
  const tries = incident(context, name)?.sends ?? 0;
  notifyOnce(context, name, "device_failed", message, {
    what: FAILED_STATES[state],
    why: afterTries(note, tries),
    about: aboutLight(context, command.device_id, command.names),
  });
}

/** What an alarm calls a light by its actual state. */
const FAILED_STATES: Record<DeviceState, string> = { on: "On", off: "Dark", unknown: "Unknown" };

/** Whether only the cloud, an agent or a hub that refuses us has failed: people get one message, not one for each light. */
function isOfTheWay(context: EngineContext, { address }: Command, failed: Failed | null): boolean {
  const failures = failed?.failures ?? [];
  // What an old lamp is owed may go by an agent that was deleted since, which nobody can mend.
  const via = address.hub?.agent_id ?? null;
  const agent_id = via !== null && plan.isAgent(context.sql, via) ? via : null;
  const isOthers = failures.every(
    ({ where, reason }) =>
      where === "cloud" || (where === "agent" && agent_id !== null) || (where === "hub" && reason === "refused"),
  );
  if (failures.length === 0 || !isOthers) return false;
  if (failures.some(({ where }) => where === "cloud")) notifyOfCloud(context);
  if (agent_id !== null && failures.some(({ where }) => where === "agent")) notifyOfAgent(context, agent_id);
  return true;
}

/** Whether it switches the device's present lamp, not one that it had before. */
export function isOwn(command: Command): boolean {
  return command.target.kind === "device";
}

/** The incident that stays open while the target cannot be switched. */
function incidentOf({ target }: Command): string {
  return `${target.kind}:${target.id}`;
}
