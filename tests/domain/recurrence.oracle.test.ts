import fc from "fast-check";
import { RRule } from "rrule";
import { expect, test } from "vitest";
import { TIMEZONES, WEEKDAYS } from "#domain/enums";
import { lastOccurrence, nextStart, occurrences } from "#domain/recurrence";
import type { Occurrence, Recurring } from "#domain/schedule";
import { toInstant, toWall } from "#domain/wall-clock";

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const ZONES = [
  ...TIMEZONES,
  "Europe/Dublin", // winter is its summer time
  "Australia/Lord_Howe", // changes by half an hour
  "Asia/Kolkata", // never changes
  "Pacific/Kiritimati",
];
/** The nights in which the clocks of some of the zones change, and New Year's, where a year's table ends. */
const NIGHTS = ["2026-03-08", "2026-03-29", "2026-04-05", "2026-10-04", "2026-11-01", "2027-01-01"].map((day) =>
  Date.parse(day),
);
const show = (instant: number) => new Date(instant).toISOString();

/** By the zone's own clock, and mostly in the small hours, where the changes are. */
const someStart = fc
  .tuple(
    fc.constantFrom(...NIGHTS),
    fc.integer({ min: -120, max: 120 }),
    fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 0, max: 15 }) }, fc.integer({ min: 0, max: 95 })),
  )
  .map(([night, days, quarter]) => night + days * DAY + quarter * 15 * MINUTE);
const someEnd = fc.oneof(
  fc.constant(""),
  fc.integer({ min: 1, max: 100 }).map((count) => `;COUNT=${count}`),
  fc.integer({ min: 0, max: 300 }).map((day) => {
    const text = show(Date.UTC(2026, 0) + day * DAY).replaceAll(/[-:]|\.000/g, "");
    return `;UNTIL=${text.slice(0, 8)}`;
  }),
);
const someRule = fc
  .tuple(fc.integer({ min: 1, max: 5 }), fc.option(fc.subarray([...WEEKDAYS], { minLength: 1 })), someEnd)
  .map(
    ([interval, days, end]) =>
      `FREQ=${days ? "WEEKLY" : "DAILY"};INTERVAL=${interval}${days ? `;BYDAY=${days}` : ""}${end}`,
  );
const someSchedule = fc
  .record({
    start: someStart,
    minutes: fc.integer({ min: 1, max: 96 }).map((n) => n * 15),
    rrule: someRule,
    timezone: fc.constantFrom(...ZONES),
  })
  .map(({ start, minutes, rrule, timezone }) => {
    const begin = toInstant(timezone, start);
    return { rrule, timezone, start_at: show(begin), end_at: show(begin + minutes * MINUTE) };
  });

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
