import type { CommandSource, ProviderName, SwitchAction } from "#domain/enums";
import { plan, addressOf } from "#durable/state/plan";
import type { Address } from "#durable/providers/provider";
import { heldFor, namesOf, recordOutcome } from "#durable/reporting/events";
import { nextSeq, type EngineContext } from "#durable/state/context";
import { dropTimer, putTimer } from "#durable/state/timers";

/**
 * The intent to make a device on or off. One is live per target, and its row is its whole state (design 3, Commands).
 * - `send`: to be sent from `due_at` on
 * - `sending`: the call is under way
 * - `verify`: to be checked from `due_at` on, by the provider that acted
 * - `verifying`: the check is under way
 */
export type Command = {
  /** The device, or `owed:...` for an OFF that an old address is still owed. */
  target: string;
  device_id: string;
  hub: string;
  action: SwitchAction;
  source: CommandSource;
  /** How many times it was sent. */
  attempt: number;
  seq: number;
  phase: "send" | "sending" | "verify" | "verifying";
  due_at: number;
  /** Why, in a sentence; it becomes the event's note. */
  reason: string;
  address: Address;
  /** The way the last send was answered; its verification goes the same way. */
  via: ProviderName | null;
  /** Since when it waits for the cloud's limit of calls, and how long it did before. */
  held_since: number | null;
  held_ms: number;
  names: {
    device_name: string;
    dept_id: string | null;
    area_id: string | null;
    area_name: string | null;
    hub_name: string | null;
    schedule_title: string | null;
  };
};

type Row = Omit<Command, "address" | "via" | "held_since" | "held_ms" | "names"> & { body: string };

/** The queue a call waits in: one call is under way per hub, and per device where there is no hub. */
export function queueOf(address: Address): string {
  return address.hub ? `hub:${address.hub.id}` : `lamp:${address.lamp}`;
}

export function commandFor(sql: SqlStorage, target: string): Command | null {
  const [row] = sql.exec<Row>("SELECT * FROM commands WHERE target = ?", target).toArray();
  return row ? fromRow(row) : null;
}

export function fromRow({ body, ...row }: Row): Command {
  return { via: null, held_since: null, held_ms: 0, ...row, ...JSON.parse(body) };
}

const NEWER_PRESS = "replaced by a newer press";

/**
 * Makes `action` the device's one live command. What it supersedes is recorded with the reason.
 * Answers the command; it is sent by a runner.
 */
export function startCommand(
  context: EngineContext,
  device_id: string,
  intent: { action: SwitchAction; source: CommandSource; reason: string; schedule_title?: string | null },
): Command | null {
  const device = plan.device(context.sql, device_id);
  if (!device) return null;
  const isPress = intent.source === "manual";
  supersede(context, device_id, isPress ? NEWER_PRESS : `replaced by ${intent.action.toUpperCase()}: ${intent.reason}`);
  return saveNew(context, {
    ...intent,
    target: device_id,
    device_id,
    address: addressOf(context.sql, device),
    names: namesOf(context, device_id, intent.schedule_title ?? null),
  });
}

/** The OFF that a lit lamp is owed at an address that is about to be forgotten (scenario 30). */
export function startPendingOff(
  context: EngineContext,
  device_id: string,
  address: Address,
  names: Command["names"],
  why: string,
): void {
  const target = `owed:${device_id}:${nextSeq(context)}`;
  saveNew(context, { target, device_id, action: "off", source: "scheduler", reason: why, address, names });
}

/** Its hub is back, or with null the cloud is: an OFF that is kept up does not wait for its next try. */
export function hurryPendingOffs(context: EngineContext, hub: string | null): void {
  context.sql.exec(
    `UPDATE commands SET due_at = ?1 WHERE (?2 IS NULL OR hub = ?2) AND phase = 'send' AND due_at > ?1
       AND (target LIKE 'owed:%' OR (action = 'off' AND source = 'watchdog'))`,
    context.now(),
    hub,
  );
}

function saveNew(
  context: EngineContext,
  intent: Pick<Command, "target" | "device_id" | "action" | "source" | "reason" | "address" | "names">,
): Command {
  const { target, device_id, action, source, reason, address, names } = intent;
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
    names,
  };
  saveCommand(context, command);
  return command;
}

/** Stores the command, and the timer that sees to it even where the process dies. */
export function saveCommand(context: EngineContext, command: Command): void {
  const { address, via, held_since, held_ms, names, ...row } = command;
  context.sql.exec(
    `INSERT OR REPLACE INTO commands (target, device_id, hub, action, source, attempt, seq, phase, due_at, reason, body)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    row.target,
    row.device_id,
    row.hub,
    row.action,
    row.source,
    row.attempt,
    row.seq,
    row.phase,
    row.due_at,
    row.reason,
    JSON.stringify({ address, via, held_since, held_ms, names }),
  );
  putTimer(context.sql, `command:${command.target}`, command.due_at);
}

/** A held command that has left: how long it waited is part of its story. */
export function released(command: Command, left_at: number): Command {
  return { ...command, held_ms: heldFor(command, left_at), held_since: null };
}

export function endCommand(context: EngineContext, target: string): void {
  context.sql.exec("DELETE FROM commands WHERE target = ?", target);
  dropTimer(context.sql, `command:${target}`);
}

/**
 * Ends the live command of a target without an outcome. What was never sent is a fail with attempts 0, which never
 * notifies (decision 19); what was sent but not verified is a retry, since the device was not found at fault. An attempt
 * that has its event already keeps it: what is dropped then is the next one, with the reason (scenario 19).
 */
export function supersede(context: EngineContext, target: string, why: string): void {
  const live = commandFor(context.sql, target);
  if (!live) return;
  if (live.attempt === 0) recordOutcome(context, live, "fail", `not sent, ${why}`);
  else if (live.phase === "send") recordOutcome(context, live, "retry", `not tried again, ${why}`, "dropped");
  else recordOutcome(context, live, "retry", why);
  endCommand(context, target);
  context.waiting.get(live.seq)?.({ superseded: why });
}
