import { sql, type SQL, type SQLWrapper } from "drizzle-orm";
import type { TargetType } from "#domain/target";
import { inDepts } from "./department-filter";
import { ofDept, type Place } from "./page";
import { device_groups, devices, schedules as table } from "./schema";

// A schedule is for a device, a group or an area. The lights that it is for are looked up, never copied, so that a light
// that joins is in every list at once. Queries of schedules join the target's device, group and area under these names.

/** The area that the target is or is in. */
export const AREA_ID = sql<string>`coalesce(${table.area_id}, ${device_groups.area_id}, ${devices.area_id})`;

/** The target as it is answered. An unnamed group is named by the first of its lights that is shown. */
export function targetRecord(depts: string[] | null) {
  return {
    type: sql<TargetType>`${of("'device'", "'group'", "'area'")}`.as("target_type"),
    id: sql<string>`coalesce(${table.device_id}, ${table.group_id}, ${table.area_id})`.as("target_id"),
    name: sql<string>`${targetName(depts)}`.as("target_name"),
    devices: sql<number>`${lightCount}`.as("target_devices"),
  };
}

/** The name of the device or group, or 'All lights'. */
export function targetName(depts: string[] | null): SQL<string> {
  const first = sql`(select min(l.name collate nocase) from ${members} and ${shown(depts)})`;
  const more = sql`case when ${lightCount} > 1 then ' and ' || (${lightCount} - 1) || ' more' else '' end`;
  const ofGroup = sql`coalesce(${device_groups.name}, ${first} || ${more}, 'No lights')`;
  return sql<string>`case when ${table.device_id} is not null then ${devices.name}
    when ${table.group_id} is not null then ${ofGroup} else 'All lights' end`;
}

/** Whether one of the target's lights is shown, or it has none at all. */
export function targetShown(depts: string[] | null): SQL | undefined {
  if (depts === null) return undefined;
  return sql`(${anyLight((dept_id) => inDepts(dept_id, depts) ?? sql`1`)} or ${lightCount} = 0)`;
}

/** Whether one of the target's lights is of the department, or organization-wide; see `ofDept`. */
export function targetOfDept(dept: string | undefined): SQL | undefined {
  return dept === undefined ? undefined : anyLight((dept_id) => ofDept(dept_id, dept) ?? sql`1`);
}

/** The names of the shown lights of a group or an area, to search in. */
export function lightNames(depts: string[] | null): SQL {
  return of(
    "''",
    sql`(select group_concat(l.name, ' ') from ${members} and ${shown(depts)})`,
    sql`(select group_concat(l.name, ' ') from ${lightsOfArea} and ${shown(depts)})`,
  );
}

/** Whether the schedule is for the device, its groups or its area. */
export function isForDevice(device_id: string): SQL {
  return sql`${table.id} in (select schedule_id from (${schedulesOf(sql`l.id = ${device_id}`)}))`;
}

/** Each light in a place, with each schedule that is for it: schedule_id and light_id. */
export function heldIn(place: Place, depts: string[] | null): SQL {
  const there = "device_id" in place ? sql`l.id = ${place.device_id}` : sql`l.area_id = ${place.area_id}`;
  return schedulesOf(sql`${there} and ${shown(depts)}`);
}

/** For the lights `l` that a condition finds by an index. */
function schedulesOf(lights: SQL): SQL {
  return sql`select s.id as schedule_id, l.id as light_id
    from devices l cross join schedules s on s.device_id = l.id where ${lights}
    union all select s.id, l.id from devices l cross join group_devices m on m.device_id = l.id
    cross join schedules s on s.group_id = m.group_id where ${lights}
    union all select s.id, l.id from devices l cross join schedules s on s.area_id = l.area_id where ${lights}`;
}

/** The lights `l` of the row's group, and of its area. */
const members = sql`group_devices m cross join devices l on l.id = m.device_id where m.group_id = ${table.group_id}`;
const lightsOfArea = sql`devices l where l.area_id = ${table.area_id}`;

const lightCount = of(
  "1",
  sql`(select count(*) from group_devices m where m.group_id = ${table.group_id})`,
  sql`(select count(*) from ${lightsOfArea})`,
);

function anyLight(isIt: (dept_id: SQLWrapper) => SQL): SQL {
  const found = isIt(sql`l.dept_id`);
  return of(
    isIt(devices.dept_id),
    sql`exists (select 1 from ${members} and ${found})`,
    sql`exists (select 1 from ${lightsOfArea} and ${found})`,
  );
}

function shown(depts: string[] | null): SQL {
  return inDepts(sql`l.dept_id`, depts) ?? sql`1`;
}

/** By the kind of the row's target; texts are SQL. */
function of(device: SQL | string, group: SQL | string, area: SQL | string): SQL {
  const [ofDevice, ofGroup, ofArea] = [device, group, area].map((it) => (typeof it === "string" ? sql.raw(it) : it));
  return sql`case when ${table.device_id} is not null then ${ofDevice}
    when ${table.group_id} is not null then ${ofGroup} else ${ofArea} end`;
}
