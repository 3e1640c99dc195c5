import { assertNever } from "#domain/assert-never";
import { upToFlip } from "#domain/forecast/forecast";
import { anyPoll, nextPoll } from "#durable/commands/polls";
import { beginCall, callsUnderWay, type Call } from "#durable/commands/calls";
import { commandAt, dropUnreadCommand, saveCommand, type Command, type Target } from "#durable/commands/command-table";
import { coolingSentence, coolsUntil } from "#durable/commands/cooling";
import { readyCommands } from "#durable/commands/ready";
import { tookTurn, waitsForTurn } from "#durable/commands/stagger";
import { settlesAt } from "#durable/monitoring/agent-health";
import { pauseOf } from "#durable/monitoring/circuit-breaker";
import type { Priority } from "#durable/providers/provider";
import { noAnswer } from "#durable/providers/no-answer";
import { oldAddressNow } from "#durable/state/addresses";
import { plan } from "#durable/state/plan";
import { timerDueAt } from "#durable/state/timers";
import { outlookOf, viewOf } from "#durable/reconcile/evaluation";
import { reconcileDevice } from "#durable/reconcile/reconcile";
import { closeIncident } from "#durable/reporting/incidents";
import { attempt, type EngineContext } from "#durable/state/context";
import { memoryOf, noteSent, type Before } from "#durable/state/device-memory";
import { setOffTimer } from "./off-timer";
import { nextProbe } from "./probes";
import { settleSend } from "./settle";

/**
 * Up to `most` calls that may leave now. Each device is resolved again, so that a stale ON cannot leave after the curfew
 * fell or a person asked for OFF. First what a person waits for, then OFF, ON, verifications, and last the polls that nobody
 * waits for. Must run inside a transaction.
 */
export function nextCalls(context: EngineContext, most: number): Call[] {
  const calls = context.probes.length > 0 ? takeAll(context, most, nextProbe) : [];
  for (let looked = 0; looked < MOST_IN_ONE_GO && calls.length < most;) {
    const { ready, unreadable, isAll } = readyCommands(context, most - calls.length);
    for (const target of unreadable) dropUnreadable(context, target);
    const handed = ready.flatMap((command) => dispatchAlone(context, command) ?? []);
    calls.push(...handed);
    looked += ready.length;
    // A command that did not leave frees its hub for the next one.
    if (isAll && handed.length === ready.length) break;
  }
  return anyPoll(context) ? [...calls, ...takeAll(context, most - calls.length, nextPoll)] : calls;
}

/**
 * Otherwise it would stay the first of its hub for ever. Its light is reconciled, and gets the command that it needs; the
 * trouble of an old lamp ends with its OFF.
 */
function dropUnreadable(context: EngineContext, target: Target): void {
  context.log({ level: "error", event: "command.unreadable", target: target.kind, id: target.id });
  dropUnreadCommand(context, target);
  if (target.kind === "device") reconcileDevice(context, target.id, "command_lost");
  else closeIncident(context, `pending_off:${target.id}`);
}

/** Takes calls while there are any, `most` at most; each makes its hub busy for the next. */
function takeAll(
  context: EngineContext,
  most: number,
  next: (context: EngineContext, busyHubs: Set<string>) => Call | null,
): Call[] {
  const calls: Call[] = [];
  const busyHubs = new Set(callsUnderWay(context.sql).map((call) => call.hub));
  while (calls.length < most) {
    const call = next(context, busyHubs);
    if (!call) break;
    busyHubs.add(call.hub);
    calls.push(call);
  }
  return calls;
}

/** Each command is handed out, postponed or ended; the bound keeps a command that is none of these from looping. */
const MOST_IN_ONE_GO = 1_000;

/** A command that cannot be handed out holds up no other, and is tried again in a while. */
function dispatchAlone(context: EngineContext, command: Command): Call | null {
  const failed = (error: unknown) => {
    context.log({ level: "error", event: "dispatch.failed", device_id: command.device_id, reason: String(error) });
    saveCommand(context, { ...command, due_at: context.now() + WATCH_MS });
    return null;
  };
  return attempt(context, () => dispatch(context, command), failed);
}

function dispatch(context: EngineContext, ready: Command): Call | null {
  if (hasToWait(context, ready)) return null;
  const command = stillWanted(context, ready);
  if (!command) return null;
  // Where reconciling has replaced the command, the new one has not been checked yet.
  if (command.seq !== ready.seq && hasToWait(context, command)) return null;
  switch (command.phase) {
    case "send":
      return dispatchSend(context, command);
    case "verify":
      saveCommand(context, { ...command, phase: "verifying", due_at: context.now() + WATCH_MS });
      return beginCall(context, {
        ...callOf(command),
        kind: "verify",
        action: null,
        how: { priority: "verify", via: command.via, cached_since: null, not_after: null, off_after_min: null },
      });
    case "sending":
    case "verifying":
      return null;
    default:
      return assertNever(command.phase);
  }
}

