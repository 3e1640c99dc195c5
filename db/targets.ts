import { and, eq, sql, type AnyColumn, type SQL } from "drizzle-orm";
import type { Target, TargetType } from "#domain/target";
import type { Database } from "./database";
import { inDepts } from "./department-filter";
import { named } from "./page";
import { areas, device_groups, devices, group_devices } from "./schema";

/** The three columns of a schedule, a permit or a closure, of which one is set. */
type TargetTable = Record<"device_id" | "group_id" | "area_id", AnyColumn>;

/** Where a target is, and the departments of all its devices; null stands for organization-wide ones. */
export type TargetFacts = { area_id: string; depts: (string | null)[] };

/**
 * The target as it is answered. Join the area of `areaOf`, too: only where a query has a join does Drizzle qualify the
 * columns, and these subqueries need it.
 */
export function targetRecord(table: TargetTable) {
  return {
    type: sql<TargetType>`case when ${table.device_id} is not null then 'device'
      when ${table.group_id} is not null then 'group' else 'area' end`.as("target_type"),
    id: sql<string>`coalesce(${table.device_id}, ${table.group_id}, ${table.area_id})`.as("target_id"),
    name: named(
      sql`case when ${table.device_id} is not null then (select name from devices where id = ${table.device_id})
        when ${table.group_id} is not null then ${groupName(table.group_id)} else 'All lights' end`,
      "target_name",
    ),
    devices: sql<number>`case when ${table.device_id} is not null then 1
      when ${table.group_id} is not null then (select count(*) from group_devices where group_id = ${table.group_id})
      else (select count(*) from devices where area_id = ${table.area_id}) end`.as("target_devices"),
  };
}

/** A group's name, or of one without a name 'Pitch A north mast and 2 more'. */
export function groupName(group_id: AnyColumn): SQL<string> {
  const members = sql`from group_devices inner join devices on devices.id = group_devices.device_id
    where group_devices.group_id = ${group_id}`;
  return sql`coalesce((select name from device_groups where id = ${group_id}),
    (select min(devices.name) || case when count(*) > 1 then ' and ' || (count(*) - 1) || ' more' else '' end ${members}),
    'No lights')`;
}

/** The area that a row's target is, or is in. */
export function areaOf(table: TargetTable): SQL<string> {
  return sql`coalesce(${table.area_id}, (select area_id from device_groups where id = ${table.group_id}),
    (select area_id from devices where id = ${table.device_id}))`;
}

/** An area is visible to everyone; a device or a group if one of its devices is, or if it has none. */
export function isTargetVisible(table: TargetTable, depts: string[] | null): SQL | undefined {
  if (depts === null) return undefined;
  const visible = inDepts(sql`dept_id`, depts);
  return sql`(${table.area_id} is not null
    or exists (select 1 from devices where id = ${table.device_id} and ${visible})
    or exists (select 1 from devices where id in (select device_id from group_devices where group_id = ${table.group_id})
      and ${visible})
    or (${table.group_id} is not null and not exists (select 1 from group_devices where group_id = ${table.group_id})))`;
}

/** The targets of one organization. */
export function targets(db: Database, org_id: string) {
  const only = { device: devices, group: device_groups, area: areas };

  /** The query of a target's devices, whose departments it asks for. */
  function deptsOf({ type, id }: Target) {
    const ids = { device: devices.id, group: group_devices.group_id, area: devices.area_id };
    const query = db.selectDistinct({ dept_id: devices.dept_id }).from(devices).$dynamic();
    const joined = type === "group" ? query.innerJoin(group_devices, eq(group_devices.device_id, devices.id)) : query;
    return joined.where(and(eq(devices.org_id, org_id), eq(ids[type], id)));
  }

  return {
    /** Undefined for one that the organization does not have. */
    find: async (target: Target): Promise<TargetFacts | undefined> => {
      const table = only[target.type];
      const [[place], depts] = await db.batch([
        db
          .select({ area_id: target.type === "area" ? areas.id : sql<string>`area_id` })
          .from(table)
          .where(and(eq(table.org_id, org_id), eq(table.id, target.id))),
        deptsOf(target),
      ]);
      return place && { area_id: place.area_id, depts: depts.map(({ dept_id }) => dept_id) };
    },
  };
}
