import { afterEach, expect, test, vi } from "vitest";
import { described } from "#app/routes/schedules/described";
import type { ListedSchedule } from "#domain/records/records";
import { DAY_MS } from "#domain/time/units";
import { aSchedule } from "./a-schedule";

afterEach(() => void vi.useRealTimers());

const skippedAt = (now: string) => {
  vi.useFakeTimers({ now: new Date(now), toFake: ["Date"] });
  return described(LATE).skipped.map(({ date }) => date);
};

/** Every evening from 8 PM to 2 AM in Los Angeles, of which two are left out. */
const LATE: ListedSchedule = {
  ...aSchedule({ start_at: "2026-11-02T04:00:00.000Z", end_at: "2026-11-02T10:00:00.000Z", rrule: "FREQ=DAILY" }),
  is_area_active: true,
  may_write: true,
  skips: [
    { date: "2026-11-23", reason: "rain" },
    { date: "2026-11-30", reason: null },
  ],
};

test("a skipped night can be brought back until its window is over, also after midnight", () => {
  expect(skippedAt("2026-11-24T03:00:00.000Z")).toEqual(["2026-11-23", "2026-11-30"]);
  expect(skippedAt("2026-11-24T08:30:00.000Z")).toEqual(["2026-11-23", "2026-11-30"]);
  expect(skippedAt("2026-11-24T09:59:00.000Z")).toEqual(["2026-11-23", "2026-11-30"]);
  expect(skippedAt("2026-11-24T10:00:00.000Z")).toEqual(["2026-11-30"]);
});

test("of a night on screen its windows are offered whole, however far it is, and none of another night", () => {
  vi.useFakeTimers({ now: new Date("2026-11-24T21:00:00.000Z"), toFake: ["Date"] });
  // Every day from 8 AM to 2 PM: over noon.
  const overNoon = { ...LATE, start_at: "2026-11-02T16:00:00.000Z", end_at: "2026-11-02T22:00:00.000Z", skips: [] };
  const night = (date: string) => ({
    from: Date.parse(`${date}T20:00:00Z`),
    to: Date.parse(`${date}T20:00:00Z`) + DAY_MS,
  });
  const shown = (date: string) => {
    const { nights, is_running } = described(overNoon, night(date));
    return [...nights.map(({ start }) => new Date(start).toISOString()), is_running];
  };
  expect(shown("2026-12-20")).toEqual(["2026-12-20T16:00:00.000Z", "2026-12-21T16:00:00.000Z", false]);
  expect(shown("2026-11-24")).toEqual(["2026-11-24T16:00:00.000Z", "2026-11-25T16:00:00.000Z", true]);
  expect(shown("2026-11-23")).toEqual(["2026-11-24T16:00:00.000Z", true]);
});

test("what lights nothing has no next start, does not run, and says why", () => {
  vi.useFakeTimers({ now: new Date("2026-11-24T05:00:00.000Z"), toFake: ["Date"] });
  const told = (devices: number, is_area_active: boolean) => {
    const target = { type: "group" as const, id: "pair", name: "Pair", devices };
    const { lights_nothing, next, is_running } = described({ ...LATE, skips: [], target, is_area_active });
    return [lights_nothing, next && new Date(next).toISOString(), is_running];
  };
  expect(told(2, true)).toEqual([null, "2026-11-25T04:00:00.000Z", true]);
  expect(told(0, true)).toEqual(["there are no lights here yet", null, false]);
  expect(told(2, false)).toEqual(["its area is inactive", null, false]);
  expect(described({ ...LATE, status: "canceled", is_area_active: false }).lights_nothing).toBeNull();
});

