import { and, count, eq, inArray, isNotNull, sql } from "drizzle-orm";
import type { Database } from "./database";
import { bySun } from "./nights";
import { byName, named } from "./page";
import { openAt } from "./schedule-record";
import { areas, device_groups, devices, schedules as table } from "./schema";
import { targetsOf } from "./targets";

/** Of an area, how many of its schedules go by the sun and are not over. */
export type SunSchedules = { area_id: string; area_name: string; schedules: number };

/** What is moved to another area, with its own schedules. */
export type Moved = { device_id: string } | { hub_id: string } | { group_id: string };

/** How many schedules by the sun go along, of those that are not over as of `now` (ISO). */
export async function movedSunSchedules(db: Database, org_id: string, now: string, moved: Moved): Promise<number> {
  const [found] = await db
    .select({ schedules: count() })
    .from(table)
    .leftJoin(devices, eq(devices.id, table.device_id))
    .where(and(eq(table.org_id, org_id), bySun, openAt(now), isOf(moved)));
  return found?.schedules ?? 0;
}

/** How many schedules by the sun each light has of its own, of those that are not over as of `now` (ISO). */
export async function lightsBySun(db: Database, org_id: string, now: string): Promise<Map<string, number>> {
  const rows = await db
    .select({ id: table.device_id, schedules: count() })
    .from(table)
    .where(and(eq(table.org_id, org_id), bySun, openAt(now), isNotNull(table.device_id)))
    .groupBy(table.device_id);
  return new Map(rows.flatMap(({ id, schedules }) => (id === null ? [] : [[id, schedules] as const])));
}

function isOf(moved: Moved) {
  if ("hub_id" in moved) return eq(devices.hub_id, moved.hub_id);
  return "device_id" in moved ? eq(table.device_id, moved.device_id) : eq(table.group_id, moved.group_id);
}

/**
 * The areas that have schedules by the sun, by name, as of `now` (ISO): of the given ones, or of all that have no position
 * of their own.
 */
export function sunSchedules(db: Database, org_id: string, now: string, area_ids?: string[]): Promise<SunSchedules[]> {
  const there = area_ids
    ? inArray(areas.id, sql`(select value from json_each(${JSON.stringify(area_ids)}))`)
    : sql`${areas.location} ->> 'lat' is null`;
  return db
    .select({ area_id: areas.id, area_name: named<string>(areas.name, "area_name"), schedules: count() })
    .from(table)
    .leftJoin(devices, eq(devices.id, table.device_id))
    .leftJoin(device_groups, eq(device_groups.id, table.group_id))
    .innerJoin(areas, eq(areas.id, targetsOf(table).area_id))
    .where(and(eq(table.org_id, org_id), bySun, openAt(now), there))
    .groupBy(areas.id)
    .orderBy(byName(areas.name), areas.id);
}
