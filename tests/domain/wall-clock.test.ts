import fc from "fast-check";
import { expect, test } from "vitest";
import { offsetsAbout, seedOffsets, offsetAt, toInstant, toWall } from "#domain/time/wall-clock";
import { TIMEZONES } from "#domain/enums";

const LA = "America/Los_Angeles";
const HOUR = 3_600_000;
const zone = fc.constantFrom<string>(...TIMEZONES, "Europe/Dublin", "Australia/Lord_Howe", "Pacific/Kiritimati");
const instant = fc.integer({ min: Date.UTC(2015, 0), max: Date.UTC(2040, 0) });
/** Hours around a clock change. */
const nearChange = fc
  .tuple(fc.constantFrom(Date.UTC(2026, 2, 8, 10), Date.UTC(2026, 10, 1, 9), Date.UTC(2025, 10, 2, 6)), fc.integer())
  .map(([change, off]) => change + (off % (30 * HOUR)));
const anInstant = fc.oneof(instant, nearChange);

test("agrees with Intl about the offset", () => {
  fc.assert(
    fc.property(zone, anInstant, (name, now) => {
      const whole = Math.floor(now / 1000) * 1000;
      expect(whole + offsetAt(name, whole)).toBe(wallByIntl(name, whole));
    }),
  );
});

test("the offset changes in the very millisecond", () => {
  const spring = Date.UTC(2026, 2, 8, 10);
  expect(offsetAt(LA, spring - 1)).toBe(-8 * HOUR);
  expect(offsetAt(LA, spring)).toBe(-7 * HOUR);
  const autumn = Date.UTC(2026, 10, 1, 9);
  expect(offsetAt(LA, autumn - 1)).toBe(-7 * HOUR);
  expect(offsetAt(LA, autumn)).toBe(-8 * HOUR);
  expect(offsetAt("UTC", autumn)).toBe(0);
});

test("uses seeded offsets without asking Intl", () => {
  seedOffsets("Seeded/Zone", offsetsAbout(LA, Date.UTC(2026, 5, 1)));
  for (const at of [Date.UTC(2025, 0, 2), Date.UTC(2026, 2, 8, 10), Date.UTC(2026, 10, 1, 9), Date.UTC(2027, 11, 31)]) {
    expect(offsetAt("Seeded/Zone", at)).toBe(offsetAt(LA, at));
    expect(offsetAt("Seeded/Zone", at - 1)).toBe(offsetAt(LA, at - 1));
  }
  expect(() => offsetAt("Seeded/Zone", Date.UTC(2028, 5, 1))).toThrow(RangeError);
});

test("an offset holds over the turn of the year", () => {
  const sydney = Date.UTC(2026, 0, 1);
  expect(offsetAt("Australia/Sydney", sydney - 1)).toBe(11 * HOUR);
  expect(offsetAt("Australia/Sydney", sydney)).toBe(11 * HOUR);
});

test("a wall time converts back to its instant, or to the other one of a repeated hour", () => {
  fc.assert(
    fc.property(zone, anInstant, (name, now) => {
      const wall = toWall(name, now);
      const first = toInstant(name, wall, "first");
      const last = toInstant(name, wall, "last");
      expect([first, last]).toContain(now);
      expect(first).toBeLessThanOrEqual(last);
      expect(toWall(name, first)).toBe(wall);
      expect(toWall(name, last)).toBe(wall);
    }),
  );
});

test("every wall time has an instant, moved forward by the gap if it does not exist", () => {
  fc.assert(
    fc.property(fc.constantFrom(...TIMEZONES), anInstant, (name, wall) => {
      const moved = toWall(name, toInstant(name, wall)) - wall;
      expect([0, HOUR]).toContain(moved);
    }),
  );
});

test("a time in the spring gap moves an hour later, whichever instant is preferred", () => {
  expect(toInstant(LA, Date.UTC(2026, 2, 8, 2, 30))).toBe(Date.parse("2026-03-08T03:30:00-07:00"));
  expect(toInstant(LA, Date.UTC(2026, 2, 8, 2, 30), "last")).toBe(Date.parse("2026-03-08T03:30:00-07:00"));
});

test("a time in the repeated autumn hour has two instants", () => {
  expect(toInstant(LA, Date.UTC(2026, 10, 1, 1, 30))).toBe(Date.parse("2026-11-01T01:30:00-07:00"));
  expect(toInstant(LA, Date.UTC(2026, 10, 1, 1, 30), "last")).toBe(Date.parse("2026-11-01T01:30:00-08:00"));
});

test("a zone that does not exist is an error", () => {
  expect(() => offsetAt("America/Atlantis", 0)).toThrow(RangeError);
});

function wallByIntl(name: string, now: number): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone: name,
    hourCycle: "h23",
    dateStyle: "short",
    timeStyle: "medium",
  }).formatToParts(now);
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return Date.UTC(2000 + read("year"), read("month") - 1, read("day"), read("hour"), read("minute"), read("second"));
}
