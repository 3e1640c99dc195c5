import { and, asc, eq, inArray, lt, sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
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
  organizations,
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

/** Rows that one statement deletes: D1 runs one statement at a time, and everybody else waits for it. */
const CHUNK = 1_000;
/** Statements of one night: a worker may ask D1 a thousand times per event. What is left goes the next night. */
const MOST_STATEMENTS = 500;

type Old = { table: SQLiteTable; at: SQLiteColumn; days: number };

/**
 * Deletes what is older than `keep_days`: the logs of every organization, and sooner what nobody reads again. In chunks,
 * each found by an index; stopping in the middle loses nothing, and deleting twice deletes nothing. Answers the number
 * of rows deleted.
 */
export async function prune(db: Database, now: Date, keep_days: number, most = MOST_STATEMENTS): Promise<number> {
  const known = await db.select({ id: organizations.id }).from(organizations);
  // A failed sign-in of nobody's is audited without an organization.
  const orgs = [...known.map(({ id }) => id), ""];
  let deleted = 0;
  let statements = 0;

  async function deleteChunks({ table, at, days }: Old, belongs: SQL | undefined): Promise<void> {
    const before = new Date(now.getTime() - days * DAY_MS).toISOString();
    const old = db
      .select({ rowid: sql`rowid` })
      .from(table)
      .where(and(belongs, lt(at, before)))
      .orderBy(asc(at))
      .limit(CHUNK);
    for (let found = CHUNK; found === CHUNK && statements < most; statements++) {
      const { meta } = await db.delete(table).where(inArray(sql`rowid`, old));
      found = meta.changes;
      deleted += found;
    }
  }

  for (const old of SHORT_LIVED) await deleteChunks(old, undefined);
  for (const { org_id, ...log } of logs(keep_days)) {
    for (const id of orgs) await deleteChunks(log, eq(org_id, id));
  }
  return deleted;
}

const SHORT_LIVED: Old[] = [
  { table: changes, at: changes.at, days: CHANGES_DAYS },
  { table: idempotency_keys, at: idempotency_keys.created_at, days: IDEMPOTENCY_DAYS },
  { table: one_time_codes, at: one_time_codes.expires_at, days: 1 },
  { table: login_attempts, at: login_attempts.at, days: ATTEMPTS_DAYS },
  { table: sessions, at: sessions.expires_at, days: 1 },
];

/** By organization, as the lists are: an index on the time alone would cost each event that is written. */
function logs(days: number) {
  return [
    { table: scheduler_events, org_id: scheduler_events.org_id, at: scheduler_events.ts, days },
    { table: device_events, org_id: device_events.org_id, at: device_events.created_at, days },
    { table: connectivity_logs, org_id: connectivity_logs.org_id, at: connectivity_logs.created_at, days },
    { table: notifications, org_id: notifications.org_id, at: notifications.created_at, days },
    {
      table: audit_logs,
      org_id: audit_logs.org_id,
      at: audit_logs.created_at,
      days: Math.max(days, AUDIT_LEAST_DAYS),
    },
  ];
}
