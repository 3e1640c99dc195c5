import { expect, test } from "vitest";
import { inNextOrder, touches } from "#domain/next-order";

/** Friday, 6 PM in Los Angeles. */
const NOW = Date.parse("2026-11-21T02:00:00.000Z");

test("lists running schedules first, then by next window, ended and canceled ones last", () => {
  const plans = [
    aPlan("canceled", "2026-11-21T03:00:00.000Z", { status: "canceled" }),
    aPlan("tomorrow", "2026-11-22T03:00:00.000Z"),
    aPlan("stored long ago, tonight again", "2026-11-01T04:00:00.000Z", { rrule: "FREQ=DAILY" }),
    aPlan("over", "2026-11-10T03:00:00.000Z", { status: "done" }),
    aPlan("running", "2026-11-21T01:30:00.000Z"),
  ];
  expect(inNextOrder(plans, NOW).map(({ id }) => id)).toEqual([
    "running",
    "stored long ago, tonight again",
    "tomorrow",
    "over",
    "canceled",
  ]);
});

test("filters by day the schedules with a window in it, also one from the evening before", () => {
  const [midnight, next] = [Date.parse("2026-11-21T08:00:00.000Z"), Date.parse("2026-11-22T08:00:00.000Z")];
  expect(touches(aPlan("late", "2026-11-21T07:00:00.000Z"), midnight, next)).toBe(true);
  expect(touches(aPlan("early", "2026-11-21T05:00:00.000Z"), midnight, next)).toBe(false);
  expect(touches(aPlan("daily", "2026-11-01T05:00:00.000Z", { rrule: "FREQ=DAILY" }), midnight, next)).toBe(true);
});

/** Two hours long. */
function aPlan(id: string, start_at: string, more: { status?: "canceled" | "done"; rrule?: string } = {}) {
  const end_at = new Date(Date.parse(start_at) + 7_200_000).toISOString();
  return { id, start_at, end_at, rrule: null, timezone: "America/Los_Angeles", status: "scheduled" as const, ...more };
}
