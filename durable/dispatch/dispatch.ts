import { assertNever } from "#domain/assert-never";
import { nextPoll } from "#durable/commands/polls";
import { beginCall, callsUnderWay, type Call } from "#durable/commands/calls";
import { commandAt, fromRow, saveCommand, type Command, type CommandRow } from "#durable/commands/command";
import { pausedBy } from "#durable/monitoring/circuit-breaker";
import type { Priority } from "#durable/providers/provider";
import { noAnswer } from "#durable/providers/no-answer";
import { timerDueAt } from "#durable/state/timers";
import { reconcileDevice } from "#durable/reconcile/reconcile";
import type { EngineContext } from "#durable/state/context";
import { noteSent, type Before } from "#durable/state/device-memory";
import { nextProbe } from "./probes";
import { settleSend } from "./settle";

/**
 * The next call for a runner, or null where nothing is ready. The device is resolved again each time, so that a stale ON
 * cannot leave after the curfew fell or a person pressed OFF. First what a person waits for, then OFF, ON, verifications,
 * and last the polls that nobody waits for.
 * Must run inside a transaction.
 */
export function nextCall(context: EngineContext): Call | null {
  const busyHubs = new Set(callsUnderWay(context.sql).map((call) => call.hub));
  const probe = nextProbe(context, busyHubs);
  if (probe) return probe;
  for (let n = 0; n < MOST_IN_ONE_GO; n += 1) {
    const command = firstReady(context);
    if (!command) break;
    const call = dispatch(context, command);
    if (call) return call;
  }
  return nextPoll(context, busyHubs);
}

/** Each command that is looked at is handed out, postponed or ended; the bound is for the one that would not be. */
const MOST_IN_ONE_GO = 1_000;

/** The queue's order: sends before verifications, OFF before ON, a person before the others. A 1 is later than a 0. */
const RANKS = [0, 1].flatMap((verify) => [0, 1].flatMap((on) => [0, 1].map((other) => [verify, on, other] as const)));

/** The first ready command whose hub is free. Each rank is asked for by itself, so that an index answers in order. */
function firstReady(context: EngineContext): Command | null {
  for (const rank of RANKS) {
    const [row] = context.sql
      .exec<CommandRow>(
        `SELECT * FROM commands
         WHERE phase IN ('send', 'verify') AND (phase = 'verify') = ? AND (action = 'on') = ? AND (source <> 'manual') = ?
           AND due_at <= ? AND NOT EXISTS (SELECT 1 FROM calls WHERE calls.hub = commands.hub)
         ORDER BY due_at, target_kind, target_id LIMIT 1`,
        ...rank,
        context.now(),
      )
      .toArray();
    if (row) return fromRow(row);
  }
  return null;
}

function dispatch(context: EngineContext, ready: Command): Call | null {
  const command = stillWanted(context, ready);
  if (!command) return null;
  switch (command.phase) {
    case "send":
      return dispatchSend(context, command);
    case "verify":
      saveCommand(context, { ...command, phase: "verifying", due_at: context.now() + WATCH_MS });
      return beginCall(context, {
        ...callOf(command),
        kind: "verify",
        action: null,
        how: { priority: "verify", via: command.via, cached_since: null, not_after: null },
      });
    case "sending":
    case "verifying":
      return null;
    default:
      return assertNever(command.phase);
  }
}

/** The call's own timer sees to a runner that dies; the command's is only the second net. */
const WATCH_MS = 60_000;

function stillWanted(context: EngineContext, ready: Command): Command | null {
  const isOwn = ready.target.kind === "device";
  const looked = isOwn ? reconcileDevice(context, ready.device_id) : null;
  if (isOwn && looked === null && ready.action === "on" && ready.phase === "send") {
    saveCommand(context, { ...ready, due_at: context.now() + WATCH_MS }); // whether it may go on can't be told now
    return null;
  }
  const command = commandAt(context.sql, ready.target);
  return command && command.due_at <= context.now() ? command : null;
}

function dispatchSend(context: EngineContext, command: Command): Call | null {
  const sent: Command = {
    ...command,
    attempt: command.attempt + 1,
    phase: "sending",
    due_at: context.now() + WATCH_MS,
  };
  saveCommand(context, sent);
  // A person's toggle always sends, and is the best probe there is.
  const isPressed = sent.source === "manual" && sent.attempt === 1;
  const paused = isPressed ? null : pausedBy(context, command.hub, command.address);
  if (paused) {
    const who = paused === "cloud" ? "the cloud" : "its hub";
    const snippet = `not sent: ${who} does not answer`;
    settleSend(context, sent, noAnswer(command.address, "unreachable", `${who} does not answer`, snippet, paused));
    return null;
  }
  let before: Before | undefined;
  if (command.target.kind === "device") {
    before = noteSent(context.sql, command.device_id, command.action, context.now());
    // The max-on bound counts from the first ON, and the wake-up has to know.
    reconcileDevice(context, command.device_id);
  }
  // What the next change may forbid must not arrive after it, whatever the provider has to do first.
  const not_after = sent.action === "on" ? timerDueAt(context.sql, "wake", sent.device_id) : null;
  const how = { priority: priorityOf(sent), via: null, cached_since: null, not_after };
  return beginCall(context, { ...callOf(sent), kind: "send", action: sent.action, how, before });
}

function priorityOf({ action, source }: Command): Priority {
  if (action === "off") return "off";
  return source === "manual" ? "person" : "on";
}

function callOf({ device_id, target, seq, hub, address }: Command) {
  return { device_id, target, seq, hub, address };
}
