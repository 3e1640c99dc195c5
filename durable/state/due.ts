import { earliest } from "#domain/earliest";
import type { Store } from "./kept";
import { earliestTimer } from "./timers";

/** A command that waits for its hub needs no alarm: only in case all who could take it have died. */
const SEEN_TO_MS = 30_000;

/**
 * When the alarm has to ring (epoch ms): for the earliest timer, overdue or not, the next command that comes due, and the
 * next call whose lease runs out.
 */
export function nextDue(sql: Store, now: number): number | null {
  sql.kept?.write();
  const { waiting, next, lease } = sql
    .exec<{ waiting: number | null; next: number | null; lease: number | null }>(
      `SELECT (SELECT MIN(due_at) FROM commands WHERE due_at <= ?1) AS waiting,
         (SELECT MIN(due_at) FROM commands WHERE due_at > ?1) AS next, (SELECT MIN(until) FROM calls) AS lease`,
      now,
    )
    .one();
  return earliest(earliestTimer(sql), next, lease, waiting === null ? null : now + SEEN_TO_MS);
}
