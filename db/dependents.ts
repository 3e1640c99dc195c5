import { and, count, eq, gt, isNull, or, type SQL } from "drizzle-orm";
import type { Dependents, Owner } from "#domain/dependents";
import type { Database } from "./database";
import { dept_memberships, devices, hubs, schedules, workorders } from "./schema";

/** How much depends on a record of one organization, by its id. */
export function dependents(db: Database, org_id: string) {
  const hubsWhere = (place: SQL) =>
    db
      .select({ n: count() })
      .from(hubs)
      .where(and(eq(hubs.org_id, org_id), place));
  const lightsWhere = (place: SQL) =>
    db
      .select({ n: count() })
      .from(devices)
      .where(and(eq(devices.org_id, org_id), place));
  const schedulesWhere = (place: SQL, now: string) =>
    db
      .select({ n: count() })
      .from(devices)
      .innerJoin(schedules, eq(schedules.device_id, devices.id))
      .where(
        and(
          eq(devices.org_id, org_id),
          place,
          eq(schedules.status, "scheduled"),
          or(isNull(schedules.last_end_at), gt(schedules.last_end_at, now)),
        ),
      );

  return {
    /** `now` (ISO 8601) tells which schedules are still to come. One round trip. */
    count: async (owner: Owner, id: string, now: string): Promise<Dependents> => {
      if (owner === "area") {
        const [ofHubs, ofLights, ofSchedules] = await db.batch([
          hubsWhere(eq(hubs.area_id, id)),
          lightsWhere(eq(devices.area_id, id)),
          schedulesWhere(eq(devices.area_id, id), now),
        ]);
        return { hubs: ofHubs[0]?.n, lights: ofLights[0]?.n, schedules: ofSchedules[0]?.n };
      }
      if (owner === "hub") return { lights: (await lightsWhere(eq(devices.hub_id, id)))[0]?.n };
      if (owner === "device") return { schedules: (await schedulesWhere(eq(devices.id, id), now))[0]?.n };
      const [ofMembers, ofLights, ofWorkorders] = await db.batch([
        db
          .select({ n: count() })
          .from(dept_memberships)
          .where(and(eq(dept_memberships.org_id, org_id), eq(dept_memberships.dept_id, id))),
        lightsWhere(eq(devices.dept_id, id)),
        db
          .select({ n: count() })
          .from(workorders)
          .where(and(eq(workorders.org_id, org_id), eq(workorders.dept_id, id))),
      ]);
      return { members: ofMembers[0]?.n, lights: ofLights[0]?.n, workorders: ofWorkorders[0]?.n };
    },
  };
}
