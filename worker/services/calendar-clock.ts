import ICAL from "ical.js";
import { DAY_MS } from "#domain/time/units";
import { toInstant, toWall } from "#domain/time/wall-clock";
import { zoneIn, type Placed } from "#worker/services/calendar-event";

/**
 * The zone in which the times in UTC that belong to an event have its dates: that of its own clock, or the city's where
 * that is not known. An all-day event's are as they say, since they were written as midnight in UTC.
 */
export function zoneOf(event: ICAL.Component, start: ICAL.Time, city: string): string {
  return start.isDate ? "UTC" : (namedZone(event, start) ?? city);
}

/** The zone that an event's start names, where it is one. */
export function namedZone(event: ICAL.Component, start: ICAL.Time): string | undefined {
  return isUtc(start) ? undefined : zoneIn(event.getFirstProperty("dtstart"));
}

/** The clock by which an event's start is written, where it is known; an all-day event has none. */
export function clockOf(event: ICAL.Component, start: ICAL.Time): string | undefined {
  if (start.isDate) return undefined;
  return isUtc(start) ? "UTC" : namedZone(event, start);
}

/**
 * A time that belongs to an event, in UTC where it names another zone than the event's start does: the same words are then
 * another instant. Only a start whose own clock is known can be compared with it.
 */
export function asOf(clock: string | undefined, { time, named }: Placed): ICAL.Time {
  if (named === undefined || clock === undefined || clock === named || isUtc(time) || time.isDate) return time;
  return ICAL.Time.fromJSDate(new Date(toInstant(named, written(time))), true);
}

/** A time that belongs to an event, by the clock in which its start is written: UTC, or that of `zone` (ms). */
export function onClockOf(start: ICAL.Time, time: ICAL.Time, zone: string): number {
  return isUtc(start) ? written(time) : wallOf(time, zone);
}

/** A time as it says, without a zone, as if it were in UTC (epoch ms). */
export function written({ year, month, day, hour, minute, second }: ICAL.Time): number {
  // Date.UTC takes the year 1 for 1901.
  return new Date(0).setUTCFullYear(year, month - 1, day) + ((hour * 60 + minute) * 60 + second) * 1_000;
}

/** The same of a time in UTC by the clock of `zone`. */
export function wallOf(time: ICAL.Time, zone: string): number {
  return isUtc(time) ? toWall(zone, written(time)) : written(time);
}

/** Whether it is written in UTC; an all-day event is written in no zone. */
export function isUtc(time: ICAL.Time): boolean {
  return !time.isDate && time.zone?.tzid === "UTC";
}

/** Days since 1970. */
export function dayOf(wall: number): number {
  return Math.floor(wall / DAY_MS);
}
