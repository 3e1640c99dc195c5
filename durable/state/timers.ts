import { insertRows } from "./insert-rows";
import type { Store } from "./kept";
import { keptTable, type Rows } from "./kept-table";

/**
 * What a timer wakes, and what its key names:
 * - `wake`: the device's next change, by itself or by a rule
 * - `recheck`: a device that is looked at once more to be sure; served after everything else
 * - `call`: the call whose lease has run out
 * - `hub_check`: the hub whose turn it is
 * - `message`: the message to be sent
 * - `escalation`: the incident of the alarm that is passed on
 * - `digest`: the person whose quiet hours end
 * - `agent_plan`: the on-site agent whose standing plan may have changed
 * - `off_timer`: the device whose lamp is about to put itself out
 * - `watchdog`, `outbox`, `webhooks`, `sockets` (those who listen are checked): one each, without a key
 */
export type TimerKind =
  | "wake"
  | "recheck"
  | "call"
  | "hub_check"
  | "message"
  | "escalation"
  | "digest"
  | "agent_plan"
  | "off_timer"
  | Single;

/** The kinds of which there is one; their key is empty. */
type Single = "watchdog" | "outbox" | "webhooks" | "sockets";

/**
 * A row that asks to be woken at `due_at` (epoch ms), served by the object's single alarm. Its kind and key are its
 * identity, so that asking twice is asking once. A timer is a wake-up, not an order: who is woken looks at what is true
 * by then.
 */
export type Timer = { kind: TimerKind; key: string; due_at: number; lease: number | null; tries: number };

/** A tick that runs longer than this is taken for dead, and its timers are served again. */
const LEASE_MS = 60_000;

type Stored = Pick<Timer, "due_at" | "lease" | "tries">;

/** By kind, also of those that only a newer release knows; each by its key. */
const tables = new Map<string, (sql: Store) => Rows<Stored>>();

function timers(sql: Store, kind: string): Rows<Stored> {
  const table = tables.get(kind) ?? keptTimers(kind);
  tables.set(kind, table);
  return table(sql);
}

function keptTimers(kind: string): (sql: Store) => Rows<Stored> {
  return keptTable<Stored>({
    read: (sql, key) =>
      sql.exec<Stored>("SELECT due_at, lease, tries FROM timers WHERE kind = ? AND key = ?", kind, key).toArray()[0] ??
      null,
    readMany: (sql, keys) =>
      sql
        .exec<Stored & { key: string }>(
          "SELECT key, due_at, lease, tries FROM timers WHERE kind = ? AND key IN (SELECT value FROM json_each(?))",
          kind,
          keys,
        )
        .toArray()
        .map(({ key, ...stored }) => [key, stored]),
    write: (sql, rows) => insert(sql, kind, rows),
    drop: (sql, key) => void sql.exec("DELETE FROM timers WHERE kind = ? AND key = ?", kind, key),
    dropMany: (sql, keys) =>
      void sql.exec("DELETE FROM timers WHERE kind = ? AND key IN (SELECT value FROM json_each(?))", kind, keys),
    isSame: (a, b) => a.due_at === b.due_at && a.lease === b.lease && a.tries === b.tries,
    most: 20_000,
  });
}

function insert(sql: SqlStorage, kind: string, rows: { key: string; row: Stored }[]): void {
  insertRows(
    sql,
    `INSERT INTO timers (kind, key, due_at, lease, tries) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (kind, key) DO UPDATE SET due_at = excluded.due_at, lease = excluded.lease, tries = excluded.tries`,
    rows.map(({ key, row: { due_at, lease, tries } }) => [kind, key, due_at, lease, tries]),
  );
}

/** Reads timers of a kind, all at once. */
export function loadTimers(sql: Store, kind: TimerKind, keys: string[]): void {
  timers(sql, kind).load?.(keys);
}

/** Asks to be woken at `due_at` (epoch ms), instead of whenever was asked before. A put clears the lease. */
export function putTimer(sql: Store, kind: TimerKind, key: string, due_at: number): void {
  timers(sql, kind).put(key, { due_at: Math.ceil(due_at), lease: null, tries: 0 });
}

/** As putTimer, but an earlier wake-up that is already asked for stays. */
export function putTimerNoLater(sql: Store, kind: TimerKind, key: string, due_at: number): void {
  const asked = timers(sql, kind).get(key);
  if (!asked || asked.lease !== null || asked.due_at > due_at) putTimer(sql, kind, key, due_at);
}

