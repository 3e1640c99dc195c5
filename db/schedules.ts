import { and, desc, eq, gt, inArray, isNull, lt, ne, or, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import { NOTHING_COMES, type ComingWindows } from "#domain/schedule/coming-windows";
import type { ScheduleInput } from "#domain/schedule/schedule-schema";
import type { SCHEDULE_SORTS, ScheduleQuery } from "#domain/lists/list-query";
import type { TargetColumns } from "#domain/schedule/target";
import type { SkippedDate } from "#domain/records/records";
import { isRunning, nextStartAt, outdated, withComingWindows } from "./coming-windows";
import type { Database } from "./database";
import { nightColumns } from "./nights";
import {
  areaChoices,
  asTyped,
  belongs,
  byName,
  counted,
  hasWords,
  hasWordsOr,
  is,
  named,
  pageOf,
  type Place,
} from "./page";
import { openAt, recordAt, statusAt } from "./schedule-record";
import { heldIn, isForDevice } from "./schedule-targets";
import { areas, device_groups, devices, schedules as table } from "./schema";
import { targetsOf } from "./targets";
import { nextVersion, NOW } from "./versions";

/** What is stored of a schedule: its fields, its target and what comes next. */
export type ScheduleValues = Pick<
  typeof table.$inferInsert,
  | Exclude<keyof ScheduleInput, "area_id" | "device_id" | "target" | "exdates">
  | "skips"
  | "last_end_at"
  | "target_since"
> &
  TargetColumns &
  ComingWindows;

const target = targetsOf(table);
const { skips, sun_area_id } = nightColumns;

const ORDERS: Record<(typeof SCHEDULE_SORTS)[number], (now: string, depts: string[] | null) => SQL[]> = {
  next: nextOrder,
  latest: () => [desc(table.start_at)],
  title: () => [byName(table.title)],
  device: (_, depts) => [byName(target.name(depts))],
};

/** Running schedules first, then by next start, then completed and last canceled ones. */
function nextOrder(now: string): SQL[] {
  const status = statusAt(now);
  const start = nextStartAt(now);
  const next = sql`case when ${isRunning(now)} then ${table.window_end_at} else ${start} end`;
  const group = sql`case ${status} when 'canceled' then 3 when 'done' then 2 else
    case when ${isRunning(now)} then 0 when ${start} is not null then 1 else 2 end end`;
  return [group, next, desc(table.start_at)];
}

/** The schedules of one organization, with their status as of `now` (ISO, UTC). */
export function schedules(db: Database, org_id: string, now: () => string) {
  const only = (id: string) => and(eq(table.org_id, org_id), eq(table.id, id));
  const selected = (depts: string[] | null, condition: SQL | undefined) =>
    db
      .select(recordAt(now(), depts))
      .from(table)
      .leftJoin(devices, eq(devices.id, table.device_id))
      .leftJoin(device_groups, eq(device_groups.id, table.group_id))
      .innerJoin(areas, eq(areas.id, target.area_id))
      .where(condition);
  /** Canceled and completed schedules cannot be changed. The statement checks it, since one may end during the request. */
  const nextOpenVersion = (if_match?: number) => nextVersion(table.version, if_match, openAt(now()));

  /** The names of a group's or an area's lights are asked for where the words are nowhere else: a device has its own. */
  const hasAll = (words: string[], depts: string[] | null) => {
    const texts = [table.title, target.name(depts), areas.name, statusAt(now())];
    const isNamed = (word: SQL) => target.isLightNamed(word, depts);
    if (words.length === 0) return undefined;
    return or(hasWords(words, ...texts), and(isNull(table.device_id), hasWordsOr(isNamed, words, ...texts)));
  };
  const visibleTo = (depts: string[] | null) => and(eq(table.org_id, org_id), target.isShown(depts));
  const foundBy = (query: ScheduleQuery, depts: string[] | null) => {
    const status = statusAt(now());
    return and(
      is(areas.id, query.area),
      query.device === undefined ? undefined : isForDevice(query.device, depts),
      target.isOfDept(query.dept),
      is(status, query.status),
      hasAll(query.q, depts),
    );
  };
  const orderOf = ({ sort }: Pick<ScheduleQuery, "sort">, depts: string[] | null) => [
    ...ORDERS[sort](now(), depts),
    table.start_at,
    table.id,
  ];
  /** Joins devices, groups and areas only where a filter needs them: the joins cost a city as much as finding the page. */
  const countOf = (found: SQL | undefined, depts: string[] | null) => {
    const all = db.select(counted(found)).from(table);
    if (found === undefined && depts === null) return all.where(visibleTo(depts));
    return all
      .leftJoin(devices, eq(devices.id, table.device_id))
      .leftJoin(device_groups, eq(device_groups.id, table.group_id))
      .leftJoin(areas, eq(areas.id, target.area_id))
      .where(visibleTo(depts));
  };

  /** The rows of a page, whose few ids are known. */
  const listed = (ids: SQLWrapper, query: ScheduleQuery, depts: string[] | null) =>
    db
      .select({ ...recordAt(now(), depts), is_area_active: areas.active, skips, sun_area_id })
      .from(table)
      .leftJoin(devices, eq(devices.id, table.device_id))
      .leftJoin(device_groups, eq(device_groups.id, table.group_id))
      .innerJoin(areas, eq(areas.id, target.area_id))
      .where(and(belongs(table.org_id, org_id), inArray(table.id, ids)))
      .orderBy(...orderOf(query, depts));

  return {
    list: (depts: string[] | null) => selected(depts, visibleTo(depts)).orderBy(table.start_at, table.id),

    /** With what the nights of its rows depend on. */
    page: (query: ScheduleQuery, depts: string[] | null) => {
      const at = now();
      const found = foundBy(query, depts);
      return pageOf(query.page, (limit, offset) =>
        withComingWindows(db, org_id, at, async () => {
          // Sorts ids and sort keys only: with all columns in each row, a city's page took three times as long.
          const shown = db
            .select({ id: table.id })
            .from(table)
            .leftJoin(devices, eq(devices.id, table.device_id))
            .leftJoin(device_groups, eq(device_groups.id, table.group_id))
            .leftJoin(areas, eq(areas.id, target.area_id))
            .where(and(visibleTo(depts), isReadInPlace(query.sort), found))
            .orderBy(...orderOf(query, depts))
            .limit(limit)
            .offset(offset);
          const [rows, counts, places, old] = await db.batch([
            listed(shown, query, depts),
            countOf(found, depts),
            areaChoices(db, org_id),
            outdated(db, org_id, at),
          ]);
          return { old, found: { rows, counts, areas: places } };
        }),
      );
    },

    /** The page of the schedules with these ids, which are in its order: its day chose them, and SQL cannot. */
    pageAmong: (ids: string[], query: ScheduleQuery, depts: string[] | null) =>
      pageOf(query.page, async (limit, offset) => {
        const shown = sql`(select value from json_each(${JSON.stringify(ids.slice(offset, offset + limit))}))`;
        const [rows, [every], places] = await db.batch([
          listed(shown, query, depts),
          countOf(undefined, depts),
          areaChoices(db, org_id),
        ]);
        return { rows, counts: [{ total: ids.length, all: every?.all ?? 0 }], areas: places };
      }),

    /** The first ones that contain all the words: those that say them as typed, then running ones, then by next start. */
    hits: (words: string[], depts: string[] | null, limit: number) =>
      db
        .select({ id: table.id, name: named<string>(table.title, "name"), place: named<string>(areas.name, "place") })
        .from(table)
        .leftJoin(devices, eq(devices.id, table.device_id))
        .leftJoin(device_groups, eq(device_groups.id, table.group_id))
        .innerJoin(areas, eq(areas.id, target.area_id))
        .where(and(visibleTo(depts), isReadInPlace("next"), hasAll(words, depts)))
        .orderBy(asTyped(words, table.title, areas.name), ...orderOf({ sort: "next" }, depts))
        .limit(limit),

    /**
     * Schedules that may have a window between two instants (ISO), except canceled ones, in the order of their page; the
     * caller checks the rule.
     */
    within: (query: ScheduleQuery, depts: string[] | null, start: string, end: string) => {
      const at = now();
      return withComingWindows(db, org_id, at, async () => {
        const [found, old] = await db.batch([
          db
            .select({ id: table.id, ...nightColumns })
            .from(table)
            .leftJoin(devices, eq(devices.id, table.device_id))
            .leftJoin(device_groups, eq(device_groups.id, table.group_id))
            .leftJoin(areas, eq(areas.id, target.area_id))
            .where(
              and(
                visibleTo(depts),
                isReadInPlace(query.sort),
                foundBy(query, depts),
                ne(table.status, "canceled"),
                lt(table.start_at, end),
                or(isNull(table.last_end_at), gt(table.last_end_at, start)),
              ),
            )
            .orderBy(...orderOf(query, depts)),
          outdated(db, org_id, at),
        ]);
        return { old, found };
      });
    },

    /** The unfinished plans of a device or an area, equal ones merged with the count of their lights. */
    plansOf: (place: Place, depts: string[] | null) =>
      db
        .select({
          schedule_id: sql<string>`min(${table.id})`,
          title: table.title,
          ...nightColumns,
          lights: sql<number>`count(distinct light_id)`,
          is_area_active: isActive(place),
        })
        .from(sql`(${heldIn(place, depts)})`)
        .innerJoin(table, eq(table.id, sql`schedule_id`))
        .where(and(belongs(table.org_id, org_id), openAt(now())))
        .groupBy(
          table.title,
          table.start_at,
          table.end_at,
          table.rrule,
          table.timezone,
          table.start_sun,
          table.end_sun,
          table.skips,
          table.calendar_id,
          table.calendar_rule,
        ),

    find: (id: string, depts: string[] | null) => selected(depts, and(only(id), target.isShown(depts))).get(),

    create: (id: string, values: ScheduleValues) => db.insert(table).values({ ...values, id, org_id }),

    save: (id: string, values: ScheduleValues, if_match?: number) =>
      db
        .update(table)
        .set({ ...values, updated_at: NOW, version: nextOpenVersion(if_match) })
        .where(only(id)),

    /** The skipped dates with their reasons, and what the nights depend on, by which version. */
    nights: (id: string) =>
      db
        .select({ id: table.id, version: table.version, is_area_active: areas.active, ...nightColumns })
        .from(table)
        .leftJoin(devices, eq(devices.id, table.device_id))
        .leftJoin(device_groups, eq(device_groups.id, table.group_id))
        .innerJoin(areas, eq(areas.id, target.area_id))
        .where(only(id)),

    /** New skipped dates; what comes next changes with them. */
    skip: (id: string, skips: SkippedDate[], coming: ComingWindows, if_match?: number) =>
      db
        .update(table)
        .set({ skips, ...coming, updated_at: NOW, version: nextOpenVersion(if_match) })
        .where(only(id)),

    cancel: (id: string, if_match?: number) =>
      db
        .update(table)
        .set({ status: "canceled", ...NOTHING_COMES, updated_at: NOW, version: nextOpenVersion(if_match) })
        .where(only(id)),
  };
}

/**
 * Where every row is read to be sorted, those of one organization are read as they were made. Without statistics SQLite takes
 * any index on org_id, and finds each row of a city somewhere else: half of a search's time.
 */
function isReadInPlace(sort: ScheduleQuery["sort"]): SQL | undefined {
  return sort === "latest" ? undefined : gt(table.id, "");
}

/** Whether a place is in an area in which schedules switch lights: 1 or 0. It is asked once, not for each row. */
function isActive(place: Place): SQL<number> {
  const area_id =
    "area_id" in place ? sql`${place.area_id}` : sql`(select l.area_id from devices l where l.id = ${place.device_id})`;
  return sql<number>`(select a.active from areas a where a.id = ${area_id})`;
}
