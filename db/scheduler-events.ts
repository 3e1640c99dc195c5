import { and, desc, eq, getTableColumns, gte, sql } from "drizzle-orm";
import type { EventView, SchedulerEventQuery } from "#domain/lists/log-query";
import type { Database } from "./database";
import { inDepts } from "./department-filter";
import { inPiece, inSort, nthPlace, type Piece } from "./log";
import { hasWords, is, type Place } from "./page";
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

    /** The latest events of a device, or of an area's devices since an instant; looked up per device in the index. */
    latestOf: (place: Place, depts: string[] | null, { since, limit }: { since: string; limit: number }) =>
      db
        .select(record)
        .from(table)
        .where(
          and(
            eq(table.org_id, org_id),
            "device_id" in place
              ? eq(table.device_id, place.device_id)
              : sql`${table.device_id} in (select d.id from devices d where d.area_id = ${place.area_id})`,
            gte(table.ts, since),
            inDepts(table.dept_id, depts),
          ),
        )
        // In the order of an index, SQLite would read all the organization's events of these days to find one quiet area's.
        .orderBy(desc(sql`+${table.ts}`), desc(table.id))
        .limit(limit),

    piece: (view: EventView, depts: string[] | null, piece: Piece) =>
      db
        .select(record)
        .from(table)
        .where(
          and(
            eq(table.org_id, org_id),
            inDepts(table.dept_id, depts),
            is(table.device_id, view.device),
            is(table.source, view.source),
            is(table.action, view.action),
            is(table.result, view.result),
            hasWords(view.q, table.device_name, table.note),
            inPiece(table.ts, table.id, piece),
          ),
        )
        .orderBy(...inSort(table.ts, table.id, piece.sort))
        .limit(piece.limit),

    /** The place of a section's nth entry, whatever is looked for in it; null where it has fewer. Reads an index alone. */
    nthPlace: ({ device }: EventView, piece: Piece, nth: number) =>
      nthPlace(
        db,
        { table, at: table.ts, id: table.id, there: and(eq(table.org_id, org_id), is(table.device_id, device)) },
        piece,
        nth,
      ),
  };
}
