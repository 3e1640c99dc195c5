import { ladderFailed } from "#domain/resolve/instants";
import { acceptedOff } from "#domain/resolve/cooling";
import { afterVerification } from "#domain/resolve/retry";
import { assertNever } from "#domain/assert-never";
import type { DeviceState } from "#domain/enums";
import { settleProbe } from "./probes";
import { noteEnd } from "#durable/reconcile/windows";
import { endCall, isPing, namesOfCall, type Call } from "#durable/commands/calls";
import {
  commandAt,
  recordOutcome,
  endCommand,
  hurryPendingOffs,
  released,
  saveCommand,
  type Command,
} from "#durable/commands/command";
import { noteAccount } from "#durable/monitoring/throttling";
import { noteHub, pauseOf } from "#durable/monitoring/circuit-breaker";
import { aboutLight, afterTries } from "#durable/reporting/alarms";
import { closeIncident, incident, openIncident, spaceOut, notifyOnce } from "#durable/reporting/incidents";
import { noteCloud, notifyOfCloud } from "#durable/monitoring/cloud-health";
import { failedAtAgent, notifyOfAgent } from "#durable/monitoring/agent-health";
import { needsAttention, noteHubHealth } from "#durable/monitoring/hub-health";
import { noteReading } from "#durable/monitoring/watchdog";
import { plan, settingsOf } from "#durable/state/plan";
import type { ProviderResult } from "#durable/providers/provider";
import { noAnswer } from "#durable/providers/no-answer";
import { entrustedSince, LEFT_TO_AGENT } from "#durable/reconcile/entrusted";
import { didNothing, takeReadingFrom } from "#durable/reconcile/readings";
import { recordCall, publishState } from "#durable/reporting/events";
import { noteReported } from "#durable/reporting/state-log";
import { reconcileDevice } from "#durable/reconcile/reconcile";
import { nextSeq, type EngineContext, type Report } from "#durable/state/context";
import { countSettled } from "#durable/state/tally";
import { timerDueAt } from "#durable/state/timers";
import { saveMemory, memoryOf, takeBack } from "#durable/state/device-memory";

/** A person who waits for a toggle is told at once what takes longer than this. */
const PATIENCE_MS = 8_000;
/** A verification that would come after the next change is asked just before it, but never sooner than this. */
const EARLIEST_VERIFY_MS = 500;
const BEFORE_CHANGE_MS = 2_000;
/** How long an OFF that an old address is owed is kept up. */
const PENDING_OFF_KEPT_MS = 86_400_000;

type Failed = ProviderResult & { ok: false };

/** Takes in what a call came to. A report whose lease ran out counts for nothing. Must run inside a transaction. */
export function settle(context: EngineContext, { call_id, answer }: Report): void {
  const call = endCall(context, call_id);
  if (call) takeIn(context, call, answer);
}

/**
 * A call that was never reported is lost, and what it asked for may have been done; of its hub that says nothing. Must run
 * inside a transaction.
 */
export function settleLost(context: EngineContext, call_id: number): void {
  const call = endCall(context, call_id);
  const snippet = "no answer: the call was lost";
  if (call) settleCall(context, call, noAnswer(call.address, "timeout", "the call was lost", snippet));
}

function takeIn(context: EngineContext, call: Call, answer: ProviderResult): void {
  countSettled(context, call.address.hub?.id ?? call.address.mode, answer.ok);
  const asked = { lamp: isPing(call) ? null : call.address.lamp, answer };
  const isBack = noteHub(context, call.hub, asked);
  if (isBack) hurryPendingOffs(context, call.hub);
  noteCloud(context, asked);
  settleCall(context, call, answer);
  noteAccount(context, call, answer);
  const isNews = isBack || isPing(call) || needsAttention(answer) || failedAtAgent(answer);
  if (call.address.hub && isNews) noteHubHealth(context, call.address.hub.id, answer, isBack);
}

function settleCall(context: EngineContext, call: Call, answer: ProviderResult): void {
  const live = call.target && commandAt(context.sql, call.target);
  const command = live && live.seq === call.seq ? live : null;
  switch (call.kind) {
    case "send":
      if (!command) return recordLate(context, call, answer);
      if (didNothing(answer)) takeBack(context.sql, call);
      return settleSend(context, command, answer);
    case "verify":
      return settleVerify(context, call, command, answer);
    case "poll_read":
      if (!answer.ok || call.device_id === null) return;
      takeReadingFrom(context, { ...call, device_id: call.device_id }, answer.state, { always: false });
      return noteReading(context, call.device_id);
    case "poll_ping":
      return;
    case "probe_switch":
    case "probe_verify":
    case "probe_read":
    case "probe_ping":
      return settleProbe(context, call, answer);
    default:
      return assertNever(call.kind);
  }
}

