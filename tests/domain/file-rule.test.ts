import fc from "fast-check";
import ICAL from "ical.js";
import { RRule } from "rrule";
import { expect, test } from "vitest";
import { ruleDays, type FileRule, type Looks } from "#domain/schedule/file-rule";
import { DAY_MS } from "#domain/time/units";
import { runsHere } from "./runs";

const dayOf = (date: string) => Date.parse(date) / DAY_MS;
const read = (text: string): FileRule => ICAL.Recur.fromString(text);
const dates = (days: number[] | null) => days?.map((day) => new Date(day * DAY_MS).toISOString().slice(0, 10));
const from = dayOf("2025-11-25");
const to = dayOf("2031-11-30");
const plenty = (): Looks => ({ left: 1_000_000 });

const numbers = (min: number, max: number) =>
  fc.uniqueArray(
    fc.integer({ min, max }).filter((n) => n !== 0),
    { minLength: 1, maxLength: 4 },
  );
const weekdays = fc.uniqueArray(fc.constantFrom("MO", "TU", "WE", "TH", "FR", "SA", "SU"), {
  minLength: 1,
  maxLength: 3,
});
const nth = fc
  .tuple(weekdays, numbers(-5, 5))
  .map(([days, ns]) => days.map((day, n) => `${ns[n % ns.length] ?? ""}${day}`));
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
// One way to name days at a time: what never comes keeps rrule busy until the year 9999.
const someDays = fc.oneof(
  numbers(-28, 28).map((BYMONTHDAY) => ({ BYMONTHDAY, BYDAY: undefined })),
  fc.oneof(weekdays, nth).map((BYDAY) => ({ BYMONTHDAY: undefined, BYDAY })),
  fc.constant({ BYMONTHDAY: undefined, BYDAY: undefined }),
);
const someRule = fc
  .tuple(
    fc.record({
      FREQ: fc.constantFrom("DAILY", "WEEKLY", "MONTHLY", "YEARLY"),
      INTERVAL: fc.integer({ min: 1, max: 5 }),
      COUNT: maybe(fc.integer({ min: 1, max: 60 })),
      WKST: maybe(fc.constantFrom("SU", "MO", "SA")),
      BYMONTH: maybe(numbers(1, 12)),
      // rrule takes the last place for one that is before the first.
      BYSETPOS: maybe(fc.constantFrom(-1, 1, 2)),
    }),
    someDays,
  )
  .map(([parts, days]) => ({ ...parts, ...days }))
  .filter(({ FREQ, BYDAY }) => !/\d/.test(String(BYDAY)) || FREQ === "MONTHLY" || FREQ === "YEARLY")
  // rrule counts the places of a day or of a first week otherwise, and knows places only beside days.
  .filter(
    ({ FREQ, BYSETPOS, BYDAY, BYMONTHDAY }) =>
      !BYSETPOS || ((FREQ === "MONTHLY" || FREQ === "YEARLY") && !!(BYDAY ?? BYMONTHDAY)),
  )
  .map((parts) =>
    Object.entries(parts)
      .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value.toString()}`]))
      .join(";"),
  );

test("a rule happens on the days that rrule says", () => {
  fc.assert(
    fc.property(someRule, fc.integer({ min: dayOf("2015-01-01"), max: dayOf("2031-01-01") }), (text, start) => {
      const rule = new RRule({ ...RRule.parseString(text), dtstart: new Date(start * DAY_MS) });
      const all = rule.between(new Date(from * DAY_MS), new Date(to * DAY_MS), true);
      expect(dates(ruleDays(read(text), start, from, to, plenty()))).toEqual(
        all.map((at) => at.toISOString().slice(0, 10)),
      );
    }),
    { numRuns: runsHere(100) },
  );
});

test.each([
  ["FREQ=YEARLY;BYMONTH=11;BYDAY=4TH", "2000-11-23", ["2025-11-27", "2026-11-26"]],
  ["FREQ=YEARLY", "2000-02-29", ["2028-02-29"]],
  ["FREQ=DAILY;BYMONTHDAY=13;BYDAY=FR", "2000-01-01", ["2026-02-13", "2026-03-13"]],
  ["FREQ=YEARLY;BYYEARDAY=1,-1", "2000-01-01", ["2025-12-31", "2026-01-01"]],
  ["FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=2", "2027-01-01", ["2027-01-29", "2027-02-26"]],
  ["FREQ=DAILY", "0001-01-01", ["2025-11-25", "2025-11-26"]],
  ["FREQ=YEARLY;COUNT=2030", "0001-01-01", ["2026-01-01", "2027-01-01"]],
])("%s since %s", (text, start, expected) => {
  expect(dates(ruleDays(read(text), dayOf(start), from, to, plenty()))?.slice(0, 2)).toEqual(expected);
});

test.each([
  "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
  "FREQ=WEEKLY;BYMONTH=2;BYMONTHDAY=30",
  "FREQ=MONTHLY;BYMONTHDAY=31;BYDAY=1MO",
  "FREQ=MONTHLY;INTERVAL=48;BYMONTH=1;BYDAY=5MO;BYMONTHDAY=1",
  "FREQ=YEARLY;BYMONTH=4;BYDAY=1MO;BYMONTHDAY=15",
  "FREQ=YEARLY;BYYEARDAY=366;BYMONTH=1",
  "FREQ=YEARLY;BYDAY=53MO;BYMONTH=2",
  "FREQ=DAILY;BYSETPOS=2",
  "FREQ=DAILY;INTERVAL=999999999999999999",
  `FREQ=MONTHLY;INTERVAL=${"9".repeat(400)}`,
  "FREQ=YEARLY;COUNT=99999;BYMONTH=2;BYMONTHDAY=30",
])("%s has no days in the years to come, and costs no more than a look at each", (text) => {
  const looks = plenty();
  expect(ruleDays(read(text), dayOf("2024-02-01"), from, to, looks)).toEqual([]);
  expect(plenty().left - looks.left).toBeLessThan(3_000);
});

test.each(["SECONDLY", "MINUTELY", "HOURLY", "YEARLY;BYWEEKNO=20", "DAILY;BYHOUR=9", "WEEKLY;BYDAY=2MO"])(
  "FREQ=%s is not followed",
  (text) => {
    expect(ruleDays(read(`FREQ=${text}`), from, from, to, plenty())).toBeNull();
  },
);

test("a rule is followed no farther than there are looks", () => {
  const looks = { left: 10 };
  expect(ruleDays(read("FREQ=DAILY"), from, from, to, looks)).toHaveLength(10);
  expect(looks.left).toBe(0);
});
