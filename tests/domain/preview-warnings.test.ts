import { expect, test } from "vitest";
import type { Preview } from "#domain/forecast/preview-request";
import { previewWarnings, windowsToCome } from "#domain/forecast/preview-warnings";
import { comingOccurrences, occurrences } from "#domain/schedule/recurrence";
import type { Recurring } from "#domain/schedule/schedule";
import { aSchedule, at } from "./a-light";

const NOW = at("2026-07-01 12:00");
const SEEN: Preview = { windows: [], conflicts: [], devices: 2, looked_at: 2, isActive: true };
const aWindow = (start: string, end: string, isLit = true): Preview["windows"][number] => ({
  start: at(start),
  end: at(end),
  lit: isLit ? [{ from: at(start), to: at(end) }] : [],
  limits: [],
});
const evening = (rrule: string | null) => aSchedule("2026-07-01 18:00", "2026-07-01 20:00", rrule);

test("counts the windows that are still to come", () => {
  expect(windowsToCome(evening(null), NOW)).toBe(1);
  expect(windowsToCome(evening("FREQ=DAILY;COUNT=10"), NOW)).toBe(10);
  expect(windowsToCome(evening("FREQ=DAILY;COUNT=10"), at("2026-07-03 19:00"))).toBe(8);
  expect(windowsToCome({ ...evening("FREQ=DAILY;COUNT=10"), skips: [{ date: "2026-07-04" }] }, NOW)).toBe(9);
  expect(windowsToCome(evening("FREQ=DAILY"), NOW)).toBeNull();
  expect(windowsToCome(evening("FREQ=DAILY;UNTIL=99991231"), NOW)).toBeNull();
});

test("warns of what lights nothing, and why", () => {
  const dark = { ...SEEN, windows: [aWindow("2026-07-01 18:00", "2026-07-01 20:00", false)] };
  expect(previewWarnings(evening(null), SEEN, NOW)).toEqual(["No window of it is left."]);
  expect(previewWarnings(evening(null), dark, NOW)).toEqual(["It lights nothing."]);
  expect(previewWarnings(evening(null), { ...dark, isActive: false }, NOW)).toEqual([
    "The area is inactive: nothing is lit in it.",
  ]);
  expect(previewWarnings(evening(null), { ...dark, devices: 0, looked_at: 0 }, NOW)).toEqual([
    "There are no lights here yet; those that are added will follow it.",
  ]);
  const lit = { ...SEEN, windows: [aWindow("2026-07-01 18:00", "2026-07-01 20:00")] };
  expect(previewWarnings(evening(null), { ...lit, looked_at: 1 }, NOW)).toEqual(["Only 1 of 2 lights were looked at."]);
});

test("names the nights that are skipped", () => {
  const skips = ["02", "03", "05", "06"].map((day) => ({ date: `2026-07-${day}` }));
  const windows = [
    aWindow("2026-07-01 18:00", "2026-07-01 20:00"),
    aWindow("2026-07-04 18:00", "2026-07-04 20:00"),
    aWindow("2026-07-07 18:00", "2026-07-07 20:00"),
  ];
  expect(previewWarnings({ ...evening("FREQ=DAILY"), skips }, { ...SEEN, windows }, NOW)).toEqual([
    "Not on Jul 2, Jul 3, Jul 5 and 1 more night.",
  ]);
});

test("after midnight, too, names the night that is skipped and would run now", () => {
  const late = { ...aSchedule("2026-07-01 20:00", "2026-07-02 02:00", "FREQ=DAILY"), skips: [{ date: "2026-07-03" }] };
  const windows = [aWindow("2026-07-04 20:00", "2026-07-05 02:00")];
  const told = (now: string) => previewWarnings(late, { ...SEEN, windows }, at(now));
  expect(told("2026-07-03 23:59")).toEqual(["Not on Jul 3."]);
  expect(told("2026-07-04 00:30")).toEqual(["Not on Jul 3."]);
  expect(told("2026-07-04 02:00")).toEqual([]);
});

test("names the nights on which the sun does not do it", () => {
  const sun = { event: "sunset" as const, offset_min: 0, not_before: null, not_after: null };
  // Tromsø, in the week in which the sun first sets again.
  const schedule = {
    start_at: "2026-05-16T21:20:00.000Z",
    end_at: "2026-05-16T22:30:00.000Z",
    rrule: "FREQ=DAILY",
    timezone: "UTC",
    start_sun: sun,
    positions: [{ lat: 69.65, lon: 18.96, since: "1970-01-01T00:00:00.000Z" }],
  };
  const windows = [
    {
      start: Date.parse("2026-05-16T21:20:00Z"),
      end: Date.parse("2026-05-25T22:00:00Z"),
      lit: [{ from: 0, to: 1 }],
      limits: [],
    },
  ];
  const [warning] = previewWarnings(schedule, { ...SEEN, windows }, Date.parse(schedule.start_at));
  expect(warning).toMatch(/^Nothing on May \d\d, May \d\d, May \d\d and \d more nights: the sun does not do it/);
});

