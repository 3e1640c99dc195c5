import { and, eq, gte, sql, type SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { AuditView } from "#domain/lists/log-query";
import type { AuditResource } from "#domain/enums";
import { isObject } from "#domain/fields/json";
import type { AuditLog } from "#domain/records/records";
import type { Database } from "./database";
import { inPiece, inSort, MOST_BYTES, nthPlace, type Piece, type Portion } from "./log";
import { hasWords, is } from "./page";
import { parts } from "./parts";
import {
  agents,
  alarms,
  areas,
  audit_logs,
  calendars,
  closures,
  departments,
  dept_memberships,
  device_groups,
  devices,
  hubs,
  org_memberships,
  permits,
  policies,
  schedules,
  webhooks,
  workorders,
} from "./schema";

type Details = Record<string, unknown>;
export type AuditEntry = Omit<AuditLog, "details" | "resource_type"> & {
  org_id: string;
  actor_id: string | null;
  resource_type: AuditResource;
  details: Details;
};

/** The row that a change or a deletion is of; null for what is never deleted and has no version. */
const ROWS: Record<AuditResource, ((entry: Entry, before: Details) => SQL) | null> = {
  area: byId(areas),
  hub: byId(hubs),
  agent: byId(agents),
  device: byId(devices),
  group: byId(device_groups),
  schedule: byId(schedules),
  policy: ({ org_id, resource_id }) =>
    sql`${policies} where org_id = ${org_id} and scope || ':' || scope_id = ${resource_id}`,
  permit: byId(permits),
  closure: byId(closures),
  calendar: byId(calendars),
  workorder: byId(workorders),
  alarm: byId(alarms),
  department: byId(departments),
  department_member: (_, { id }) => sql`${dept_memberships} where id = ${id}`,
  user: ({ org_id, resource_id }) => sql`${org_memberships} where user_id = ${resource_id} and org_id = ${org_id}`,
  session: null,
  settings: null,
  webhook: byId(webhooks),
  message_choice: null,
  import: null,
};

type Entry = Pick<AuditEntry, "org_id" | "resource_type" | "resource_id">;

function byId(table: SQLiteTable): (entry: Entry) => SQL {
  return ({ resource_id }) => sql`${table} where id = ${resource_id}`;
}

/** The names that an entry shows beside a record's ids. */
const NAMES = { area_name: areas, agent_name: agents, hub_name: hubs, device_name: devices } as const;

/**
 * The statement that records a change; put it in the same batch, after the change, but before a deletion. It fails, on the
 * NOT NULL of `action`, for an update or a deletion of a record that is gone by then, which changed nothing.
 */
export function auditEntry(db: Database, { details, ...entry }: AuditEntry) {
  return db.insert(audit_logs).values({ ...entry, ...asWritten(details, entry) });
}

/** The fields that the statement of a change decides, by what the row is by then. */
const DECIDED = ["version", "updated_at", "completed_at"];

/**
 * For an update, `after` has the row's new version and times, whether it has credentials by then, and the names of the records
 * that it now refers to.
 */
function asWritten(details: Details, entry: Entry & Pick<AuditEntry, "action">) {
  const before = details["before"];
  const after = details["after"];
  const rowOf = ROWS[entry.resource_type];
  if (!rowOf || !isObject(before)) return { details };
  const row = rowOf(entry, before);
  const action = sql`(select ${entry.action} from ${row})`;
  if (!isObject(after)) return { action, details };
  const own = DECIDED.filter((key) => key in after);
  const facts = [
    ...own.map((key) => sql`${`$.after.${key}`}, (select ${sql.identifier(key)} from ${row})`),
    ...Object.entries(NAMES)
      // The name of what a schedule is for comes with it, since it may be no device.
      .filter(([name]) => name in after && !(name === "device_name" && "target" in after))
      .map(([name, named]) => {
        const id = after[name.replace("_name", "_id")] ?? null;
        return sql`${`$.after.${name}`}, (select name from ${named} where id = ${id})`;
      }),
    ...("has_local_credentials" in after ? [sql`'$.after.has_local_credentials', ${hasCredentials(row)}`] : []),
  ];
  return {
    action,
    details: facts.length === 0 ? details : sql`json_set(${JSON.stringify(details)}, ${sql.join(facts, sql`, `)})`,
  };
}

function hasCredentials(row: SQL): SQL {
  const has = sql`local_client_id is not null or local_client_secret is not null`;
  return sql`(select json(case when ${has} then 'true' else 'false' end) from ${row})`;
}

const record = {
  id: audit_logs.id,
  created_at: audit_logs.created_at,
  actor_email: audit_logs.actor_email,
  actor_role: audit_logs.actor_role,
  action: audit_logs.action,
  resource_type: audit_logs.resource_type,
  resource_id: audit_logs.resource_id,
  details: audit_logs.details,
};

/** The entries of one organization, newest first. The log is append-only, so there is no other verb. */
export function auditLogs(db: Database, org_id: string) {
  return {
    /** An entry tells all of a record before and after: one of a large calendar is more than a megabyte. */
    piece: async (view: AuditView, piece: Piece): Promise<Portion<AuditLog>> => {
      const sized = await db
        .select({ id: audit_logs.id, size: sql<number>`coalesce(octet_length(${audit_logs.details}), 0)` })
        .from(audit_logs)
        .where(
          and(
            eq(audit_logs.org_id, org_id),
            is(audit_logs.resource_type, view.resource),
            hasWords(view.q, audit_logs.actor_email, audit_logs.action, audit_logs.resource_type, audit_logs.details),
            inPiece(audit_logs.created_at, audit_logs.id, piece),
          ),
        )
        .orderBy(...inSort(audit_logs.created_at, audit_logs.id, piece.sort))
        .limit(piece.limit);
      const [part = []] = parts(sized, MOST_BYTES, ({ size }) => size);
      const ids = part.map(({ id }) => id);
      if (ids.length === 0) return { rows: [], isCut: false };
      const found = await db
        .select(record)
        .from(audit_logs)
        .where(sql`${audit_logs.id} in (select value from json_each(${JSON.stringify(ids)}))`);
      const byId = new Map(found.map((row) => [row.id, row]));
      return { rows: ids.flatMap((id) => byId.get(id) ?? []), isCut: ids.length < sized.length };
    },

    /**
     * Whether one of the devices or groups was in the area at an instant (ISO) or later, and is not there now: it was moved
     * or deleted. A hub takes its devices along; only its own entry tells so.
     */
    haveLeft: async (ids: string[], area_id: string, since: string): Promise<boolean> => {
      const listed = sql`(select value from json_each(${JSON.stringify(ids)}))`;
      const there = sql`(select id from devices where area_id = ${area_id}
        union all select id from device_groups where area_id = ${area_id})`;
      const away = sql`(select hub_id from devices where id in ${listed} and area_id <> ${area_id})`;
      const { resource_type, resource_id } = audit_logs;
      const isOneOf = sql`(${resource_type} in ('device', 'group') and ${resource_id} in ${listed} and ${resource_id} not in ${there}
        or ${resource_type} = 'hub' and ${resource_id} in ${away})`;
      const wasThere = sql`${audit_logs.details} ->> '$.before.area_id' = ${area_id}`;
      const [left] = await db
        .select({ id: audit_logs.id })
        .from(audit_logs)
        .where(and(eq(audit_logs.org_id, org_id), gte(audit_logs.created_at, since), isOneOf, wasThere))
        .limit(1);
      return left !== undefined;
    },

    /** The place of a section's nth entry, whatever is looked for in it; null where it has fewer. Reads an index alone. */
    nthPlace: (_: AuditView, piece: Piece, nth: number) =>
      nthPlace(
        db,
        { table: audit_logs, at: audit_logs.created_at, id: audit_logs.id, there: eq(audit_logs.org_id, org_id) },
        piece,
        nth,
      ),
  };
}
