import { expect, test } from "vitest";
import { toWall } from "#domain/time/wall-clock";
import { zonedTimes } from "#worker/services/zoned-time";

test("shows instants in a zone with their offset", () => {
  const here = zonedTimes("America/Los_Angeles");
  expect(here("2026-11-21T02:00:00.123Z")).toBe("2026-11-20T18:00:00.123-08:00");
  expect(here("2026-11-21T02:00:59.000Z")).toBe("2026-11-20T18:00:59.000-08:00");
  expect(here("2026-07-04T07:05:00.000Z")).toBe("2026-07-04T00:05:00.000-07:00");
  expect(zonedTimes("UTC")("2026-07-04T07:05:00.000Z")).toBe("2026-07-04T07:05:00.000+00:00");
  expect(zonedTimes("Asia/Kolkata")("2026-07-04T07:05:00.000Z")).toBe("2026-07-04T12:35:00.000+05:30");
});

test.each([
  ["America/Los_Angeles", "2026-03-08T10:00:00.000Z"],
  ["America/Los_Angeles", "2026-11-01T09:00:00.000Z"],
  ["Europe/Berlin", "2026-03-29T01:00:00.000Z"],
  ["Europe/Berlin", "2026-10-25T01:00:00.000Z"],
])("in %s they are right on both sides of the change of %s, with the runtime in UTC", (zone, change) => {
  expect(new Date(0).getTimezoneOffset()).toBe(0);
  const day_ms = 86_400_000;
  for (let at = Date.parse(change) - day_ms; at < Date.parse(change) + day_ms; at += 15 * 60_000) {
    const told = zonedTimes(zone)(new Date(at).toISOString());
    expect(Date.parse(told)).toBe(at);
    expect(told.slice(0, 23)).toBe(new Date(toWall(zone, at)).toISOString().slice(0, 23));
  }
});
