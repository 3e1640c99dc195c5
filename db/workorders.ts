import { and, asc, desc, eq, getTableColumns, inArray, not, or, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import type { WORKORDER_SORTS, WorkorderQuery } from "#domain/lists/list-query";
import { OPEN_WORKORDERS, WORKORDER_PRIORITIES } from "#domain/enums";
import type { WorkorderInput } from "#domain/alarms/workorder-schema";
import type { Database } from "./database";
import { inDepts, isAmong, isHiddenFrom, type Tasks } from "./department-filter";
import {
  areaChoices,
  belongs,
  byName,
  counted,
  hasWords,
  inOrder,
  is,
  named,
  ofDept,
  pageOf,
  type Place,
} from "./page";
import { alarms, areas, devices, org_memberships, workorders as table } from "./schema";
import { isMember, isWorking } from "./users";
import { nextVersion, NOW } from "./versions";

export type WorkorderValues = Pick<typeof table.$inferInsert, keyof WorkorderInput | "completed_at" | "alarm_id">;

/** In its light's area: the light may be moved at this moment, and what is to be done goes with it. */
function placed(device_id: SQLWrapper | string | null | undefined, area_id: string | null | undefined) {
  if (!device_id || !area_id) return {};
  return { area_id: sql`coalesce((select area_id from ${devices} where ${devices.id} = ${device_id}), ${area_id})` };
}

const ORDERS: Record<(typeof WORKORDER_SORTS)[number], SQL[]> = {
  newest: [],
  oldest: [asc(table.created_at)],
  priority: [inOrder(table.priority, WORKORDER_PRIORITIES.toReversed())],
  title: [byName(table.title)],
};

/** The work orders of one organization; `depts` are the departments to show besides organization-wide ones, null for all. */
export function workorders(db: Database, org_id: string) {
  const { org_id: _, ...columns } = getTableColumns(table);
  const over = sql<string | null>`(select ${alarms.over_at} from ${alarms} where ${alarms.id} = ${table.alarm_id})`;
  const record = { ...columns, alarm_over_at: over.as("alarm_over_at") };
  /** Of an area, or of a light in it that one sees, where nobody has chosen an area: found by the lights, which are few. */
  const ofArea = (area_id: string, depts: string[] | null) => {
    const lights = db
      .select({ id: devices.id })
      .from(devices)
      .where(and(belongs(devices.org_id, org_id), eq(devices.area_id, area_id), inDepts(devices.dept_id, depts)));
    return or(eq(table.area_id, area_id), and(sql`+${table.area_id} is null`, inArray(table.device_id, lights)));
  };
  const only = (id: string) => and(eq(table.org_id, org_id), eq(table.id, id));
  const isOpen = inArray(table.status, OPEN_WORKORDERS);
  const openFor = (user_id: string, tasks: Tasks) =>
    and(eq(table.org_id, org_id), eq(table.assigned_to, user_id), isOpen, isAmong(table.dept_id, tasks, user_id));

  return {
    list: (depts: string[] | null) =>
      db
        .select(record)
        .from(table)
        .where(and(eq(table.org_id, org_id), inDepts(table.dept_id, depts)))
        .orderBy(desc(table.created_at), desc(table.id)),

    page: (query: WorkorderQuery, depts: string[] | null) => {
      const visible = and(eq(table.org_id, org_id), inDepts(table.dept_id, depts));
      const status = sql`replace(${table.status}, '_', ' ')`;
      const found = and(
        query.area === undefined ? undefined : ofArea(query.area, depts),
        ofDept(table.dept_id, query.dept),
        is(table.status, query.status),
        is(table.priority, query.priority),
        hasWords(query.q, table.title, table.description, status, table.priority, table.assigned_to),
      );
      return pageOf(query.page, async (limit, offset) => {
        const [rows, counts, places] = await db.batch([
          db
            .select({
              ...record,
              area_name: named<string | null>(areas.name, "area_name"),
              device_name: named<string | null>(devices.name, "device_name"),
            })
            .from(table)
            .leftJoin(areas, eq(areas.id, table.area_id))
            .leftJoin(devices, and(eq(devices.id, table.device_id), inDepts(devices.dept_id, depts)))
            .where(and(visible, found))
            .orderBy(...ORDERS[query.sort], desc(table.created_at), desc(table.id))
            .limit(limit)
            .offset(offset),
          db.select(counted(found)).from(table).where(visible),
          areaChoices(db, org_id),
        ]);
        return { rows, counts, areas: places };
      });
    },

    /** The open and in-progress work orders of a device or an area, most urgent first. */
    openOf: (place: Place, depts: string[] | null, limit: number) =>
      db
        .select(record)
        .from(table)
        .where(
          and(
            belongs(table.org_id, org_id),
            "device_id" in place ? eq(table.device_id, place.device_id) : ofArea(place.area_id, depts),
            isOpen,
            inDepts(table.dept_id, depts),
          ),
        )
        .orderBy(...ORDERS.priority, desc(table.created_at), desc(table.id))
        .limit(limit),

    find: (id: string, depts: string[] | null) =>
      db
        .select(record)
        .from(table)
        .where(and(only(id), inDepts(table.dept_id, depts)))
        .get(),

    /** Those that a person has and that are not completed or canceled. */
    openFor: (user_id: string, tasks: Tasks) =>
      db.select({ id: table.id }).from(table).where(openFor(user_id, tasks)).orderBy(table.id),

    /** They are nobody's from now on. */
    releaseOf: (user_id: string, tasks: Tasks) =>
      db
        .update(table)
        .set({ assigned_to: null, updated_at: NOW, version: nextVersion(table.version) })
        .where(openFor(user_id, tasks)),

    /** The one that was made from the alarm, in whatever department. */
    findOfAlarm: (alarm_id: string) =>
      db
        .select({ id: table.id })
        .from(table)
        .where(and(belongs(table.org_id, org_id), eq(table.alarm_id, alarm_id)))
        .get(),

    /** Whether the person is a member here and can be assigned; and, where it is asked, sees what is of a department. */
    findAssignee: (user_id: string, seen_dept_id: string | null = null) =>
      db
        .select({ user_id: org_memberships.user_id })
        .from(org_memberships)
        .where(
          and(
            isWorking(org_id, user_id),
            seen_dept_id === null ? undefined : not(isHiddenFrom(user_id, seen_dept_id, org_id)),
          ),
        )
        .get(),

    /** Fails on the NOT NULL of `version` if whoever is to have it has left meanwhile. */
    create: (id: string, values: WorkorderValues & { created_by: string }) =>
      db.insert(table).values({
        ...values,
        ...placed(values.device_id, values.area_id),
        id,
        org_id,
        ...(values.assigned_to && { version: sql`case when ${isMember(org_id, values.assigned_to)} then 1 end` }),
      }),

    /**
     * `follows`: its area is the one of its light. Since when it is completed follows the status that the row has by then: it
     * is `at` (ISO) unless it was before. Fails on the NOT NULL of `version` if whoever is to have it, and has not had it
     * before, has left meanwhile.
     */
    save: (
      id: string,
      values: WorkorderValues,
      { at, follows, if_match }: { at: string; follows: boolean; if_match: number | undefined },
    ) => {
      const since = sql`case when ${table.status} = 'completed' then ${table.completed_at} else ${at} end`;
      const completed_at = values.status === "completed" ? since : null;
      const { assigned_to, device_id = table.device_id, area_id } = values;
      const still = assigned_to
        ? sql`(${table.assigned_to} is ${assigned_to} or ${isMember(org_id, assigned_to)})`
        : undefined;
      return db
        .update(table)
        .set({
          ...values,
          ...(follows && placed(device_id, area_id)),
          ...(values.status && { completed_at }),
          updated_at: NOW,
          version: nextVersion(table.version, if_match, still),
        })
        .where(only(id));
    },

    remove: (id: string) => db.delete(table).where(only(id)),
  };
}
