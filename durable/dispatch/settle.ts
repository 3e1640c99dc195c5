import { acceptedOff } from "#domain/resolve/cooling";
import { assertNever } from "#domain/assert-never";
import { vendorId } from "#domain/light/sockets";
import { conclude, fail, isBusy, isOwn, type Failed } from "./conclude";
import { settleProbe } from "./probes";
import { asksCloud, dropUnreadCall, endCall, isPing, namesOfCall, type Call } from "#durable/commands/calls";
import { released } from "#durable/commands/command";
import { commandAt, hurryPendingOffs, saveCommand, type Command } from "#durable/commands/command-table";
import { noteAccount } from "#durable/monitoring/throttling";
import { isAlive, noteHub } from "#durable/monitoring/circuit-breaker";
import { noteAskedCloud, noteCloud } from "#durable/monitoring/cloud-health";
import { awaitsAgent, failedAtAgent } from "#durable/monitoring/agent-health";
import { needsAttention, noteHubHealth } from "#durable/monitoring/hub-health";
import { noteReturn } from "#durable/monitoring/returns";
import { noteReading } from "#durable/monitoring/watchdog";
import { plan, settingsOf } from "#durable/state/plan";
import type { ProviderResult } from "#durable/providers/provider";
import { noAnswer } from "#durable/providers/no-answer";
import { didNothing, takeBackSend, takeReadingFrom } from "#durable/reconcile/readings";
import { recordCall, publishState } from "#durable/reporting/events";
import type { EngineContext, Report } from "#durable/state/context";
import { countSettled } from "#durable/state/tally";
import { timerDueAt } from "#durable/state/timers";
import { saveMemory, memoryOf } from "#durable/state/device-memory";

/** A person who waits for a toggle is told at once what takes longer than this. */
const PATIENCE_MS = 8_000;
/** A verification that would come after the next change is asked just before it, but never sooner than this. */
const EARLIEST_VERIFY_MS = 500;
const BEFORE_CHANGE_MS = 2_000;

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
  if (call) return settleCall(context, call, noAnswer(call.address, "timeout", "the call was lost", snippet));
  dropUnreadCall(context, call_id);
}

function takeIn(context: EngineContext, call: Call, answer: ProviderResult): void {
  // What the cloud says of a hub that answers by itself is no word about the hub.
  if (asksCloud(call)) {
    noteAskedCloud(context, answer);
    return noteAccount(context, call, answer);
  }
  countSettled(context, call.address.hub?.id ?? call.address.mode, answer.ok);
  // The sockets of a strip are one device, which may be broken as a whole.
  const lamp = isPing(call) ? null : vendorId(call.address.lamp);
  const asked = { lamp, answer, isSwitch: call.action !== null };
  const isBack = noteHub(context, call.hub, asked);
  if (isBack && call.address.hub === null) hurryPendingOffs(context, call.hub);
  noteCloud(context, asked);
  settleCall(context, call, answer);
  noteAccount(context, call, answer);
  const { hub } = call.address;
  const isNews = isBack || isPing(call) || needsAttention(answer) || failedAtAgent(answer) || awaitsAgent(context, hub);
  const asked_by = { isPing: isPing(call), isTest: call.kind === "probe_ping" };
  if (hub && isNews) noteHubHealth(context, hub.id, answer, { isBack, ...asked_by });
  if (hub && isAlive(answer) === true) noteReturn(context, hub.id, { isBack, isSwitched: asked.isSwitch && answer.ok });
}

function settleCall(context: EngineContext, call: Call, answer: ProviderResult): void {
  const live = call.target && commandAt(context.sql, call.target);
  const command = live && live.seq === call.seq ? live : null;
  switch (call.kind) {
    case "send":
      if (!command) return recordLate(context, call, answer);
      if (didNothing(answer)) takeBackSend(context, call);
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

/** A throttled send is no attempt, unless that goes on for too long. Who waits for a long time is told so. */
function hold(context: EngineContext, sent: Command, answer: Failed): void {
  const wait_ms = answer.retry_after_ms ?? 5_000;
  const isCloud = answer.provider === "cloud" && answer.limit !== undefined;
  const held_since = sent.held_since ?? (isCloud ? context.now() : null);
  if (answer.limit && wait_ms > PATIENCE_MS) context.waiting.get(sent.seq)?.(answer);
  const due_at = context.now() + wait_ms;
  const command = { ...sent, held_since, busy_since: busySince(context, sent, answer) };
  if (!isBusyTooLong(context, command, answer))
    return saveCommand(context, { ...command, attempt: command.attempt - 1, phase: "send", due_at });
  // It waits for its next try, and no more for the cloud: of the account's limit that says nothing.
  const failed = { ...released(command, context.now()), busy_since: command.busy_since };
  recordSend(context, failed, answer);
  conclude(context, failed, null, answer);
  // Who asks to be left alone is, until the next try, too.
  const next = commandAt(context.sql, command.target);
  if (next?.action === command.action && next.due_at < due_at) saveCommand(context, { ...next, due_at });
}

/** A lamp or a hub that is too busy for so long has failed: people are told, and it is tried less often. */
const BUSY_TOO_LONG_MS = 60_000;

function busySince({ now }: EngineContext, { busy_since }: Command, answer: Failed): number | null {
  return busy_since ?? (isBusy(answer) ? now() : null);
}

/** Not by what holds it back since the lamp or the hub was last busy. */
function isBusyTooLong({ now }: EngineContext, { busy_since }: Command, answer: Failed): boolean {
  return isBusy(answer) && busy_since !== null && now() - busy_since >= BUSY_TOO_LONG_MS;
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
  if (!answer.ok && answer.reason === "throttled") return command ? holdVerify(context, command, answer) : undefined;
  if (answer.ok && call.target?.kind === "device" && call.device_id) {
    takeReadingFrom(context, { ...call, device_id: call.device_id }, answer.state, { always: true });
  }
  if (command) conclude(context, command, answer.ok ? answer.state : null, answer.ok ? null : answer);
}

function holdVerify(context: EngineContext, sent: Command, answer: Failed): void {
  const command = { ...sent, busy_since: busySince(context, sent, answer) };
  if (isBusyTooLong(context, command, answer)) return conclude(context, command, null, answer);
  saveCommand(context, { ...command, phase: "verify", due_at: context.now() + (answer.retry_after_ms ?? 5_000) });
}
