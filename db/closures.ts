import { and, count, desc, eq, gt, isNull, lte, or, type SQL } from "drizzle-orm";
import { LOG_PAGE } from "#domain/enums";
import { columnsOf, type Target } from "#domain/schedule/target";
import type { Database } from "./database";
import { is, named } from "./page";
import { areas, closures as table, device_groups, devices } from "./schema";
import { targetsOf } from "./targets";
import { nextVersion, NOW } from "./versions";

export type ClosureValues = { target: Target; from: string; to: string | null; reason: string };

const target = targetsOf(table);

const recordFor = (depts: string[] | null) => ({
  id: table.id,
  version: table.version,
  created_at: table.created_at,
  updated_at: table.updated_at,
  target: target.record(depts),
  area_id: named(areas.id, "of_area_id"),
  area_name: named(areas.name, "area_name"),
  from: named(table.from_at, "from"),
  to: named<string | null>(table.to_at, "to"),
  reason: table.reason,
  created_by: table.created_by,
});

/** The closures of one organization. */
export function closures(db: Database, org_id: string) {
  const only = (id: string) => and(eq(table.org_id, org_id), eq(table.id, id));
  const selected = (depts: string[] | null, condition: SQL | undefined) =>
    db
      .select(recordFor(depts))
      .from(table)
      .leftJoin(devices, eq(devices.id, table.device_id))
      .leftJoin(device_groups, eq(device_groups.id, table.group_id))
      .innerJoin(areas, eq(areas.id, target.area_id))
      .where(and(eq(table.org_id, org_id), target.isLimitShown(depts), condition));
  const stored = ({ target, from, to, reason }: ClosureValues) => ({
    ...columnsOf(target),
    from_at: from,
    to_at: to,
    reason,
  });

  return {
    /** What is in force or to come at `now` (ISO), by its start. */
    coming: (now: string, depts: string[] | null, area_id?: string) =>
      selected(depts, and(or(isNull(table.to_at), gt(table.to_at, now)), is(areas.id, area_id))).orderBy(
        table.from_at,
        table.id,
      ),

    /** How many are in force at `now` (ISO). */
    countInForce: (now: string, depts: string[] | null) =>
      db
        .select({ closures: count() })
        .from(table)
        .leftJoin(devices, eq(devices.id, table.device_id))
        .where(
          and(
            eq(table.org_id, org_id),
            or(isNull(table.to_at), gt(table.to_at, now)),
            lte(table.from_at, now),
            target.isLimitShown(depts),
          ),
        ),

    /** What is over at `now` (ISO), the latest first. */
    over: (now: string, depts: string[] | null, area_id?: string) =>
      selected(depts, and(lte(table.to_at, now), is(areas.id, area_id)))
        .orderBy(desc(table.to_at), table.id)
        .limit(LOG_PAGE),

    find: (id: string, depts: string[] | null) => selected(depts, eq(table.id, id)).get(),

    create: (id: string, values: ClosureValues, created_by: string) =>
      db.insert(table).values({ id, org_id, ...stored(values), created_by }),

    save: (id: string, values: ClosureValues, if_match?: number) =>
      db
        .update(table)
        .set({ ...stored(values), updated_at: NOW, version: nextVersion(table.version, if_match) })
        .where(only(id)),

    remove: (id: string) => db.delete(table).where(only(id)),
  };
}
