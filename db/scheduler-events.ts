import { and, desc, eq, getTableColumns, gte } from "drizzle-orm";
import type { SchedulerEventQuery } from "#domain/log-query";
import type { Database } from "./database";
import { inDepts } from "./department-filter";
import { scheduler_events as table } from "./schema";

/** What the engine did in one organization; the engine writes it. */
export function schedulerEvents(db: Database, org_id: string) {
  const { org_id: _, dept_id: __, ...record } = getTableColumns(table);
  return {
    list: ({ device_id, since, limit }: SchedulerEventQuery, depts: string[] | null) =>
      db
        .select(record)
        .from(table)
        .where(
          and(
            eq(table.org_id, org_id),
            device_id === undefined ? undefined : eq(table.device_id, device_id),
            since === undefined ? undefined : gte(table.ts, since),
            inDepts(table.dept_id, depts),
          ),
        )
        .orderBy(desc(table.ts), desc(table.id))
        .limit(limit),
  };
}
