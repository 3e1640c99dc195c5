import { RRule } from "rrule";
import { formatDay, formatHours } from "./display";
import { memoize } from "./memoize";
import type { Occurrence, Recurring } from "./schedule";
import { toInstant, toWall } from "./wall-clock";
import { WEEKDAYS, type Weekday } from "./enums";

/** A supported rule. `byday` is in the order of the week, empty if daily; `until` is as RFC 5545 writes it. */
export type Rule = {
  freq: "DAILY" | "WEEKLY";
  interval: number;
  byday: Weekday[];
  count: number | null;
  until: string | null;
};

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;
/** More than a window's length (a day at most), an offset and a night's change come to. */
const SLACK_MS = 2 * DAY_MS;
/** An endless rule is expanded this many intervals at a time, from a start moved close by. */
const PAGE_INTERVALS = 16;

/** The rule of a text; null for whatever is not supported. Letter case does not matter (RFC 5545). */
export function parseRule(text: string): Rule | null {
  if (!/^[A-Za-z0-9=;,]+$/.test(text)) return null;
  const parts = new Map<string, string>();
  for (const part of text.toUpperCase().split(";")) {
    const [name = "", value = "", ...more] = part.split("=");
    if (!RULE_PARTS.has(name) || parts.has(name) || more.length > 0) return null;
    parts.set(name, value);
  }

  const freq = parts.get("FREQ");
  const interval = numberUpTo(366, parts.get("INTERVAL") ?? "1");
  const byday = parseDays(parts.get("BYDAY"));
  const count = parts.has("COUNT") ? numberUpTo(100, parts.get("COUNT") ?? "") : null;
  const until = parts.get("UNTIL") ?? null;
  if ((freq !== "DAILY" && freq !== "WEEKLY") || interval === null || byday === null) return null;
  if ((freq === "WEEKLY") !== byday.length > 0) return null;
  if (parts.has("COUNT") && (count === null || until !== null)) return null;
  if (until !== null && untilOf(until) === null) return null;
  return { freq, interval, byday, count, until };
}

/** The text of a rule, as it is stored: FREQ=WEEKLY;BYDAY=MO,WE;COUNT=10. A count may be as it was typed. */
export function formatRule(rule: Omit<Rule, "count"> & { count: number | string | null }): string {
  const parts = [`FREQ=${rule.freq}`];
  if (rule.interval > 1) parts.push(`INTERVAL=${rule.interval}`);
  if (rule.byday.length > 0) parts.push(`BYDAY=${rule.byday.join(",")}`);
  if (rule.count !== null) parts.push(`COUNT=${rule.count}`);
  if (rule.until !== null) parts.push(`UNTIL=${rule.until}`);
  return parts.join(";");
}

/**
 * Every occurrence that overlaps [from, to), by start (epoch ms, all finite). A schedule repeats in its zone's wall-clock
 * time; without a rule it is exactly its own window. A rule that can't be read has no occurrences: better a dark field
 * than one lit for ever.
 */
export function occurrences(schedule: Recurring, from: number, to: number): Occurrence[] {
  const plan = planOf(schedule);
  const found: Occurrence[] = [];
  const last = Math.min(pageAt(plan, to + SLACK_MS), plan.last_page);
  for (let index = pageAt(plan, from - SLACK_MS); index <= last; index += 1) {
    for (const occurrence of pageOf(plan, index)) {
      if (occurrence.end > from && occurrence.start < to) found.push(occurrence);
    }
  }
  return found;
}

/** The first start after an instant (epoch ms); null if there is none. */
export function nextStart(schedule: Recurring, after: number): number | null {
  const plan = planOf(schedule);
  const first = pageAt(plan, after - SLACK_MS);
  // No page of an endless rule is empty, and slack spans one boundary at most.
  for (let index = first; index <= Math.min(first + 2, plan.last_page); index += 1) {
    const next = pageOf(plan, index).find((occurrence) => occurrence.start > after);
    if (next) return next.start;
  }
  return null;
}

