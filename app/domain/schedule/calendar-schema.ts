import { grouped } from "#domain/counted";
import { compare } from "#domain/compare";
import { z } from "zod";
import { optionalLine, requiredText } from "#domain/fields/fields";
import { MAX_NAME, MAX_TITLE } from "#domain/fields/limits";
import { isDate } from "#domain/time/is-date";

/** A decade of school days. */
export const MAX_CALENDAR_DATES = 2_000;
export const TOO_MANY_DATES = `A calendar may have at most ${grouped(MAX_CALENDAR_DATES)} dates`;

/** The activity log's row of a change has all names before and after it, and a row of the database holds 2 MB. */
const MAX_CALENDAR_NAMES = 200_000;
export const TOO_LONG_NAMES = `The names of a calendar's dates may have at most ${grouped(MAX_CALENDAR_NAMES)} characters together`;

const NAME_REQUIRED = "Calendar name is required";
const DATES_REQUIRED = "A calendar needs at least one date";

/** A date, 'YYYY-MM-DD', that is in the calendar of years. */
export function dateField(noun: string) {
  const message = `${noun} must be a date, as in 2026-12-24`;
  return z.string(message).trim().refine(isDate, message);
}

const calendarDate = z.object(
  { date: dateField("A date"), name: optionalLine("The name of a date", MAX_TITLE).transform((name) => name ?? "") },
  "A date must be an object with a date and a name",
);

/** The input of a calendar. Of two entries of one date the first one is kept. */
export const calendarInput = z.object(
  {
    name: requiredText("Calendar name", MAX_NAME, NAME_REQUIRED),
    dates: z
      .array(calendarDate, DATES_REQUIRED)
      .min(1, DATES_REQUIRED)
      .max(MAX_CALENDAR_DATES, TOO_MANY_DATES)
      .transform(inOrder)
      .refine(areNamesStored, TOO_LONG_NAMES),
  },
  NAME_REQUIRED,
);
export type CalendarInput = z.infer<typeof calendarInput>;
export type CalendarDate = z.infer<typeof calendarDate>;

/** An iCalendar file as JSON; the same call takes the file itself, as text/calendar. */
export const calendarFile = z.object({
  ics: z.string("Choose a calendar file (.ics)").min(1, "Choose a calendar file (.ics)"),
});

/** Whether the names of all dates together are no longer than what can be stored and changed again. */
export function areNamesStored(dates: readonly CalendarDate[]): boolean {
  return dates.reduce((sum, { name }) => sum + name.length, 0) <= MAX_CALENDAR_NAMES;
}

/** By date, each once. */
export function inOrder(dates: readonly CalendarDate[]): CalendarDate[] {
  const byDate = new Map<string, CalendarDate>();
  for (const each of dates) if (!byDate.has(each.date)) byDate.set(each.date, each);
  return [...byDate.values()].toSorted((a, b) => compare(a.date, b.date));
}
