import { memoize } from "#domain/memoize";
import { parseClock } from "#domain/time/parse-clock";
import type { Guardrails, Span } from "#domain/schedule/schedule";
import { toInstant, toWall } from "#domain/time/wall-clock";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#domain/time/units";

export type RestrictedWindow = Span & { kind: "curfew" | "blackout" };

const DAY_MIN = 24 * 60;
/** A curfew lasts until the end of a blackout that opens within twelve hours; with no such blackout, six hours. */
const CURFEW_JOINS_MIN = 12 * 60;
const CURFEW_ALONE_MIN = 6 * 60;
/** A window lasts at most 36 hours, so one that is open now began on one of these days. */
const LOOK_BACK_DAYS = 3;
/** Every rule repeats daily, so a restriction that lasts this long never ends. */
const LOOK_AHEAD_DAYS = 5;
/**
 * A restriction that never ends goes on to the last day that is looked at: at least this far, since the first day may be nearly
 * over, and spring takes an hour. None that ends daily is as long, and one that a permit lifts sooner has an end.
 */
const ENDLESS_MS = (LOOK_AHEAD_DAYS - 1) * DAY_MS - HOUR_MS;

/**
 * The restriction in force and its end (epoch ms); windows that overlap or touch are one. It is called a blackout while
 * one is open, and a curfew before that. If the rules restrict the whole day, `until` is some days ahead.
 */
export function guardrailAt(rules: Guardrails, now: number): { kind: "curfew" | "blackout"; until: number } | null {
  let until = now;
  let kind: "curfew" | "blackout" = "curfew";
  for (const window of windowsAround(rules, now)) {
    if (window.end <= now) continue;
    if (window.start > until) break;
    until = Math.max(until, window.end);
    if (window.kind === "blackout" && window.start <= now) kind = "blackout";
  }
  return until > now ? { kind, until } : null;
}

/** Whether a restriction in force at an instant (epoch ms) is one of the whole day: it goes on at the end that it has. */
export function isEndless({ until }: { until: number }, now: number): boolean {
  return until - now > ENDLESS_MS;
}

/** The next start of a restriction (epoch ms); null if no rule is set or the rules restrict the whole day. */
export function nextGuardrailStart(rules: Guardrails, now: number): number | null {
  let reached = now;
  for (const window of windowsAround(rules, now)) {
    if (window.start > reached) return window.start;
    reached = Math.max(reached, window.end);
  }
  return null;
}

/**
 * The windows that overlap [from, to) (epoch ms), uncut and by start; a curfew and its blackout overlap each other. They
 * are half-open and in the rules' wall-clock time. If a clock time occurs twice (autumn), a window begins at the first and
 * ends at the last, so that it covers every restricted minute.
 */
export function restrictedWindows(rules: Guardrails, from: number, to: number): RestrictedWindow[] {
  const windows = windowsBetween(rules, dayOf(rules, from) - LOOK_BACK_DAYS, dayOf(rules, to));
  return windows.filter((window) => window.end > from && window.start < to);
}

/** Both ends of 'HH:MM-HH:MM' in minutes after midnight; null if malformed or if its ends are equal. */
export function parseBlackout(text: string): { start: number; end: number } | null {
  const start = parseClock(text.slice(0, 5));
  const end = text[5] === "-" ? parseClock(text.slice(6)) : null;
  return start === null || end === null || start === end ? null : { start, end };
}

/** Cached, because resolve needs the same few days again and again. */
const around = memoize<string, RestrictedWindow[]>(500);

function windowsAround(rules: Guardrails, now: number): RestrictedWindow[] {
  const day = dayOf(rules, now);
  const key = `${rules.zone} ${rules.HARD_CURFEW_OFF} ${rules.BLACKOUT_WINDOW} ${day}`;
  return around(key, () => windowsBetween(rules, day - LOOK_BACK_DAYS, day + LOOK_AHEAD_DAYS));
}

function dayOf(rules: Guardrails, instant: number): number {
  return Math.floor(toWall(rules.zone, instant) / DAY_MS);
}

function windowsBetween(rules: Guardrails, first: number, last: number): RestrictedWindow[] {
  const spans = spansOf(rules);
  const windows: RestrictedWindow[] = [];
  for (let day = first; day <= last; day += 1) {
    windows.push(...spans.map((span) => windowOf(span, day * DAY_MS, rules.zone)));
  }
  return windows.toSorted((a, b) => a.start - b.start);
}

/** A restriction of every day, in wall-clock minutes. */
export type DailyWindow = { kind: "curfew" | "blackout"; start_min: number; length_min: number };

/** What the rules restrict every day; the blackout first. A curfew lasts until the end of the blackout that it joins. */
export function spansOf(rules: Pick<Guardrails, "HARD_CURFEW_OFF" | "BLACKOUT_WINDOW">): DailyWindow[] {
  const spans: DailyWindow[] = [];
  const blackout = parseBlackout(rules.BLACKOUT_WINDOW);
  const curfew = parseClock(rules.HARD_CURFEW_OFF);
  if (blackout) {
    spans.push({ kind: "blackout", start_min: blackout.start, length_min: minutesUntil(blackout.start, blackout.end) });
  }
  if (curfew !== null) spans.push({ kind: "curfew", start_min: curfew, length_min: curfewLength(curfew, blackout) });
  return spans;
}

function curfewLength(curfew: number, blackout: { start: number; end: number } | null): number {
  if (!blackout) return CURFEW_ALONE_MIN;
  const length = minutesUntil(blackout.start, blackout.end);
  const sinceOpening = minutesUntil(blackout.start, curfew);
  if (sinceOpening < length) return length - sinceOpening;
  const untilOpening = minutesUntil(curfew, blackout.start);
  return untilOpening <= CURFEW_JOINS_MIN ? untilOpening + length : CURFEW_ALONE_MIN;
}

function minutesUntil(from: number, to: number): number {
  return (to - from + DAY_MIN) % DAY_MIN;
}

function windowOf(span: DailyWindow, midnight: number, zone: string): RestrictedWindow {
  const wall = midnight + span.start_min * MINUTE_MS;
  const start = toInstant(zone, wall, "first");
  const end = toInstant(zone, wall + span.length_min * MINUTE_MS, "last");
  // A schedule's window in the spring gap keeps its length, so a restriction must, too.
  return { kind: span.kind, start, end: end > start ? end : start + span.length_min * MINUTE_MS };
}
