import { and, eq, sql, type SQL } from "drizzle-orm";
import type { AreaQuery } from "#domain/lists/list-query";
import { areasFound } from "./areas";
import type { Database } from "./database";
import { inDepts } from "./department-filter";
import { byName, counted } from "./page";
import { areas, devices } from "./schema";

/** Some ten centimeters, and no tail of digits that a conversion left. */
const DECIMALS = 6;

/**
 * Where the areas of one organization are, and what their lights come to: by name, `limit` at most, each light read once.
 * `depts` are the departments whose lights count besides organization-wide ones, null for all.
 */
export function places(db: Database, org_id: string) {
  const ours = eq(areas.org_id, org_id);
  return {
    list: (query: AreaQuery, depts: string[] | null, limit: number) =>
      db
        .select({
          id: areas.id,
          name: areas.name,
          type: areas.type,
          active: areas.active,
          lat: degrees("lat"),
          lon: degrees("lon"),
          on: sql<number>`count(iif(${devices.current_state} = 'on', 1, null))`.as("lit"),
          unknown: sql<number>`count(iif(${devices.current_state} = 'unknown', 1, null))`.as("unknown"),
          problems: sql<number>`count(${devices.problem})`.as("problems"),
          lights: sql<number>`count(${devices.id})`.as("lights"),
        })
        .from(areas)
        .leftJoin(devices, and(eq(devices.area_id, areas.id), inDepts(devices.dept_id, depts)))
        .where(and(ours, areasFound(query)))
        .groupBy(byName(areas.name), areas.id)
        .orderBy(byName(areas.name), areas.id)
        .limit(limit),

    /** How many areas there are, and how many the query finds. */
    count: (query: AreaQuery) =>
      db
        .select(counted(areasFound(query)))
        .from(areas)
        .where(ours),
  };
}

function degrees(key: "lat" | "lon"): SQL.Aliased<number | null> {
  return sql<number | null>`round(${areas.location} ->> ${sql.raw(`'$.${key}'`)}, ${sql.raw(String(DECIMALS))})`.as(
    key,
  );
}
