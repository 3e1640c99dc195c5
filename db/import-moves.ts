import { and, eq, sql } from "drizzle-orm";
import type { Position } from "#domain/schedule/sun-time";
import type { Database } from "./database";
import { areas, import_rows } from "./schema";

/** The areas to which an import gives another position. */
export function importMoves(db: Database, org_id: string, import_id: string) {
  const next = sql`${import_rows.details} -> '$.after.location'`;
  const differs = (part: string) => sql`${areas.location} ->> ${part} is not ${next} ->> ${part}`;

  return {
    /** Where each of them is, where it has been, and where it will be. */
    list: () =>
      db
        .select({
          id: areas.id,
          location: areas.location,
          positions: areas.positions,
          next: next.mapWith(areas.location),
        })
        .from(import_rows)
        .innerJoin(areas, eq(areas.id, import_rows.record_id))
        .where(
          and(
            eq(import_rows.import_id, import_id),
            eq(import_rows.kind, "area"),
            eq(areas.org_id, org_id),
            sql`(${differs("lat")} or ${differs("lon")})`,
          ),
        ),

    /** One statement that finds each area by its id, however many there are. */
    save: (moved: { id: string; positions: Position[] | null }[]) =>
      db
        .update(areas)
        .set({ positions: sql`moved.value -> 'positions'` })
        .from(sql`json_each(${JSON.stringify(moved)}) moved`)
        .where(and(sql`${areas.id} = moved.value ->> 'id'`, eq(areas.org_id, org_id))),
  };
}
