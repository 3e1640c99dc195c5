import type { CommandSource, ProviderName, SwitchAction } from "#domain/enums";
import type { Address } from "#durable/providers/provider";
import type { Names } from "#durable/reporting/events";
import { bodyWith } from "#durable/state/body";
import type { EngineContext } from "#durable/state/context";
import { insertRows, replaceOne } from "#durable/state/insert-rows";
import type { Store } from "#durable/state/kept";
import { keptTable, type Rows, type Written } from "#durable/state/kept-table";
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
type CommandRow = Omit<Command, "target" | InBody> & {
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

/** Reads the live commands of these devices, all at once. */
export function loadCommands(sql: Store, device_ids: string[]): void {
  commands.device(sql).load?.(device_ids);
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

/** The OFFs that old lamps are owed. */
export function pendingOffs(sql: Store): Command[] {
  sql.kept?.write();
  const rows = sql.exec<{ id: string }>("SELECT target_id AS id FROM commands WHERE target_kind = 'pending_off'");
  return rows.toArray().flatMap(({ id }) => commandAt(sql, { kind: "pending_off", id }) ?? []);
}
