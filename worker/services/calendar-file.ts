import type ICAL from "ical.js";
import { MAX_CALENDAR_DATES, TOO_MANY_DATES, type CalendarDate } from "#domain/schedule/calendar-schema";
import { ruleDays, type FileRule, type Looks } from "#domain/schedule/file-rule";
import { dateText } from "#domain/schedule/skipped-dates";
import { DAY_MS } from "#domain/time/units";
import { toWall } from "#domain/time/wall-clock";
import {
  asOf,
  clockOf,
  dayOf,
  isUtc,
  namedZone,
  onClockOf,
  wallOf,
  written,
  zoneOf,
} from "#worker/services/calendar-clock";
import {
  durationIn,
  eventsIn,
  isCanceled,
  isChange,
  nameOf,
  placedIn,
  rulesIn,
  timesIn,
  uidOf,
  undated,
  unreadable,
  type Placed,
} from "#worker/services/calendar-event";
import { invalid } from "#worker/services/refuse";

/** How far a yearly holiday is followed. */
const YEARS_AHEAD = 5;
/** Takes half a second; a yearly holiday takes 217, a weekly event 2,500. */
const MOST_LOOKS = 1_000_000;
/** Longer than any school vacation. */
const MOST_DAYS = 120;
/** What four digits of a year can say. */
const [FIRST_DAY, LAST_DAY] = [Date.parse("0001-01-01") / DAY_MS, Date.parse("9999-12-31") / DAY_MS];

/** The days (since 1970) of a time of an event. */
type Span = { name: string; first: number; last: number };
/** The days that repeated events are followed through, and the city's zone. */
type Window = { from: number; to: number; zone: string };
/** What has an entry of its own among the times of an event, with the time that it was meant for. */
type Change = { meant: Placed; change: ICAL.Component };

/**
 * The dates of an iCalendar file's events, repeated ones from a year ago to five years ahead; an event of several days has
 * all of them. A time in UTC is of its date in `zone`, any other of the date that it says. Refuses with `invalid` what is
 * not such a file. ical.js only reads it: its own search for the next time of a rule does not end where none comes, nor
 * does its sum of a date and a billion years.
 */
export function datesInFile(text: string, zone: string, now: number): CalendarDate[] {
  const [from, to] = [now - 366 * DAY_MS, now + YEARS_AHEAD * 366 * DAY_MS].map((at) => Math.floor(at / DAY_MS));
  const window = { from: from ?? 0, to: to ?? 0, zone };
  const looks = { left: MOST_LOOKS };
  const all = eventsIn(text);
  const changes = changesIn(all);
  const names = new Map<number, string>();
  // Who is invited to one evening of a series has that evening alone.
  const series = new Set(all.filter((each) => !isChange(each)).map(uidOf));
  for (const event of all.filter((each) => !isChange(each) || !series.has(uidOf(each)))) {
    for (const { name, first, last } of spansOf(event, changes.get(uidOf(event)), window, looks)) {
      for (let day = first; day <= last; day += 1) if (!names.has(day)) names.set(day, name);
      looks.left -= last - first + 1;
    }
    if (looks.left <= 0) throw tooOften();
    // What no calendar holds is not gathered, either.
    if (names.size > MAX_CALENDAR_DATES) {
      throw invalid("ics", TOO_MANY_DATES);
    }
  }
  if (names.size === 0) throw invalid("ics", "This calendar file has no dates");
  return [...names].map(([day, name]) => ({ date: dateText(day), name }));
}

function changesIn(events: readonly ICAL.Component[]): ReadonlyMap<string, Change[]> {
  const changes = new Map<string, Change[]>();
  for (const change of events.filter(isChange)) {
    // 'This and all following' would be read as this one alone.
    if (change.getFirstProperty("recurrence-id")?.getParameter("range")) throw unreadable(change);
    const [meant] = placedIn(change, "recurrence-id");
    const own = changes.get(uidOf(change)) ?? [];
    if (meant) own.push({ meant, change });
    changes.set(uidOf(change), own);
  }
  return changes;
}