test("a series that was moved tells of no skipped night that it no longer has", () => {
  vi.useFakeTimers({ now: new Date("2026-11-01T12:00:00.000Z"), toFake: ["Date"] });
  const skipped = (more: Partial<ListedSchedule>) => described({ ...LATE, ...more }).skipped.map(({ date }) => date);
  expect(skipped({})).toEqual(["2026-11-23", "2026-11-30"]);
  expect(skipped({ rrule: "FREQ=DAILY;COUNT=25" })).toEqual(["2026-11-23"]);
  // The 23rd and the 30th are Mondays.
  expect(skipped({ rrule: "FREQ=WEEKLY;BYDAY=TU" })).toEqual([]);
  const later = { start_at: "2026-11-25T04:00:00.000Z", end_at: "2026-11-25T10:00:00.000Z" };
  expect(skipped(later)).toEqual(["2026-11-30"]);
});

test("nights to come are counted for a year of them; more are as endless", () => {
  vi.useFakeTimers({ now: new Date("2026-11-01T12:00:00.000Z"), toFake: ["Date"] });
  const left = (rrule: string, last_end_at: string | null) =>
    described({ ...LATE, skips: [], rrule, last_end_at }).left;
  expect(left("FREQ=DAILY;COUNT=31", "2026-12-02T10:00:00.000Z")).toBe(31);
  expect(left("FREQ=DAILY;UNTIL=20271101", "2027-11-02T09:00:00.000Z")).toBe(366);
  expect(left("FREQ=DAILY;UNTIL=20271102", "2027-11-03T09:00:00.000Z")).toBeNull();
  expect(left("FREQ=DAILY;UNTIL=20991231", "2100-01-01T10:00:00.000Z")).toBeNull();
  expect(left("FREQ=DAILY", null)).toBeNull();
});

test("the first night is one of the rule's, not the day from which it begins", () => {
  const first = (more: Partial<ListedSchedule>) => described({ ...LATE, skips: [], ...more }).first;
  const stored = { start_at: LATE.start_at, end_at: LATE.end_at };
  // November 1, a Sunday.
  expect(first({ rrule: "FREQ=DAILY" })).toEqual(stored);
  expect(first({ rrule: "FREQ=WEEKLY;BYDAY=SU" })).toEqual(stored);
  expect(first({ rrule: null })).toEqual(stored);
  const tuesday = { start_at: "2026-11-04T04:00:00.000Z", end_at: "2026-11-04T10:00:00.000Z" };
  expect(first({ rrule: "FREQ=WEEKLY;BYDAY=TU,FR;COUNT=3" })).toEqual(tuesday);
  const skips = [{ date: "2026-11-03", reason: null }];
  expect(first({ rrule: "FREQ=WEEKLY;BYDAY=TU,FR;COUNT=3", skips })).toEqual(tuesday);
});

test("a booking by the sun of a place that was moved has the hours at which its lights go on, until it is over", () => {
  const sunset = { event: "sunset", offset_min: 0, not_before: null, not_after: null } as const;
  const stored = { start_at: "2026-11-11T00:30:00.000Z", end_at: "2026-11-11T04:00:00.000Z" };
  const moved = { positions: [{ lat: 37.8, lon: -122, since: "1970-01-01T00:00:00.000Z" }], start_sun: sunset };
  const first = (now: string) => {
    vi.useFakeTimers({ now: new Date(now), toFake: ["Date"] });
    return described({ ...LATE, ...stored, ...moved, skips: [], rrule: null }).first;
  };
  expect(first("2026-11-10T12:00:00.000Z")).toEqual({ ...stored, start_at: "2026-11-11T01:00:21.000Z" });
  expect(first("2026-11-11T03:00:00.000Z").start_at).toBe("2026-11-11T01:00:21.000Z");
  expect(first("2026-11-11T04:00:00.000Z")).toEqual(stored);
});

test("its words name the calendar that it keeps to", () => {
  vi.useFakeTimers({ now: new Date("2026-11-24T05:00:00.000Z"), toFake: ["Date"] });
  const { words } = described({ ...LATE, calendar: { rule: "only", dates: [], name: "Race days" } });
  expect(words).toBe("Every day, 8:00 PM - 2:00 AM, never ends, only on the dates of Race days");
});
