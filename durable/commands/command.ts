import type { CommandSource, ProviderName, SchedulerResult, SwitchAction } from "#domain/enums";
import { plan, addressOf } from "#durable/state/plan";
import type { Address } from "#durable/providers/provider";
import { namesOf, recordAttempt, type Names } from "#durable/reporting/events";
import { bodyWith } from "#durable/state/body";
import { nextSeq, type EngineContext } from "#durable/state/context";
import { insertRows, replaceOne } from "#durable/state/insert-rows";
import type { Store } from "#durable/state/kept";
import { keptTable, type Rows, type Written } from "#durable/state/kept-table";
import { count } from "#durable/state/tally";
import { updateRows, updatesOf, type Update } from "#durable/state/update-rows";

/**
 * What a command is for: the device as the plan has it now, whose id it carries, or a pending OFF, which goes to an
 * address that the plan has no more and has an id of its own.
 */
export type Target = { kind: "device" | "pending_off"; id: string };

/**
 * The intent to switch a device. One is live per target, and its row is its whole state.
 * - `send`: to be sent from `due_at` on
 * - `sending`: the call is under way
 * - `verify`: to be checked from `due_at` on, by the provider that acted
 * - `verifying`: the check is under way
 */
export type Command = {
  target: Target;
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
  /** The provider that took the last send; its verification goes the same way. */
  via: ProviderName | null;
  /** Since when it waits for the cloud's limit of calls, and how long it did before (ms). */
  held_since: number | null;
  held_ms: number;
  /** Since when its lamp or hub has answered that it is too busy (epoch ms). */
  busy_since: number | null;
  /** Whether a call was ever made for it: while a hub's queue is paused, its commands fail without a call. */
  hasLeft: boolean;
  /** Since when it is kept up after its last retry failed (epoch ms); null while it still has retries. */
  kept_since: number | null;
  /** The `on_at` from before a person's ON, restored if that fails. Null: there was none. */
  on_at_before: number | null;
  /** Since when it waits for its turn among the ONs of its area (epoch ms); it keeps its place. */
  queued_at: number | null;
  names: Names;
};

/** The command as its table has it: `body` is the JSON of what no query asks for. */
export type CommandRow = Omit<Command, "target" | InBody> & {
  target_kind: Target["kind"];
  target_id: string;
  body: string;
};

/** The target of the commands that switch the device itself. */
export function deviceTarget(device_id: string): Target {
  return { kind: "device", id: device_id };
}

/** The queue a call waits in: one call is under way per hub, and per device where there is no hub. */
export function queueOf(address: Address): string {
  return address.hub ? `hub:${address.hub.id}` : `lamp:${address.lamp}`;
}

/** By their target's id. */
const commands = { device: keptCommands("device"), pending_off: keptCommands("pending_off") };

function keptCommands(kind: Target["kind"]): (sql: Store) => Rows<Command> {
  return keptTable<Command>({
    read: (sql, id) => {
      const [row] = sql
        .exec<CommandRow>("SELECT * FROM commands WHERE target_kind = ? AND target_id = ?", kind, id)
        .toArray();
      return row ? fromRow(row) : null;
    },
    readMany: (sql, ids) =>
      sql
        .exec<CommandRow>(
          "SELECT * FROM commands WHERE target_kind = ? AND target_id IN (SELECT value FROM json_each(?))",
          kind,
          ids,
        )
        .toArray()
        .flatMap((row) => {
          const command = fromRow(row);
          return command ? [[row.target_id, command] as const] : [];
        }),
    write,
    drop: (sql, id) => void sql.exec("DELETE FROM commands WHERE target_kind = ? AND target_id = ?", kind, id),
    dropMany: (sql, ids) =>
      void sql.exec(
        "DELETE FROM commands WHERE target_kind = ? AND target_id IN (SELECT value FROM json_each(?))",
        kind,
        ids,
      ),
    most: 20_000,
  });
}

/** Reads the live commands of these targets, all at once. */
export function loadCommands(sql: Store, kind: Target["kind"], ids: string[]): void {
  commands[kind](sql).load?.(ids);
}

