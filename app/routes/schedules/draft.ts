import { fromLocalInput, toLocalInput } from "#domain/time/display";
import type { Schedule } from "#domain/records/records";
import { formatRule, parseRule, parseUntil } from "#domain/schedule/rule";
import { WEEKDAYS, type Weekday } from "#domain/enums";
import { dateText } from "#domain/schedule/skipped-dates";
import type { SunTime } from "#domain/schedule/sun-time";
import { dateOfTime, datesMovedBy } from "#domain/schedule/time-by-sun";
import { toWall } from "#domain/time/wall-clock";
import { firstWindow } from "./first-window";
import { sunDraftOf, sunDraftSent, sunTimeOf, timeOfDay, type SunDraft } from "./sun-draft";
import { DAY_MS, MINUTE_MS } from "#domain/time/units";
import { dateAfter } from "#domain/time/date-after";
import { toIso } from "#domain/time/to-iso";

export const REPEATS = ["none", "daily", "weekly"] as const;
export const ENDS = ["count", "until", "never"] as const;

/** A schedule's times and recurrence as the form's controls hold and submit them. */
export type Draft = {
  start_date: string;
  start_time: string;
  end_date: string;
  end_time: string;
  /** The instants of an existing schedule (ISO 8601); '' of a new one. */
  start_stored: string;
  end_stored: string;
  start_sun: SunDraft;
  end_sun: SunDraft;
  repeat: (typeof REPEATS)[number];
  days: Weekday[];
  interval: number;
  ends: (typeof ENDS)[number];
  count: string;
  until: string;
};

/**
 * The draft of a new schedule, or of an existing one. A copy made at `copied_at` (epoch ms) begins by whole weeks later, on
 * the first such weekday that is not over.
 */
export function draftOf(schedule: Schedule | null, zone: string, copied_at: number | null = null): Draft {
  const later = schedule && copied_at !== null ? weeksUntil(schedule.start_at, copied_at, zone) : 0;
  const start = movedBy(later, nightOf(schedule?.start_at, schedule?.start_sun, zone));
  const end = movedBy(later, nightOf(schedule?.end_at, schedule?.end_sun, zone));
  const rule = schedule?.rrule ? parseRule(schedule.rrule) : null;
  return {
    start_date: start.date,
    start_time: start.time,
    end_date: end.date,
    end_time: end.time,
    start_stored: schedule?.start_at ?? "",
    end_stored: schedule?.end_at ?? "",
    start_sun: sunDraftOf(schedule?.start_sun),
    end_sun: sunDraftOf(schedule?.end_sun),
    repeat: rule ? (rule.freq === "DAILY" ? "daily" : "weekly") : "none",
    days: schedule && rule ? daysIn(zone, schedule, rule.byday) : [],
    interval: rule?.interval ?? 1,
    ends: !rule || rule.count !== null ? "count" : rule.until ? "until" : "never",
    count: String(rule?.count ?? 10),
    until: schedule && rule?.until ? lastDayOf(rule.until, schedule, zone) : "",
  };
}

/** The draft of a booking for today (by `now`, epoch ms) that lacks only its hours. */
export function draftForToday(zone: string, now: number): Draft {
  const { date } = toLocalInput(now, zone);
  return { ...draftOf(null, zone), start_date: date, end_date: date };
}

/** The date and time of an edge; of one by the sun, the date of its evening, which a sunset after midnight belongs to. */
function nightOf(at: string | undefined, sun: SunTime | null | undefined, zone: string) {
  const input = toLocalInput(at, zone);
  return at === undefined ? input : { ...input, date: dateText(dateOfTime(sun, toWall(zone, Date.parse(at)))) };
}

/** The weekdays of a rule by the clock of the form, which is not that of a schedule from before the city changed its zone. */
function daysIn(zone: string, schedule: Schedule, days: Weekday[]): Weekday[] {
  const moved = datesMovedBy(schedule, zone);
  return WEEKDAYS.filter((_, n) => days.includes(WEEKDAYS[(n - moved + 7) % 7] ?? "MO"));
}

/** The last date on which a window begins by a rule's UNTIL, which may name another moment than the end of a day. */
function lastDayOf(until: string, { start_at, start_sun }: Schedule, zone: string): string {
  const end = parseUntil(until);
  if (end === null) return "";
  const wall = toWall(zone, Date.parse(start_at));
  // Before dawn may be before the midnight of its date, and a dusk after it: a rule's end is counted as if neither were.
  const begins = Math.max(0, wall - Date.parse(nightOf(start_at, start_sun, zone).date));
  const last = end.is === "wall" ? end.at : toWall(zone, end.at);
  return dateText(Math.floor((last - Math.min(begins, DAY_MS - MINUTE_MS)) / DAY_MS));
}

/** By the clock, since a week in which clocks change has an hour more or less. */
function weeksUntil(start_at: string, now: number, zone: string): number {
  return Math.max(0, Math.ceil((toWall(zone, now) - toWall(zone, Date.parse(start_at))) / (7 * DAY_MS)));
}

function movedBy(weeks: number, { date, time }: { date: string; time: string }) {
  if (weeks === 0 || date === "") return { date, time };
  return { date: dateAfter(date, weeks * 7), time };
}

