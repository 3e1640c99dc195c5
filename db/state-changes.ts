import { and, asc, eq, getTableColumns, gt, inArray, lt, min, sql } from "drizzle-orm";
import type { Database } from "./database";
import { state_changes as table } from "./schema";

/** The log of what was wanted of the lights of one organization and what readings said; the engine writes it. */
export function stateChanges(db: Database, org_id: string) {
  const { org_id: _, ...record } = getTableColumns(table);
  return {
    /** When the log begins (ISO); null if it is empty. One read of its index. */
    first: async (): Promise<string | null> => {
      const row = await db
        .select({ at: min(table.at) })
        .from(table)
        .where(eq(table.org_id, org_id))
        .get();
      return row?.at ?? null;
    },

    /**
     * The changes of the devices between two instants (ISO), half-open, each device's in order, and before them the last
     * of each kind until `from`.
     */
    during: async (device_ids: string[], from: string, to: string) => {
      const ids = sql`(select value from json_each(${JSON.stringify(device_ids)}))`;
      const last = sql`(select max(l.at) from state_changes l where l.org_id = ${org_id}
        and l.device_id = ${table.device_id} and l.kind = ${table.kind} and l.at <= ${from})`;
      const known = and(
        eq(table.org_id, org_id),
        inArray(table.device_id, ids),
        inArray(table.kind, ["desired", "reported"]),
      );
      const order = [asc(table.device_id), asc(table.kind), asc(table.at)] as const;
      const [before, changes] = await db.batch([
        db
          .select(record)
          .from(table)
          .where(and(known, eq(table.at, last))),
        db
          .select(record)
          .from(table)
          .where(and(known, gt(table.at, from), lt(table.at, to)))
          .orderBy(...order),
      ]);
      return [...before, ...changes];
    },
  };
}
