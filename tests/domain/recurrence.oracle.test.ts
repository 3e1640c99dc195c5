import fc from "fast-check";
import { RRule } from "rrule";
import { expect, test } from "vitest";
import { comingOccurrences, lastOccurrence, nextStart, occurrences } from "#domain/recurrence";
import type { Occurrence, Recurring } from "#domain/schedule";
import { toInstant, toWall } from "#domain/wall-clock";
import { NIGHTS, someSchedule } from "./some-schedule";

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
    { numRuns: 500 },
  );
});

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
    if (day.getTime() === wall) return stored;
    const start = toInstant(timezone, day.getTime());
    const end = toInstant(timezone, day.getTime() + length);
    return { start, end: end > start ? end : start + length };
  });
}

function isEndless(rrule: string | null): boolean {
  return !/COUNT|UNTIL/.test(rrule ?? "");
}
