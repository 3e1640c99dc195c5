import { and, count, eq, gte, inArray, isNotNull, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import type { Emergencies } from "#domain/resolve/emergencies";
import type { Hold } from "#domain/resolve/hold";
import type { Target, TargetType } from "#domain/schedule/target";
import type { Database } from "./database";
import { inDepts, isMeant } from "./department-filter";
import { belongs, byName } from "./page";
import { device_groups, devices as table, group_devices } from "./schema";
import { NOW } from "./versions";

/** A light, or what has lights. */
export type Place = { type: TargetType | "hub"; id: string };

/**
 * The lights of one organization's places and targets, and their departments: looked up, never copied, so that a light that
 * moves is everywhere at once. `depts` are the departments to show besides organization-wide lights, null for all.
 */
export function lightsAt(db: Database, org_id: string) {
  return {
    /** The visible devices of an area in the order of their ids, from an id on. */
    idsOfArea: async (area_id: string, depts: string[] | null, { from, limit }: { from: string; limit: number }) => {
      const rows = await db
        .select({ id: table.id })
        .from(table)
        .where(
          and(
            belongs(table.org_id, org_id),
            eq(table.area_id, area_id),
            gte(table.id, from),
            inDepts(table.dept_id, depts),
          ),
        )
        .orderBy(table.id)
        .limit(limit);
      return rows.map((row) => row.id);
    },

    /** Whether an area has a visible device that is in none of the departments `but`. */
    isAnyOutside: async (area_id: string, depts: string[] | null, but: string[]): Promise<boolean> => {
      const rows = await db
        .select({ id: table.id })
        .from(table)
        .where(and(belongs(table.org_id, org_id), eq(table.area_id, area_id), isMeant(table.dept_id, depts, but)))
        .limit(1);
      return rows.length > 0;
    },

    /**
     * An emergency of any visible device of an area, and of each of its named groups that has one, but of none in the
     * departments `but`. One round trip.
     */
    emergenciesIn: async (area_id: string, depts: string[] | null, but: string[]): Promise<Emergencies> => {
      const [ofArea, ofGroups] = await db.batch([
        db
          .select({ hold: table.hold })
          .from(table)
          .where(
            and(
              belongs(table.org_id, org_id),
              eq(table.area_id, area_id),
              isEmergency(table.hold),
              isMeant(table.dept_id, depts, but),
            ),
          )
          .limit(1),
        db
          .select({
            id: device_groups.id,
            hold: sql<Hold | null>`(select l.hold from group_devices m cross join devices l on l.id = m.device_id
              where m.group_id = device_groups.id and ${isEmergency(sql`l.hold`)}
              and ${isMeant(sql`l.dept_id`, depts, but)} limit 1)`.mapWith(table.hold),
          })
          .from(device_groups)
          .where(
            and(eq(device_groups.org_id, org_id), eq(device_groups.area_id, area_id), isNotNull(device_groups.name)),
          ),
      ]);
      const groups = ofGroups.flatMap(({ id, hold }) => (hold === null ? [] : [{ id, hold }]));
      return { area: ofArea[0]?.hold ?? null, groups };
    },

    /** How many visible devices an area has. */
    countIn: async (area_id: string, depts: string[] | null): Promise<number> => {
      const [row] = await db
        .select({ lights: count() })
        .from(table)
        .where(and(belongs(table.org_id, org_id), eq(table.area_id, area_id), inDepts(table.dept_id, depts)));
      return row?.lights ?? 0;
    },

    /** The departments of the devices in an area or on a hub; null stands for organization-wide devices. */
    depts: async (place: { area_id: string } | { hub_id: string }): Promise<(string | null)[]> => {
      const there = "area_id" in place ? eq(table.area_id, place.area_id) : eq(table.hub_id, place.hub_id);
      const rows = await db
        .selectDistinct({ dept_id: table.dept_id })
        .from(table)
        .where(and(belongs(table.org_id, org_id), there));
      return rows.map(({ dept_id }) => dept_id);
    },

    /** The departments of the devices of so many places, each with the place's id. Organization-wide devices have none. */
    deptsAt: async (places: Place[]): Promise<{ id: string; dept_id: string }[]> => {
      const listed = (type: Place["type"]) => {
        const ids = new Set(places.flatMap((place) => (place.type === type ? [place.id] : [])));
        return sql`json_each(${JSON.stringify([...ids])}) p`;
      };
      const ofDept = sql`${belongs(sql`l.org_id`, org_id)} and l.dept_id is not null`;
      return db.all<{ id: string; dept_id: string }>(sql`
        select p.value as id, l.dept_id from ${listed("device")} cross join devices l on l.id = p.value where ${ofDept}
        union select p.value, l.dept_id from ${listed("group")} cross join group_devices m on m.group_id = p.value
          cross join devices l on l.id = m.device_id where ${ofDept}
        union select p.value, l.dept_id from ${listed("area")} cross join devices l on l.area_id = p.value where ${ofDept}
        union select p.value, l.dept_id from ${listed("hub")} cross join devices l on l.hub_id = p.value where ${ofDept}`);
    },

    /** The departments of the devices that a target is for, each with the number of its devices. */
    deptsOf: (target: Target) =>
      db
        .select({ dept_id: table.dept_id, lights: count() })
        .from(table)
        .where(and(belongs(table.org_id, org_id), isIn(table, target)))
        .groupBy(table.dept_id),

    /** The groups with a policy that a target's devices are in, and how many devices are in just these. */
    inPolicies: (target: Target) => {
      const own = sql`select p.scope_id from ${group_devices} m cross join policies p on p.org_id = ${org_id}
        and p.scope = 'group' and p.scope_id = m.group_id where m.device_id = "devices"."id" order by p.scope_id`;
      return db
        .select({
          group_ids: sql`(select json_group_array(scope_id) from (${own}))`
            .mapWith((ids: string): string[] => JSON.parse(ids))
            .as("group_ids"),
          lights: count(),
        })
        .from(table)
        .where(and(belongs(table.org_id, org_id), isIn(table, target)))
        .groupBy(sql`group_ids`);
    },

    /** The visible devices that a target is for, by name, `most` at most. */
    inTarget: (target: Target, depts: string[] | null, most: number) =>
      db
        .select({ id: table.id, dept_id: table.dept_id })
        .from(table)
        .where(and(belongs(table.org_id, org_id), isIn(table, target), inDepts(table.dept_id, depts)))
        .orderBy(byName(table.name), table.id)
        .limit(most),

    /** The department of each of the ids that is a visible device of the area. */
    deptsAmong: async (ids: string[], area_id: string, depts: string[] | null): Promise<(string | null)[]> => {
      const listed = inArray(table.id, sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`);
      const rows = await db
        .select({ dept_id: table.dept_id })
        .from(table)
        .where(and(belongs(table.org_id, org_id), listed, eq(table.area_id, area_id), inDepts(table.dept_id, depts)));
      return rows.map(({ dept_id }) => dept_id);
    },
  };
}

/** Whether an emergency lights a device now, by its hold. */
function isEmergency(hold: SQLWrapper): SQL {
  return sql`${hold} ->> 'until' > ${NOW} and ${hold} ->> 'emergency'`;
}

/** Whether the device is in the target. */
function isIn(device: typeof table, { type, id }: Target): SQL {
  if (type === "device") return eq(device.id, id);
  if (type === "area") return eq(device.area_id, id);
  return sql`${device.id} in (select ${group_devices.device_id} from ${group_devices} where ${group_devices.group_id} = ${id})`;
}
