import { formatClock } from "#domain/time/display";
import { spansOf } from "./guardrail";
import type { Guardrails } from "#domain/schedule/schedule";
import { MINUTE_MS } from "#domain/time/units";

/** A curfew with its blackout: what makes a light dark every day. Empty texts are none. */
export type DarkTime = Pick<Guardrails, "HARD_CURFEW_OFF" | "BLACKOUT_WINDOW">;

const DAY_MIN = 24 * 60;

/** How many minutes of a day of 24 hours are dark. */
export function darkMinutes(rules: DarkTime): number {
  return minutesOf(rules).size;
}

/** 'Dark 10:00 PM - 5:00 AM', by the wall clock; 'No dark time' and 'Always dark' where there is none or nothing else. */
export function darkWords(rules: DarkTime): string {
  const dark = minutesOf(rules);
  if (dark.size === 0) return "No dark time";
  if (dark.size === DAY_MIN) return "Always dark";
  const starts = [...dark].filter((minute) => !dark.has(before(minute))).toSorted((a, b) => fromNoon(a) - fromNoon(b));
  return `Dark ${starts.map((start) => `${clock(start)} - ${clock(endAfter(start, dark))}`).join(" and ")}`;
}

/** The dark minutes after midnight; a curfew and a blackout may overlap. */
function minutesOf(rules: DarkTime): Set<number> {
  const dark = new Set<number>();
  for (const { start_min, length_min } of spansOf(rules)) {
    for (let minute = 0; minute < Math.min(length_min, DAY_MIN); minute += 1) dark.add((start_min + minute) % DAY_MIN);
  }
  return dark;
}

function endAfter(start: number, dark: Set<number>): number {
  let end = start;
  while (dark.has(end)) end = (end + 1) % DAY_MIN;
  return end;
}

function before(minute: number): number {
  return (minute + DAY_MIN - 1) % DAY_MIN;
}

/** A night is read from its evening on. */
function fromNoon(minute: number): number {
  return (minute + DAY_MIN / 2) % DAY_MIN;
}

function clock(minute: number): string {
  return formatClock(minute * MINUTE_MS, "UTC");
}
