import { and, eq, inArray, isNotNull, or, sql } from "drizzle-orm";
import { positionsOf } from "#domain/schedule/positions";
import type { Recurring } from "#domain/schedule/schedule";
import type { Database } from "./database";
import { areas, calendars, schedules as table } from "./schema";
import { settings } from "./settings";

/** Whether a schedule goes by the sun. */
export const bySun = or(isNotNull(table.start_sun), isNotNull(table.end_sun));

/** The columns of a schedule from which its occurrences follow, with its area where it goes by the sun. */
export const nightColumns = {
  start_at: table.start_at,
  end_at: table.end_at,
  rrule: table.rrule,
  timezone: table.timezone,
  start_sun: table.start_sun,
  end_sun: table.end_sun,
  skips: table.skips,
  calendar_id: table.calendar_id,
  calendar_rule: table.calendar_rule,
  sun_area_id: sql<string | null>`case when ${bySun} then coalesce(
    ${table.area_id}, (select g.area_id from device_groups g where g.id = ${table.group_id}),
    (select l.area_id from devices l where l.id = ${table.device_id})) end`.as("sun_area_id"),
};

type Stored = Pick<typeof table.$inferSelect, "start_sun" | "end_sun" | "calendar_id" | "calendar_rule"> & {
  sun_area_id: string | null;
};
type Place = { area_id: string; calendar_id: string | null };

/**
 * Attaches what the nights of schedules depend on beside their rows: the positions of their areas and their calendars.
 * Asks nothing where no row goes by the sun or by a calendar.
 */
export async function withNights<Row extends Stored>(
  db: Database,
  org_id: string,
  rows: Row[],
): Promise<(Row & Pick<Recurring, "positions" | "calendar">)[]> {
  const known = await positionsAndCalendars(
    db,
    org_id,
    rows.flatMap(({ sun_area_id }) => sun_area_id ?? []),
    rows.flatMap(({ calendar_id }) => calendar_id ?? []),
  );
  return rows.map((row) => {
    const { sun_area_id, calendar_id, calendar_rule: rule } = row;
    return {
      ...row,
      ...(sun_area_id !== null && { positions: known.positions(sun_area_id) }),
      ...(calendar_id !== null && rule && { calendar: { rule, dates: [], ...known.calendar(calendar_id) } }),
    };
  });
}

/** The same for a schedule that is about to be saved; `dates` undefined where there is no such calendar. */
export async function nightsAt(db: Database, org_id: string, { area_id, calendar_id }: Place, isBySun: boolean) {
  const known = await positionsAndCalendars(
    db,
    org_id,
    isBySun ? [area_id] : [],
    calendar_id === null ? [] : [calendar_id],
  );
  return {
    positions: isBySun ? known.positions(area_id) : [],
    dates: calendar_id === null ? undefined : known.calendar(calendar_id)?.dates,
  };
}

async function positionsAndCalendars(db: Database, org_id: string, area_ids: string[], calendar_ids: string[]) {
  const [places, city, listed] = await Promise.all([
    area_ids.length === 0
      ? []
      : db
          .select({ id: areas.id, location: areas.location, positions: areas.positions })
          .from(areas)
          .where(and(eq(areas.org_id, org_id), inArray(areas.id, among(area_ids)))),
    area_ids.length === 0 ? null : settings(db, org_id).city(),
    calendar_ids.length === 0
      ? []
      : db
          .select({ id: calendars.id, name: calendars.name, dates: calendars.dates })
          .from(calendars)
          .where(and(eq(calendars.org_id, org_id), inArray(calendars.id, among(calendar_ids)))),
  ]);
  const positions = new Map(places.map((area) => [area.id, city ? positionsOf(area, city) : []]));
  const known = new Map(listed.map(({ id, name, dates }) => [id, { name, dates }]));
  return { positions: (id: string) => positions.get(id) ?? [], calendar: (id: string) => known.get(id) };
}

/** As one parameter: D1 binds a hundred at most. */
function among(ids: string[]) {
  return sql`(select value from json_each(${JSON.stringify([...new Set(ids)])}))`;
}
