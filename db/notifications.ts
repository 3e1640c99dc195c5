import { and, desc, eq, sql, type SQL } from "drizzle-orm";
import type { LogQuery } from "#domain/lists/log-query";
import { dept_id } from "./alarms";
import type { Database } from "./database";
import { inDepts } from "./department-filter";
import { inPiece } from "./log";
import { alarms, devices, notifications as table } from "./schema";

/** Whom messages are shown to: `depts` are the departments of their alarms, null for all. */
type Reader = { user_id: string; depts: string[] | null };

/** The messages of one organization and whether they were sent; the engine writes them. */
export function notifications(db: Database, org_id: string) {
  // An alarm is named as its incident is; messages of before there were alarms have none.
  const alarm_id = sql`${`${org_id}:`} || ${table.incident}`;
  const record = {
    id: table.id,
    created_at: table.created_at,
    incident: table.incident,
    alarm_id: sql<string | null>`(select a.id from alarms a where a.id = ${alarm_id})`.as("alarm_id"),
    kind: table.kind,
    message: table.message,
    recipients: table.recipients,
    status: table.status,
    detail: table.detail,
    attempts: table.attempts,
    sent_at: table.sent_at,
  };

  /** A digest names alarms of its person's own departments, so it is theirs alone. */
  function visible({ user_id, depts }: Reader): SQL | undefined {
    if (depts === null) return undefined;
    const own = `digest:${user_id}:`;
    return sql`case when ${table.kind} = 'digest' then substr(${table.incident}, 1, ${own.length}) = ${own}
      else not exists (select 1 from ${alarms} left join ${devices} on ${devices.id} = ${alarms.device_id}
        where ${alarms.id} = ${alarm_id} and not (${inDepts(dept_id, depts)})) end`;
  }

  return {
    list: ({ limit, cursor: after }: LogQuery, reader: Reader) =>
      db
        .select(record)
        .from(table)
        .where(
          and(
            eq(table.org_id, org_id),
            visible(reader),
            inPiece(table.created_at, table.id, { sort: "newest", after, limit }),
          ),
        )
        .orderBy(desc(table.created_at), desc(table.id))
        .limit(limit),
  };
}