/** The commands that this transaction has made, changed or ended and not yet written to their table. */
export function unwrittenCommands(sql: Store): {
  live: Command[];
  count: number;
  has: (target: Target) => boolean;
} {
  const changed = { device: changesOf(sql, "device"), pending_off: changesOf(sql, "pending_off") };
  const all = [...changed.device.values(), ...changed.pending_off.values()];
  return {
    live: all.filter((command) => command !== null),
    count: all.length,
    has: ({ kind, id }) => changed[kind].has(id),
  };
}

function changesOf(sql: Store, kind: Target["kind"]): ReadonlyMap<string, Command | null> {
  return new Map(commands[kind](sql).changed?.());
}

/** The device's live command, if it has one. */
export function commandFor(sql: Store, device_id: string): Command | null {
  return commandAt(sql, deviceTarget(device_id));
}

/** The live command of any target. */
export function commandAt(sql: Store, target: Target): Command | null {
  return commands[target.kind](sql).get(target.id);
}

/** Null for a row that cannot be read: it counts as no command, so that a new one can take its place. */
function fromRow({ target_kind, target_id, body, ...row }: CommandRow): Command | null {
  const target = { kind: target_kind, id: target_id };
  const held = { held_since: null, held_ms: 0, busy_since: null };
  const defaults = { via: null, ...held, hasLeft: true, kept_since: null, on_at_before: null, queued_at: null };
  const said = bodyWith<Pick<Command, "address" | "names">>(body, ["address", "names"]);
  return said && { ...defaults, ...row, target, ...said };
}

const NEWER_TOGGLE = "replaced by a newer press";

