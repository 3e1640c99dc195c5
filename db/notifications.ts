import { desc, eq, sql } from "drizzle-orm";
import type { Database } from "./database";
import { notifications as table } from "./schema";

/** The messages of one organization and whether they were sent; the engine writes them. */
export function notifications(db: Database, org_id: string) {
  const record = {
    id: table.id,
    created_at: table.created_at,
    incident: table.incident,
    // An alarm is named as its incident is; messages of before there were alarms have none.
    alarm_id: sql<string | null>`(select a.id from alarms a where a.id = ${`${org_id}:`} || ${table.incident})`.as(
      "alarm_id",
    ),
    kind: table.kind,
    message: table.message,
    recipients: table.recipients,
    status: table.status,
    detail: table.detail,
    attempts: table.attempts,
    sent_at: table.sent_at,
  };
  return {
    list: ({ limit }: { limit: number }) =>
      db
        .select(record)
        .from(table)
        .where(eq(table.org_id, org_id))
        .orderBy(desc(table.created_at), desc(table.id))
        .limit(limit),
  };
}
