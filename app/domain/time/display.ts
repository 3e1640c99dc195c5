import { toInstant, toWall } from "./wall-clock";
import { DAY_MS, MINUTE_MS } from "./units";

/** Not joined by Intl, whose spaces differ between engines, while server and browser must agree. */
export const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;
const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;
const HALF_DAY_MS = 12 * 60 * MINUTE_MS;
/** A little less than a year, so that today and the same day of another year never look alike. */
export const YEAR_SAID_AFTER_MS = 360 * DAY_MS;

/** 'Nov 20, 6:00 PM' in the zone; 'None' for an empty time. Takes ISO 8601 or epoch ms. */
export function formatInstant(at: string | number | null | undefined, zone: string): string {
  const instant = readInstant(at);
  if (instant === null) return "None";
  const wall = new Date(toWall(zone, instant));
  return `${MONTHS[wall.getUTCMonth()]} ${wall.getUTCDate()}, ${formatClock(instant, zone)}`;
}

/**
 * An instant that may be years away, as in a log or of a closure: as `formatInstant`, with the year, 'Nov 20, 2025, 6:00 PM',
 * where it is so far from `now` (epoch ms) that another day has the same name; 'None' for an empty time. Takes ISO 8601 or
 * epoch ms.
 */
export function formatDated(at: string | number | null | undefined, zone: string, now: number): string {
  const instant = readInstant(at);
  if (instant === null || Math.abs(now - instant) < YEAR_SAID_AFTER_MS) return formatInstant(at, zone);
  const wall = new Date(toWall(zone, instant));
  const day = `${MONTHS[wall.getUTCMonth()]} ${wall.getUTCDate()}, ${wall.getUTCFullYear()}`;
  return `${day}, ${formatClock(instant, zone)}`;
}

/** '6:00 PM' in the zone, of an instant in epoch ms. */
export function formatClock(instant: number, zone: string): string {
  const wall = new Date(toWall(zone, instant));
  const hour = wall.getUTCHours();
  return `${hour % 12 || 12}:${pad(wall.getUTCMinutes())} ${hour < 12 ? "AM" : "PM"}`;
}

/** '6:00 PM - 10:00 PM' in the zone, of two instants in epoch ms. */
export function formatHours(start: number, end: number, zone: string): string {
  return `${formatClock(start, zone)} - ${formatClock(end, zone)}`;
}

/**
 * An instant (epoch ms) relative to now: '5:30 PM' on the same day, or within twelve hours if that is unambiguous,
 * 'tomorrow 5:30 PM', 'yesterday 5:30 PM', else 'Nov 20, 5:30 PM', with the year where `formatDated` has it.
 */
export function formatMoment(at: number, zone: string, now: number): string {
  const days = dayOf(at, zone) - dayOf(now, zone);
  if (days === 0 || Math.abs(at - now) < HALF_DAY_MS) return formatClock(at, zone);
  if (days === 1) return `tomorrow ${formatClock(at, zone)}`;
  if (days === -1) return `yesterday ${formatClock(at, zone)}`;
  return formatDated(at, zone, now);
}

/** 'Wed, Feb 3' in the zone, of an instant in epoch ms. */
export function formatDay(instant: number, zone: string): string {
  const wall = new Date(toWall(zone, instant));
  return `${DAYS[wall.getUTCDay()]}, ${MONTHS[wall.getUTCMonth()]} ${wall.getUTCDate()}`;
}

/** 'Wed, Feb 3' of a date, 'YYYY-MM-DD'. */
export function formatDate(date: string): string {
  return formatDay(Date.parse(date), "UTC");
}

/** The values of date and time inputs for an instant; empty for an empty one. */
export function toLocalInput(at: string | number | null | undefined, zone: string): { date: string; time: string } {
  const instant = readInstant(at);
  if (instant === null) return { date: "", time: "" };
  const wall = toWall(zone, instant);
  return { date: new Date(wall).toISOString().slice(0, 10), time: wallClock(wall) };
}

/** The instant (epoch ms) of date and time inputs, by the rules of `toInstant`; null if they are incomplete or invalid. */
export function fromLocalInput(input: { date: string; time: string }, zone: string): number | null {
  const text = `${input.date}T${input.time}:00.000Z`;
  const wall = Date.parse(text);
  // Engines read February 30 as March 2, and parse text that is not ISO 8601 differently.
  if (Number.isNaN(wall) || new Date(wall).toISOString() !== text) return null;
  return toInstant(zone, wall);
}

/** 'Just now', 'Xm ago', 'Xh ago', 'Xd ago' or 'Never'. */
export function relativeSeen(last_seen: string | null, now: number): string {
  const seen = readInstant(last_seen);
  if (seen === null) return "Never";
  const minutes = Math.floor((now - seen) / MINUTE_MS);
  if (minutes < 1) return "Just now";
  if (minutes < 60) return `${minutes}m ago`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)}h ago`;
  return `${Math.floor(minutes / (24 * 60))}d ago`;
}

/** Real hours with one decimal: '4.0 hours'; 'no light' of a night that by the sun would end before it starts. */
export function durationWords(start_at: string, end_at: string): string {
  const length = Date.parse(end_at) - Date.parse(start_at);
  return length > 0 ? `${(length / (60 * MINUTE_MS)).toFixed(1)} hours` : "no light";
}

/** The day in the zone at an instant (epoch ms), by its number. */
export function dayOf(instant: number, zone: string): number {
  return Math.floor(toWall(zone, instant) / DAY_MS);
}

function readInstant(at: string | number | null | undefined): number | null {
  const instant = typeof at === "number" ? at : Date.parse(at ?? "");
  return Number.isFinite(instant) ? instant : null;
}

function wallClock(wall: number): string {
  const at = new Date(wall);
  return `${pad(at.getUTCHours())}:${pad(at.getUTCMinutes())}`;
}

function pad(count: number): string {
  return String(count).padStart(2, "0");
}
