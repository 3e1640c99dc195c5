import { describeRule } from "#domain/schedule/describe-rule";
import { toLocalInput } from "#domain/time/display";
import { comingOccurrences, nextStart, occurrences, windowOn } from "#domain/schedule/recurrence";
import type { ListedSchedule, Schedule, SkippedDate } from "#domain/records/records";
import type { Occurrence, Recurring, Span } from "#domain/schedule/schedule";
import { dateOfTime, onEveryDate } from "#domain/schedule/time-by-sun";
import { dateText } from "#domain/schedule/skipped-dates";
import { toWall } from "#domain/time/wall-clock";
import { toIso } from "#domain/time/to-iso";
import type { DescribedSchedule, Window } from "./schedule-row";

/** As many nights as the form to skip one offers. */
const NIGHTS = 12;
/** A rule may go on until the year 9998: a list must not count three million nights each time that it is shown. */
const MOST_LEFT = 366;

/**
 * Described on the server, to keep the recurrence library out of the list's bundle. `night` (epoch ms) is one that is on
 * screen: whoever skips from Friday's page means Friday, and not tonight.
 */
export function described(whole: ListedSchedule, night: Night | null = null): DescribedSchedule {
  const { positions: _, calendar: __, skips, is_area_active: _active, ...schedule } = whole;
  const now = Date.now();
  const isOpen = schedule.status === "scheduled";
  const darkBy = darkReason(whole);
  const isLighting = isOpen && darkBy === null;
  const today = toLocalInput(now, schedule.timezone).date;
  const nights = isOpen && schedule.rrule !== null ? nightsOf(whole, now, night) : [];
  const isRunning = (window: Span) => window.start <= now && now < window.end;
  // One whose window has begun before midnight can be brought back until it is over. A series that was moved keeps its dates,
  // and leaves out none that it no longer has.
  const isLeftOut = ({ date }: SkippedDate) => {
    const window = windowOn(whole, date);
    return window !== null && (date >= today || window.end > now);
  };
  return {
    ...schedule,
    lights_nothing: isOpen ? darkBy : null,
    words: describeRule(whole),
    first: firstOf(whole, now),
    next: schedule.rrule !== null && isLighting ? nextStart(whole, now) : null,
    is_running: isLighting && (night ? nights : occurrences(whole, now, now + 1)).some(isRunning),
    left: isOpen ? leftOf(whole, now) : 0,
    nights,
    skipped: isOpen && skips ? skips.filter(isLeftOut) : [],
  };
}

/** Why none of its windows lights anything, whatever the limits say; null where they do. */
function darkReason({ target, is_area_active }: ListedSchedule): string | null {
  if (target.devices === 0) return "there are no lights here yet";
  return is_area_active ? null : "its area is inactive";
}

type Night = { from: number; to: number };

/** Its windows in a night, as far as they are not over; without a night, or any in it, the next ones. */
function nightsOf(schedule: Recurring, now: number, night: Night | null): Occurrence[] {
  const shown = night ? occurrences(schedule, night.from, night.to).filter(({ end }) => end > now) : [];
  return shown.length > 0 ? shown : comingOccurrences(schedule, now, NIGHTS);
}

/**
 * The window of its first night, be it skipped or not: what is stored, or where that is on none of the days on which it
 * repeats, the first on one. By the sun one that is not over has its hours from where the place is by now.
 */
function firstOf(schedule: Recurring, now: number): Window {
  const { start_at, end_at, start_sun, end_sun, timezone } = schedule;
  const [first] = comingOccurrences(onEveryDate(schedule), -Infinity, 1);
  const stored = dateText(dateOfTime(start_sun, toWall(timezone, Date.parse(start_at))));
  const window = first ? windowOn(schedule, first.date) : null;
  const isBySun = Boolean(start_sun ?? end_sun);
  return window && (first?.date !== stored || (isBySun && window.end > now))
    ? { start_at: toIso(window.start), end_at: toIso(window.end) }
    : { start_at, end_at };
}

/** How many of its windows are not over yet; null if it never ends, or has more than a year of them. */
function leftOf(schedule: Pick<Schedule, "last_end_at"> & Recurring, now: number): number | null {
  if (schedule.last_end_at === null) return null;
  const { length } = comingOccurrences(schedule, now, MOST_LEFT + 1);
  return length > MOST_LEFT ? null : length;
}
