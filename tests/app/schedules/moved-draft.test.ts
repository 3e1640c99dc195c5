import { expect, test } from "vitest";
import { draftOf, timesOf } from "#app/routes/schedules/draft";
import { movedDraft } from "#app/routes/schedules/week/moved-draft";
import type { Schedule } from "#domain/records/records";
import { aSchedule, zone } from "./a-schedule";

const moved = (schedule: Schedule, start: string, end: string) =>
  timesOf(movedDraft(draftOf(schedule, zone), { start, end }), zone);

test("a series gets the hours of the night that was dragged, and keeps its first date, its days and its end", () => {
  expect(moved(aSchedule(), "2026-12-03T19:30", "2026-12-03T23:30")).toMatchObject({
    start_at: "2026-11-04T03:30:00.000Z",
    end_at: "2026-11-04T07:30:00.000Z",
    rrule: "FREQ=WEEKLY;BYDAY=TU,TH;COUNT=20",
  });
});

test("an end past midnight is on the next day, and one that comes back is not", () => {
  const late = moved(aSchedule(), "2026-12-03T18:00", "2026-12-04T01:00");
  expect(late.end_at).toBe("2026-11-04T09:00:00.000Z");
  const overnight = aSchedule({ end_at: "2026-11-04T09:00:00.000Z" });
  expect(moved(overnight, "2026-12-03T18:00", "2026-12-03T22:00").end_at).toBe("2026-11-04T06:00:00.000Z");
});

test("what happens once moves to the night to which it was dragged", () => {
  expect(moved(aSchedule({ rrule: null }), "2026-11-06T18:00", "2026-11-06T22:00")).toMatchObject({
    start_at: "2026-11-07T02:00:00.000Z",
    end_at: "2026-11-07T06:00:00.000Z",
    rrule: "",
  });
});

test("an edge by the sun stays by the sun, and so does the day on which it is", () => {
  const start_sun = { event: "sunset", offset_min: 15, not_before: null, not_after: null } as const;
  const end_sun = { ...start_sun, event: "dawn" } as const;
  const bySun = aSchedule({ start_sun, end_sun, end_at: "2026-11-04T14:00:00.000Z" });
  expect(moved(bySun, "2026-12-03T16:45", "2026-12-04T01:00")).toMatchObject({ start_sun, end_sun });
  const half = moved(
    aSchedule({ start_sun, end_at: "2026-11-04T09:00:00.000Z" }),
    "2026-12-03T16:45",
    "2026-12-04T02:00",
  );
  expect(half).toMatchObject({ start_sun, end_sun: null, end_at: "2026-11-04T10:00:00.000Z" });
});

test("a link that names no time changes nothing", () => {
  const { start_at, end_at } = aSchedule();
  expect(moved(aSchedule(), "tomorrow", "")).toMatchObject({ start_at, end_at });
});

test("hours that are typed where the other edge is by the sun take the end to the next day and back", () => {
  const start_sun = { event: "sunset", offset_min: 0, not_before: null, not_after: null } as const;
  const none = { start: "", end: "" };
  const weekly = draftOf(aSchedule({ start_sun }), zone);
  const late = movedDraft(weekly, none, { end_time: "01:00" });
  expect([late.start_date, late.end_date]).toEqual(["2026-11-03", "2026-11-04"]);
  expect(movedDraft(late, none, { end_time: "23:00" }).end_date).toBe("2026-11-03");
  const once = draftOf(aSchedule({ start_sun, rrule: null }), zone);
  expect(movedDraft(once, none, { start_date: "2026-11-20" }).end_date).toBe("2026-11-20");
});
