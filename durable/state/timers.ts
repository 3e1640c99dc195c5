/**
 * What a timer wakes, and what its key names:
 * - `wake`: the device's next change, by itself or by a rule
 * - `recheck`: a device that is looked at once more to be sure; served after everything else
 * - `command`: the device whose command is due
 * - `pending_off`: the pending OFF that is due
 * - `call`: the call whose lease runs out
 * - `hub_check`: the hub whose turn it is
 * - `message`: the text message to be sent
 * - `watchdog`, `outbox`: one each, without a key
 */
export type TimerKind = "wake" | "recheck" | "command" | "pending_off" | "call" | "hub_check" | "message" | Single;

/** The kinds of which there is one; their key is empty. */
type Single = "watchdog" | "outbox";

/**
 * A row that asks to be woken at `due_at` (epoch ms), served by the object's single alarm. Its kind and key are its
 * identity, so that asking twice is asking once. A timer is a wake-up, not an order: who is woken looks at what is true
 * by then.
 */
export type Timer = { kind: TimerKind; key: string; due_at: number; lease: number | null; tries: number };

/** A tick that runs longer than this is taken for dead, and its timers are served again. */
const LEASE_MS = 60_000;

/** Asks to be woken at `due_at` (epoch ms), instead of whenever was asked before. A put clears the lease. */
export function putTimer(sql: SqlStorage, kind: TimerKind, key: string, due_at: number): void {
  sql.exec(
    `INSERT INTO timers (kind, key, due_at) VALUES (?, ?, ?)
     ON CONFLICT (kind, key) DO UPDATE SET due_at = excluded.due_at, lease = NULL, tries = 0`,
    kind,
    key,
    Math.ceil(due_at),
  );
}

/** As putTimer, but an earlier wake-up that is already asked for stays. */
export function putTimerNoLater(sql: SqlStorage, kind: TimerKind, key: string, due_at: number): void {
  const [row] = sql
    .exec<{ due_at: number }>("SELECT due_at FROM timers WHERE kind = ? AND key = ? AND lease IS NULL", kind, key)
    .toArray();
  if (!row || row.due_at > due_at) putTimer(sql, kind, key, due_at);
}

/** As putTimer, but whatever was asked for before stays, its tries too. */
export function putTimerIfNone(sql: SqlStorage, kind: TimerKind, key: string, due_at: number): void {
  sql.exec("INSERT INTO timers (kind, key, due_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", kind, key, due_at);
}

export function dropTimer(sql: SqlStorage, kind: TimerKind, key = ""): void {
  sql.exec("DELETE FROM timers WHERE kind = ? AND key = ?", kind, key);
}

/** When the timer is due (epoch ms), or null where there is none. */
export function timerDueAt(sql: SqlStorage, kind: TimerKind, key = ""): number | null {
  const [row] = sql
    .exec<{ due_at: number }>("SELECT due_at FROM timers WHERE kind = ? AND key = ?", kind, key)
    .toArray();
  return row?.due_at ?? null;
}

/** The keys of all timers of a kind. */
export function timerKeys(sql: SqlStorage, kind: TimerKind): string[] {
  return sql
    .exec<{ key: string }>("SELECT key FROM timers WHERE kind = ?", kind)
    .toArray()
    .map(({ key }) => key);
}

/** When the alarm has to ring: overdue timers count; one that is being served counts at the end of its lease. */
export function earliestTimer(sql: SqlStorage): number | null {
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
export function takeDueTimers(sql: SqlStorage, now: number, limit: number): Timer[] {
  sql.exec("UPDATE timers SET lease = NULL WHERE lease IS NOT NULL AND lease <= ?", now);
  const urgent = lease(
    sql,
    `SELECT kind, key FROM timers WHERE lease IS NULL AND kind <> 'recheck' AND due_at <= ?
     ORDER BY due_at, kind, key LIMIT ?`,
    now,
    limit,
  );
  if (urgent.length === limit) return urgent;
  const rechecks = lease(
    sql,
    `SELECT kind, key FROM timers INDEXED BY timers_recheck WHERE lease IS NULL AND kind = 'recheck' AND due_at <= ?
     ORDER BY due_at, key LIMIT ?`,
    now,
    limit - urgent.length,
  );
  return [...urgent, ...rechecks];
}

/** Leases all that `due` selects in one statement; RETURNING keeps no order, so they are sorted here. */
function lease(sql: SqlStorage, due: string, now: number, limit: number): Timer[] {
  return sql
    .exec<Timer>(
      `UPDATE timers SET lease = ?, tries = tries + 1 WHERE (kind, key) IN (${due}) RETURNING *`,
      now + LEASE_MS,
      now,
      limit,
    )
    .toArray()
    .toSorted((a, b) => a.due_at - b.due_at || compare(a.kind, b.kind) || compare(a.key, b.key));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Whoever held the leases died with the last process: what was due is due, and no call will be reported any more. */
export function releaseTimers(sql: SqlStorage, now: number): void {
  sql.exec("UPDATE timers SET lease = NULL WHERE lease IS NOT NULL");
  sql.exec("UPDATE timers SET due_at = MIN(due_at, ?) WHERE kind = 'call'", now);
}

/** Ends a served timer, unless it was put again meanwhile. */
export function finishTimer(sql: SqlStorage, { kind, key, lease }: Timer): void {
  sql.exec("DELETE FROM timers WHERE kind = ? AND key = ? AND lease = ?", kind, key, lease);
}

/** Serves a timer that failed again later, keeping the count of its tries; unless it was put again meanwhile. */
export function postponeTimer(sql: SqlStorage, { kind, key, lease }: Timer, due_at: number): void {
  sql.exec(
    "UPDATE timers SET due_at = ?, lease = NULL WHERE kind = ? AND key = ? AND lease = ?",
    due_at,
    kind,
    key,
    lease,
  );
}
