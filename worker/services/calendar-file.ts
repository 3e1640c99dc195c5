import ICAL from "ical.js";
import type { CalendarDate } from "#domain/schedule/calendar-schema";
import { MAX_TITLE } from "#domain/fields/limits";
import { toWall } from "#domain/time/wall-clock";
import { invalid } from "#worker/services/refuse";
import { DAY_MS } from "#domain/time/units";

/** How far a yearly holiday is followed, and how many times at most one event is repeated. */
const YEARS_AHEAD = 5;
const MOST_REPEATS = 1_000;
/** Longer than any school vacation. */
const MOST_DAYS = 120;

/**
 * The dates of an iCalendar file's events, repeated ones from a year ago to five years ahead; an event of several days has
 * all of them. A time in UTC is of its date in `zone`, any other of the date that it says. Refuses with `invalid` what is
 * not such a file.
 */
export function datesInFile(text: string, zone: string, now: number): CalendarDate[] {
  const events = eventsIn(text);
  const [from, to] = [now - 366 * DAY_MS, now + YEARS_AHEAD * 366 * DAY_MS];
  const dates = events.flatMap((event) => daysOf(event, zone, from, to));
  if (dates.length === 0) throw invalid("ics", "This calendar file has no dates");
  return dates;
}

function eventsIn(text: string): ICAL.Event[] {
  if (/^\s*(<!doctype|<html|<\?xml|<head|<body)/i.test(text)) {
    throw invalid("ics", "This is a web page, not a calendar file. Download the file that ends in .ics");
  }
  try {
    // A file may hold several calendars.
    const parsed: unknown[] = ICAL.parse(text);
    const found = typeof parsed[0] === "string" ? [parsed] : parsed.filter((each) => Array.isArray(each));
    const calendars: ICAL.Component[] = found.map((each) => new ICAL.Component(each));
    if (calendars.some(({ name }) => name !== "vcalendar")) throw new Error("no calendar");
    const all = calendars
      .flatMap((calendar) => calendar.getAllSubcomponents("vevent"))
      .map((event) => new ICAL.Event(event));
    for (const event of all.filter((one) => one.isRecurrenceException())) {
      all
        .find(({ uid, component: own }) => uid === event.uid && !own.hasProperty("recurrence-id"))
        ?.relateException(event);
    }
    return all.filter((event) => !event.isRecurrenceException() && event.startDate);
  } catch {
    throw invalid("ics", "This is not a calendar file (.ics)");
  }
}

function daysOf(event: ICAL.Event, zone: string, from: number, to: number): CalendarDate[] {
  if (isCanceled(event)) return [];
  if (!event.isRecurring()) return daysBetween(event, event.startDate, event.endDate, zone);
  const found: CalendarDate[] = [];
  const times = event.iterator();
  for (let n = 0; n < MOST_REPEATS; n += 1) {
    const time = times.next();
    if (!time || time.toUnixTime() * 1_000 > to) break;
    if (time.toUnixTime() * 1_000 < from) continue;
    const { item, startDate, endDate } = event.getOccurrenceDetails(time);
    if (!isCanceled(item)) found.push(...daysBetween(item, startDate, endDate, zone));
  }
  return found;
}

function daysBetween(event: ICAL.Event, start: ICAL.Time, end: ICAL.Time | null, zone: string): CalendarDate[] {
  const name = (event.summary ?? "").replaceAll(/\p{C}/gu, " ").trim().slice(0, MAX_TITLE);
  const first = dayOf(start, zone);
  // An all-day event ends on the day after its last; one with times, on the day of its end unless that is midnight.
  const last = end === null ? first : end.isDate ? dayOf(end, zone) - 1 : dayOf(end, zone, -1);
  const count = Math.min(Math.max(last - first, 0) + 1, MOST_DAYS);
  return Array.from({ length: count }, (_, n) => ({ date: dateText(first + n), name }));
}

/** Days since 1970 of a time, `ms` later. */
function dayOf(time: ICAL.Time, zone: string, ms = 0): number {
  const isUtc = !time.isDate && time.zone?.tzid === "UTC";
  const wall = Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute, time.second) + ms;
  return Math.floor((isUtc ? toWall(zone, wall) : wall) / DAY_MS);
}

function dateText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

function isCanceled(event: ICAL.Event): boolean {
  return event.component.getFirstPropertyValue("status") === "CANCELLED";
}
