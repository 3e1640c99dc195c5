import { and, desc, eq } from "drizzle-orm";
import type { HistoryQuery, HistoryView } from "#domain/lists/log-query";
import type { Database } from "./database";
import { inDepts } from "./department-filter";
import { inPiece, inSort, nthPlace, type Piece } from "./log";
import { hasWords, is } from "./page";
import { device_events as table } from "./schema";

const record = {
  id: table.id,
  created_at: table.created_at,
  device_id: table.device_id,
  area_id: table.area_id,
  device_name: table.device_name,
  area_name: table.area_name,
  hub_name: table.hub_name,
  schedule_title: table.schedule_title,
  action: table.action,
  result: table.result,
  provider: table.provider,
  response_snippet: table.response_snippet,
  http_status: table.http_status,
};

/** The calls to the devices of one organization and their answers; the engine writes them. */
export function deviceEvents(db: Database, org_id: string) {
  return {
    list: ({ device_id, area_id, limit }: HistoryQuery, depts: string[] | null) =>
      db
        .select(record)
        .from(table)
        .where(
          and(
            eq(table.org_id, org_id),
            device_id === undefined ? undefined : eq(table.device_id, device_id),
            area_id === undefined ? undefined : eq(table.area_id, area_id),
            inDepts(table.dept_id, depts),
          ),
        )
        .orderBy(desc(table.created_at), desc(table.id))
        .limit(limit),

    piece: (view: HistoryView, depts: string[] | null, piece: Piece) =>
      db
        .select(record)
        .from(table)
        .where(
          and(
            eq(table.org_id, org_id),
            inDepts(table.dept_id, depts),
            is(table.area_id, view.area),
            is(table.device_id, view.device),
            is(table.action, view.action),
            is(table.result, view.result),
            hasWords(
              view.q,
              table.device_name,
              table.area_name,
              table.hub_name,
              table.schedule_title,
              table.response_snippet,
            ),
            inPiece(table.created_at, table.id, piece),
          ),
        )
        .orderBy(...inSort(table.created_at, table.id, piece.sort))
        .limit(piece.limit),

    /** The place of a section's nth entry, whatever is looked for in it; null where it has fewer. Reads an index alone. */
    nthPlace: ({ area, device }: HistoryView, piece: Piece, nth: number) =>
      nthPlace(
        db,
        {
          table,
          at: table.created_at,
          id: table.id,
          there: and(eq(table.org_id, org_id), is(table.area_id, area), is(table.device_id, device)),
        },
        piece,
        nth,
      ),
  };
}
