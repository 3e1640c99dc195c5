import { assertNever } from "#domain/assert-never";
import { nextCheck } from "#durable/commands/polls";
import { beginCall, callsUnderWay, type Call } from "#durable/commands/calls";
import { commandFor, fromRow, saveCommand, type Command } from "#durable/commands/command";
import { isPaused } from "#durable/monitoring/circuit-breaker";
import type { Priority } from "#durable/providers/provider";
import { unheard } from "#durable/providers/no-answer";
import { look } from "#durable/reconcile/reconcile";
import type { Room } from "#durable/state/context";
import { noteSent, type Before } from "#durable/state/device-state";
import { nextAsk } from "./probes";
import { settleSend } from "./settle";

/**
 * The next call for a runner, or null where nothing is ready. The device is resolved again at each hand-out, so that
 * nothing stale can leave (scenario 31). First what a person waits for, then OFF, ON, verifications, and last the checks
 * that nobody waits for.
 * Must run inside a transaction.
 */
export function nextCall(room: Room): Call | null {
  const busyHubs = new Set(callsUnderWay(room.sql).map((call) => call.hub));
  const ask = nextAsk(room, busyHubs);
  if (ask) return ask;
  for (let n = 0; n < MOST_IN_ONE_GO; n += 1) {
    const command = firstReady(room);
    if (!command) break;
    const call = handOut(room, command);
    if (call) return call;
  }
  return nextCheck(room, busyHubs);
}

/** Each command that is looked at is handed out, postponed or ended; the bound is for the one that would not be. */
const MOST_IN_ONE_GO = 1_000;

/** The first ready command whose hub is free. Only it is read in full: in a storm hundreds are ready. */
function firstReady(room: Room): Command | null {
  const [row] = room.sql
    .exec<Parameters<typeof fromRow>[0]>(
      `SELECT * FROM commands WHERE target = (
         SELECT target FROM commands
         WHERE phase IN ('send', 'verify') AND due_at <= ? AND hub NOT IN (SELECT hub FROM calls)
         ORDER BY phase = 'verify', action = 'on', source <> 'manual', due_at, target LIMIT 1)`,
      room.now(),
    )
    .toArray();
  return row ? fromRow(row) : null;
}

function handOut(room: Room, ready: Command): Call | null {
  const command = stillWanted(room, ready);
  if (!command) return null;
  switch (command.phase) {
    case "send":
      return handOutSend(room, command);
    case "verify":
      saveCommand(room, { ...command, phase: "verifying", due_at: room.now() + WATCH_MS });
      return beginCall(room, {
        ...callOf(command),
        kind: "verify",
        action: null,
        how: { priority: "verify", via: command.via, cached_since: null },
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

function stillWanted(room: Room, ready: Command): Command | null {
  const isOwn = ready.target === ready.device_id;
  const looked = isOwn ? look(room, ready.device_id) : null;
  if (isOwn && looked === null && ready.action === "on" && ready.phase === "send") {
    saveCommand(room, { ...ready, due_at: room.now() + WATCH_MS }); // whether it may go on can't be told now
    return null;
  }
  const command = commandFor(room.sql, ready.target);
  return command && command.due_at <= room.now() ? command : null;
}

function handOutSend(room: Room, command: Command): Call | null {
  const sent: Command = { ...command, attempt: command.attempt + 1, phase: "sending", due_at: room.now() + WATCH_MS };
  saveCommand(room, sent);
  // A person's press always sends (design 3), and is the best probe there is.
  const isPressed = sent.source === "manual" && sent.attempt === 1;
  if (!isPressed && isPaused(room, command.hub)) {
    const snippet = "not sent: the hub does not answer";
    settleSend(room, sent, unheard(command.address, "unreachable", "its hub does not answer", snippet));
    return null;
  }
  let before: Before | undefined;
  if (command.target === command.device_id) {
    before = noteSent(room.sql, command.device_id, command.action, room.now());
    // The max-on bound counts from the first ON, and the wake-up has to know.
    look(room, command.device_id);
  }
  const how = { priority: priorityOf(sent), via: null, cached_since: null };
  return beginCall(room, { ...callOf(sent), kind: "send", action: sent.action, how, before });
}

function priorityOf({ action, source }: Command): Priority {
  if (action === "off") return "off";
  return source === "manual" ? "person" : "on";
}

function callOf({ device_id, target, seq, hub, address }: Command) {
  return { device_id, target, seq, hub, address };
}
