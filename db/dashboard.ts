import { and, eq, sql, type SQLWrapper } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "./database";
import { inDepts } from "./department-filter";
import { is } from "./page";
import { openAt } from "./schedules";
import { areas, devices, hubs, organizations, schedules } from "./schema";

/** What the dashboard counts and plans from, for one organization; both are statements of one batch. */
export function dashboard(db: Database, org_id: string) {
  return {
    /**
     * All areas, or the one. Correlated subqueries, so that the latest event is looked up in its index and the log is
     * never scanned.
     */
    areas: (depts: string[] | null, id?: string) => {
      const hubsOf = sql`from hubs h where h.area_id = ${areas}.id`;
      const devicesOf = sql`from devices d where d.area_id = ${areas}.id${shown(depts, "d")}`;
      return db
        .select({
          id: areas.id,
          name: areas.name,
          type: areas.type,
          hubs_online: sql<number>`(select count(*) ${hubsOf} and h.status = 'online')`,
          hubs_total: sql<number>`(select count(*) ${hubsOf})`,
          devices_on: sql<number>`(select count(*) ${devicesOf} and d.current_state = 'on')`,
          devices_total: sql<number>`(select count(*) ${devicesOf})`,
          devices_hidden: sql<number>`(select count(*) from devices d where d.area_id = ${areas}.id)
            - (select count(*) ${devicesOf})`,
          problems: sql<number>`(select count(*) ${devicesOf} and d.problem is not null)`,
          last_activity: sql<string | null>`(select e.created_at from device_events e where e.org_id = ${org_id}
            and e.area_id = ${areas}.id${shown(depts, "e")} order by e.created_at desc limit 1)`,
        })
        .from(areas)
        .where(and(eq(areas.org_id, org_id), is(areas.id, id)))
        .orderBy(areas.name, areas.id);
    },

    /** Whether there is an area, a hub, a device and a schedule at all, in whatever department: 1 or 0 of each. */
    has: () => {
      const any = (table: SQLiteTable, column: SQLWrapper) =>
        sql<number>`exists (select 1 from ${table} where ${column} = ${org_id})`;
      return db
        .select({
          area: any(areas, areas.org_id),
          hub: any(hubs, hubs.org_id),
          device: any(devices, devices.org_id),
          schedule: any(schedules, schedules.org_id),
        })
        .from(organizations)
        .where(eq(organizations.id, org_id))
        .get();
    },

    /** The open schedules of active areas, alike ones once: many lights share one plan. */
    plans: (depts: string[] | null, now: string, area_id?: string) =>
      db
        .selectDistinct({
          area_id: devices.area_id,
          start_at: schedules.start_at,
          end_at: schedules.end_at,
          rrule: schedules.rrule,
          timezone: schedules.timezone,
        })
        .from(schedules)
        .innerJoin(devices, eq(devices.id, schedules.device_id))
        .innerJoin(areas, eq(areas.id, devices.area_id))
        .where(
          and(
            eq(schedules.org_id, org_id),
            openAt(now),
            eq(areas.active, true),
            is(devices.area_id, area_id),
            inDepts(devices.dept_id, depts),
          ),
        ),
  };
}

function shown(depts: string[] | null, alias: "d" | "e") {
  const condition = inDepts(sql.raw(`${alias}.dept_id`), depts);
  return condition ? sql` and ${condition}` : sql``;
}