function spansOf(event: ICAL.Component, changes: Change[] = [], { zone, ...window }: Window, looks: Looks): Span[] {
  const [start] = timesIn(event, "dtstart");
  if (!start || isCanceled(event)) return [];
  const span = spanMaker(event, start, zone);
  const first = dayOf(written(start));
  if (!event.hasProperty("rrule") && !event.hasProperty("rdate")) return [span(first)];
  const own_zone = zoneOf(event, start, zone);
  // Each event of a UID looks at all changes of it.
  looks.left -= changes.length;
  const clock = clockOf(event, start);
  const meantFor = (placed: Placed) => dayOf(wallOf(asOf(clock, placed), own_zone));
  const left_out = new Set(placedIn(event, "exdate").map(meantFor));
  const changed = new Map(changes.map(({ meant, change }) => [meantFor(meant), change]));
  return daysOf(event, start, { ...window, zone: own_zone }, looks).flatMap((day) => {
    const planned = span(day);
    const change = changed.get(planned.first);
    if (left_out.has(planned.first) || (change && isCanceled(change))) return [];
    const [moved] = change ? timesIn(change, "dtstart") : [];
    return change && moved ? spanMaker(change, moved, zone)(dayOf(written(moved))) : planned;
  });
}

/** The days within the window on which an event that repeats begins, by its own clock. */
function daysOf(event: ICAL.Component, start: ICAL.Time, { from, to, zone }: Window, looks: Looks): number[] {
  const first = dayOf(written(start));
  const isKnown = namedZone(event, start) !== undefined;
  const clock = clockOf(event, start);
  const added = placedIn(event, "rdate").map((placed) => dayOf(onClockOf(start, asOf(clock, placed), zone)));
  const days = new Set(added.filter((day) => day >= from && day <= to));
  // RDATE adds to the first time, and a rule begins with its own.
  if (!event.hasProperty("rrule") && first >= from && first <= to) days.add(first);
  for (const rule of rulesIn(event)) {
    if (/^(SECOND|MINUTE|HOUR)LY$/.test(rule.freq)) throw tooOften();
    const by_day = ruleByDay(rule, start);
    const last = Math.min(to, rule.until ? lastDay(rule.until, start, zone, isKnown) : to);
    const found = by_day && ruleDays(by_day, first, from, last, looks);
    if (found === null) throw unreadable(event);
    for (const day of found) days.add(day);
  }
  return [...days];
}

/** A rule without the hour that it repeats of its event's start; null if it has others. */
function ruleByDay({ freq, interval, count, wkst, parts }: ICAL.Recur, { hour, minute, second }: ICAL.Time) {
  const { BYHOUR = [hour], BYMINUTE = [minute], BYSECOND = [second], ...by_day } = parts;
  const is_own = String([BYHOUR, BYMINUTE, BYSECOND]) === String([hour, minute, second]);
  return is_own ? ({ freq, interval, count, wkst, parts: by_day } satisfies FileRule) : null;
}

/** The last day, by the event's own clock, on which it begins by the end of its rule. */
function lastDay(until: ICAL.Time, start: ICAL.Time, zone: string, isKnown: boolean): number {
  // Between two clocks, one of which is not known, only the dates can be compared.
  if (until.isDate || start.isDate) return dayOf(written(until));
  if (isUtc(until) !== isUtc(start) && !isKnown) return dayOf(wallOf(until, zone));
  const time_of_day = written(start) - dayOf(written(start)) * DAY_MS;
  return dayOf(onClockOf(start, until, zone) - time_of_day);
}

/** From the day on which an event begins by its own clock to what it is in the city's zone. */
function spanMaker(event: ICAL.Component, start: ICAL.Time, zone: string): (day: number) => Span {
  const length = lengthOf(event, start, namedZone(event, start) ?? zone);
  const name = nameOf(event);
  const time_of_day = written(start) - dayOf(written(start)) * DAY_MS;
  return (day) => {
    const begin = day * DAY_MS + time_of_day;
    const wall = isUtc(start) ? toWall(zone, begin) : begin;
    // What ends at midnight, as all-day events do, ends on the day before.
    const [first, last] = [dayOf(wall), Math.max(dayOf(wall), dayOf(wall + length - 1))];
    if (first < FIRST_DAY || last > LAST_DAY) throw undated(event);
    return { name, first, last };
  };
}

function lengthOf(event: ICAL.Component, start: ICAL.Time, zone: string): number {
  const [placed] = placedIn(event, "dtend");
  const end = placed && asOf(clockOf(event, start), placed);
  const duration = durationIn(event);
  const otherwise = duration ? duration.toSeconds() * 1_000 : start.isDate ? DAY_MS : 0;
  const length = end ? wallOf(end, zone) - wallOf(start, zone) : otherwise;
  if (length <= MOST_DAYS * DAY_MS) return length;
  throw invalid("ics", `'${nameOf(event)}' takes more than ${MOST_DAYS} days`);
}

function tooOften() {
  return invalid("ics", "The events of this calendar file repeat too often");
}
