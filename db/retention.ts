import { and, asc, eq, inArray, lt, sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { isFollowed } from "./archive";
import type { Database } from "./database";
import {
  alarms,
  audit_logs,
  changes,
  closures,
  connectivity_logs,
  device_events,
  idempotency_keys,
  imports,
  login_attempts,
  notifications,
  one_time_codes,
  organizations,
  permits,
  scheduler_events,
  sessions,
  state_changes,
  webhook_deliveries,
  webhooks,
} from "./schema";
import { IMPORT_DAYS } from "#domain/records/history-days";
import { DAY_MS } from "#domain/time/units";

/** An object that slept longer than this reads the whole plan instead of the changes. */
const CHANGES_DAYS = 7;
/** Long enough to find out what went wrong while somebody was on holiday. */
const DELIVERY_DAYS = 30;
/** The attempt limit looks back a day. */
const ATTEMPTS_DAYS = 1;
/** No client sends a write again after a day. */
const IDEMPOTENCY_DAYS = 1;
/** The next sign-in starts in the organization of the last session, after a holiday too. */
const SESSION_DAYS = 30;
/** A trigger refuses to delete younger audit entries. */
const AUDIT_LEAST_DAYS = 31;

/** The rows that one statement deletes; D1 runs one statement at a time, and everybody else waits for it. */
const CHUNK = 1_000;
/** The statements of one night, since a worker may call D1 a thousand times per event. The next night deletes the rest. */
const MOST_STATEMENTS = 500;

/** `mayGo`: which of the old rows may go; all of them, if it is missing. */
type Old = { table: SQLiteTable; at: SQLiteColumn; days: number; mayGo?: (before: string) => SQL };

/**
 * Deletes every organization's logs older than `keep_days`, and expired keys, sessions and the like sooner. Works in
 * chunks, each found by an index; it can stop anywhere and run again. Returns the number of deleted rows.
 */
export async function prune(db: Database, now: Date, keep_days: number, most = MOST_STATEMENTS): Promise<number> {
  const known = await db.select({ id: organizations.id }).from(organizations);
  // A failed sign-in with an unknown e-mail is audited without an organization.
  const orgs = [...known.map(({ id }) => id), ""];
  let deleted = 0;
  let statements = 0;

  async function deleteChunks({ table, at, days, mayGo }: Old, org_id?: SQLiteColumn): Promise<void> {
    const before = new Date(now.getTime() - days * DAY_MS).toISOString();
    const isOld = and(lt(at, before), mayGo?.(before));
    const rowid = sql`${table}.rowid`;
    const old = org_id
      ? // All organizations at once: a statement for each would be spent on those that have nothing to delete.
        db
          .select({ rowid })
          .from(sql`json_each(${JSON.stringify(orgs)})`)
          .crossJoin(table)
          .where(and(eq(org_id, sql`json_each.value`), isOld))
          .limit(CHUNK)
      : db.select({ rowid }).from(table).where(isOld).orderBy(asc(at)).limit(CHUNK);
    for (let found = CHUNK; found === CHUNK && statements < most; statements++) {
      const { meta } = await db.delete(table).where(inArray(sql`rowid`, old));
      found = meta.changes;
      deleted += found;
    }
  }

  for (const old of SHORT_LIVED) await deleteChunks(old);
  for (const { org_id, ...log } of logs(keep_days)) await deleteChunks(log, org_id);
  return deleted;
}

const SHORT_LIVED: Old[] = [
  { table: changes, at: changes.at, days: CHANGES_DAYS },
  { table: idempotency_keys, at: idempotency_keys.created_at, days: IDEMPOTENCY_DAYS },
  { table: imports, at: imports.created_at, days: IMPORT_DAYS },
  { table: one_time_codes, at: one_time_codes.expires_at, days: 1 },
  { table: login_attempts, at: login_attempts.at, days: ATTEMPTS_DAYS },
  { table: sessions, at: sessions.expires_at, days: SESSION_DAYS },
];

/** By organization, using the lists' indexes; another index on the time alone would slow down every write. */
function logs(days: number) {
  return [
    { table: scheduler_events, org_id: scheduler_events.org_id, at: scheduler_events.ts, days },
    { table: device_events, org_id: device_events.org_id, at: device_events.created_at, days },
    { table: state_changes, org_id: state_changes.org_id, at: state_changes.at, days, mayGo: isFollowed },
    { table: connectivity_logs, org_id: connectivity_logs.org_id, at: connectivity_logs.created_at, days },
    { table: notifications, org_id: notifications.org_id, at: notifications.created_at, days },
    {
      table: webhook_deliveries,
      org_id: webhook_deliveries.org_id,
      at: webhook_deliveries.created_at,
      days: Math.min(days, DELIVERY_DAYS),
      mayGo: isNotTheLast,
    },
    // Over for so long; one without an end is kept.
    { table: permits, org_id: permits.org_id, at: permits.to_at, days },
    { table: alarms, org_id: alarms.org_id, at: alarms.over_at, days },
    { table: closures, org_id: closures.org_id, at: closures.to_at, days },
    {
      table: audit_logs,
      org_id: audit_logs.org_id,
      at: audit_logs.created_at,
      days: Math.max(days, AUDIT_LEAST_DAYS),
    },
  ];
}

/** The last message that has left for a webhook stays: it says whether messages arrive, also where nothing fails for months. */
function isNotTheLast(): SQL {
  const { webhook_id, last_at } = webhook_deliveries;
  return sql`(${last_at} is null or not exists (select 1 from ${webhooks} hook where hook.id = ${webhook_id})
    or exists (select 1 from webhook_deliveries later where later.webhook_id = ${webhook_id} and later.last_at > ${last_at}))`;
}