/** What a superseded call still heard is history and changes nothing that came later, but that a lamp it put out cools. */
function recordLate(context: EngineContext, call: Call, answer: ProviderResult): void {
  if (call.device_id === null || call.action === null || (!answer.ok && answer.reason === "throttled")) return;
  if (answer.ok && call.action === "off" && call.target?.kind === "device") noteTaken(context, call.device_id);
  const names = namesOfCall(context, call.device_id, call);
  recordCall(
    context,
    `late:${call.device_id}:${call.seq}:${call.id}`,
    { device_id: call.device_id, names, action: call.action },
    answer,
  );
}

/** The lamp took our OFF. Of one that was deleted meanwhile nothing is remembered. */
function noteTaken(context: EngineContext, device_id: string): void {
  if (!plan.device(context.sql, device_id)) return;
  const memory = memoryOf(context.sql, device_id);
  saveMemory(context.sql, { ...memory, ...acceptedOff(memory, context.now()) });
}

/** The answer to a send: history at once, then the check, or the next try where nothing can have been done. */
export function settleSend(context: EngineContext, sent: Command, answer: ProviderResult): void {
  const hasLeft = answer.ok || answer.reason !== "throttled";
  const command = hasLeft ? { ...released(sent, context.now() - answer.rtt_ms), via: null } : sent;
  if (answer.ok) return acceptSend(context, command, answer);
  if (answer.reason === "throttled") return hold(context, command, answer);
  recordSend(context, command, answer);
  switch (answer.reason) {
    case "timeout":
    case "device":
      // It may have been done, which the verification will show; a person is not kept waiting for that.
      context.waiting.get(command.seq)?.(answer);
      return saveCommand(context, { ...command, phase: "verify", due_at: verifyAt(context, command) });
    case "unreachable":
      conclude(context, command, null, answer);
      return answerEarly(context, command, answer);
    case "refused":
      context.waiting.get(command.seq)?.(answer);
      // An ON is over; an OFF is kept up, since whoever refuses it now may take it in a minute.
      return command.action === "off"
        ? conclude(context, command, null, answer)
        : fail(context, command, "unknown", answer.detail, answer);
    default:
      return assertNever(answer.reason);
  }
}

/** Nothing was done, and the next try, if there is one, comes too late for a person who waits. */
function answerEarly(context: EngineContext, { target, seq }: Command, answer: ProviderResult): void {
  const next = commandAt(context.sql, target);
  const isSoon = next?.seq === seq && next.due_at <= context.now() + PATIENCE_MS;
  if (!isSoon) context.waiting.get(seq)?.(answer);
}

/** A throttled send is no attempt. Who waits for a long time is told so. */
function hold(context: EngineContext, command: Command, answer: ProviderResult & { ok: false }): void {
  const wait_ms = answer.retry_after_ms ?? 5_000;
  const isCloud = answer.provider === "cloud" && answer.limit !== undefined;
  const held_since = command.held_since ?? (isCloud ? context.now() : null);
  if (answer.limit && wait_ms > PATIENCE_MS) context.waiting.get(command.seq)?.(answer);
  const due_at = context.now() + wait_ms;
  saveCommand(context, { ...command, attempt: command.attempt - 1, phase: "send", due_at, held_since });
}

function acceptSend(context: EngineContext, command: Command, answer: ProviderResult): void {
  recordSend(context, command, answer);
  if (isOwn(command)) {
    const memory = memoryOf(context.sql, command.device_id);
    publishState(context, memory, command.action, { always: true });
    const cooling = command.action === "off" ? acceptedOff(memory, context.now()) : {};
    saveMemory(context.sql, { ...memory, ...cooling });
  }
  context.waiting.get(command.seq)?.(answer);
  saveCommand(context, { ...command, phase: "verify", due_at: verifyAt(context, command), via: answer.provider });
}

function recordSend(context: EngineContext, command: Command, answer: ProviderResult): void {
  recordCall(context, `call:${command.device_id}:${command.seq}:${command.attempt}`, command, answer);
}

function verifyAt(context: EngineContext, command: Command): number {
  const now = context.now();
  const at = now + settingsOf(context.sql).YOLINK_VERIFY_DELAY_SEC * 1000;
  const changes_at = isOwn(command) ? timerDueAt(context.sql, "wake", command.target.id) : null;
  if (changes_at === null || changes_at <= now) return at;
  return Math.min(at, Math.max(now + EARLIEST_VERIFY_MS, changes_at - BEFORE_CHANGE_MS));
}

function settleVerify(context: EngineContext, call: Call, command: Command | null, answer: ProviderResult): void {
  if (!answer.ok && answer.reason === "throttled") {
    if (command)
      saveCommand(context, { ...command, phase: "verify", due_at: context.now() + (answer.retry_after_ms ?? 5_000) });
    return;
  }
  if (answer.ok && call.target?.kind === "device" && call.device_id) {
    takeReadingFrom(context, { ...call, device_id: call.device_id }, answer.state, { always: true });
  }
  if (command) conclude(context, command, answer.ok ? answer.state : null, answer.ok ? null : answer);
}

