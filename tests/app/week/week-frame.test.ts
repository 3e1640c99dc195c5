import { expect, test } from "vitest";
import { clockChange, weekFrame } from "#app/week/week-frame";

const LA = "America/Los_Angeles";
/** A Sunday evening in Los Angeles, and already Monday in UTC. */
const NOW = Date.parse("2026-11-23T03:00:00.000Z");

test("a week is seven nights from noon to noon, from Monday on", () => {
  const { monday, from, to, nights, isCurrent } = weekFrame(undefined, LA, NOW);
  expect([monday, isCurrent]).toEqual(["2026-11-16", true]);
  expect(new Date(from).toISOString()).toBe("2026-11-16T20:00:00.000Z");
  expect(new Date(to).toISOString()).toBe("2026-11-23T20:00:00.000Z");
  expect(nights.map(({ date }) => date.slice(-2))).toEqual(["16", "17", "18", "19", "20", "21", "22"]);
  expect(nights.every((night, n) => night.to === (nights[n + 1]?.from ?? to))).toBe(true);
});

test("any day of a week leads to it, and what is no day or too far away to this one", () => {
  const mondayOf = (date: string) => weekFrame(date, LA, NOW).monday;
  expect(mondayOf("2026-12-03")).toBe("2026-11-30");
  expect(mondayOf("2026-11-30")).toBe("2026-11-30");
  for (const date of ["someday", "2026-02-30", "2026-1-1", "1990-01-01", "9999-12-31", ""]) {
    expect(mondayOf(date)).toBe("2026-11-16");
  }
});

test("one goes a year forward and back, and no further", () => {
  expect(weekFrame(undefined, LA, NOW)).toMatchObject({ previous: "2026-11-09", next: "2026-11-23" });
  expect(weekFrame("2027-11-22", LA, NOW)).toMatchObject({ monday: "2027-11-22", next: null });
  expect(weekFrame("2025-11-10", LA, NOW)).toMatchObject({ monday: "2025-11-10", previous: null });
});

test("the two nights on which clocks change have 23 and 25 hours, and the days after them begin at noon", () => {
  const spring = weekFrame("2026-03-02", LA, NOW);
  expect(spring.nights.map(clockChange)).toEqual([0, 0, 0, 0, 0, -1, 0]);
  expect(new Date(spring.to).toISOString()).toBe("2026-03-09T19:00:00.000Z");
  const autumn = weekFrame("2026-10-26", LA, NOW);
  expect(autumn.nights.map(clockChange)).toEqual([0, 0, 0, 0, 0, 1, 0]);
  expect(new Date(autumn.to).toISOString()).toBe("2026-11-02T20:00:00.000Z");
});
