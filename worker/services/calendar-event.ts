import ICAL from "ical.js";
import { MAX_TITLE } from "#domain/fields/limits";
import { asPlainLine, isVisible } from "#domain/fields/plain-text";
import { memoize } from "#domain/memoize";
import { isDate } from "#domain/time/is-date";
import { invalid } from "#worker/services/refuse";

/** A time, and the zone that it names, where it is one. */
export type Placed = { time: ICAL.Time; named: string | undefined };

/**
 * The events of an iCalendar file that begin at some time, and the changes of one time of those that repeat: one that is
 * canceled need not say when it would have begun. Refuses with `invalid` what is no such file.
 */
export function eventsIn(text: string): ICAL.Component[] {
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
      .filter((event) => event.hasProperty("dtstart") || isChange(event));
  } catch {
    throw invalid("ics", "This is not a calendar file (.ics)");
  }
}

/** Whether it is an entry of its own for one time of an event that repeats. */
export function isChange(event: ICAL.Component): boolean {
  return event.hasProperty("recurrence-id");
}

/** Whether it takes place no more. */
export function isCanceled(event: ICAL.Component): boolean {
  return String(valuesIn(event, "status")[0]).toUpperCase() === "CANCELLED";
}

/** The rules by which an event repeats. Refuses with `invalid` a rule that would be read as another one than it is. */
export function rulesIn(event: ICAL.Component): ICAL.Recur[] {
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

/** The times of a property, such as `exdate`. Refuses with `invalid` one that cannot be read. */
export function placedIn(event: ICAL.Component, name: string): Placed[] {
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

/** The same without the zones that they name. */
export function timesIn(event: ICAL.Component, name: string): ICAL.Time[] {
  return placedIn(event, name).map(({ time }) => time);
}

/** How long an event says that it takes. Refuses with `invalid` what cannot be read. */
export function durationIn(event: ICAL.Component): ICAL.Duration | undefined {
  const [duration] = valuesIn(event, "duration");
  if (duration instanceof ICAL.Duration) return duration;
  if (event.hasProperty("duration")) throw undated(event);
  return undefined;
}

/** ical.js reads a value when it is asked for it, and throws for what is none: that is undefined here. */
function valuesIn(event: ICAL.Component, name: string): unknown[] {
  try {
    return event.getAllProperties(name).flatMap((property): unknown[] => property.getValues());
  } catch {
    return [undefined];
  }
}

/** The refusal (`invalid`) of an event whose times cannot be read. */
export function undated(event: ICAL.Component) {
  return invalid("ics", `When '${nameOf(event)}' takes place cannot be read from this calendar file`);
}

/** The same of how it repeats. */
export function unreadable(event: ICAL.Component) {
  return invalid("ics", `How '${nameOf(event)}' repeats cannot be read from this calendar file`);
}

/** What its entries have in common: the event itself, and its changes. */
export function uidOf(event: ICAL.Component): string {
  return String(valuesIn(event, "uid")[0]);
}

/** What a calendar may call its days: one plain line, or nothing. */
export function nameOf(event: ICAL.Component): string {
  const [name] = valuesIn(event, "summary");
  // Cut first: half of a character is none, and the form refuses it, as it does any other line break.
  const cut = String(name ?? "")
    .trim()
    .slice(0, MAX_TITLE);
  const line = asPlainLine(cut, " ").trim();
  return isVisible(line) ? line : "";
}

/** The zone that a property names, where it is one. */
export function zoneIn(property: ICAL.Property | null): string | undefined {
  const named = property?.getFirstParameter("tzid");
  return named && isZone(named) ? named : undefined;
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
