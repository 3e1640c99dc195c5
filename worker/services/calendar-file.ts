import ICAL from "ical.js";
import { MAX_CALENDAR_DATES, TOO_MANY_DATES, type CalendarDate } from "#domain/schedule/calendar-schema";
import { MAX_TITLE } from "#domain/fields/limits";
import { asPlainLine, isVisible } from "#domain/fields/plain-text";
import { memoize } from "#domain/memoize";
import { ruleDays, type FileRule, type Looks } from "#domain/schedule/file-rule";
import { dateText } from "#domain/schedule/skipped-dates";
import { toInstant, toWall } from "#domain/time/wall-clock";
import { invalid } from "#worker/services/refuse";
import { DAY_MS } from "#domain/time/units";
import { isDate } from "#domain/time/is-date";

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
/** A time, and the zone that it names, where it is one. */
type Placed = { time: ICAL.Time; named: string | undefined };
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

function eventsIn(text: string): ICAL.Component[] {
  if (/^\s*(<!doctype|<html|<\?xml|<head|<body)/i.test(text)) {
    throw invalid("ics", "This is a web page, not a calendar file. Download the file that ends in .ics");
  }
  try {
    // A file may hold several calendars.
    const parsed: unknown[] = ICAL.parse(text.replace(/^\uFEFF/, ""));
    const found = typeof parsed[0] === "string" ? [parsed] : parsed.filter((each) => Array.isArray(each));
    const calendars: ICAL.Component[] = found.map((each) => new ICAL.Component(each));
    if (calendars.some(({ name }) => name !== "vcalendar")) throw new Error("no calendar");
    return calendars
      .flatMap((calendar) => calendar.getAllSubcomponents("vevent"))
      .filter((event) => event.hasProperty("dtstart"));
  } catch {
    throw invalid("ics", "This is not a calendar file (.ics)");
  }
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

/**
 * The zone in which the times in UTC that belong to an event have its dates: that of its own clock, or the city's where
 * that is not known. An all-day event's are as they say, since they were written as midnight in UTC.
 */
function zoneOf(event: ICAL.Component, start: ICAL.Time, city: string): string {
  return start.isDate ? "UTC" : (namedZone(event, start) ?? city);
}

/** The zone that an event's start names, where it is one. */
function namedZone(event: ICAL.Component, start: ICAL.Time): string | undefined {
  return isUtc(start) ? undefined : zoneIn(event.getFirstProperty("dtstart"));
}

/** The zone that a property names, where it is one. */
function zoneIn(property: ICAL.Property | null): string | undefined {
  const named = property?.getFirstParameter("tzid");
  return named && isZone(named) ? named : undefined;
}

/** The clock by which an event's start is written, where it is known; an all-day event has none. */
function clockOf(event: ICAL.Component, start: ICAL.Time): string | undefined {
  if (start.isDate) return undefined;
  return isUtc(start) ? "UTC" : namedZone(event, start);
}

/**
 * A time that belongs to an event, in UTC where it names another zone than the event's start does: the same words are then
 * another instant. Only a start whose own clock is known can be compared with it.
 */
function asOf(clock: string | undefined, { time, named }: Placed): ICAL.Time {
  if (named === undefined || clock === undefined || clock === named || isUtc(time) || time.isDate) return time;
  return ICAL.Time.fromJSDate(new Date(toInstant(named, written(time))), true);
}

function isZone(name: string): boolean {
  return zones(name, () => {
    try {
      return Boolean(new Intl.DateTimeFormat("en-US", { timeZone: name }));
    } catch {
      return false;
    }
  });
}

/** Intl takes a third of a millisecond for each, and a file names its zone at each time. */
const zones = memoize<string, boolean>(100);

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

function rulesIn(event: ICAL.Component): ICAL.Recur[] {
  // Calendars of before 2009 leave out times by a rule.
  if (event.hasProperty("exrule")) throw unreadable(event);
  const texts: unknown[] = event.getAllProperties("rrule").flatMap((property) => property.toJSON().slice(3));
  return valuesIn(event, "rrule").map((rule, n) => {
    if (!(rule instanceof ICAL.Recur) || !isTakenUp(texts[n])) throw unreadable(event);
    return rule;
  });
}

const RULE_PART = /^(freq|interval|count|until|wkst|by(second|minute|hour|day|monthday|yearday|weekno|month|setpos))$/;

/** ical.js passes over parts that it does not know: of the first day of the Chinese year it makes January 1. */
function isTakenUp(rule: unknown): boolean {
  return Object.entries(rule ?? {}).every(
    ([part, value]) => RULE_PART.test(part) || (part === "rscale" && value === "GREGORIAN"),
  );
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

/** A time that belongs to an event, by the clock in which its start is written: UTC, or that of `zone`. */
function onClockOf(start: ICAL.Time, time: ICAL.Time, zone: string): number {
  return isUtc(start) ? written(time) : wallOf(time, zone);
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
  const [duration] = valuesIn(event, "duration");
  if (event.hasProperty("duration") && !(duration instanceof ICAL.Duration)) throw undated(event);
  const otherwise = duration instanceof ICAL.Duration ? duration.toSeconds() * 1_000 : start.isDate ? DAY_MS : 0;
  const length = end ? wallOf(end, zone) - wallOf(start, zone) : otherwise;
  if (length <= MOST_DAYS * DAY_MS) return length;
  throw invalid("ics", `'${nameOf(event)}' takes more than ${MOST_DAYS} days`);
}

function timesIn(event: ICAL.Component, name: string): ICAL.Time[] {
  return placedIn(event, name).map(({ time }) => time);
}

function placedIn(event: ICAL.Component, name: string): Placed[] {
  const told = event.getAllProperties(name).flatMap((property) => {
    const named = zoneIn(property);
    return property
      .toJSON()
      .slice(3)
      .map((text: unknown) => ({ text, named }));
  });
  return valuesIn(event, name).map((time, n) => {
    // ical.js makes a date of every number: of month 13, January.
    if (time instanceof ICAL.Time && isDate(String(told[n]?.text).slice(0, 10))) return { time, named: told[n]?.named };
    throw undated(event);
  });
}

/** ical.js reads a value when it is asked for it, and throws for what is none: that is undefined here. */
function valuesIn(event: ICAL.Component, name: string): unknown[] {
  try {
    return event.getAllProperties(name).flatMap((property): unknown[] => property.getValues());
  } catch {
    return [undefined];
  }
}

function undated(event: ICAL.Component) {
  return invalid("ics", `When '${nameOf(event)}' takes place cannot be read from this calendar file`);
}

function unreadable(event: ICAL.Component) {
  return invalid("ics", `How '${nameOf(event)}' repeats cannot be read from this calendar file`);
}

function tooOften() {
  return invalid("ics", "The events of this calendar file repeat too often");
}

function uidOf(event: ICAL.Component): string {
  return String(valuesIn(event, "uid")[0]);
}

function nameOf(event: ICAL.Component): string {
  const [name] = valuesIn(event, "summary");
  // Cut first: half of a character is none, and the form refuses it, as it does any other line break.
  const cut = String(name ?? "")
    .trim()
    .slice(0, MAX_TITLE);
  const line = asPlainLine(cut, " ").trim();
  return isVisible(line) ? line : "";
}

/** A time as it says, without a zone. */
function written({ year, month, day, hour, minute, second }: ICAL.Time): number {
  // Date.UTC takes the year 1 for 1901.
  return new Date(0).setUTCFullYear(year, month - 1, day) + ((hour * 60 + minute) * 60 + second) * 1_000;
}

function wallOf(time: ICAL.Time, zone: string): number {
  return isUtc(time) ? toWall(zone, written(time)) : written(time);
}

function isUtc(time: ICAL.Time): boolean {
  return !time.isDate && time.zone?.tzid === "UTC";
}

/** Days since 1970. */
function dayOf(wall: number): number {
  return Math.floor(wall / DAY_MS);
}

function isChange(event: ICAL.Component): boolean {
  return event.hasProperty("recurrence-id");
}

function isCanceled(event: ICAL.Component): boolean {
  return String(valuesIn(event, "status")[0]).toUpperCase() === "CANCELLED";
}
