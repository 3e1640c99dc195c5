import { calendars } from "#db/calendars";
import { forgetCalendarWindows } from "#db/coming-windows";
import {
  areNamesStored,
  calendarFile,
  calendarInput,
  inOrder,
  MAX_CALENDAR_DATES,
  TOO_LONG_NAMES,
  TOO_MANY_DATES,
} from "#domain/schedule/calendar-schema";
import { Refusal } from "#domain/errors";
import type { Calendar } from "#domain/records/records";
import { audited } from "#worker/services/audit";
import { datesInFile } from "#worker/services/calendar-file";
import { commit } from "#worker/services/commit";
import { once, removeOnce } from "#worker/services/once";
import { parse } from "#worker/services/parse";
import { found, invalid, judgeAnew } from "#worker/services/refuse";
import { permit, type Scope } from "#worker/services/scope";
import { settingsService } from "#worker/services/settings";

/** Named lists of dates, such as holidays, that schedules skip or keep to. */
export function calendarService(scope: Scope) {
  const { user, org_id, db } = scope;
  const repository = calendars(db, org_id);
  const find = async (id: string): Promise<Calendar> => found(await repository.find(id), "Calendar");

  return {
    list: (): Promise<Calendar[]> => {
      permit(user, "calendar.see");
      return repository.list();
    },

    /** Refuses with `forbidden` and `invalid`. */
    create: async (input: unknown): Promise<Calendar> => {
      permit(user, "calendar.save");
      return once(scope, { call: "calendar", input, again: find }, async (remember) => {
        const values = parse(calendarInput, input);
        const id = scope.newId();
        await commit(scope, "calendar", [
          repository.create(id, values),
          audited(scope, "create", "calendar", id, { after: values }),
          ...remember(id),
        ]);
        return find(id);
      });
    },

    /** Lights follow the new dates at once. Refuses with `forbidden`, `not_found`, `invalid` and `conflict`. */
    save: async (id: string, input: unknown, if_match?: number): Promise<Calendar> => {
      permit(user, "calendar.save");
      return once(scope, { call: `save of calendar ${id}`, input, again: find }, async (remember) => {
        const before = await find(id);
        const values = parse(calendarInput, input);
        await commit(scope, "calendar", [
          repository.save(id, values, if_match),
          forgetCalendarWindows(db, org_id, id),
          audited(scope, "update", "calendar", id, { before, after: { ...before, ...values } }),
          ...remember(id),
        ]);
        return find(id);
      });
    },

    /**
     * Adds the dates of an iCalendar file to those that it has. Refuses with `forbidden`, `not_found`, `invalid` and
     * `conflict`, since dates that somebody adds at the same moment would be lost.
     */
    importFile: async (id: string, input: unknown, if_match?: number): Promise<Calendar> => {
      permit(user, "calendar.save");
      return once(scope, { call: `import of calendar ${id}`, input, again: find }, async (remember) => {
        const before = await find(id);
        const { ics } = parse(calendarFile, input);
        const { APP_TIMEZONE } = await settingsService(scope).find();
        const dates = inOrder([...before.dates, ...datesInFile(ics, APP_TIMEZONE, scope.now().getTime())]);
        if (dates.length > MAX_CALENDAR_DATES) {
          throw invalid("ics", TOO_MANY_DATES);
        }
        if (!areNamesStored(dates)) throw invalid("ics", TOO_LONG_NAMES);
        await commit(scope, "calendar", [
          repository.save(id, { dates }, if_match ?? before.version),
          forgetCalendarWindows(db, org_id, id),
          audited(scope, "import", "calendar", id, { before, after: { ...before, dates } }),
          ...remember(id),
        ]);
        return find(id);
      });
    },

    /** Refuses with `forbidden`, `not_found` and, while a schedule that is not over goes by it, `conflict`. */
    remove: async (id: string): Promise<void> => {
      permit(user, "calendar.save");
      return removeOnce(scope, `calendar ${id}`, async (remembered) => {
        const before = await find(id);
        const now = scope.now().toISOString();
        const refuseUsed = async () => {
          const uses = await repository.uses(id, now);
          if (uses === 0) return;
          const users = uses === 1 ? "A schedule goes" : `${uses} schedules go`;
          throw new Refusal("conflict", `${users} by this calendar. Change that first.`);
        };
        await refuseUsed();
        // A schedule may have come to go by it at this moment.
        await commit(scope, "calendar", [
          audited(scope, "delete", "calendar", id, { before }),
          ...repository.remove(id, now),
          ...remembered,
        ]).catch(judgeAnew(refuseUsed));
      });
    },
  };
}
