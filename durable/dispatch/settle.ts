import { ladderFailed } from "#domain/desired-state";
import { afterVerification } from "#domain/retry";
import { assertNever } from "#domain/assert-never";
import type { DeviceState } from "#domain/enums";
import { settleAsk } from "./probes";
import { noteEnd } from "#durable/reconcile/windows";
import { endCall, type Call } from "#durable/commands/calls";
import { commandFor, endCommand, hurryOwed, released, saveCommand, type Command } from "#durable/commands/command";
import { noteAccount } from "#durable/monitoring/throttling";
import { noteHub } from "#durable/monitoring/circuit-breaker";
import { closeIncident, incident, openIncident, spaceOut, tellOnce } from "#durable/reporting/incidents";
import { noteHubHealth } from "#durable/monitoring/hub-health";
import { noteReading } from "#durable/monitoring/watchdog";
import { settingsOf } from "#durable/state/plan";
import type { Answer } from "#durable/providers/provider";
import { unheard } from "#durable/providers/no-answer";
import { didNothing, reportState } from "#durable/reconcile/readings";
import { namesOf, recordCall, recordOutcome, tellState } from "#durable/reporting/events";
import { look } from "#durable/reconcile/reconcile";
import { nextSeq, type Room } from "#durable/state/context";
import { saveStanding, standing, takeBack } from "#durable/state/device-state";

/** A person who waits for a press is told at once what takes longer than this. */
const PATIENCE_MS = 8_000;
/** A verification that would come after the next change is asked just before it, but never sooner than this. */
const SOONEST_CHECK_MS = 500;
const BEFORE_CHANGE_MS = 2_000;
/** How long an OFF that an old address is owed is kept up. */
const OWED_FOR_MS = 86_400_000;

export type Report = { call_id: number; answer: Answer };

/** Takes in what a runner heard. A report whose lease ran out counts for nothing. Must run inside a transaction. */
export function settle(room: Room, { call_id, answer }: Report): void {
  const call = endCall(room, call_id);
  if (call) takeIn(room, call, answer);
}

/**
 * A runner that never reported is dead, and what it was doing may have been done; of its hub that says nothing. Must run
 * inside a transaction.
 */
export function settleLost(room: Room, call_id: number): void {
  const call = endCall(room, call_id);
  const snippet = "no answer: the call was lost";
  if (call) settleCall(room, call, unheard(call.address, "timeout", "the call was lost", snippet));
}

function takeIn(room: Room, call: Call, answer: Answer): void {
  const isBack = noteHub(room, call.hub, answer);
  if (isBack) hurryOwed(room, call.hub);
  settleCall(room, call, answer);
  noteAccount(room, call, answer);
  if (call.address.hub && (isBack || isPing(call))) noteHubHealth(room, call.address.hub.id, answer, isBack);
}

function isPing(call: Call): boolean {
  return call.kind === "ask_ping" || call.kind === "check_ping";
}

function settleCall(room: Room, call: Call, answer: Answer): void {
  const live = call.target === null ? null : commandFor(room.sql, call.target);
  const command = live && live.seq === call.seq ? live : null;
  switch (call.kind) {
    case "send":
      if (!command) return recordLate(room, call, answer);
      if (didNothing(answer)) takeBack(room.sql, call);
      return settleSend(room, command, answer);
    case "verify":
      return settleVerify(room, call, command, answer);
    case "check_read":
      if (!answer.ok || call.device_id === null) return;
      reportState(room, call.device_id, answer.state, { always: false });
      return noteReading(room, call.device_id);
    case "check_ping":
      return;
    case "ask_switch":
    case "ask_read":
    case "ask_ping":
      return settleAsk(room, call, answer);
    default:
      return assertNever(call.kind);
  }
}

/** What a superseded call still heard is history, but changes nothing that came later. */
function recordLate(room: Room, call: Call, answer: Answer): void {
  if (call.device_id === null || call.action === null || (!answer.ok && answer.reason === "throttled")) return;
  const names = namesOf(room, call.device_id, null);
  recordCall(room, `call:${call.seq}:${call.id}`, { device_id: call.device_id, names, action: call.action }, answer);
}

/** The answer to a send: history at once, then the check, or the next try where nothing can have been done. */
export function settleSend(room: Room, sent: Command, answer: Answer): void {
  const hasLeft = answer.ok || answer.reason !== "throttled";
  const command = hasLeft ? { ...released(sent, room.now() - answer.rtt_ms), via: null } : sent;
  if (answer.ok) return acceptSend(room, command, answer);
  if (answer.reason === "throttled") return hold(room, command, answer);
  recordSend(room, command, answer);
  switch (answer.reason) {
    case "timeout":
    case "device":
      return saveCommand(room, { ...command, phase: "verify", due_at: checkAt(room, command) });
    case "unreachable":
      conclude(room, command, null, answer.detail);
      return tellEarly(room, command, answer);
    case "refused":
      room.waiting.get(command.seq)?.(answer);
      return fail(room, command, "unknown", answer.detail);
    default:
      return assertNever(answer.reason);
  }
}

/** Nothing was done, and the next try, if there is one, comes too late for a person who waits. */
function tellEarly(room: Room, { target, seq }: Command, answer: Answer): void {
  const next = commandFor(room.sql, target);
  const isSoon = next?.seq === seq && next.due_at <= room.now() + PATIENCE_MS;
  if (!isSoon) room.waiting.get(seq)?.(answer);
}

