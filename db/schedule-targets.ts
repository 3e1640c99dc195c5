import { sql, type SQL } from "drizzle-orm";
import type { Place } from "./page";
import { schedules as table } from "./schema";
import { isLightShown } from "./targets";

// From lights to the schedules that are for them; the way back is in targets.ts.

/** Whether the schedule is for the device, its groups or its area; none is for a device that is not shown. */
export function isForDevice(device_id: string, depts: string[] | null): SQL {
  return sql`${table.id} in (select schedule_id from (${heldIn({ device_id }, depts)}))`;
}

/** A device, or the devices of an area or a group. */
export type LightPlace = Place | { group_id: string };

/** Each light in a place, with each schedule that is for it: schedule_id and light_id. */
export function heldIn(place: LightPlace, depts: string[] | null): SQL {
  const there = isThere(place);
  return schedulesOf(sql`${there} and ${isLightShown(depts)}`);
}

function isThere(place: LightPlace): SQL {
  if ("device_id" in place) return sql`l.id = ${place.device_id}`;
  if ("area_id" in place) return sql`l.area_id = ${place.area_id}`;
  return sql`l.id in (select device_id from group_devices where group_id = ${place.group_id})`;
}

/** Each of some lights, with each schedule that is for it: schedule_id and light_id. */
export function heldBy(device_ids: readonly string[]): SQL {
  return schedulesOf(sql`l.id in (select value from json_each(${JSON.stringify(device_ids)}))`);
}

/** For the lights `l` that a condition finds by an index. */
function schedulesOf(lights: SQL): SQL {
  return sql`select s.id as schedule_id, l.id as light_id
    from devices l cross join schedules s on s.device_id = l.id where ${lights}
    union all select s.id, l.id from devices l cross join group_devices m on m.device_id = l.id
    cross join schedules s on s.group_id = m.group_id where ${lights}
    union all select s.id, l.id from devices l cross join schedules s on s.area_id = l.area_id where ${lights}`;
}
