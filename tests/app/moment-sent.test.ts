import { expect, test } from "vitest";
import { endSent, momentSent } from "#app/forms/moment-sent";

const DENVER = "America/Denver";
const sent = (typed: Record<string, string>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(typed)) form.set(name, value);
  return form;
};

test("a time is by the zone that its form has shown, also where the city's is another by now", () => {
  const typed = { from_date: "2026-12-04", from_time: "19:30", from_zone: "America/Los_Angeles" };
  expect(momentSent(sent(typed), "from", DENVER)).toBe("2026-12-05T03:30:00.000Z");
  expect(endSent(sent(typed), "from", DENVER, 0)).toBe("2026-12-05T03:30:00.000Z");
  // One without it is by the city's, and so is one that names no zone of the product.
  const { from_zone: _, ...plain } = typed;
  expect(momentSent(sent(plain), "from", DENVER)).toBe("2026-12-05T02:30:00.000Z");
  expect(momentSent(sent({ ...plain, from_zone: "Mars/Base" }), "from", DENVER)).toBe("2026-12-05T02:30:00.000Z");
});

test("an end that is over is, in the hour that comes twice, the second one of the zone that its form has shown", () => {
  const typed = { to_date: "2026-11-01", to_time: "01:45", to_zone: "America/New_York" };
  const now = Date.parse("2026-11-01T06:10:00Z");
  expect(endSent(sent(typed), "to", DENVER, now)).toBe("2026-11-01T06:45:00.000Z");
});

test.each([
  ["a second within its minute", "2026-12-05T03:30:41.123Z", "2026-12-04", "19:30"],
  ["the first of two like hours", "2026-11-01T08:30:00.000Z", "2026-11-01", "01:30"],
  ["the second of two like hours", "2026-11-01T09:30:00.000Z", "2026-11-01", "01:30"],
])("a time that is as its form has shown it stays: %s", (_, shown, date, time) => {
  const form = sent({ from_date: date, from_time: time, from_zone: "America/Los_Angeles", from_shown: shown });
  expect(momentSent(form, "from", DENVER)).toBe(shown);
  form.set("from_time", "18:15");
  expect(momentSent(form, "from", DENVER)).not.toBe(shown);
});