/** The draft with the start and end that a link names ('2026-11-24T18:30'); what it does not name stays. */
export function draftLinked(draft: Draft, link: { start: string; end: string }): Draft {
  const [start_date = draft.start_date, start_time = draft.start_time] = linked(link.start);
  const [end_date = draft.end_date, end_time = draft.end_time] = linked(link.end);
  return { ...draft, start_date, start_time, end_date, end_time };
}

/** The date and time that a link names; nothing for what is none. */
export function linked(moment: string): string[] {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(moment) ? moment.split("T") : [];
}

/** The draft in a submitted form. */
export function draftSent(typed: Record<string, string>): Draft {
  const { start_date = "", start_time = "", end_date = "", end_time = "", count = "", until = "" } = typed;
  const { start_stored = "", end_stored = "" } = typed;
  const days = (typed.days ?? "").split(",");
  return {
    start_date,
    start_time,
    end_date,
    end_time,
    start_stored,
    end_stored,
    start_sun: sunDraftSent(typed, "start"),
    end_sun: sunDraftSent(typed, "end"),
    count,
    until,
    repeat: REPEATS.find((repeat) => repeat === typed.repeat) ?? "none",
    days: WEEKDAYS.filter((day) => days.includes(day)),
    interval: Number(typed.interval) || 1,
    ends: ENDS.find((ends) => ends === typed.ends) ?? "count",
  };
}

/**
 * The parts of a draft that were chosen by hand; the others follow. `proposed` is the date from which on the start follows
 * the days; null once it was chosen by hand.
 */
export type Touched = { proposed: string | null; end_date: boolean; days: boolean };

/**
 * The draft after a change of one control. Until the end date is touched, the window ends on its first day, or on the next
 * one if its end time is not after its start time. Until the days are touched, a weekly schedule repeats on the weekday of
 * its start; once they are, it starts on the first of them, unless its start date was chosen by hand. A day makes it
 * weekly, and a last day is its end.
 */
export function changed(draft: Draft, part: Partial<Draft>, touched: Touched): Draft {
  const next = movedToDays({ ...draft, ...implied(part), ...part }, touched);
  if (!hasWholeYear(next.start_date)) return next;
  const start = timeOfDay("start", next.start_sun, next.start_time);
  const end = timeOfDay("end", next.end_sun, next.end_time);
  const end_date = end && end <= start ? dateAfter(next.start_date, 1) : next.start_date;
  return {
    ...next,
    end_date: touched.end_date ? next.end_date : end_date,
    days: touched.days || next.repeat !== "weekly" ? next.days : [weekdayOf(next.start_date)],
  };
}

function implied({ days, until }: Partial<Draft>): Partial<Draft> {
  return { ...(days && { repeat: "weekly" }), ...(until && { ends: "until" }) };
}

function movedToDays(draft: Draft, { proposed, days: isTouched }: Touched): Draft {
  if (proposed === null || !isTouched || draft.repeat !== "weekly") return draft;
  const dates = WEEKDAYS.map((_, n) => dateAfter(proposed, n));
  return { ...draft, start_date: dates.find((date) => draft.days.includes(weekdayOf(date))) ?? proposed };
}

/** The parts of a stored schedule that differ from what would follow its start. `isNew`: its start is only proposed. */
export function touchedIn(draft: Draft, isNew: boolean): Touched {
  const followed = changed(draft, {}, { proposed: null, end_date: false, days: false });
  return {
    proposed: isNew ? draft.start_date : null,
    end_date: draft.end_date !== "" && followed.end_date !== draft.end_date,
    days: draft.days.length > 0 && followed.days.join() !== draft.days.join(),
  };
}

/** Browsers report each digit of a typed year: 0002, 0020, 0202, 2026. */
function hasWholeYear(date: string): boolean {
  return date >= "1900" && !Number.isNaN(Date.parse(date));
}

function weekdayOf(date: string): Weekday {
  // WEEKDAYS begins with Monday, Date's week with Sunday.
  return WEEKDAYS[(new Date(date).getUTCDay() + 6) % 7] ?? "MO";
}

/**
 * The draft as instants and an RRULE; '' for missing parts, so that the schema names the field. `now` (epoch ms) is when it
 * is sent.
 */
export function timesOf(draft: Draft, zone: string, now?: number): Times {
  const { start, end } = firstWindow(draft, zone, now);
  return {
    start_at: iso(start),
    end_at: iso(end),
    start_sun: sunTimeOf(draft.start_sun),
    end_sun: sunTimeOf(draft.end_sun),
    rrule: ruleOf(draft, zone),
  };
}

type Times = { start_at: string; end_at: string; rrule: string; start_sun: SunTime | null; end_sun: SunTime | null };

function ruleOf(draft: Draft, zone: string): string {
  if (draft.repeat === "none") return "";
  return formatRule({
    freq: draft.repeat === "daily" ? "DAILY" : "WEEKLY",
    interval: draft.interval,
    byday: draft.repeat === "weekly" ? WEEKDAYS.filter((day) => draft.days.includes(day)) : [],
    count: draft.ends === "count" ? draft.count : null,
    until: draft.ends === "until" ? endOfDay(draft.until, zone) : null,
  });
}

/** The end of the chosen day, in UTC as RFC 5545 requires. */
function endOfDay(date: string, zone: string): string {
  return iso(fromLocalInput({ date, time: "23:59" }, zone)).replace(/[-:]|\.\d+/g, "");
}

function iso(instant: number | null): string {
  return instant === null ? "" : toIso(instant);
}
