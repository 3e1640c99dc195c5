import fc from "fast-check";
import { RRule } from "rrule";
import { expect, test } from "vitest";
import { comingOccurrences, lastOccurrence, nextStart, occurrences } from "#domain/schedule/recurrence";
import type { Occurrence, Recurring } from "#domain/schedule/schedule";
import { slowSunTime } from "#tests/support/slow-sun";
import { toInstant, toWall } from "#domain/time/wall-clock";
import { NIGHTS, somePlannedNights, someSchedule, type PlannedNights } from "./some-schedule";
import { runsHere } from "./runs";

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

test("every rule of the form repeats as rrule says, in every zone and through every night of a change", () => {
  fc.assert(
    fc.property(
      someSchedule,
      fc.constantFrom(...NIGHTS),
      fc.integer({ min: -50, max: 20 }),
      (schedule, night, days) => {
        const from = night + days * DAY + 7 * MINUTE;
        const to = from + 40 * DAY;
        const all = byRrule(schedule);
        expect(occurrences(schedule, from, to)).toEqual(all.filter(({ start, end }) => end > from && start < to));
        expect(nextStart(schedule, from)).toBe(all.find(({ start }) => start > from)?.start ?? null);
        expect(comingOccurrences(schedule, from, 3)).toEqual(all.filter(({ end }) => end > from).slice(0, 3));
        const last = isEndless(schedule.rrule) ? null : (all.at(-1) ?? null);
        expect(lastOccurrence(schedule)).toEqual(last);
      },
    ),
    { numRuns: runsHere(500) },
  );
});

test("times by the sun, skipped dates, calendars and a moved place give the windows that a slow reader finds", () => {
  fc.assert(
    fc.property(
      somePlannedNights,
      fc.constantFrom(...NIGHTS),
      fc.integer({ min: -50, max: 20 }),
      (planned, night, days) => {
        const { schedule } = planned;
        const from = night + days * DAY + 7 * MINUTE;
        const to = from + 20 * DAY;
        const all = oneByOne(planned, to + 40 * DAY);
        expect(occurrences(schedule, from, to)).toEqual(all.filter(({ start, end }) => end > from && start < to));
        const next = all.find(({ start }) => start > from)?.start ?? null;
        if (next !== null) expect(nextStart(schedule, from)).toBe(next);
        else expect(nextStart(schedule, from) ?? Infinity).toBeGreaterThan(to);
        const coming = all.filter(({ end }) => end > from).slice(0, 3);
        if (coming.length === 3) expect(comingOccurrences(schedule, from, 3)).toEqual(coming);
      },
    ),
    { numRuns: runsHere(300) },
  );
});

/** The days by rrule; then each night alone, at each place in turn, as long as it had begun before the next came. */
function oneByOne({ schedule, midnight: begin, nights }: PlannedNights, to: number): Occurrence[] {
  const { timezone: zone, start_sun, end_sun, positions = [], skips, calendar } = schedule;
  const clock = (wall: number) => toInstant(zone, wall);
  const [opens, closes] = [Date.parse(schedule.start_at), Date.parse(schedule.end_at)];
  const onWall = (stored: number, midnight: number) =>
    midnight === begin ? stored : clock(midnight - begin + toWall(zone, stored));
  const options = RRule.parseString((schedule.rrule ?? "").replace(/UNTIL=\d+/, "$&T235959Z"));
  const rule = new RRule({ ...options, dtstart: new Date(begin) }, true);
  return rule.between(new Date(begin), new Date(to), true).flatMap((day) => {
    const midnight = day.getTime();
    const date = day.toISOString().slice(0, 10);
    const isIn = (dates: readonly { date: string }[]) => dates.some((each) => each.date === date);
    if (skips && isIn(skips)) return [];
    if (calendar && isIn(calendar.dates) !== (calendar.rule === "only")) return [];
    for (const [n, place] of positions.entries()) {
      const start = start_sun ? slowSunTime(start_sun, midnight, place, clock) : onWall(opens, midnight);
      const end = end_sun ? slowSunTime(end_sun, midnight + nights * DAY, place, clock) : onWall(closes, midnight);
      const isLit = start !== null && end !== null && end > start;
      if (isLit && start < Date.parse(positions[n + 1]?.since ?? "2100-01-01")) return [{ start, end, date }];
    }
    return [];
  });
}

/** rrule counts the days, floating; the zone's clock then makes instants of them one at a time. */
function byRrule({ start_at, end_at, rrule, timezone }: Recurring): Occurrence[] {
  const stored = { start: Date.parse(start_at), end: Date.parse(end_at) };
  const wall = toWall(timezone, stored.start);
  const shown = toWall(timezone, stored.end) - wall;
  const length = shown > 0 ? shown : stored.end - stored.start;
  const options = RRule.parseString((rrule ?? "").replace(/UNTIL=\d+/, "$&T235959Z"));
  const floating = new RRule({ ...options, dtstart: new Date(wall) }, true);
  const days = isEndless(rrule) ? floating.between(new Date(0), new Date(Date.UTC(2029, 0)), true) : floating.all();
  return days.map((day) => {
    const date = day.toISOString().slice(0, 10);
    if (day.getTime() === wall) return { ...stored, date };
    const start = toInstant(timezone, day.getTime());
    const end = toInstant(timezone, day.getTime() + length);
    return { start, end: end > start ? end : start + length, date };
  });
}

function isEndless(rrule: string | null): boolean {
  return !/COUNT|UNTIL/.test(rrule ?? "");
}
