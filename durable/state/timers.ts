/**
 * The timers: rows that ask to be woken at `due_at`, served by the object's single alarm. Ids are deterministic
 * (`wake:{device}`, `command:{target}`, `outbox`, ...), so that asking twice is asking once.
 * A timer is a wake-up, not an order: who is woken looks again (style 12).
 */
export type Timer = { id: string; due_at: number; lease: number | null; tries: number };

/** A tick that runs longer than this is taken for dead, and its timers are served again. */
const LEASE_MS = 60_000;

/** Asks to be woken at `due_at`, instead of whenever was asked before. A put clears the lease. */
export function putTimer(sql: SqlStorage, id: string, due_at: number): void {
  sql.exec(
    `INSERT INTO timers (id, due_at) VALUES (?, ?)
     ON CONFLICT (id) DO UPDATE SET due_at = excluded.due_at, lease = NULL, tries = 0`,
    id,
    Math.ceil(due_at),
  );
}

/** As putTimer, but an earlier wake-up that is already asked for stays. */
export function putTimerNoLater(sql: SqlStorage, id: string, due_at: number): void {
  const [row] = sql.exec<{ due_at: number }>("SELECT due_at FROM timers WHERE id = ? AND lease IS NULL", id).toArray();
  if (!row || row.due_at > due_at) putTimer(sql, id, due_at);
}

/** As putTimer, but whatever was asked for before stays, its tries too. */
export function putTimerIfNone(sql: SqlStorage, id: string, due_at: number): void {
  sql.exec("INSERT INTO timers (id, due_at) VALUES (?, ?) ON CONFLICT DO NOTHING", id, due_at);
}

export function dropTimer(sql: SqlStorage, id: string): void {
  sql.exec("DELETE FROM timers WHERE id = ?", id);
}

/** When the alarm has to ring: overdue timers count; one that is being served counts at the end of its lease. */
export function earliestTimer(sql: SqlStorage): number | null {
  const [row] = sql
    .exec<{ at: number | null }>(
      "SELECT MIN(CASE WHEN lease IS NULL THEN due_at ELSE MAX(due_at, lease) END) AS at FROM timers",
    )
    .toArray();
  return row?.at ?? null;
}

/**
 * Takes up to `limit` due timers, the longest overdue first, and last the looks that are only made to be sure; each is
 * leased to the caller.
 */
export function takeDueTimers(sql: SqlStorage, now: number, limit: number): Timer[] {
  const due = sql
    .exec<Timer>(
      `SELECT * FROM timers WHERE due_at <= ? AND (lease IS NULL OR lease <= ?)
       ORDER BY id >= 'look:' AND id < 'look;', due_at, id LIMIT ?`,
      now,
      now,
      limit,
    )
    .toArray();
  for (const timer of due) {
    timer.lease = now + LEASE_MS;
    timer.tries += 1;
    sql.exec("UPDATE timers SET lease = ?, tries = ? WHERE id = ?", timer.lease, timer.tries, timer.id);
  }
  return due;
}

/** Whoever held the leases died with the last incarnation: what was due is due, and no call will be reported any more. */
export function releaseTimers(sql: SqlStorage, now: number): void {
  sql.exec("UPDATE timers SET lease = NULL WHERE lease IS NOT NULL");
  sql.exec("UPDATE timers SET due_at = MIN(due_at, ?) WHERE id LIKE 'call:%'", now);
}

/** Ends a served timer, unless it was put again meanwhile. */
export function finishTimer(sql: SqlStorage, timer: Timer): void {
  sql.exec("DELETE FROM timers WHERE id = ? AND lease = ?", timer.id, timer.lease);
}

/** Serves a timer that failed again later, keeping the count of its tries; unless it was put again meanwhile. */
export function postponeTimer(sql: SqlStorage, timer: Timer, due_at: number): void {
  sql.exec("UPDATE timers SET due_at = ?, lease = NULL WHERE id = ? AND lease = ?", due_at, timer.id, timer.lease);
}
