import { and, desc, eq } from "drizzle-orm";
import type { LogQuery } from "#domain/lists/log-query";
import type { Database } from "./database";
import { inDepts } from "./department-filter";
import { inPiece } from "./log";
import { connectivity_logs as table } from "./schema";

const record = {
  id: table.id,
  created_at: table.created_at,
  action: table.action,
  device_name: table.device_name,
  hub_name: table.hub_name,
  provider: table.provider,
  result: table.result,
  response_snippet: table.response_snippet,
};

/** The connectivity tests of one organization; the engine writes them. */
export function connectivityLogs(db: Database, org_id: string) {
  return {
    list: ({ limit, cursor: after }: LogQuery, depts: string[] | null) =>
      db
        .select(record)
        .from(table)
        .where(
          and(
            eq(table.org_id, org_id),
            inDepts(table.dept_id, depts),
            inPiece(table.created_at, table.id, { sort: "newest", after, limit }),
          ),
        )
        .orderBy(desc(table.created_at), desc(table.id))
        .limit(limit),
  };
}