/**
 * When the last occurrence ends (epoch ms), for last_end_at; null if it never does. A schedule with no occurrence at all
 * (UNTIL lies before its start) has ended when it would have begun: at its start.
 */
export function lastEnd(schedule: Recurring): number | null {
  const plan = planOf(schedule);
  if (plan.last_page === Infinity) return null;
  return lastOccurrence(plan)?.end ?? Date.parse(schedule.start_at);
}

/** A schedule in words, in its own zone: 'Every Mon and Wed, 6:00 PM - 10:00 PM, 10 times, until Wed, Feb 3'. */
export function describeRule(schedule: Recurring): string {
  const plan = planOf(schedule);
  const start = toWall(plan.zone, Date.parse(schedule.start_at));
  const hours = formatHours(start, start + plan.length, "UTC");
  if (schedule.rrule === null) return `Once, ${formatDay(Date.parse(schedule.start_at), plan.zone)}, ${hours}`;
  if (plan.rule === null) return "Never: its rule can't be read";

  const words = [everyWords(plan.rule), hours];
  if (plan.rule.count !== null) words.push(plan.rule.count === 1 ? "once" : `${plan.rule.count} times`);
  if (plan.last_page === Infinity) return [...words, "never ends"].join(", ");
  const last = lastOccurrence(plan);
  if (!last) return [...words, "ends before it begins"].join(", ");
  const isFar = last.start - Date.parse(schedule.start_at) > 360 * DAY_MS;
  const year = isFar ? `, ${new Date(toWall(plan.zone, last.start)).getUTCFullYear()}` : "";
  return [...words, `until ${formatDay(last.start, plan.zone)}${year}`].join(", ");
}

const RULE_PARTS = new Set(["FREQ", "INTERVAL", "BYDAY", "COUNT", "UNTIL"]);

function numberUpTo(most: number, text: string): number | null {
  const number = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return number >= 1 && number <= most ? number : null;
}

function parseDays(text: string | undefined): Weekday[] | null {
  if (text === undefined) return [];
  const named = text.split(",");
  const days = WEEKDAYS.filter((day) => named.includes(day));
  return days.length === named.length ? days : null;
}

/** An UNTIL with Z is an instant, any other a wall time; a bare date counts to its end. */
type Until = { is: "instant" | "wall"; at: number };

function untilOf(text: string): Until | null {
  const match = /^(\d{4})(\d\d)(\d\d)(?:T([01]\d|2[0-3])([0-5]\d)([0-5]\d)(Z?))?$/.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute, second, zulu] = match;
  const iso = `${year}-${month}-${day}T${hour ?? "23"}:${minute ?? "59"}:${second ?? "59"}.${hour ? "000" : "999"}Z`;
  const at = Date.parse(iso);
  if (Number.isNaN(at) || new Date(at).toISOString() !== iso) return null;
  return { is: zulu === "Z" ? "instant" : "wall", at };
}

/**
 * What expansion knows of a schedule. Pages partition its wall time from the first day on: `span` ms each, which are
 * whole intervals, so that a page can be expanded from its own first day. A rule with COUNT has only page 0.
 */
type Plan = {
  rule: Rule | null;
  /** The window as it is stored, in instants. */
  stored: Occurrence;
  /** What it holds without a rule to expand: its own window, or nothing where the rule can't be read. */
  window: Occurrence[];
  until: Until | null;
  zone: string;
  first_day: number;
  time_of_day: number;
  length: number;
  span: number;
  last_page: number;
  pages: (index: number, make: () => Occurrence[]) => Occurrence[];
};

/** By what a schedule says, not by which object says it. */
const plans = memoize<string, Plan>(5000);
const PAGES_KEPT = 32;

function planOf(schedule: Recurring): Plan {
  const key = `${schedule.start_at} ${schedule.end_at} ${schedule.timezone} ${schedule.rrule ?? ""}`;
  return plans(key, () => makePlan(schedule));
}

