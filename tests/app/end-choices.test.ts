import { expect, test } from "vitest";
import { endSent } from "#app/forms/moment-sent";
import { endChoices } from "#app/routes/switch/end-choices";
import { toggleProblem } from "#domain/resolve/toggle-schema";

const LA = "America/Los_Angeles";
const morning = (now: string, isEmergency = false) => {
  const choices = endChoices(Date.parse(now), LA, isEmergency).filter(({ id }) => id.endsWith("Z"));
  for (const { id: until } of choices) {
    const asked = { action: "on", until, reason: "storm", emergency: isEmergency } as const;
    expect(toggleProblem(asked, new Date(now))).toBeNull();
  }
  return choices.map(({ name }) => name);
};

test.each([
  ["2026-07-01T22:00:00-07:00", ["Until 6:00 AM"]],
  ["2026-07-01T02:00:00-07:00", ["Until 6:00 AM"]],
  ["2026-07-01T09:00:00-07:00", ["Until tomorrow 6:00 AM"]],
  // A day of real time after that is the day after the next: the night has 23 hours.
  ["2027-03-13T23:30:00-08:00", ["Until 6:00 AM"]],
  // More than 24 hours away, since the night has 25.
  ["2026-10-31T06:30:00-07:00", []],
  ["2026-10-31T07:00:00-07:00", ["Until tomorrow 6:00 AM"]],
])("at %s a toggle may end in the next morning: %j", (now, wanted) => {
  expect(morning(now)).toEqual(wanted);
});

test("an emergency is offered the morning only where it may last that long", () => {
  expect(morning("2026-07-01T17:59:00-07:00", true)).toEqual([]);
  expect(morning("2026-07-01T18:00:00-07:00", true)).toEqual(["Until tomorrow 6:00 AM"]);
});

test.each([
  ["2026-11-01T01:10:00-07:00", "2026-11-01T01:45:00-07:00"],
  ["2026-11-01T01:10:00-08:00", "2026-11-01T01:45:00-08:00"],
  // Both are over, which the service refuses.
  ["2026-11-01T01:50:00-08:00", "2026-11-01T01:45:00-08:00"],
])("at %s, until a quarter to two is %s", (now, end) => {
  const form = new FormData();
  form.set("until_date", "2026-11-01");
  form.set("until_time", "01:45");
  expect(endSent(form, "until", LA, Date.parse(now))).toBe(new Date(end).toISOString());
});

test("an end that is empty is none, and one that is half typed is no time", () => {
  const form = new FormData();
  expect(endSent(form, "until", LA, 0)).toBeNull();
  form.set("until_date", "2026-11-01");
  expect(endSent(form, "until", LA, 0)).toBe("");
});