/**
 * Makes `action` the device's one live command; what it supersedes is recorded with the reason. Answers the command,
 * which the pump sends, or null where the plan does not know the device.
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

/** Its hub is back, or with null the cloud is: an OFF that is kept up does not wait for its next try. */
export function hurryPendingOffs(context: EngineContext, hub: string | null): void {
  context.sql.kept?.write();
  context.sql.exec(
    `UPDATE commands SET due_at = ?1 WHERE (?2 IS NULL OR hub = ?2) AND phase = 'send' AND due_at > ?1
       AND (target_kind = 'pending_off' OR (action = 'off' AND source = 'watchdog'))`,
    context.now(),
    hub,
  );
  forgetCommands(context.sql);
  context.startRunners();
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

/** Stores the command; whoever is ready by `due_at` is handed out (`dispatch`). */
export function saveCommand({ sql }: EngineContext, command: Command): void {
  commands[command.target.kind](sql).put(command.target.id, command);
}

function write(sql: SqlStorage, rows: Written<Command>[]): void {
  const fresh: SqlStorageValue[][] = [];
  const known: Update[] = [];
  for (const { row, stored } of rows) {
    if (stored) known.push(updateOf(row, stored));
    else fresh.push(Object.values(columnsOf(row, JSON.stringify(bodyOf(row)))));
  }
  insertRows(sql, INSERT, fresh);
  updateRows(sql, UPDATES, known);
}

/** The body is written again only where it differs: it is the longest by far. */
function updateOf(command: Command, stored: Command): Update {
  const isSame = BODY.every((name) => command[name] === stored[name]);
  const body = isSame ? "" : JSON.stringify(bodyOf(command));
  return { stored: columnsOf(stored, ""), row: columnsOf(command, body) };
}

const KEY = ["target_kind", "target_id"] as const;
const COLUMNS = [
  "device_id",
  "hub",
  "action",
  "source",
  "attempt",
  "seq",
  "phase",
  "due_at",
  "reason",
  "body",
] as const;
const UPDATES = updatesOf("commands", [...KEY], [...COLUMNS]);
const INSERT = replaceOne("commands", [...KEY, ...COLUMNS]);

/** In the order of KEY and COLUMNS. */
function columnsOf(command: Command, body: string): CommandRow {
  const { target, device_id, hub, action, source, attempt, seq, phase, due_at, reason } = command;
  const of = { target_kind: target.kind, target_id: target.id };
  return { ...of, device_id, hub, action, source, attempt, seq, phase, due_at, reason, body };
}

type InBody = (typeof BODY)[number];
const BODY = [
  "address",
  "via",
  "held_since",
  "held_ms",
  "busy_since",
  "hasLeft",
  "kept_since",
  "on_at_before",
  "queued_at",
  "names",
] as const satisfies (keyof Command)[];

/** A field missing here would be lost with the process; the compiler asks for each. */
function bodyOf(command: Command): Pick<Command, InBody> {
  const { address, via, held_since, held_ms, busy_since, hasLeft, kept_since, on_at_before, queued_at, names } =
    command;
  return { address, via, held_since, held_ms, busy_since, hasLeft, kept_since, on_at_before, queued_at, names };
}

/** A held command that has left: how long it waited is part of its story. */
export function released(command: Command, left_at: number): Command {
  return { ...command, held_ms: heldFor(command, left_at), held_since: null, busy_since: null };
}

/** How long, in ms until then, it waited for the cloud's limit of calls. */
function heldFor({ held_since, held_ms }: Command, until: number): number {
  return held_ms + (held_since === null ? 0 : until - held_since);
}

/** Removes the command; nothing is recorded. */
export function endCommand({ sql }: EngineContext, target: Target): void {
  commands[target.kind](sql).drop(target.id);
}

/** How many possibly abandoned commands one tick looks at. */
const ABANDONED_AT_ONCE = 100;

/**
 * Sends commands to verification that have been under way for longer than any call takes while their hub has no call:
 * nobody has settled them. Looks only at those that are due first, since an abandoned one becomes the first in time.
 */
export function verifyAbandoned({ sql, now }: EngineContext): void {
  sql.kept?.write();
  const found = sql.exec(
    `UPDATE commands SET phase = 'verify'
     WHERE (target_kind, target_id) IN
         (SELECT target_kind, target_id FROM commands WHERE due_at <= ?1 ORDER BY due_at LIMIT ?2 + 0)
       AND phase IN ('sending', 'verifying') AND NOT EXISTS (SELECT 1 FROM calls WHERE calls.hub = commands.hub)
     RETURNING target_id`,
    now(),
    ABANDONED_AT_ONCE,
  );
  if (found.toArray().length > 0) forgetCommands(sql);
}

function forgetCommands(sql: Store): void {
  commands.device(sql).forget?.();
  commands.pending_off(sql).forget?.();
}

/** Deletes a row that cannot be read as a command; the copy in memory never had it. */
export function dropUnreadCommand({ sql }: EngineContext, { kind, id }: Target): void {
  sql.exec("DELETE FROM commands WHERE target_kind = ? AND target_id = ?", kind, id);
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

/** The OFFs that old lamps are owed. */
export function pendingOffs(sql: Store): Command[] {
  sql.kept?.write();
  const rows = sql.exec<{ id: string }>("SELECT target_id AS id FROM commands WHERE target_kind = 'pending_off'");
  return rows.toArray().flatMap(({ id }) => commandAt(sql, { kind: "pending_off", id }) ?? []);
}

/**
 * Ends an ON that has failed and waits for its next try, so that another can begin at once: for a booking that begins, or a
 * hub that is back, that try would come too late, and it would leave no record of the booking.
 */
export function endKeptUp(context: EngineContext, device_id: string): void {
  const kept = commandFor(context.sql, device_id);
  if (kept?.action === "on" && kept.kept_since !== null && kept.phase === "send") endCommand(context, kept.target);
}

/** Ends a command without an outcome, as `supersede` does. */
export function dropUnfinished(
  context: EngineContext,
  live: Command,
  why: string,
  cause: "replaced" | "dropped",
): void {
  if (live.attempt === 0) recordOutcome(context, live, "fail", `not sent, ${why}`, cause);
  else if (live.phase === "send") recordOutcome(context, live, "retry", `not tried again, ${why}`, cause, "dropped");
  else recordOutcome(context, live, "retry", why, cause);
  endCommand(context, live.target);
  context.waiting.get(live.seq)?.({ superseded: why });
}
