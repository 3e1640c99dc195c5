import { expect, test } from "vitest";
import {
  durationWords,
  formatClock,
  formatDay,
  formatHours,
  formatInstant,
  formatMoment,
  formatDated,
  fromLocalInput,
  relativeSeen,
  toLocalInput,
} from "#domain/time/display";

const LA = "America/Los_Angeles";
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test("shows a time as short month, day, hour and minute in the zone", () => {
  expect(formatInstant("2026-11-21T02:00:00Z", LA)).toBe("Nov 20, 6:00 PM");
  expect(formatInstant(Date.parse("2026-07-04T07:05:00Z"), LA)).toBe("Jul 4, 12:05 AM");
  expect(formatInstant("2026-07-04T12:05:00Z", "UTC")).toBe("Jul 4, 12:05 PM");
});

test("says the year of what is about a year old, since another day has the same name", () => {
  const now = Date.parse("2026-11-21T02:00:00Z");
  expect(formatDated("2026-11-20T12:00:00Z", LA, now)).toBe("Nov 20, 4:00 AM");
  expect(formatDated("2025-12-24T02:00:00Z", LA, now)).toBe("Dec 23, 6:00 PM");
  expect(formatDated("2025-11-21T05:00:00Z", LA, now)).toBe("Nov 20, 2025, 9:00 PM");
  expect(formatDated("2025-01-01T05:00:00Z", LA, now)).toBe("Dec 31, 2024, 9:00 PM");
});

test("says the year of what is about a year ahead", () => {
  const now = Date.parse("2026-11-21T02:00:00Z");
  expect(formatDated("2027-11-01T17:00:00Z", LA, now)).toBe("Nov 1, 10:00 AM");
  expect(formatDated("2028-04-01T07:00:00Z", LA, now)).toBe("Apr 1, 2028, 12:00 AM");
  expect(formatMoment(Date.parse("2028-04-01T07:00:00Z"), LA, now)).toBe("Apr 1, 2028, 12:00 AM");
});

test("uses plain spaces only in a time, so that server and browser agree", () => {
  expect(formatInstant("2026-11-21T02:00:00Z", LA)).toMatch(/^[\x20-\x7e]+$/);
});

test("shows an empty time as None", () => {
  for (const empty of [null, undefined, "", "soon"]) expect(formatInstant(empty, LA)).toBe("None");
});

test("shows a clock time and a day in the zone", () => {
  const now = Date.parse("2026-02-04T02:00:00Z");
  expect(formatClock(now, LA)).toBe("6:00 PM");
  expect(formatClock(now - 6 * HOUR, LA)).toBe("12:00 PM");
  expect(formatClock(now + 6 * HOUR, LA)).toBe("12:00 AM");
  expect(formatHours(now, now + 90 * MINUTE, LA)).toBe("6:00 PM - 7:30 PM");
  expect(formatDay(now, LA)).toBe("Tue, Feb 3");
});

test("names the day only where the clock time alone could be misread", () => {
  const now = Date.parse("2026-02-04T03:05:00Z"); // Tuesday, 7:05 PM
  const moment = (hours: number) => formatMoment(now + hours * HOUR, LA, now);
  expect(moment(0)).toBe("7:05 PM");
  expect(moment(-19)).toBe("12:05 AM");
  expect(moment(9)).toBe("4:05 AM");
  expect(moment(12)).toBe("tomorrow 7:05 AM");
  expect(moment(22.5)).toBe("tomorrow 5:35 PM");
  expect(moment(29)).toBe("Feb 5, 12:05 AM");
  expect(moment(-20)).toBe("yesterday 11:05 PM");
  expect(moment(-43)).toBe("yesterday 12:05 AM");
  expect(moment(-44)).toBe("Feb 1, 11:05 PM");
});

test("inputs show the wall time in winter and in summer", () => {
  expect(toLocalInput("2026-01-10T02:00:00Z", LA)).toEqual({ date: "2026-01-09", time: "18:00" });
  expect(toLocalInput("2026-07-10T01:00:00Z", LA)).toEqual({ date: "2026-07-09", time: "18:00" });
  expect(toLocalInput(null, LA)).toEqual({ date: "", time: "" });
});

test("inputs are read back as the instant they show", () => {
  expect(fromLocalInput({ date: "2026-01-09", time: "18:00" }, LA)).toBe(Date.parse("2026-01-10T02:00:00Z"));
  expect(fromLocalInput({ date: "2028-02-29", time: "00:00" }, LA)).toBe(Date.parse("2028-02-29T08:00:00Z"));
});

test("incomplete inputs are null", () => {
  const bad = [
    { date: "", time: "18:00" },
    { date: "2026-01-09", time: "" },
    { date: "2026-02-30", time: "18:00" },
    { date: "2027-02-29", time: "18:00" },
    { date: "2026-13-01", time: "18:00" },
    { date: "2026-00-10", time: "18:00" },
    { date: "2026-01-09", time: "24:00" },
    { date: "2026-01-09", time: "18:60" },
    { date: "26-1-9", time: "6:00" },
  ];
  for (const input of bad) expect(fromLocalInput(input, LA)).toBeNull();
});

test("shows last seen as a relative time", () => {
  const now = Date.parse("2026-07-01T12:00:00Z");
  const ago = (sec: number) => relativeSeen(new Date(now - sec * 1000).toISOString(), now);
  expect(relativeSeen(null, now)).toBe("Never");
  expect(ago(-90)).toBe("Just now");
  expect(ago(59)).toBe("Just now");
  expect(ago(60)).toBe("1m ago");
  expect(ago(3599)).toBe("59m ago");
  expect(ago(3600)).toBe("1h ago");
  expect(ago(86_399)).toBe("23h ago");
  expect(ago(86_400)).toBe("1d ago");
  expect(ago(86_400 * 40)).toBe("40d ago");
});

test("shows a duration in hours with one decimal", () => {
  expect(durationWords("2026-07-01T18:00:00Z", "2026-07-01T22:00:00Z")).toBe("4.0 hours");
  expect(durationWords("2026-07-01T18:00:00Z", "2026-07-01T19:15:00Z")).toBe("1.3 hours");
});

test("a window that ends before it starts, as a first night from dusk in July, has no light instead of a negative duration", () => {
  expect(durationWords("2026-07-02T03:37:00Z", "2026-07-02T03:30:00Z")).toBe("no light");
  expect(durationWords("2026-07-02T03:30:00Z", "2026-07-02T03:30:00Z")).toBe("no light");
});
