import { lt, or, isNotNull, and } from "drizzle-orm";
import type { Database } from "./database";
import {
  audit_logs,
  changes,
  connectivity_logs,
  device_events,
  idempotency_keys,
  login_attempts,
  notifications,
  one_time_codes,
  scheduler_events,
  sessions,
} from "./schema";

const DAY_MS = 86_400_000;
/** An object that slept longer than this pulls everything instead of the changes. */
const CHANGES_DAYS = 7;
/** The attempt limit looks back a day. */
const ATTEMPTS_DAYS = 1;
/** A client that tries again after a day has given up before. */
const IDEMPOTENCY_DAYS = 1;
/** The audit's trigger refuses to delete anything younger. */
const AUDIT_LEAST_DAYS = 31;

/**
 * Deletes what is older than `keep_days`: the logs of every organization, and sooner what nobody reads again. Statements
 * for one batch; deleting twice deletes nothing.
 */
export function retention(db: Database, now: Date, keep_days: number) {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString();
  const logs = before(keep_days);
  return [
    db.delete(scheduler_events).where(lt(scheduler_events.ts, logs)),
    db.delete(device_events).where(lt(device_events.created_at, logs)),
    db.delete(connectivity_logs).where(lt(connectivity_logs.created_at, logs)),
    db.delete(notifications).where(lt(notifications.created_at, logs)),
    db.delete(audit_logs).where(lt(audit_logs.created_at, before(Math.max(keep_days, AUDIT_LEAST_DAYS)))),
    db.delete(changes).where(lt(changes.at, before(CHANGES_DAYS))),
    db.delete(idempotency_keys).where(lt(idempotency_keys.created_at, before(IDEMPOTENCY_DAYS))),
    db.delete(one_time_codes).where(lt(one_time_codes.expires_at, before(1))),
    db.delete(login_attempts).where(lt(login_attempts.at, before(ATTEMPTS_DAYS))),
    db
      .delete(sessions)
      .where(
        or(lt(sessions.expires_at, before(1)), and(isNotNull(sessions.revoked_at), lt(sessions.revoked_at, before(1)))),
      ),
  ] as const;
}
