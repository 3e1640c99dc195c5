import { and, eq, inArray, isNotNull, not, sql, type SQL } from "drizzle-orm";
import type { GroupInput } from "#domain/schedule/group-schema";
import type { Database } from "./database";
import { insertSelect } from "./insert-select";
import { belongs, byName, is, named } from "./page";
import { openAt } from "./schedule-record";
import { areas, device_groups as table, devices, group_devices, schedules } from "./schema";
import { isLightShown } from "./targets";
import { nextVersion, NOW } from "./versions";

/** The groups of one organization; `depts` are the departments whose devices are shown, null for all. */
export function groups(db: Database, org_id: string) {
  const only = (id: string) => and(eq(table.org_id, org_id), eq(table.id, id));
  const selected = (depts: string[] | null, condition: SQL | undefined) =>
    db
      .select({
        id: table.id,
        area_id: table.area_id,
        area_name: named<string>(areas.name, "area_name"),
        name: table.name,
        device_ids: sql`(select json_group_array(id) from (${shownDevices(depts)}
          order by l.name collate nocase, l.id))`.mapWith((ids: string): string[] => JSON.parse(ids)),
        version: table.version,
      })
      .from(table)
      .innerJoin(areas, eq(areas.id, table.area_id))
      .where(and(condition, isGroupShown(depts)));

  return {
    /** Those with a name, of an area or all. */
    list: (depts: string[] | null, area_id?: string) =>
      selected(depts, and(eq(table.org_id, org_id), is(table.area_id, area_id), isNotNull(table.name))).orderBy(
        byName(table.name),
        table.id,
      ),

    /** Those of the groups that are shown. */
    shownAmong: async (ids: string[], depts: string[] | null): Promise<string[]> => {
      const rows = await db
        .select({ id: table.id })
        .from(table)
        .where(and(belongs(table.org_id, org_id), inArray(table.id, listed(ids)), isGroupShown(depts)));
      return rows.map(({ id }) => id);
    },

    find: (id: string, depts: string[] | null) => selected(depts, only(id)).get(),

    /** A group of devices of its area; `name` null for one made by ticking devices. */
    create: (id: string, { area_id, name, device_ids }: NewGroup) =>
      [db.insert(table).values({ id, org_id, area_id, name }), added(db, { org_id, id, area_id }, device_ids)] as const,

    /** Devices that stay keep the moment at which they were added. */
    save: (id: string, { area_id, name, device_ids }: GroupInput, if_match?: number) =>
      [
        db
          .update(table)
          .set({ area_id, name, updated_at: NOW, version: nextVersion(table.version, if_match) })
          .where(only(id)),
        db
          .delete(group_devices)
          .where(and(eq(group_devices.group_id, id), not(inArray(group_devices.device_id, listed(device_ids))))),
        added(db, { org_id, id, area_id }, device_ids),
      ] as const,

    /** Devices that were in the other group were added when they were added there. */
    keepAdded: (id: string, other: string) =>
      db
        .update(group_devices)
        .set({
          added_at: sql`(select o.added_at from group_devices o where o.group_id = ${other} and o.device_id = group_devices.device_id)`,
        })
        .where(
          and(
            eq(group_devices.group_id, id),
            sql`device_id in (select o.device_id from group_devices o where o.group_id = ${other})`,
          ),
        ),

    /** Whether something that is not over yet is for the group, as of `now` (ISO). */
    isUsed: async (id: string, now: string): Promise<boolean> => {
      const [row] = await db
        .select({ used: sql<number>`${isUsed(id, now)}` })
        .from(table)
        .where(only(id));
      return row?.used === 1;
    },

    /** The statement before the removal fails if the group came to be used meanwhile. */
    remove: (id: string, now: string) =>
      [
        db
          .update(table)
          .set({ version: nextVersion(table.version, undefined, sql`not ${isUsed(id, now)}`) })
          .where(only(id)),
        db.delete(table).where(only(id)),
      ] as const,
  };
}

type NewGroup = { area_id: string; name: string | null; device_ids: string[] };

/** Whether the row of device_groups has a device that is shown, or none at all. */
export function isGroupShown(depts: string[] | null): SQL | undefined {
  if (depts === null) return undefined;
  return sql`(exists (${shownDevices(depts)})
    or not exists (select 1 from group_devices m where m.group_id = device_groups.id))`;
}

/** The shown devices of the row of device_groups. */
function shownDevices(depts: string[] | null): SQL {
  return sql`select l.id from group_devices m cross join devices l on l.id = m.device_id
    where m.group_id = device_groups.id and ${isLightShown(depts)}`;
}

/** Adds those of the devices that are in the area and not in the group. */
function added(
  db: Database,
  { org_id, id, area_id }: { org_id: string; id: string; area_id: string },
  device_ids: string[],
) {
  return insertSelect(
    db,
    group_devices,
    { org_id: sql`${org_id}`, group_id: sql`${id}`, device_id: sql`${devices.id}` },
    sql`from ${devices} where ${and(
      inArray(devices.id, listed(device_ids)),
      eq(devices.org_id, org_id),
      eq(devices.area_id, area_id),
    )} on conflict do nothing`,
  );
}

function listed(ids: string[]): SQL {
  return sql`(select value from json_each(${JSON.stringify(ids)}))`;
}

/** Whether something that is not over at `now` (ISO) is for the group. */
function isUsed(id: string, now: string): SQL {
  return sql`(exists (select 1 from ${schedules} where group_id = ${id} and ${openAt(now)})
    or exists (select 1 from permits where group_id = ${id} and to_at > ${now})
    or exists (select 1 from closures where group_id = ${id} and (to_at is null or to_at > ${now})))`;
}
