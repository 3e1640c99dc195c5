import { sql, type SQL, type SQLWrapper } from "drizzle-orm";
import type { ScheduleStatus } from "#domain/enums";
import { named } from "./page";
import { areas, schedules as table } from "./schema";
import { targetsOf } from "./targets";

const target = targetsOf(table);

/** A schedule is completed at the instant at which its last occurrence ends. `of`: how the query names its row. */
export function openAt(now: string, of: SQLWrapper = table): SQL {
  return sql`(${of}.status = 'scheduled' and (${of}.last_end_at is null or ${of}.last_end_at > ${now}))`;
}

/** Its status as of `now` (ISO, UTC): a scheduled one whose last occurrence has ended is done. */
export function statusAt(now: string) {
  return sql<ScheduleStatus>`case when ${table.status} = 'scheduled' and ${table.last_end_at} <= ${now} then 'done' else ${table.status} end`;
}

/** The columns of a schedule's record as of `now` (ISO, UTC), its target as whoever sees `depts` (null: all) sees it. */
export function recordAt(now: string, depts: string[] | null) {
  return {
    id: table.id,
    version: table.version,
    created_at: table.created_at,
    updated_at: table.updated_at,
    title: table.title,
    area_id: named<string>(areas.id, "of_area_id"),
    area_name: named<string>(areas.name, "area_name"),
    device_id: table.device_id,
    device_name: named<string>(target.name(depts), "device_name"),
    target: target.record(depts),
    description_short: table.description_short,
    start_at: table.start_at,
    end_at: table.end_at,
    rrule: table.rrule,
    timezone: table.timezone,
    start_sun: table.start_sun,
    end_sun: table.end_sun,
    exdates: sql`coalesce((select json_group_array(value ->> 'date') from json_each(${table.skips})), '[]')`
      .mapWith((dates: string): string[] => JSON.parse(dates))
      .as("exdates"),
    calendar_id: table.calendar_id,
    calendar_rule: table.calendar_rule,
    status: statusAt(now).as("status_now"),
    last_end_at: table.last_end_at,
  };
}
