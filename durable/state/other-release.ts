import { KINDS } from "./deliveries";
import type { Store } from "./kept";
import { putTimerNoLater } from "./timers";

/** Why a record waits, beside those that D1 refused. */
export const OTHER_RELEASE = "for another release";

/**
 * After a rollback: records of kinds that only a newer release can write to D1 wait for it and hold up nothing, and those
 * that waited for this release are due. Must run inside a transaction, once when a process starts.
 */
export function partOutbox(sql: Store, now: number): void {
  const kinds = JSON.stringify(KINDS);
  sql.exec(
    "UPDATE outbox SET set_aside = ? WHERE set_aside IS NULL AND kind NOT IN (SELECT value FROM json_each(?))",
    OTHER_RELEASE,
    kinds,
  );
  const due = sql.exec(
    "UPDATE outbox SET set_aside = NULL WHERE set_aside = ? AND kind IN (SELECT value FROM json_each(?))",
    OTHER_RELEASE,
    kinds,
  );
  if (due.rowsWritten > 0) putTimerNoLater(sql, "outbox", "", now);
}
