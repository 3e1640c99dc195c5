import { and, desc, eq, gt, lte, type SQL } from "drizzle-orm";
import { LOG_PAGE } from "#domain/enums";
import { columnsOf, type Target } from "#domain/schedule/target";
import type { Database } from "./database";
import { is, named } from "./page";
import { areas, device_groups, devices, permits as table } from "./schema";
import { targetsOf } from "./targets";

export type PermitValues = { target: Target; from: string; to: string; reason: string };

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
  to: named(table.to_at, "to"),
  reason: table.reason,
  created_by: table.created_by,
});

/** The permits of one organization. They are given and taken back, never changed. */
export function permits(db: Database, org_id: string) {
  const selected = (depts: string[] | null, condition: SQL | undefined) =>
    db
      .select(recordFor(depts))
      .from(table)
      .leftJoin(devices, eq(devices.id, table.device_id))
      .leftJoin(device_groups, eq(device_groups.id, table.group_id))
      .innerJoin(areas, eq(areas.id, target.area_id))
      .where(and(eq(table.org_id, org_id), target.isLimitShown(depts), condition));

  return {
    /** What is in force or to come at `now` (ISO), by its start. */
    coming: (now: string, depts: string[] | null, area_id?: string) =>
      selected(depts, and(gt(table.to_at, now), is(areas.id, area_id))).orderBy(table.from_at, table.id),

    /** What is over at `now` (ISO), the latest first. */
    over: (now: string, depts: string[] | null, area_id?: string) =>
      selected(depts, and(lte(table.to_at, now), is(areas.id, area_id)))
        .orderBy(desc(table.to_at), table.id)
        .limit(LOG_PAGE),

    find: (id: string, depts: string[] | null) => selected(depts, eq(table.id, id)).get(),

    create: (id: string, { target, from, to, reason }: PermitValues, created_by: string) =>
      db.insert(table).values({ id, org_id, ...columnsOf(target), from_at: from, to_at: to, reason, created_by }),

    remove: (id: string) => db.delete(table).where(and(eq(table.org_id, org_id), eq(table.id, id))),
  };
}
