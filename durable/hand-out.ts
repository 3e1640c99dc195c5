import { assertNever } from "#domain/assert-never";
import { sentOn } from "#domain/desired-state";
import { nextCheck } from "./checks";
import { beginCall, callsUnderWay, type Call } from "./calls";
import { commandFor, fromRow, saveCommand, type Command } from "./command";
import { isPaused } from "./hub-trouble";
import { look } from "./reconcile";
import type { Room } from "./room";
import { saveStanding, standing } from "./standings";
import { nextAsk } from "./asks";
import { settleSend } from "./settle";

/**
 * The next call for a runner, or null where nothing is ready. The device is resolved again at each hand-out, so that
 * nothing stale can leave (scenario 31). First what a person waits for, then OFF, ON, verifications, and last the checks
 * that nobody waits for.
 * Must run inside a transaction.
 */
export function nextCall(room: Room): Call | null {
  const busy = callsUnderWay(room.sql);
  const busyHubs = new Set(busy.map((call) => call.hub));
  const ask = nextAsk(room, busyHubs);
  if (ask) return ask;
  for (const command of readyCommands(room)) {
    if (busyHubs.has(command.hub)) continue;
    const call = handOut(room, command);
    if (call) return call;
  }
  return nextCheck(room, busyHubs);
}

function readyCommands(room: Room): Command[] {
  return room.sql
    .exec<Parameters<typeof fromRow>[0]>(
      `SELECT * FROM commands WHERE phase IN ('send', 'verify') AND due_at <= ?
       ORDER BY phase = 'verify', action = 'on', source <> 'manual', due_at, target`,
      room.now(),
    )
    .toArray()
    .map(fromRow);
}

function handOut(room: Room, ready: Command): Call | null {
  const command = stillWanted(room, ready);
  if (!command) return null;
  switch (command.phase) {
    case "send":
      return handOutSend(room, command);
    case "verify":
      saveCommand(room, { ...command, phase: "verifying", due_at: room.now() + WATCH_MS });
      return beginCall(room, { ...callOf(command), kind: "verify", action: null });
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
  if (ready.target === ready.device_id) look(room, ready.device_id);
  const command = commandFor(room.sql, ready.target);
  return command && command.due_at <= room.now() ? command : null;
}

function handOutSend(room: Room, command: Command): Call | null {
  const sent: Command = { ...command, attempt: command.attempt + 1, phase: "sending", due_at: room.now() + WATCH_MS };
  saveCommand(room, sent);
  if (isPaused(room, command.hub)) {
    settleSend(room, sent, {
      ok: false,
      reason: "unreachable",
      detail: "its hub does not answer",
      provider: command.address.mode === "cloud" ? "cloud" : command.address.mode === "mock" ? "mock" : "local",
      http_status: null,
      snippet: "not sent: the hub does not answer",
      rtt_ms: 0,
    });
    return null;
  }
  if (command.target === command.device_id) {
    const of = standing(room.sql, command.device_id);
    const now = room.now();
    saveStanding(room.sql, { ...of, ...(command.action === "on" ? sentOn(of, now) : {}), sent_at: now });
    // The max-on bound counts from the first ON, and the wake-up has to know.
    look(room, command.device_id);
  }
  return beginCall(room, { ...callOf(sent), kind: "send", action: sent.action });
}

function callOf({ device_id, target, seq, hub, address }: Command) {
  return { device_id, target, seq, hub, address };
}
