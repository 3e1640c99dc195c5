import fc from "fast-check";
import { TIMEZONES, WEEKDAYS } from "#domain/enums";
import type { Recurring } from "#domain/schedule/schedule";
import { SUN_EVENTS, type SunTime } from "#domain/schedule/sun-time";
import { boundsCross } from "#domain/schedule/time-by-sun";
import { toInstant } from "#domain/time/wall-clock";
import { slowSunTime } from "#tests/support/slow-sun";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
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

const someSunTime: fc.Arbitrary<SunTime> = fc
  .record({
    event: fc.constantFrom(...SUN_EVENTS),
    offset_min: fc.oneof(fc.constant(0), fc.integer({ min: -120, max: 120 })),
    not_before: fc.option(fc.constantFrom("05:00", "17:00", "19:30"), { freq: 4 }),
    not_after: fc.option(fc.constantFrom("07:00", "21:00", "23:30"), { freq: 4 }),
  })
  .filter((sun) => !boundsCross(sun));
const someDates = fc
  .uniqueArray(fc.integer({ min: -120, max: 200 }), { maxLength: 60 })
  .map((days) => days.map((day) => ({ date: show((NIGHTS[0] ?? 0) + day * DAY).slice(0, 10) })));

/** A schedule of which an end or both go by the sun, the midnight of its first date, and how many days later it ends. */
export type PlannedNights = { schedule: Recurring; midnight: number; nights: number };

/** Nights of which some begin or end by the sun, at a place that may move, with dates and calendars to skip. */
export const somePlannedNights: fc.Arbitrary<PlannedNights> = fc
  .record({
    night: fc.constantFrom(...NIGHTS),
    day: fc.integer({ min: -120, max: 60 }),
    nights: fc.constantFrom(0, 0, 1),
    opens: fc.constantFrom(5, 13, 17, 18.25, 21),
    closes: fc.constantFrom(2, 5.5, 9, 22, 23.75),
    rrule: someRule,
    timezone: fc.constantFrom(...ZONES),
    start_sun: fc.option(someSunTime, { freq: 3 }),
    end_sun: fc.option(someSunTime, { freq: 2 }),
    lats: fc.array(fc.constantFrom(0, 34.0522, 47.6, -33.9, 64.84, 69.65), { minLength: 1, maxLength: 3 }),
    lon: fc.constantFrom(-118.2437, -80.2, 10, 151.2),
    moved: fc.tuple(fc.integer({ min: -60, max: 5 }), fc.integer({ min: 5, max: 40 })),
    skips: fc.oneof(fc.constant([]), someDates),
    calendar: fc.option(fc.record({ rule: fc.constantFrom("skip" as const, "only" as const), dates: someDates })),
  })
  .filter(({ start_sun, end_sun }) => start_sun !== null || end_sun !== null)
  .map(({ night, day, nights, opens, closes, lats, lon, moved, ...rest }) => {
    const midnight = night + day * DAY;
    const place = { lat: lats[0] ?? 0, lon };
    const instant = (sun: SunTime | null, date: number, hours: number) => {
      const clock = (wall: number) => toInstant(rest.timezone, wall);
      // Where the sun does not do it in the first night, somebody typed a time of its half of the day.
      const typed = hours < 12 === isEvening(sun) ? hours + (hours < 12 ? 12 : -12) : hours;
      const time = sun === null ? clock(date + hours * HOUR) : slowSunTime(sun, date, place, clock);
      return show(time ?? clock(date + typed * HOUR + (sun?.offset_min ?? 0) * MINUTE));
    };
    const since = [0, night + moved[0] * DAY + 20.3 * HOUR, night + moved[1] * DAY + 3 * HOUR];
    const schedule = {
      ...rest,
      start_at: instant(rest.start_sun, midnight, opens),
      end_at: instant(rest.end_sun, midnight + nights * DAY, closes),
      positions: lats.map((lat, n) => ({ lat, lon, since: show(since[n] ?? 0) })),
    };
    return { schedule, midnight, nights };
  });

function isEvening(sun: SunTime | null): boolean {
  return sun?.event === "sunset" || sun?.event === "dusk";
}