/**
 * An ON whose lamp has to cool, or whose area's turn it is not yet, stays. An OFF waits for nothing but for what an agent
 * that is just back did alone; a person not even for that.
 */
function hasToWait(context: EngineContext, command: Command): boolean {
  const { target, action, phase, device_id, source, address } = command;
  const settles_at = source === "manual" || phase !== "send" ? null : settlesAt(context, address.hub?.agent_id);
  if (settles_at !== null) {
    saveCommand(context, { ...command, due_at: settles_at });
    return true;
  }
  if (target.kind !== "device" || action !== "on" || phase !== "send") return false;
  const cools_until = coolsUntil(context, device_id);
  if (cools_until !== null) {
    tellOfCooling(context, command, cools_until);
    saveCommand(context, { ...command, due_at: cools_until, queued_at: null });
    return true;
  }
  const due_at = waitsForTurn(context, command);
  const queued_at = command.queued_at ?? context.now();
  if (due_at !== null) saveCommand(context, { ...command, due_at, queued_at });
  return due_at !== null;
}

/** Answers the person who waits for it, if one does. */
function tellOfCooling(context: EngineContext, { seq, device_id }: Command, cools_until: number): void {
  const answer = context.waiting.get(seq);
  const device = answer && plan.device(context.sql, device_id);
  if (!answer || !device) return;
  const outlook = outlookOf(viewOf(context.sql, device), memoryOf(context.sql, device_id));
  const flip = upToFlip(outlook, context.now())?.flip ?? null;
  answer({ postponed: coolingSentence(context, device_id, cools_until, flip) });
}

/** A call that is never answered has a timer of its own; this one of the command is only the second net. */
const WATCH_MS = 60_000;

function stillWanted(context: EngineContext, ready: Command): Command | null {
  // A verification only reads: it does no harm, whatever is wanted by now.
  if (ready.target.kind !== "device" || ready.phase !== "send") return ready;
  // A device that was reconciled at this very instant would get the same result.
  const { reconciled_at } = memoryOf(context.sql, ready.device_id);
  if (reconciled_at === context.now() && context.put_off_at !== context.now()) return ready;
  const looked = reconcileDevice(context, ready.device_id);
  if (looked === null && ready.action === "on") {
    saveCommand(context, { ...ready, due_at: context.now() + WATCH_MS }); // whether it may go on can't be told now
    return null;
  }
  const command = commandAt(context.sql, ready.target);
  return command && command.due_at <= context.now() ? command : null;
}

function dispatchSend(context: EngineContext, ready: Command): Call | null {
  const command =
    ready.target.kind === "device" ? ready : { ...ready, address: oldAddressNow(context.sql, ready.address) };
  const attempt = command.attempt + 1;
  // A person's toggle always sends, and is the best probe there is.
  const isFirstOfPerson = command.source === "manual" && attempt === 1;
  const pause = isFirstOfPerson ? null : pauseOf(context, command.hub, command.address);
  if (pause && awaitsFirstCall(command)) {
    saveCommand(context, { ...command, due_at: pause.until, queued_at: null });
    return null;
  }
  const sent: Command = {
    ...command,
    attempt,
    queued_at: null,
    hasLeft: command.hasLeft || pause === null,
    // It was kept up for this one try.
    kept_since: awaitsFirstCall(command) ? null : command.kept_since,
    phase: "sending",
    due_at: context.now() + WATCH_MS,
  };
  saveCommand(context, sent);
  if (pause) {
    const who = pause.by === "cloud" ? "the cloud" : "its hub";
    const snippet = `not sent: ${who} does not answer`;
    settleSend(context, sent, noAnswer(command.address, "unreachable", `${who} does not answer`, snippet, pause.by));
    return null;
  }
  let before: Before | undefined;
  if (command.target.kind === "device") {
    before = noteSent(context.sql, command.device_id, command.action, context.now());
    if (command.action === "on") tookTurn(context, command.device_id);
    // A first try without trouble needs no reconcile: the one a moment ago reckoned with this ON, and set the wake-up.
    if (attempt > 1 || memoryOf(context.sql, command.device_id).problem !== null)
      reconcileDevice(context, command.device_id);
  }
  // The next change may forbid this ON, so it must not arrive after it, however long the provider takes.
  const not_after = sent.action === "on" ? timerDueAt(context.sql, "wake", sent.device_id) : null;
  const off_after_min = setOffTimer(context, sent);
  const how = { priority: priorityOf(sent), via: null, cached_since: null, not_after, off_after_min };
  return beginCall(context, { ...callOf(sent), kind: "send", action: sent.action, how, before });
}

/** All its retries failed without a call being made, and people were told. */
function awaitsFirstCall({ hasLeft, kept_since }: Command): boolean {
  return !hasLeft && kept_since !== null;
}

function priorityOf({ action, source }: Command): Priority {
  if (action === "off") return "off";
  return source === "manual" ? "person" : "on";
}

function callOf({ device_id, target, seq, hub, address }: Command) {
  return { device_id, target, seq, hub, address };
}
