import { and, count, eq, not, type SQL } from "drizzle-orm";
import type { CalendarInput } from "#domain/schedule/calendar-schema";
import type { Database } from "./database";
import { byName } from "./page";
import { openAt } from "./schedule-record";
import { calendars as table, schedules } from "./schema";
import { nextVersion, NOW } from "./versions";

const record = {
  id: table.id,
  version: table.version,
  created_at: table.created_at,
  updated_at: table.updated_at,
  name: table.name,
  dates: table.dates,
};

/** The calendars of one organization. */
export function calendars(db: Database, org_id: string) {
  const only = (id: string) => and(eq(table.org_id, org_id), eq(table.id, id));
  const using = (id: string, more: SQL | undefined) =>
    and(eq(schedules.org_id, org_id), eq(schedules.calendar_id, id), more);

  return {
    list: () => db.select(record).from(table).where(eq(table.org_id, org_id)).orderBy(byName(table.name), table.id),

    find: (id: string) => db.select(record).from(table).where(only(id)).get(),

    create: (id: string, values: CalendarInput) => db.insert(table).values({ ...values, id, org_id }),

    save: (id: string, values: Partial<CalendarInput>, if_match?: number) =>
      db
        .update(table)
        .set({ ...values, updated_at: NOW, version: nextVersion(table.version, if_match) })
        .where(only(id)),

    /** How many schedules that are not over at `now` (ISO) go by it. */
    uses: async (id: string, now: string): Promise<number> => {
      const [row] = await db
        .select({ n: count() })
        .from(schedules)
        .where(using(id, openAt(now)));
      return row?.n ?? 0;
    },

    /** Schedules that are over at `now` (ISO) let go of it. */
    remove: (id: string, now: string) =>
      [
        db
          .update(schedules)
          .set({ calendar_id: null, calendar_rule: null })
          .where(using(id, not(openAt(now)))),
        db.delete(table).where(only(id)),
      ] as const,
  };
}
