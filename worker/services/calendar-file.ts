import ICAL from "ical.js";
import type { CalendarDate } from "#domain/schedule/calendar-schema";
import { MAX_TITLE } from "#domain/fields/limits";
import { toWall } from "#domain/time/wall-clock";
import { invalid } from "#worker/services/refuse";
import { DAY_MS } from "#domain/time/units";

/** How far a yearly holiday is followed. */
const YEARS_AHEAD = 5;
/** How many repetitions are looked at in a file, which takes a second; one that is weekly since 2000 has 1,600 until now. */
const MOST_REPEATS = 50_000;
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
  const repeats = { left: MOST_REPEATS };
  const dates = events.flatMap((event) => daysOf(event, zone, from, to, repeats));
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

type Repeats = { left: number };

function daysOf(event: ICAL.Event, zone: string, from: number, to: number, repeats: Repeats): CalendarDate[] {
  if (isCanceled(event)) return [];
  if (!event.isRecurring()) return daysBetween(event, event.startDate, event.endDate, zone);
  const times = timesOf(event, to, repeats).filter((time) => time.toUnixTime() * 1_000 >= from);
  return times.flatMap((time) => {
    const { item, startDate, endDate } = event.getOccurrenceDetails(time);
    return isCanceled(item) ? [] : daysBetween(item, startDate, endDate, zone);
  });
}

/** When an event that repeats begins, from its first time on. */
function timesOf(event: ICAL.Event, to: number, repeats: Repeats): ICAL.Time[] {
  const times: ICAL.Time[] = [];
  try {
    const next = event.iterator();
    for (let time = next.next(); time && time.toUnixTime() * 1_000 <= to && repeats.left > 0; time = next.next()) {
      times.push(time);
      repeats.left -= 1;
    }
  } catch {
    throw invalid("ics", `How '${nameOf(event)}' repeats cannot be read from this calendar file`);
  }
  if (repeats.left === 0) throw invalid("ics", "The events of this calendar file repeat too often");
  return times;
}

function daysBetween(event: ICAL.Event, start: ICAL.Time, end: ICAL.Time | null, zone: string): CalendarDate[] {
  const name = nameOf(event);
  const first = dayOf(start, zone);
  // An all-day event ends on the day after its last; one with times, on the day of its end unless that is midnight.
  const last = end === null ? first : end.isDate ? dayOf(end, zone) - 1 : dayOf(end, zone, -1);
  const count = Math.min(Math.max(last - first, 0) + 1, MOST_DAYS);
  return Array.from({ length: count }, (_, n) => ({ date: dateText(first + n), name }));
}

function nameOf({ summary }: ICAL.Event): string {
  return (summary ?? "").replaceAll(/\p{C}/gu, " ").trim().slice(0, MAX_TITLE);
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
