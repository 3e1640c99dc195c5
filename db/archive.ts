import { and, asc, eq, exists, getTableColumns, gte, lt, sql, type SQL } from "drizzle-orm";
import { alias, type SQLiteColumn, type SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Place } from "#domain/lists/log-query";
import type { Database } from "./database";
import { MOST_BYTES, type Portion } from "./log";
import { belongs } from "./page";
import { parts } from "./parts";
import { audit_logs, device_events, scheduler_events, state_changes } from "./schema";

/** The logs that grow by the light and by the day. The others are few enough to stay in D1 until retention. */
export const ARCHIVED_LOGS = ["scheduler-events", "device-events", "audit-log", "state-log"] as const;
export type ArchivedLog = (typeof ARCHIVED_LOGS)[number];

/** A row as D1 stores it, in the order of `columnsOf`. */
export type RawRow = (string | number | null)[];

type Table = {
  table: SQLiteTable;
  org_id: SQLiteColumn;
  at: SQLiteColumn;
  /** What tells rows of one instant apart, in this order; joined by a colon they are a place's id. */
  key: readonly [SQLiteColumn, ...SQLiteColumn[]];
  /** The column whose texts may be long, if there is one. */
  long?: SQLiteColumn;
  /** Which of the old rows may go; all of them, if it is missing. */
  mayGo?: (before: string) => SQL | undefined;
};

/** A later change of the same light, by the log's key. */
const later = alias(state_changes, "later");

/** A change holds until the next one: the last of each light from before an instant stays, however old it is. */
export function isFollowed(before: string): SQL {
  return exists(
    sql`(select 1 from state_changes later where ${and(
      sql`${later.org_id} = ${state_changes.org_id}`,
      sql`${later.device_id} = ${state_changes.device_id}`,
      sql`${later.kind} = ${state_changes.kind}`,
      sql`${later.at} > ${state_changes.at}`,
      lt(later.at, before),
    )})`,
  );
}

/**
 * Of an area, and of each department in it, the latest event stays: the dashboard tells when a park that is closed for the
 * winter was last lit, and asks no file for that.
 */
function isLaterInItsArea(): SQL {
  const { org_id, area_id, dept_id, created_at } = device_events;
  return sql`(not exists (select 1 from areas a where a.id = ${area_id}) or ${exists(
    sql`(select 1 from device_events later where later.org_id = ${org_id} and later.area_id = ${area_id}
      and later.created_at > ${created_at} and later.dept_id is ${dept_id})`,
  )})`;
}

/**
 * Who made a schedule is told by the entry of its creation, and who skipped a night of it by that of its last change. These stay
 * as long as it has windows that are not over, or have been of late: the Week and Tonight ask no file for them. Those of
 * bookings that are over go by the month, since each night that one goes opens the file of its day.
 */
function isOfNoPlan(before: string): SQL {
  const { org_id, created_at, action, resource_type, resource_id } = audit_logs;
  const over_since = before.slice(0, "YYYY-MM".length);
  const lastChanged = sql`strftime('%Y-%m-%dT%H:%M:%fZ', s.updated_at, '-10 seconds')`;
  return sql`not (${resource_type} = 'schedule' and ${action} in ('create', 'skip') and ${exists(
    sql`(select 1 from schedules s where s.id = ${resource_id} and +s.org_id = ${org_id}
      and s.status = 'scheduled' and (s.last_end_at is null or s.last_end_at > ${over_since})
      and (${action} = 'create' or ${created_at} >= ${lastChanged}))`,
  )})`;
}

const TABLES: Record<ArchivedLog, Table> = {
  "scheduler-events": {
    table: scheduler_events,
    org_id: scheduler_events.org_id,
    at: scheduler_events.ts,
    key: [scheduler_events.id],
  },
  "device-events": {
    table: device_events,
    org_id: device_events.org_id,
    at: device_events.created_at,
    key: [device_events.id],
    mayGo: isLaterInItsArea,
  },
  "audit-log": {
    table: audit_logs,
    org_id: audit_logs.org_id,
    at: audit_logs.created_at,
    key: [audit_logs.id],
    long: audit_logs.details,
    mayGo: isOfNoPlan,
  },
  "state-log": {
    table: state_changes,
    org_id: state_changes.org_id,
    at: state_changes.at,
    key: [state_changes.device_id, state_changes.kind],
    mayGo: isFollowed,
  },
};