function makePlan(schedule: Recurring): Plan {
  const zone = schedule.timezone;
  const stored = { start: Date.parse(schedule.start_at), end: Date.parse(schedule.end_at) };
  const wall = toWall(zone, stored.start);
  const first_day = Math.floor(wall / DAY_MS) * DAY_MS;
  const nominal = toWall(zone, stored.end) - wall;
  // An autumn night can show the end before the start.
  const length = nominal > 0 ? nominal : stored.end - stored.start;
  const once: Plan = {
    rule: null,
    stored,
    window: [],
    until: null,
    zone,
    first_day,
    time_of_day: wall - first_day,
    length,
    span: Infinity,
    last_page: 0,
    pages: memoize(PAGES_KEPT),
  };
  if (schedule.rrule === null) return { ...once, window: [stored] };

  const rule = parseRule(schedule.rrule);
  if (rule === null || rule.count !== null) return { ...once, rule };

  const span = PAGE_INTERVALS * rule.interval * (rule.freq === "WEEKLY" ? 7 : 1) * DAY_MS;
  const until = rule.until === null ? null : untilOf(rule.until);
  const last_page = until === null ? Infinity : Math.floor((until.at + SLACK_MS - first_day) / span);
  return { ...once, rule, until, span, last_page };
}

/** The page of an instant or a wall time, to within SLACK_MS. */
function pageAt(plan: Plan, at: number): number {
  return Math.max(0, Math.floor((at - plan.first_day) / plan.span));
}

function pageOf(plan: Plan, index: number): Occurrence[] {
  const { rule } = plan;
  return plan.pages(index, () => (rule === null ? plan.window : expand(plan, rule, index)));
}

/** In floating UTC and by whole days: rrule's own time zones are an hour off around a change of the clock. */
function expand(plan: Plan, rule: Rule, index: number): Occurrence[] {
  const from = index === 0 ? plan.first_day : plan.first_day + index * plan.span;
  const rrule = new RRule(
    {
      freq: rule.freq === "WEEKLY" ? RRule.WEEKLY : RRule.DAILY,
      interval: rule.interval,
      byweekday: rule.byday.length > 0 ? rule.byday.map((day) => WEEKDAYS.indexOf(day)) : null,
      dtstart: new Date(from),
      count: rule.count,
      until: rule.count === null ? new Date(from + plan.span - 1) : null,
    },
    true,
  );
  return rrule.all().flatMap((day) => {
    const wall = day.getTime() + plan.time_of_day;
    const occurrence = occurrenceAt(plan, wall);
    const isOver = plan.until && (plan.until.is === "wall" ? wall : occurrence.start) > plan.until.at;
    return isOver ? [] : [occurrence];
  });
}

/**
 * The occurrence that starts at a wall time. The schedule's own is exactly as it is stored: in the hour that an autumn
 * night has twice, its wall time alone would not say which of the two was meant.
 */
function occurrenceAt(plan: Plan, wall: number): Occurrence {
  if (wall === plan.first_day + plan.time_of_day) return plan.stored;
  const start = toInstant(plan.zone, wall);
  const end = toInstant(plan.zone, wall + plan.length);
  return { start, end: end > start ? end : start + plan.length };
}

function lastOccurrence(plan: Plan): Occurrence | undefined {
  for (let index = plan.last_page; index >= Math.max(0, plan.last_page - 2); index -= 1) {
    const last = pageOf(plan, index).at(-1);
    if (last) return last;
  }
  return undefined;
}

const DAY_NAMES = {
  MO: "Mon",
  TU: "Tue",
  WE: "Wed",
  TH: "Thu",
  FR: "Fri",
  SA: "Sat",
  SU: "Sun",
} satisfies Record<Weekday, string>;

function everyWords(rule: Rule): string {
  if (rule.freq === "DAILY") return rule.interval === 1 ? "Every day" : `Every ${rule.interval} days`;
  const names = rule.byday.map((day) => DAY_NAMES[day]);
  const days = [names.slice(0, -1).join(", "), names.at(-1)].filter(Boolean).join(" and ");
  return rule.interval === 1 ? `Every ${days}` : `Every ${rule.interval} weeks on ${days}`;
}
