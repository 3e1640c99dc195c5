import { expect, test } from "vitest";
import { alarmSentence, overSentence, workorderWords } from "#domain/alarms/alarm-words";
import { ALARM_KINDS, type AlarmKind } from "#domain/enums";

const ZONE = "America/Los_Angeles";
const NOW = Date.parse("2026-11-21T06:40:00.000Z");
const dark = {
  what: "Dark",
  why: "still off after 3 tries",
  since: "2026-11-21T01:00:00.000Z",
  over_at: null,
};

test("an alarm is one sentence, with the day only where it is another one", () => {
  expect(alarmSentence(dark, ZONE, NOW)).toBe("Dark since 5:00 PM: still off after 3 tries");
  expect(alarmSentence(dark, ZONE, NOW + 3 * 86_400_000)).toBe("Dark since Nov 20, 5:00 PM: still off after 3 tries");
  const over_at = "2026-11-21T05:40:00.000Z";
  expect(alarmSentence({ ...dark, over_at }, ZONE, NOW)).toBe(
    "Dark from 5:00 PM until 9:40 PM: still off after 3 tries",
  );
  expect(overSentence(over_at, ZONE, NOW)).toBe("The alarm is over since 9:40 PM");
});

test("an alarm of a year ago names the year, since that day has come again", () => {
  const over_at = "2026-11-21T05:40:00.000Z";
  expect(alarmSentence({ ...dark, over_at }, ZONE, NOW + 370 * 86_400_000)).toBe(
    "Dark from Nov 20, 2026, 5:00 PM until Nov 20, 2026, 9:40 PM: still off after 3 tries",
  );
});

test.each(ALARM_KINDS)("a work order of %s says what to do, where, and since when", (kind) => {
  const place = { device_name: null, hub_name: "North hub", area_name: "Elm Park" };
  const { title, description } = workorderWords({ ...dark, ...place, kind }, ZONE);
  expect(title).toMatch(/^[A-Z].{10,}/);
  expect(description).toBe("North hub: Dark since Nov 20, 5:00 PM: still off after 3 tries.\nElm Park.");
});

test("a hub's name, which tends to say that it is one, stands in a title without the word before it", () => {
  const place = { device_name: null, hub_name: "North hub", area_name: "Elm Park" };
  const titleOf = (kind: AlarmKind) => workorderWords({ ...dark, ...place, kind }, ZONE).title;
  expect(titleOf("hub_offline")).toBe("Bring North hub back online");
  expect(titleOf("hub_refused")).toBe("Restore access to North hub");
});

test("a work order of a light also names its hub", () => {
  const place = { device_name: "Gate", hub_name: "North hub", area_name: "Elm Park" };
  const { description } = workorderWords({ ...dark, ...place, kind: "device_failed" }, ZONE);
  expect(description).toBe("Gate: Dark since Nov 20, 5:00 PM: still off after 3 tries.\nElm Park, hub North hub.");
});

test("a long name leaves a title that can be saved", () => {
  const place = { device_name: "x".repeat(400), hub_name: null, area_name: null };
  const { title, description } = workorderWords({ ...dark, ...place, kind: "device_failed" }, ZONE);
  expect(title).toHaveLength(200);
  expect(description).not.toContain("\n");
});
