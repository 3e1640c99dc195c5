import { and, eq, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { nextEventAt } from "./coming-windows";
import type { Database } from "./database";
import { inDepts } from "./department-filter";
import { is } from "./page";
import { areas, devices, hubs, organizations, schedules } from "./schema";

type Some = { id?: string | undefined; limit?: number; offset?: number };

/** The dashboard's data of one organization. */
export function dashboard(db: Database, org_id: string) {
  return {
    /**
     * All areas, or one, as of `now` (ISO). Correlated subqueries look up the latest event in its index, so that the log is
     * never scanned; the next event comes from the stored windows of each schedule.
     */
    areas: (depts: string[] | null, now: string, { id, limit = -1, offset = 0 }: Some = {}) => {
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
          next_event: sql<string | null>`iif(${areas.active}, (select min(next) from (
            select ${nextEventAt(now)} as next from devices d
              cross join schedules on schedules.device_id = d.id where d.area_id = ${areas}.id${shown(depts, "d")}
            union all select ${nextEventAt(now)} from device_groups g
              cross join schedules on schedules.group_id = g.id where g.org_id = ${org_id} and g.area_id = ${areas}.id and exists (
                select 1 from group_devices m cross join devices d on d.id = m.device_id where m.group_id = g.id${shown(depts, "d")})
            union all select ${nextEventAt(now)} from schedules where schedules.area_id = ${areas}.id
              and exists (select 1 ${devicesOf}))), null)`,
        })
        .from(areas)
        .where(and(eq(areas.org_id, org_id), is(areas.id, id)))
        .orderBy(areas.name, areas.id)
        .limit(limit)
        .offset(offset);
    },

    /** What all areas come to. The next event is found from the three instants of a schedule, each in its own index. */
    totals: (depts: string[] | null, now: string) => {
      const hubsOf = sql`from hubs h where h.org_id = ${org_id}`;
      const devicesOf = sql`from devices d where d.org_id = ${org_id}${shown(depts, "d")}`;
      // Whether one of the lights that it is for is shown.
      const isHeld = sql`case when s.device_id is not null then exists (select 1 from devices d where d.id = s.device_id${shown(depts, "d")})
        when s.group_id is not null then exists (select 1 from group_devices m cross join devices d on d.id = m.device_id
          where m.group_id = s.group_id${shown(depts, "d")})
        else exists (select 1 from devices d where d.area_id = s.area_id${shown(depts, "d")}) end`;
      const first = (
        column: SQL,
      ) => sql`(select s.${column} from schedules s left join device_groups g on g.id = s.group_id
        left join devices l on l.id = s.device_id cross join areas a on a.id = coalesce(s.area_id, g.area_id, l.area_id)
        where s.org_id = ${org_id} and s.${column} > ${now} and a.active and ${isHeld} order by s.${column} limit 1)`;
      return db
        .select({
          areas: sql<number>`(select count(*) from areas a where a.org_id = ${org_id})`,
          hubs_online: sql<number>`(select count(*) ${hubsOf} and h.status = 'online')`,
          hubs_total: sql<number>`(select count(*) ${hubsOf})`,
          devices_on: sql<number>`(select count(*) ${devicesOf} and d.current_state = 'on')`,
          devices_total: sql<number>`(select count(*) ${devicesOf})`,
          problems: sql<number>`(select count(*) ${devicesOf} and d.problem is not null)`,
          window_start_at: sql<string | null>`${first(sql.raw("window_start_at"))}`,
          window_end_at: sql<string | null>`${first(sql.raw("window_end_at"))}`,
          then_start_at: sql<string | null>`${first(sql.raw("then_start_at"))}`,
        })
        .from(organizations)
        .where(eq(organizations.id, org_id));
    },

    /** Whether any area, hub, device and schedule exists, in any department: 1 or 0 for each. */
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
        .where(eq(organizations.id, org_id));
    },
  };
}

function shown(depts: string[] | null, alias: "d" | "e") {
  const condition = inDepts(sql.raw(`${alias}.dept_id`), depts);
  return condition ? sql` and ${condition}` : sql``;
}
