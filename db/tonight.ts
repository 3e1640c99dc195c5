import { and, count, eq, inArray, sql, type SQL } from "drizzle-orm";
import type { NightTotals } from "#domain/tonight/tonight-words";
import type { Database } from "./database";
import { inDepts } from "./department-filter";
import { bySun, nightColumns } from "./nights";
import { belongs, byName } from "./page";
import { heldBy } from "./schedule-targets";
import { areas, device_groups, devices, schedules } from "./schema";

/** What the screen Tonight shows of one organization. */
export function tonight(db: Database, org_id: string) {
  const light = {
    id: devices.id,
    name: devices.name,
    area_id: devices.area_id,
    dept_id: devices.dept_id,
    current_state: devices.current_state,
    problem: devices.problem,
    hold: devices.hold,
  };

  return {
    /**
     * A page of the areas that have lights, those with a wrong one first, each with the counts of its visible lights, and
     * beside each row what all areas come to. The devices are read once.
     */
    areas: (depts: string[] | null, { limit, offset }: { limit: number; offset: number }) => {
      const shown = inDepts(sql.raw("d.dept_id"), depts) ?? sql`1`;
      const counts = sql`(select d.area_id as of_area, count(*) as every, sum(${shown}) as lights,
        sum(${shown} and d.current_state = 'on') as lit, sum(${shown} and d.problem is not null) as wrong,
        sum(${shown} and d.current_state = 'unknown') as unknown
        from devices d where d.org_id = ${org_id} group by d.area_id)`;
      return db
        .select({
          id: areas.id,
          name: areas.name,
          type: areas.type,
          active: areas.active,
          on: sql<number>`lit`,
          wrong: sql<number>`wrong`,
          unknown: sql<number>`unknown`,
          all: sql<number>`lights`,
          hidden: sql<number>`every - lights`,
          total_areas: sql<number>`count(*) over ()`,
          total_on: sql<number>`sum(lit) over ()`,
          total_wrong: sql<number>`sum(wrong) over ()`,
          total_unknown: sql<number>`sum(unknown) over ()`,
          total_all: sql<number>`sum(lights) over ()`,
        })
        .from(counts)
        .innerJoin(areas, eq(areas.id, sql`of_area`))
        .where(belongs(areas.org_id, org_id))
        .orderBy(sql`wrong > 0 desc`, byName(areas.name), areas.id)
        .limit(limit)
        .offset(offset);
    },

    /** Visible lights of areas, the wrong ones first, `limit` at most. */
    lights: (area_ids: string[], depts: string[] | null, limit: number) =>
      db
        .select(light)
        .from(devices)
        .where(
          and(
            belongs(devices.org_id, org_id),
            inArray(devices.area_id, sql`(select value from json_each(${JSON.stringify(area_ids)}))`),
            inDepts(devices.dept_id, depts),
          ),
        )
        .orderBy(sql`${devices.problem} is null`, byName(devices.name), devices.id)
        .limit(limit),

    /** The visible lights of one area, however many there are. */
    countsIn: async (area_id: string, depts: string[] | null): Promise<NightTotals> => {
      const having = (is: SQL) => sql<number>`count(*) filter (where ${is})`;
      const [row] = await db
        .select({
          on: having(sql`${devices.current_state} = 'on'`),
          wrong: having(sql`${devices.problem} is not null`),
          unknown: having(sql`${devices.current_state} = 'unknown'`),
          all: count(),
        })
        .from(devices)
        .where(and(belongs(devices.org_id, org_id), eq(devices.area_id, area_id), inDepts(devices.dept_id, depts)));
      return row ?? { on: 0, wrong: 0, unknown: 0, all: 0 };
    },

    light: (id: string, depts: string[] | null) =>
      db
        .select(light)
        .from(devices)
        .where(and(eq(devices.org_id, org_id), eq(devices.id, id), inDepts(devices.dept_id, depts)))
        .get(),

    /**
     * The open schedules of lights that skip a date from one day to another, a row a light. Who skipped it is in the audit
     * log, as long as that was the schedule's last change: `was` are the dates (JSON) that it skipped before.
     */
    skipped: (device_ids: readonly string[], from: string, to: string) => {
      const entry = (column: SQL) => auditOf(org_id, column, sql`"schedules"."updated_at"`, "skip");
      return (
        db
          .select({
            ...nightColumns,
            id: schedules.id,
            title: schedules.title,
            light_id: sql<string>`light_id`,
            who: entry(sql`a.actor_email`),
            was: entry(sql`a.details ->> '$.before.exdates'`),
          })
          .from(sql`(${heldBy(device_ids)})`)
          // In this order: from the few lights to their schedules.
          .crossJoin(schedules)
          .where(
            and(
              sql`${schedules.id} = schedule_id`,
              belongs(schedules.org_id, org_id),
              eq(schedules.status, "scheduled"),
              sql`exists (select 1 from json_each(${schedules.skips}) where value ->> 'date' between ${from} and ${to})`,
            ),
          )
      );
    },

    /**
     * The schedules by their ids. Who made one is in the audit log, which knows no records: its entry was written with the
     * schedule, so it is looked for in those seconds.
     */
    schedules: (ids: string[]) =>
      db
        .select({
          id: schedules.id,
          title: schedules.title,
          by_sun: sql<number>`${bySun}`,
          repeats: sql<number>`${schedules.rrule} is not null`,
          device_id: schedules.device_id,
          group_id: schedules.group_id,
          area_id: schedules.area_id,
          who: auditOf(org_id, sql`a.actor_email`, sql`"schedules"."created_at"`, "create"),
          group: sql<string | null>`(select g.name from ${device_groups} g where g.id = "schedules"."group_id")`,
        })
        .from(schedules)
        .where(
          and(
            belongs(schedules.org_id, org_id),
            sql`${schedules.id} in (select value from json_each(${JSON.stringify(ids)}))`,
          ),
        ),
  };
}

/** A column of the audit entry that was written with a row of schedules at an instant (ISO), within some seconds. */
function auditOf(org_id: string, column: SQL, at: SQL, action: "create" | "skip"): SQL<string | null> {
  return sql<string | null>`(select ${column} from audit_logs a where a.org_id = ${org_id}
    and a.created_at >= strftime('%Y-%m-%dT%H:%M:%fZ', ${at}, '-10 seconds')
    and a.created_at <= strftime('%Y-%m-%dT%H:%M:%fZ', ${at}, '+10 seconds')
    and a.resource_id = "schedules"."id" and a.action = ${action} order by a.created_at desc limit 1)`;
}
