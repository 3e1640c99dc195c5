import fc from "fast-check";
import { TIMEZONES, WEEKDAYS } from "#domain/enums";
import { toInstant } from "#domain/wall-clock";

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
export const NIGHTS = ["2026-03-08", "2026-03-29", "2026-04-05", "2026-10-04", "2026-11-01", "2027-01-01"].map((day) =>
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
/** Schedules that repeat, in zones of every kind, around those nights; windows of a quarter of an hour to a day. */
export const someSchedule = fc
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
