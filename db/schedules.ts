import { and, eq, gt, isNull, or, sql, type SQL } from "drizzle-orm";
import type { ScheduleStatus } from "#domain/words";
import type { Database } from "./database";
import { inDepts } from "./department-filter";
import { areas, devices, schedules as table } from "./schema";
import { nextVersion, NOW } from "./versions";

export type ScheduleValues = Partial<Pick<typeof table.$inferInsert, "description_short" | "rrule">> &
  Pick<typeof table.$inferInsert, "device_id" | "title" | "start_at" | "end_at" | "timezone" | "last_end_at">;

/** The schedules of one organization, whose status is told as of `now` (ISO, UTC). */
export function schedules(db: Database, org_id: string, now: () => string) {
  const only = (id: string) => and(eq(table.org_id, org_id), eq(table.id, id));
  const selected = (condition: SQL | undefined) =>
    db
      .select(recordAt(now()))
      .from(table)
      .innerJoin(devices, eq(devices.id, table.device_id))
      .innerJoin(areas, eq(areas.id, devices.area_id))
      .where(condition);
  /** Decision 16: canceled and done schedules cannot be changed. Asked in the statement, not before it (scenario 39). */
  const nextOpenVersion = (if_match?: number) => nextVersion(table.version, if_match, openAt(now()));

  return {
    list: (depts: string[] | null) =>
      selected(and(eq(table.org_id, org_id), inDepts(devices.dept_id, depts))).orderBy(table.start_at, table.id),

    find: (id: string, depts: string[] | null) => selected(and(only(id), inDepts(devices.dept_id, depts))).get(),

    create: (id: string, values: ScheduleValues) => db.insert(table).values({ ...values, id, org_id }),

    save: (id: string, values: ScheduleValues, if_match?: number) =>
      db
        .update(table)
        .set({ ...values, updated_at: NOW, version: nextOpenVersion(if_match) })
        .where(only(id)),

    cancel: (id: string, if_match?: number) =>
      db
        .update(table)
        .set({ status: "canceled", updated_at: NOW, version: nextOpenVersion(if_match) })
        .where(only(id)),
  };
}

/** Decision 16: done once the last occurrence has ended; half-open, so at the very end already. */
export function openAt(now: string): SQL {
  return sql`${and(eq(table.status, "scheduled"), or(isNull(table.last_end_at), gt(table.last_end_at, now)))}`;
}

function recordAt(now: string) {
  return {
    id: table.id,
    version: table.version,
    created_at: table.created_at,
    updated_at: table.updated_at,
    title: table.title,
    area_id: devices.area_id,
    area_name: areas.name,
    device_id: table.device_id,
    device_name: devices.name,
    description_short: table.description_short,
    start_at: table.start_at,
    end_at: table.end_at,
    rrule: table.rrule,
    timezone: table.timezone,
    status: sql<ScheduleStatus>`case when ${table.status} = 'scheduled' and ${table.last_end_at} <= ${now} then 'done' else ${table.status} end`,
    last_end_at: table.last_end_at,
  };
}
