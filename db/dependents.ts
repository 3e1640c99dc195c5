import { and, count, eq, sql, type SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Dependents, LeftBehind, Owner } from "#domain/records/dependents";
import type { Database } from "./database";
import { belongs } from "./page";
import { openAt } from "./schedule-record";
import { closures, dept_memberships, devices, hubs, organizations, permits, schedules, workorders } from "./schema";

/** One light, or those of a hub. */
type MovedLights = { device_id: string } | { hub_id: string };

/** How much depends on a record of one organization, by its id. */
export function dependents(db: Database, org_id: string) {
  const hubsWhere = (place: SQL) =>
    db
      .select({ n: count() })
      .from(hubs)
      .where(and(eq(hubs.org_id, org_id), place));
  const lightsWhere = (place: SQL) =>
    db
      .select({ n: count(), lit: sql<number>`total(${devices.current_state} = 'on')` })
      .from(devices)
      .where(and(belongs(devices.org_id, org_id), place));
  /** Those that go with the device or area: of an area, also those of its devices and groups. */
  const schedulesOf = (of: SQL, now: string) =>
    db
      .select({ n: count() })
      .from(schedules)
      .where(and(belongs(schedules.org_id, org_id), of, openAt(now)));
  const inArea = (id: string) => sql`${schedules.id} in (
    select s.id from devices d cross join schedules s on s.device_id = d.id where d.area_id = ${id}
    union all select s.id from device_groups g cross join schedules s on s.group_id = g.id where g.org_id = ${org_id} and g.area_id = ${id}
    union all select s.id from schedules s where s.area_id = ${id})`;

  const lightsOf = (moved: MovedLights) => {
    const isMoved = "hub_id" in moved ? sql`l.hub_id = ${moved.hub_id}` : sql`l.id = ${moved.device_id}`;
    return sql`devices l where +l.org_id = ${org_id} and ${isMoved}`;
  };
  const placeOf = (moved: MovedLights) =>
    "hub_id" in moved
      ? sql`hubs p where p.org_id = ${org_id} and p.id = ${moved.hub_id}`
      : sql`devices p where +p.org_id = ${org_id} and p.id = ${moved.device_id}`;
  /** The groups of lights; of schedules, closures or permits, those that are for one of these, or for the area of what is moved. */
  const groupsOf = (moved: MovedLights) =>
    sql`(select m.group_id from (select l.id from ${lightsOf(moved)}) l cross join group_devices m on m.device_id = l.id)`;
  const forLightsOf = (moved: MovedLights, table: SQLiteTable, isOpen: SQL) => sql`(
    select 1 from ${table} one where one.group_id in ${groupsOf(moved)} and ${isOpen}
    union all select 1 from (select p.area_id from ${placeOf(moved)}) p
      cross join ${table} one on one.area_id = p.area_id where ${isOpen})`;

  return {
    /** What lights leave behind when they are moved to another area; `now` (ISO 8601) tells what is not over. One statement. */
    leftBy: async (moved: MovedLights, now: string): Promise<LeftBehind> => {
      const number = (of: SQL) => sql<number>`(select count(*) from ${of})`;
      const isClosed = sql`(one.to_at is null or one.to_at > ${now})`;
      const [left] = await db
        .select({
          lights: number(lightsOf(moved)),
          groups: number(sql`device_groups g where g.id in ${groupsOf(moved)} and g.name is not null`),
          closures: number(forLightsOf(moved, closures, isClosed)),
          permits: number(forLightsOf(moved, permits, sql`one.to_at > ${now}`)),
          schedules: number(forLightsOf(moved, schedules, openAt(now, sql`one`))),
        })
        .from(organizations)
        .where(eq(organizations.id, org_id));
      return left ?? {};
    },

    /** `now` (ISO 8601) tells which schedules are still to come. One round trip. */
    count: async (owner: Owner, id: string, now: string): Promise<Dependents> => {
      if (owner === "area") {
        const [ofHubs, ofLights, ofSchedules] = await db.batch([
          hubsWhere(eq(hubs.area_id, id)),
          lightsWhere(eq(devices.area_id, id)),
          schedulesOf(inArea(id), now),
        ]);
        return { hubs: ofHubs[0]?.n, lights: ofLights[0]?.n, schedules: ofSchedules[0]?.n, lit: ofLights[0]?.lit };
      }
      if (owner === "hub") return { lights: (await lightsWhere(eq(devices.hub_id, id)))[0]?.n };
      if (owner === "device") {
        const [ofSchedules, itself] = await db.batch([
          schedulesOf(eq(schedules.device_id, id), now),
          lightsWhere(eq(devices.id, id)),
        ]);
        return { schedules: ofSchedules[0]?.n, lit: itself[0]?.lit };
      }
      const [ofMembers, ofLights, ofWorkorders] = await db.batch([
        db
          .select({ n: count() })
          .from(dept_memberships)
          .where(and(eq(dept_memberships.org_id, org_id), eq(dept_memberships.dept_id, id))),
        db
          .select({ n: count() })
          .from(devices)
          .where(and(eq(devices.org_id, org_id), eq(devices.dept_id, id))),
        db
          .select({ n: count() })
          .from(workorders)
          .where(and(eq(workorders.org_id, org_id), eq(workorders.dept_id, id))),
      ]);
      return { members: ofMembers[0]?.n, lights: ofLights[0]?.n, workorders: ofWorkorders[0]?.n };
    },
  };
}