/** The columns of a log that its day files hold: all but the organization's, which is in their name. */
export function columnsOf(log: ArchivedLog): string[] {
  return Object.keys(getTableColumns(TABLES[log].table)).filter((name) => name !== "org_id");
}

/** A raw row by the columns of today: one that its file does not know, because it is from an older release, is null. */
export function rowIn(log: ArchivedLog, columns: readonly string[]): (row: RawRow) => Record<string, RawRow[number]> {
  const indexes = columnsOf(log).map((name) => [name, columns.indexOf(name)] as const);
  return (row) => Object.fromEntries(indexes.map(([name, index]) => [name, row[index] ?? null]));
}

/** Where a raw row stands in its log, by the columns of its file. */
export function placeIn(log: ArchivedLog, columns: readonly string[]): (row: RawRow) => Place {
  const { at, key } = TABLES[log];
  const instant = columns.indexOf(at.name);
  const names = key.map(({ name }) => columns.indexOf(name));
  return (row) => ({ at: String(row[instant]), id: names.map((index) => row[index]).join(":") });
}

type Section = { since: string; until: string; after?: Place | undefined; limit: number };

/** One log of one organization, for the archive: reads the rows of its day files and deletes them. Instants are ISO 8601. */
export function archivable(db: Database, org_id: string, log: ArchivedLog) {
  const { table, org_id: owner, at, key, long, mayGo } = TABLES[log];
  const columns = getTableColumns(table);
  const names = columnsOf(log);
  // The stored texts and numbers, not what their columns make of them.
  const raw = Object.fromEntries(names.map((name) => [name, sql<string | number | null>`${columns[name]}`.as(name)]));
  const id = sql.join([...key], sql` || ':' || `);

  return {
    names,

    /** The instant of the first row from `since` until `before` that may go; null if there is none. */
    first: async (since: string, before: string): Promise<string | null> => {
      const row = await db
        .select({ at: sql<string>`${at}`.as("at") })
        .from(table)
        .where(and(eq(owner, org_id), gte(at, since), lt(at, before), mayGo?.(before)))
        .orderBy(asc(at))
        .limit(1)
        .get();
      return row?.at ?? null;
    },

    /** How many calls of the database `rows` makes. */
    calls: long === undefined ? 1 : 2,

    /** The next rows of a section, half-open and in order; fewer than `limit` also where they are long. */
    rows: async ({ since, until, after, limit }: Section): Promise<Portion<RawRow>> => {
      const next = and(
        eq(owner, org_id),
        gte(at, since),
        lt(at, until),
        after && sql`(${at}, ${id}) > (${after.at}, ${after.id})`,
      );
      const sized =
        long &&
        (await db
          .select({ size: sql<number>`coalesce(octet_length(${long}), 0)` })
          .from(table)
          .where(next)
          .orderBy(asc(at), asc(id))
          .limit(limit));
      const [part = []] = parts(sized ?? [], MOST_BYTES, ({ size }) => size);
      const fit = sized === undefined ? limit : part.length;
      const found = await db.select(raw).from(table).where(next).orderBy(asc(at), asc(id)).limit(fit);
      const isCut = sized === undefined ? found.length === limit : fit < sized.length || sized.length === limit;
      return { rows: found.map((row) => names.map((name) => row[name] ?? null)), isCut };
    },

    /** Deletes these rows, as far as they are before `before` and may go. A row that came meanwhile stays. */
    remove: (places: readonly Place[], before: string) => {
      const wanted = JSON.stringify(places.map((place) => [...partsOf(place.id, key.length), place.at]));
      const values = [...key, at].map((_column, index) => sql`value ->> ${sql.raw(String(index))}`);
      const these = sql`(${sql.join([...key, at], sql`, `)}) in (select ${sql.join(values, sql`, `)} from json_each(${wanted}))`;
      const ours = log === "state-log" ? eq(owner, org_id) : belongs(owner, org_id);
      return db.delete(table).where(and(ours, these, mayGo?.(before)));
    },
  };
}

/** The parts of a place's id; only the first may have colons in it. */
function partsOf(id: string, count: number): string[] {
  if (count === 1) return [id];
  const end = id.lastIndexOf(":");
  return [id.slice(0, end), id.slice(end + 1)];
}