test("a sunset after the zone's midnight is of its evening's date, and no night of it is missed", () => {
  const sunset = { event: "sunset" as const, offset_min: 0, not_before: null, not_after: null };
  // Los Angeles, told in UTC: the sun of December 3 sets on the 4th.
  const everyOther = {
    start_at: "2026-12-07T00:44:00.000Z",
    end_at: "2026-12-07T03:00:00.000Z",
    rrule: "FREQ=WEEKLY;INTERVAL=2;BYDAY=SU",
    timezone: "UTC",
    start_sun: sunset,
    positions: [{ lat: 34.0522, lon: -118.2437, since: "1970-01-01T00:00:00.000Z" }],
  };
  const windows = occurrences(everyOther, Date.UTC(2026, 11, 1), Date.UTC(2027, 0, 12)).map(({ start, end }) => ({
    start,
    end,
    lit: [{ from: start, to: end }],
    limits: [],
  }));
  expect(windows).toHaveLength(3);
  const now = Date.UTC(2026, 11, 1);
  expect(previewWarnings(everyOther, { ...SEEN, windows }, now)).toEqual([]);
  const once = { ...everyOther, rrule: null };
  expect(previewWarnings(once, { ...SEEN, windows: windows.slice(0, 1) }, now)).toEqual([]);
  const skips = [{ date: "2026-12-20" }];
  const without = windows.toSpliced(1, 1);
  expect(previewWarnings({ ...everyOther, skips }, { ...SEEN, windows: without }, now)).toEqual(["Not on Dec 20."]);
});

const DUSK = { event: "dusk" as const, offset_min: 0, not_before: null, not_after: null };
const DUSK_TO_HALF_PAST_EIGHT = {
  start_sun: DUSK,
  positions: [{ lat: 34.0522, lon: -118.2437, since: "1970-01-01T00:00:00.000Z" }],
};
/** As the engine looks at them: its next ten windows. */
const seenOf = (schedule: Recurring, now: number): Preview => ({
  ...SEEN,
  windows: comingOccurrences(schedule, now, 10).map(({ start, end }) => ({
    start,
    end,
    lit: [{ from: start, to: end }],
    limits: [],
  })),
});
const warningsOf = (schedule: Recurring, now = NOW) => previewWarnings(schedule, seenOf(schedule, now), now);

test("names the nights before its first window, of those that are still to come", () => {
  const july = { ...aSchedule("2026-07-01 20:37", "2026-07-01 20:30", "FREQ=DAILY"), ...DUSK_TO_HALF_PAST_EIGHT };
  const why = "the sun does not do it, or the window would end before it starts.";
  expect(warningsOf(july)).toEqual([`Nothing on Jul 1, Jul 2, Jul 3 and 17 more nights: ${why}`]);
  expect(warningsOf(july, at("2026-07-20 09:00"))).toEqual([`Nothing on Jul 20: ${why}`]);
  expect(warningsOf(july, at("2026-07-21 09:00"))).toEqual([]);
  const skips = ["01", "02"].map((day) => ({ date: `2026-07-${day}` }));
  expect(warningsOf({ ...evening("FREQ=DAILY"), skips })).toEqual(["Not on Jul 1, Jul 2."]);
  expect(warningsOf({ ...evening("FREQ=DAILY"), skips }, at("2026-07-01 19:59"))).toEqual(["Not on Jul 1, Jul 2."]);
  expect(warningsOf({ ...evening("FREQ=DAILY"), skips }, at("2026-07-01 20:00"))).toEqual(["Not on Jul 2."]);
});

test("names the nights after its last window, and none after one that is only the last of ten", () => {
  const june = {
    ...aSchedule("2026-06-02 20:27", "2026-06-02 20:30", "FREQ=DAILY;COUNT=40"),
    ...DUSK_TO_HALF_PAST_EIGHT,
  };
  expect(comingOccurrences(june, at("2026-06-01 12:00"), 10)).toHaveLength(2);
  expect(warningsOf(june, at("2026-06-01 12:00"))[0]).toMatch(/^Nothing on Jun 4, Jun 5, Jun 6 and 35 more nights: /);
  const skips = ["2026-07-05", "2026-07-20"].map((date) => ({ date }));
  expect(warningsOf({ ...evening("FREQ=DAILY;COUNT=5"), skips })).toEqual(["Not on Jul 5."]);
  expect(warningsOf({ ...evening("FREQ=DAILY"), skips: [{ date: "2026-07-11" }] })).toEqual([]);
  expect(warningsOf(evening("FREQ=DAILY;COUNT=5"), at("2026-07-03 21:00"))).toEqual([]);
});

test("a calendar's only dates leave out no others, though its next may be in the year 9999", () => {
  const calendar = {
    rule: "only" as const,
    dates: ["2026-07-04", "2026-07-06", "9999-12-31"].map((date) => ({ date })),
  };
  expect(warningsOf({ ...evening("FREQ=DAILY"), calendar })).toEqual([]);
  expect(warningsOf({ ...evening("FREQ=DAILY"), calendar, skips: [{ date: "2026-07-06" }] })).toEqual([
    "Not on Jul 6.",
  ]);
  const dates = ["2026-07-02", "2026-07-06"].map((date) => ({ date }));
  expect(warningsOf({ ...evening("FREQ=DAILY"), calendar: { rule: "skip", dates } })).toEqual(["Not on Jul 2, Jul 6."]);
  expect(warningsOf({ ...evening("FREQ=DAILY;UNTIL=99991231"), calendar: { ...calendar, dates } })).toEqual([]);
});