/** The verified outcome of an attempt: one event, and what follows from it. `failed` is why there is no reading. */
function conclude(context: EngineContext, command: Command, reading: DeviceState | null, failed: Failed | null): void {
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

/** A person's toggle is always seen through by us. */
function isLeftToAgent(context: EngineContext, command: Command): boolean {
  const device = plan.device(context.sql, command.device_id);
  if (!device || !isOwn(command) || command.source === "manual") return false;
  return entrustedSince(context, device, command.action) !== null;
}

/** Its agent is away and does it by its own plan: that is no failure, and nothing to try again. */
function leaveToAgent(context: EngineContext, command: Command): void {
  recordOutcome(context, command, "retry", LEFT_TO_AGENT);
  endCommand(context, command.target);
  reconcileDevice(context, command.device_id);
}

function fail(context: EngineContext, command: Command, state: DeviceState, note: string, failed: Failed | null): void {
  endCommand(context, command.target);
  noteFailure(context, command, { state, note, failed });
  if (!isOwn(command) || isKeptUp(command, failed)) return keepUp(context, command);
  const memory = memoryOf(context.sql, command.device_id);
  if (state === "unknown") {
    publishState(context, memory, "unknown", { always: true });
    noteReported(context, memory, "unknown");
  }
  const gaveUp =
    command.source === "manual" && command.action === "on" ? ladderFailed(memory, command.on_at_before) : {};
  saveMemory(context.sql, { ...memory, ...gaveUp });
  reconcileDevice(context, command.device_id);
}

/** An OFF that is refused, and what never left in its whole ladder; the watchdog's own has its turns. */
function isKeptUp({ action, hasLeft, source }: Command, failed: Failed | null): boolean {
  return (action === "off" && failed?.reason === "refused") || (!hasLeft && source !== "watchdog");
}

/**
 * Retry the pending OFF for 24 h; after that assume the lamp was removed. The watchdog leaves it alone meanwhile. A device
 * of the plan keeps its incident beyond that, since it is not well again, and people were told of it. One that never left,
 * because another lamp's trouble paused the queue each time, leaves when the pause is over.
 */
function keepUp(context: EngineContext, command: Command): void {
  const name = incidentOf(command);
  const now = context.now();
  const kept_since = command.kept_since ?? now;
  if (now - kept_since > PENDING_OFF_KEPT_MS) return isOwn(command) ? undefined : void closeIncident(context, name);
  saveCommand(context, {
    ...command,
    kept_since,
    source: "watchdog",
    attempt: 0,
    seq: nextSeq(context),
    phase: "send",
    due_at:
      (command.hasLeft ? incident(context, name)?.next_at : pauseOf(context, command.hub, command.address)?.until) ??
      now,
  });
}

/** One event and one message for an incident, however often the watchdog tries until it is over. */
function noteFailure(
  context: EngineContext,
  command: Command,
  { state, note, failed }: { state: DeviceState; note: string; failed: Failed | null },
): void {
  const name = incidentOf(command);
  const isNew = openIncident(context, name);
  // A window that began meanwhile has no record where none is made of this try.
  if (isNew || command.source !== "watchdog") {
    if (command.action === "on" && isOwn(command)) noteEnd(context, command.device_id, "fail");
    recordOutcome(context, command, "fail", note);
  }
  spaceOut(context, name, settingsOf(context.sql).WATCHDOG_INTERVAL_SEC, command.attempt);
  if (isOfTheWay(context, command, failed)) return;
  const message = `${command.names.device_name} could not be switched ${command.action}: ${note}.`;
  const tries = incident(context, name)?.sends ?? 0;
  notifyOnce(context, name, "device_failed", message, {
    what: FAILED_STATES[state],
    why: afterTries(note, tries),
    about: aboutLight(context, command.device_id, command.names),
  });
}

/** Dark is what is wanted on and is not lit. */
const FAILED_STATES: Record<DeviceState, string> = { on: "On", off: "Dark", unknown: "Unknown" };

/** Whether the cloud, an agent, or a hub that does not let us in, is all that failed: one message, not one for each light. */
function isOfTheWay(context: EngineContext, { address }: Command, failed: Failed | null): boolean {
  const failures = failed?.failures ?? [];
  const isOthers = failures.every(
    ({ where, reason }) => where === "cloud" || where === "agent" || (where === "hub" && reason === "refused"),
  );
  if (failures.length === 0 || !isOthers) return false;
  if (failures.some(({ where }) => where === "cloud")) notifyOfCloud(context);
  const agent_id = address.hub?.agent_id;
  if (agent_id && failures.some(({ where }) => where === "agent")) notifyOfAgent(context, agent_id);
  return true;
}

function isOwn(command: Command): boolean {
  return command.target.kind === "device";
}

/** The incident that stays open while the target cannot be switched. */
function incidentOf({ target }: Command): string {
  return `${target.kind}:${target.id}`;
}
