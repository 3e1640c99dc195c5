import { and, eq, sql } from "drizzle-orm";
import type { Position } from "#domain/schedule/sun-time";
import type { Database } from "./database";
import { after, rowsOf } from "./import-batch";
import { bySun } from "./nights";
import { openAt } from "./schedule-record";
import { areas, devices, import_rows, schedules } from "./schema";

/** What an import moves: the areas to which it gives another position, and lights with schedules by the sun. */
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
        .where(and(rowsOf(import_id, "area"), eq(areas.org_id, org_id), sql`(${differs("lat")} or ${differs("lon")})`)),

    /**
     * How many schedules by the sun, of those that are not over as of `now` (ISO), go along with lights to areas that have no
     * position, as the file leaves them.
     */
    unplaced: async (now: string): Promise<number> => {
      const [found] = await db.all<{ schedules: number }>(sql`
        with gone as materialized (
          select ${after("area_id")} as area_id, count(*) as schedules
          from ${import_rows} join ${devices} on ${devices.id} = ${import_rows.record_id}
            join ${schedules} on ${schedules.device_id} = ${devices.id}
          where ${rowsOf(import_id, "device")} and ${devices.org_id} = ${org_id}
            and ${devices.area_id} <> ${after("area_id")} and ${bySun} and ${openAt(now)}
          group by 1),
        told as materialized (
          select ${import_rows.record_id} as area_id, ${next} ->> 'lat' as lat
          from ${import_rows} where ${rowsOf(import_id, "area")})
        select sum(schedules) as schedules from gone
          left join told on told.area_id = gone.area_id left join ${areas} on ${areas.id} = gone.area_id
        where case when told.area_id is null then ${areas.location} ->> 'lat' else told.lat end is null`);
      return found?.schedules ?? 0;
    },

    /** One statement that finds each area by its id, however many there are. */
    save: (moved: { id: string; positions: Position[] | null }[]) =>
      db
        .update(areas)
        .set({ positions: sql`moved.value -> 'positions'` })
        .from(sql`json_each(${JSON.stringify(moved)}) moved`)
        .where(and(sql`${areas.id} = moved.value ->> 'id'`, eq(areas.org_id, org_id))),
  };
}
