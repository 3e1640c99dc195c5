import { afterEach, expect, test, vi } from "vitest";
import { described } from "#app/routes/schedules/described";
import type { ScheduleWithNights } from "#domain/records/records";
import { aSchedule } from "./a-schedule";

afterEach(() => void vi.useRealTimers());

const skippedAt = (now: string) => {
  vi.useFakeTimers({ now: new Date(now), toFake: ["Date"] });
  return described(LATE).skipped.map(({ date }) => date);
};

/** Every evening from 8 PM to 2 AM in Los Angeles, of which two are left out. */
const LATE: ScheduleWithNights = {
  ...aSchedule({ start_at: "2026-11-02T04:00:00.000Z", end_at: "2026-11-02T10:00:00.000Z", rrule: "FREQ=DAILY" }),
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
