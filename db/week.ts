import { and, eq, gt, isNotNull, isNull, lt, ne, or, sql, type SQL } from "drizzle-orm";
import type { Database } from "./database";
import { nightColumns } from "./nights";
import { belongs, byName } from "./page";
import { heldIn, type LightPlace } from "./schedule-targets";
import { areas, device_groups, devices, schedules as table } from "./schema";
import { isLightShown, targetsOf } from "./targets";
import { openAt } from "./schedule-record";

const target = targetsOf(table);

/** What the Week of one organization shows. */
export function week(db: Database, org_id: string) {
  return {
    /** The first area by name that something is scheduled in for a visible light; the first of all where nothing is. */
    firstArea: async (now: string, depts: string[] | null): Promise<string | undefined> => {
      const [row] = await db
        .select({ id: areas.id })
        .from(areas)
        .where(eq(areas.org_id, org_id))
        .orderBy(sql`${isScheduled(now, depts)} desc`, byName(areas.name), areas.id)
        .limit(1);
      return row?.id;
    },

    /** The named groups of an area with a visible light, with the count of those. */
    groups: (area_id: string, depts: string[] | null) => {
      const lights = sql<number>`(select count(*) from group_devices m cross join devices l on l.id = m.device_id
        where m.group_id = "device_groups"."id" and ${isLightShown(depts)})`;
      return db
        .select({ id: device_groups.id, name: sql<string>`${device_groups.name}`, lights })
        .from(device_groups)
        .where(
          and(
            eq(device_groups.org_id, org_id),
            eq(device_groups.area_id, area_id),
            isNotNull(device_groups.name),
            sql`${lights} > 0`,
          ),
        )
        .orderBy(byName(device_groups.name), device_groups.id);
    },

    /**
     * The schedules that are for a visible light of a place, with the count of those, and may have a window between two
     * instants (ISO), except canceled ones; the caller checks the rule. `limit` at most, the oldest first.
     */
    schedules: (
      place: LightPlace,
      depts: string[] | null,
      { start, end, now, limit }: { start: string; end: string; now: string; limit: number },
    ) =>
      db
        .select({
          id: table.id,
          title: table.title,
          ...nightColumns,
          target: target.record(depts),
          lights: sql<number>`lights`.as("of_place"),
          is_open: sql<number>`${openAt(now)}`.as("is_open"),
        })
        .from(
          sql`(select schedule_id, count(distinct light_id) as lights from (${heldIn(place, depts)}) group by schedule_id)`,
        )
        .innerJoin(table, eq(table.id, sql`schedule_id`))
        .leftJoin(devices, eq(devices.id, table.device_id))
        .leftJoin(device_groups, eq(device_groups.id, table.group_id))
        .where(
          and(
            belongs(table.org_id, org_id),
            ne(table.status, "canceled"),
            lt(table.start_at, end),
            or(isNull(table.last_end_at), gt(table.last_end_at, start)),
          ),
        )
        .orderBy(table.start_at, table.id)
        .limit(limit),
  };
}

/** Whether an open schedule is for a light of the row of areas that is shown, alone, in a group or with all of them. */
function isScheduled(now: string, depts: string[] | null): SQL {
  const open = openAt(now, sql`s`);
  const shown = isLightShown(depts);
  return sql`(exists (select 1 from schedules s where s.area_id = ${areas.id} and ${open}
      and exists (select 1 from devices l where l.area_id = ${areas.id} and ${shown}))
    or exists (select 1 from device_groups g cross join schedules s on s.group_id = g.id
      where g.org_id = ${areas.org_id} and g.area_id = ${areas.id} and ${open} and exists (
        select 1 from group_devices m cross join devices l on l.id = m.device_id where m.group_id = g.id and ${shown}))
    or exists (select 1 from devices l cross join schedules s on s.device_id = l.id
      where l.area_id = ${areas.id} and ${shown} and ${open}))`;
}
