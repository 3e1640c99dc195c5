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
          next_event: sql<string | null>`iif(${areas.active}, (select min(${nextEventAt(now)}) from devices d
            cross join schedules on schedules.device_id = d.id where d.area_id = ${areas}.id${shown(depts, "d")}), null)`,
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
      const first = (column: SQL) => sql`(select s.${column} from schedules s cross join devices d on d.id = s.device_id
        cross join areas a on a.id = d.area_id where s.org_id = ${org_id} and s.${column} > ${now}
        and a.active${shown(depts, "d")} order by s.${column} limit 1)`;
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
