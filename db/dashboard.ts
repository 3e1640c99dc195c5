import { and, eq, sql, type SQLWrapper } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { MOST_NEXT } from "#domain/records/dashboard-page";
import { nextEventAt } from "./coming-windows";
import type { Database } from "./database";
import { inDepts } from "./department-filter";
import { isGroupShown } from "./groups";
import { byName, is } from "./page";
import { areas, device_groups, devices, hubs, organizations, schedules } from "./schema";

type Some = { id?: string | undefined; limit?: number; offset?: number };

/** The dashboard's data of one organization. */
export function dashboard(db: Database, org_id: string) {
  return {
    /**
     * All areas, or one, as of `now` (ISO). Correlated subqueries look up the latest event in its index, so that the log is
     * never scanned; the next event comes from the stored windows of each schedule.
     */
    areas: (depts: string[] | null, now: string, { id, limit = -1, offset = 0 }: Some) => {
      const hubsOf = sql`from hubs h where h.area_id = ${areas}.id`;
      const devicesOf = sql`from devices d where d.area_id = ${areas}.id${shown(depts, "d")}`;
      return db
        .select({
          id: areas.id,
          name: areas.name,
          type: areas.type,
          hubs_online: sql<number>`(select count(*) ${hubsOf} and h.status = 'online')`.as("hubs_online"),
          hubs_total: sql<number>`(select count(*) ${hubsOf})`.as("hubs_total"),
          devices_on: sql<number>`(select count(*) ${devicesOf} and d.current_state = 'on')`.as("devices_on"),
          devices_total: sql<number>`(select count(*) ${devicesOf})`.as("devices_total"),
          devices_hidden: sql<number>`(select count(*) from devices d where d.area_id = ${areas}.id)
            - (select count(*) ${devicesOf})`.as("devices_hidden"),
          problems: sql<number>`(select count(*) ${devicesOf} and d.problem is not null)`.as("problems"),
          last_activity: sql<string | null>`(select e.created_at from device_events e where e.org_id = ${org_id}
            and e.area_id = ${areas}.id${shown(depts, "e")} order by e.created_at desc limit 1)`.as("last_activity"),
          next_event: sql<string | null>`iif(${areas.active}, (select min(next) from (
            select ${nextEventAt(now)} as next from devices d
              cross join schedules on schedules.device_id = d.id where d.area_id = ${areas}.id${shown(depts, "d")}
            union all select ${nextEventAt(now)} from device_groups g
              cross join schedules on schedules.group_id = g.id where g.org_id = ${org_id} and g.area_id = ${areas}.id and exists (
                select 1 from group_devices m cross join devices d on d.id = m.device_id where m.group_id = g.id${shown(depts, "d")})
            union all select ${nextEventAt(now)} from schedules where schedules.area_id = ${areas}.id
              and exists (select 1 ${devicesOf}))), null)`.as("next_event"),
        })
        .from(areas)
        .where(and(eq(areas.org_id, org_id), is(areas.id, id)))
        .orderBy(byName(areas.name), areas.id)
        .limit(limit)
        .offset(offset);
    },

    /** What all areas come to; `own_hours` counts the policies with dark hours of their own, of groups those that are shown. */
    totals: (depts: string[] | null) => {
      const ofShown = sql`(p.scope <> 'group' or exists (select 1 from ${device_groups}
        where ${device_groups.id} = p.scope_id and ${isGroupShown(depts) ?? sql`1`}))`;
      const areasOf = sql`from areas a where a.org_id = ${org_id}`;
      const hubsOf = sql`from hubs h where h.org_id = ${org_id}`;
      const devicesOf = sql`from devices d where d.org_id = ${org_id}${shown(depts, "d")}`;
      return db
        .select({
          areas: sql<number>`(select count(*) ${areasOf})`,
          areas_active: sql<number>`(select count(*) ${areasOf} and a.active)`,
          hubs_online: sql<number>`(select count(*) ${hubsOf} and h.status = 'online')`,
          hubs_away: sql<number>`(select count(*) ${hubsOf} and h.status = 'offline')`,
          hubs_total: sql<number>`(select count(*) ${hubsOf})`,
          devices_on: sql<number>`(select count(*) ${devicesOf} and d.current_state = 'on')`,
          devices_total: sql<number>`(select count(*) ${devicesOf})`,
          problems: sql<number>`(select count(*) ${devicesOf} and d.problem is not null)`,
          unknown: sql<number>`(select count(*) ${devicesOf} and d.current_state = 'unknown')`,
          own_hours: sql<number>`(select count(*) from policies p where p.org_id = ${org_id}
            and (p.HARD_CURFEW_OFF is not null or p.BLACKOUT_WINDOW is not null) and ${ofShown})`,
        })
        .from(organizations)
        .where(eq(organizations.id, org_id));
    },

    /**
     * The starts and ends that come next after `now` (ISO), and what they are for: the first few of each of the three
     * instants of a schedule, each from its own index.
     */
    next: (depts: string[] | null, now: string) => {
      // Whether one of the lights that it is for is shown.
      const isHeld = sql`case when s.device_id is not null then exists (select 1 from devices d where d.id = s.device_id${shown(depts, "d")})
        when s.group_id is not null then exists (select 1 from group_devices m cross join devices d on d.id = m.device_id
          where m.group_id = s.group_id${shown(depts, "d")})
        else exists (select 1 from devices d where d.area_id = s.area_id${shown(depts, "d")}) end`;
      const first = (column: "window_start_at" | "window_end_at" | "then_start_at", begins: 0 | 1) => {
        const at = sql.raw(`s.${column}`);
        return sql`select * from (select ${at} as at, ${sql.raw(String(begins))} as begins, s.title,
          coalesce(l.name, g.name, a.name) as place
          from schedules s left join device_groups g on g.id = s.group_id
          left join devices l on l.id = s.device_id cross join areas a on a.id = coalesce(s.area_id, g.area_id, l.area_id)
          where s.org_id = ${org_id} and ${at} > ${now} and a.active and ${isHeld} order by ${at} limit ${MOST_NEXT})`;
      };
      const every = [first("window_start_at", 1), first("window_end_at", 0), first("then_start_at", 1)];
      return db
        .select({
          at: sql<string>`at`.as("next_at"),
          begins: sql<number>`begins`.as("next_begins"),
          title: sql<string>`title`.as("next_title"),
          place: sql<string>`place`.as("next_place"),
        })
        .from(sql`(${sql.join(every, sql` union all `)})`);
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
