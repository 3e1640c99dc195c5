import type { Guardrails } from "#domain/schedule/schedule";
import { DAY, instantOf, wallOf } from "./wall-clock";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

type Span = { start: number; end: number };

/** Whether the curfew or the blackout is in force: wall-clock, half-open, at a doubled hour from the first to the last. */
export function isRestricted(rules: Guardrails, at: number): boolean {
  const day = Math.floor(wallOf(rules.zone, at) / DAY);
  return around(rules, day).spans.some(({ start, end }) => at >= start && at < end);
}

/** When the curfew or the blackout begins or ends, around an instant: from two days before it to two after. */
export function guardrailEdges(rules: Guardrails, at: number): number[] {
  return around(rules, Math.floor(wallOf(rules.zone, at) / DAY)).edges;
}

type Around = { day: number; spans: Span[]; edges: number[] };

/** What was last worked out of some rules, which are mostly asked for the same day again. */
const asked = new WeakMap<Guardrails, Around>();

function around(rules: Guardrails, day: number): Around {
  const known = asked.get(rules);
  if (known?.day === day) return known;
  const spans = restrictions(rules, day);
  const edges = spans.concat(restrictions(rules, day + 2)).flatMap(({ start, end }) => [start, end]);
  const made = { day, spans, edges };
  asked.set(rules, made);
  return made;
}

const restricted = new Map<string, Span[]>();

function restrictions(rules: Guardrails, day: number): Span[] {
  const key = `${rules.zone} ${rules.HARD_CURFEW_OFF} ${rules.BLACKOUT_WINDOW} ${day}`;
  const known = restricted.get(key);
  if (known) return known;
  const found: Span[] = [];
  for (let d = day - 2; d <= day + 1; d += 1) {
    const blackout = blackoutOf(rules, d);
    if (blackout) found.push(blackout.real);
    const curfew = clockOf(rules.HARD_CURFEW_OFF);
    if (curfew === null) continue;
    const from = d * DAY + curfew;
    found.push(real(rules.zone, from, curfewEnd(rules, d, from)));
  }
  if (restricted.size > 2_000) restricted.clear();
  restricted.set(key, found);
  return found;
}

/** Until the end of the blackout in force then, or of the one that opens within twelve hours; with none, for six. */
function curfewEnd(rules: Guardrails, day: number, from: number): number {
  for (let d = day - 1; d <= day + 1; d += 1) {
    const blackout = blackoutOf(rules, d)?.wall;
    if (blackout && blackout.end > from && blackout.start <= from + 12 * HOUR) return blackout.end;
  }
  return from + 6 * HOUR;
}

function blackoutOf(rules: Guardrails, day: number): { wall: Span; real: Span } | null {
  const [from, to] = rules.BLACKOUT_WINDOW.split("-").map(clockOf);
  if (from === undefined || from === null || to === undefined || to === null) return null;
  const wall = { start: day * DAY + from, end: day * DAY + to + (to < from ? DAY : 0) };
  return { wall, real: real(rules.zone, wall.start, wall.end) };
}

function real(zone: string, from: number, to: number): Span {
  const start = instantOf(zone, from, "first");
  const end = instantOf(zone, to, "last");
  return { start, end: end > start ? end : start + (to - from) };
}

function clockOf(text: string): number | null {
  const [, hour, minute] = /^(\d\d):(\d\d)$/.exec(text) ?? [];
  return hour === undefined ? null : Number(hour) * HOUR + Number(minute) * MINUTE;
}

const darkness = new Map<string, number>();

/** How many minutes of an ordinary day are dark. */
export function darkMinutes({
  HARD_CURFEW_OFF,
  BLACKOUT_WINDOW,
}: Omit<Guardrails, "zone" | "MAX_ON_DURATION_MIN">): number {
  const key = `${HARD_CURFEW_OFF} ${BLACKOUT_WINDOW}`;
  const known = darkness.get(key);
  if (known !== undefined) return known;
  const rules: Guardrails = { HARD_CURFEW_OFF, BLACKOUT_WINDOW, MAX_ON_DURATION_MIN: 0, zone: "UTC" };
  let dark = 0;
  for (let at = 0; at < DAY; at += MINUTE) if (isRestricted(rules, at)) dark += 1;
  darkness.set(key, dark);
  return dark;
}