/** A throttled send is no attempt. Who waits for a long time is told so. */
function hold(room: Room, command: Command, answer: Answer & { ok: false }): void {
  const wait_ms = answer.retry_after_ms ?? 5_000;
  const isCloud = answer.provider === "cloud" && answer.limit !== undefined;
  const held_since = command.held_since ?? (isCloud ? room.now() : null);
  if (answer.limit && wait_ms > PATIENCE_MS) room.waiting.get(command.seq)?.(answer);
  const due_at = room.now() + wait_ms;
  saveCommand(room, { ...command, attempt: command.attempt - 1, phase: "send", due_at, held_since });
}

function acceptSend(room: Room, command: Command, answer: Answer): void {
  recordSend(room, command, answer);
  if (isOwn(command)) {
    const of = standing(room.sql, command.device_id);
    tellState(room, of, command.action, { always: true });
    saveStanding(room.sql, of);
  }
  room.waiting.get(command.seq)?.(answer);
  saveCommand(room, { ...command, phase: "verify", due_at: checkAt(room, command), via: answer.provider });
}

function recordSend(room: Room, command: Command, answer: Answer): void {
  recordCall(room, `call:${command.device_id}:${command.seq}:${command.attempt}`, command, answer);
}

function checkAt(room: Room, command: Command): number {
  const now = room.now();
  const at = now + settingsOf(room.sql).YOLINK_VERIFY_DELAY_SEC * 1000;
  const [wake] = room.sql
    .exec<{ due_at: number }>("SELECT due_at FROM timers WHERE id = ?", `wake:${command.target}`)
    .toArray();
  if (!wake || wake.due_at <= now) return at;
  return Math.min(at, Math.max(now + SOONEST_CHECK_MS, wake.due_at - BEFORE_CHANGE_MS));
}

function settleVerify(room: Room, call: Call, command: Command | null, answer: Answer): void {
  if (!answer.ok && answer.reason === "throttled") {
    if (command)
      saveCommand(room, { ...command, phase: "verify", due_at: room.now() + (answer.retry_after_ms ?? 5_000) });
    return;
  }
  if (answer.ok && call.target === call.device_id && call.device_id) {
    reportState(room, call.device_id, answer.state, { always: true });
  }
  if (command) conclude(room, command, answer.ok ? answer.state : null, answer.ok ? null : answer.detail);
}

/** The verified outcome of an attempt: one event, and what follows from it. */
function conclude(room: Room, command: Command, reading: DeviceState | null, detail: string | null): void {
  const { action, attempt } = command;
  // The watchdog's own command is a single attempt: its turn comes again.
  const backoffs_sec = command.source === "watchdog" ? [] : settingsOf(room.sql).RETRY_BACKOFFS_SEC;
  const verified = afterVerification({ action, attempt, reading, backoffs_sec, now: room.now() });
  switch (verified.outcome) {
    case "ok":
      recordOutcome(room, command, "ok", null);
      if (action === "on" && isOwn(command)) noteEnd(room, command.device_id, "ok");
      endCommand(room, command.target);
      closeIncident(room, `device:${command.target}`);
      break;
    case "retry":
      recordOutcome(room, command, "retry", [verified.note, detail].filter(Boolean).join(": "));
      saveCommand(room, { ...command, phase: "send", due_at: verified.due_at });
      break;
    case "fail":
      return fail(room, command, verified.state, [verified.note, detail].filter(Boolean).join(": "));
    default:
      return assertNever(verified);
  }
  if (isOwn(command)) look(room, command.device_id);
}

function fail(room: Room, command: Command, state: DeviceState, note: string): void {
  endCommand(room, command.target);
  noteFailure(room, command, note);
  if (!isOwn(command)) return keepUp(room, command);
  const of = standing(room.sql, command.device_id);
  if (state === "unknown") tellState(room, of, "unknown", { always: true });
  const gaveUp = command.source === "manual" && command.action === "on" ? ladderFailed(of) : {};
  saveStanding(room.sql, { ...of, ...gaveUp });
  look(room, command.device_id);
}

/** What an old lamp is owed is tried again, as the watchdog does for those of the plan; for a day, lest it be no more. */
function keepUp(room: Room, command: Command): void {
  const name = `device:${command.target}`;
  const open = incident(room, name);
  if (!open || room.now() - open.since > OWED_FOR_MS) return void closeIncident(room, name);
  saveCommand(room, {
    ...command,
    source: "watchdog",
    attempt: 0,
    seq: nextSeq(room),
    phase: "send",
    due_at: open.next_at,
  });
}

/** One event and one message for an incident, however often the watchdog tries until it is over. */
function noteFailure(room: Room, command: Command, note: string): void {
  const name = `device:${command.target}`;
  const isNew = openIncident(room, name);
  if (command.action === "on" && isOwn(command)) noteEnd(room, command.device_id, "fail");
  if (isNew || command.source !== "watchdog") recordOutcome(room, command, "fail", note);
  tellOnce(
    room,
    name,
    "device_failed",
    `${command.names.device_name} could not be switched ${command.action}: ${note}.`,
  );
  spaceOut(room, name, settingsOf(room.sql).WATCHDOG_INTERVAL_SEC);
}

function isOwn(command: Command): boolean {
  return command.target === command.device_id;
}