/** As putTimer, but whatever was asked for before stays, its tries too. */
export function putTimerIfNone(sql: Store, kind: TimerKind, key: string, due_at: number): void {
  if (!timers(sql, kind).get(key)) putTimer(sql, kind, key, due_at);
}

/** Asks no more to be woken. */
export function dropTimer(sql: Store, kind: TimerKind, key = ""): void {
  timers(sql, kind).drop(key);
}

/** When the timer is due (epoch ms), or null where there is none. */
export function timerDueAt(sql: Store, kind: TimerKind, key = ""): number | null {
  return timers(sql, kind).get(key)?.due_at ?? null;
}

/** The keys of all timers of a kind. */
export function timerKeys(sql: Store, kind: TimerKind): string[] {
  sql.kept?.write();
  return sql
    .exec<{ key: string }>("SELECT key FROM timers WHERE kind = ?", kind)
    .toArray()
    .map(({ key }) => key);
}

/** When the alarm has to ring: overdue timers count; one that is being served counts at the end of its lease. */
export function earliestTimer(sql: Store): number | null {
  sql.kept?.write();
  const { at } = sql
    .exec<{ at: number | null }>(
      `SELECT MIN(at) AS at FROM (
         SELECT MIN(due_at) AS at FROM timers WHERE lease IS NULL AND kind <> 'recheck'
         UNION ALL SELECT MIN(due_at) FROM timers INDEXED BY timers_recheck WHERE lease IS NULL AND kind = 'recheck'
         UNION ALL SELECT MIN(lease) FROM timers WHERE lease IS NOT NULL)`,
    )
    .one();
  return at;
}

/**
 * Takes up to `limit` due timers, the longest overdue first and the low-priority rechecks last; each is leased to the
 * caller. A lease that has run out is none. Each question has an index of its own: it reads what it answers, however many
 * timers wait.
 */
export function takeDueTimers(sql: Store, now: number, limit: number): Timer[] {
  sql.kept?.write();
  const expire = "UPDATE timers SET lease = NULL WHERE lease IS NOT NULL AND lease <= ?";
  if (sql.exec(expire, now).rowsWritten > 0) forgetTimers(sql);
  const urgent = sql
    .exec<Timer>(
      `SELECT * FROM timers WHERE lease IS NULL AND kind <> 'recheck' AND due_at <= ?
       ORDER BY due_at, kind, key LIMIT ? + 0`,
      now,
      limit,
    )
    .toArray();
  if (urgent.length === limit) return leased(sql, urgent, now);
  const rechecks = sql.exec<Timer>(
    `SELECT * FROM timers INDEXED BY timers_recheck WHERE lease IS NULL AND kind = 'recheck' AND due_at <= ?
     ORDER BY due_at, key LIMIT ? + 0`,
    now,
    limit - urgent.length,
  );
  return leased(sql, [...urgent, ...rechecks], now);
}

/** Who serves them in the transaction that takes them ends the leases, too: then these are never written. */
function leased(sql: Store, due: Timer[], now: number): Timer[] {
  return due.map(({ kind, key, due_at, lease, tries }) => {
    const taken = { due_at, lease: now + LEASE_MS, tries: tries + 1 };
    timers(sql, kind).know(key, { due_at, lease, tries });
    timers(sql, kind).put(key, taken);
    return { kind, key, ...taken };
  });
}

/** Whoever held the leases died with the last process: what was due is due. */
export function releaseTimers(sql: Store): void {
  sql.exec("UPDATE timers SET lease = NULL WHERE lease IS NOT NULL");
  forgetTimers(sql);
}

function forgetTimers(sql: Store): void {
  for (const table of tables.values()) table(sql).forget?.();
}

/** Ends served timers, but for those that were put again meanwhile. */
export function finishTimers(sql: Store, served: Timer[]): void {
  for (const { kind, key, lease } of served)
    if (timers(sql, kind).get(key)?.lease === lease) timers(sql, kind).drop(key);
}

/** Serves a timer that failed again later, keeping the count of its tries; unless it was put again meanwhile. */
export function postponeTimer(sql: Store, { kind, key, lease, tries }: Timer, due_at: number): void {
  if (timers(sql, kind).get(key)?.lease === lease) timers(sql, kind).put(key, { due_at, lease: null, tries });
}
