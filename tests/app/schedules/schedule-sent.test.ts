import { expect, test } from "vitest";
import { draftOf } from "#app/routes/schedules/draft";
import { previewSent } from "#app/routes/schedules/preview-sent";
import { scheduleSent } from "#app/routes/schedules/schedule-sent";
import type { Schedule } from "#domain/records/records";
import { aSchedule, zone } from "./a-schedule";

const iso = (at: string) => new Date(at).toISOString();

/** What a form of these fields sends at an instant. */
function sentAt(now: string, fields: Record<string, string>) {
  return scheduleSent(formOf(fields), Date.parse(now));
}

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ timezone: zone, device_id: "device:mast", ...fields })) {
    form.set(name, value);
  }
  return form;
}

/** A booking that comes once, from one local time ('2026-11-01T01:15') to another. */
function booking(start: string, end: string) {
  const [start_date = "", start_time = ""] = start.split("T");
  const [end_date = "", end_time = ""] = end.split("T");
  return { start_date, start_time, end_date, end_time, repeat: "none" };
}

/** The fields with which a schedule's form opens. */
function opened(schedule: Schedule): Record<string, string> {
  const { start_sun: _, end_sun: __, days, interval, ...draft } = draftOf(schedule, zone);
  return { ...draft, days: days.join(), interval: String(interval) };
}

const SECOND = { start_at: iso("2026-11-01T01:15:00-08:00"), end_at: iso("2026-11-01T01:45:00-08:00") };

test.each([null, "FREQ=DAILY;COUNT=3"])(
  "what is stored in the second of two like hours stays there, unless its time is changed (%s)",
  (rrule) => {
    const before = opened(aSchedule({ ...SECOND, rrule }));
    const earlier = "2026-10-20T12:00:00-07:00";
    expect(sentAt(earlier, { ...before, title: "Late game" })).toMatchObject({ ...SECOND, title: "Late game" });
    expect(sentAt(earlier, { ...before, end_time: "02:30" })).toMatchObject({
      start_at: SECOND.start_at,
      end_at: iso("2026-11-01T02:30:00-08:00"),
    });
    expect(sentAt(earlier, { ...before, start_time: "01:20" }).start_at).toBe(iso("2026-11-01T01:20:00-07:00"));
  },
);

test("a booking whose start stays in the second hour may end in it at another time", () => {
  const before = opened(aSchedule({ ...SECOND, rrule: null }));
  expect(sentAt("2026-10-20T12:00:00-07:00", { ...before, end_time: "01:50" }).end_at).toBe(
    iso("2026-11-01T01:50:00-08:00"),
  );
});

test.each([
  ["2026-11-05T18:00:41-08:00", "2026-11-05T20:00:07.250-08:00"],
  ["2026-11-05T18:00:10-08:00", "2026-11-05T18:00:50-08:00"],
  ["2026-11-01T01:15:30-08:00", "2026-11-01T01:45:30-08:00"],
])("what is stored within a minute stays there, unless its time is changed (%s)", (start, end) => {
  const stored = { start_at: iso(start), end_at: iso(end) };
  const before = opened(aSchedule({ ...stored, rrule: null }));
  const earlier = "2026-10-20T12:00:00-07:00";
  expect(sentAt(earlier, { ...before, title: "Late game" })).toMatchObject(stored);
  const later = sentAt(earlier, { ...before, end_time: "21:30" });
  expect(later).toMatchObject({ start_at: stored.start_at, end_at: iso(`${start.slice(0, 10)}T21:30:00-08:00`) });
});

test.each(["x", "-271821-04-20T00:00:00.000Z", "+275760-09-13T00:00:00.000Z"])(
  "a stored time that is %s says nothing",
  (at) => {
    const now = "2026-10-20T12:00:00-07:00";
    const before = opened(aSchedule({ ...SECOND, rrule: null }));
    const without = sentAt(now, { ...before, start_stored: "", end_stored: "" });
    expect(sentAt(now, { ...before, start_stored: at, end_stored: at })).toEqual(without);
  },
);

test("a start in the first hour stays there in the second one", () => {
  const stored = { start_at: iso("2026-11-01T01:15:00-07:00"), end_at: iso("2026-11-01T02:30:00-08:00") };
  expect(sentAt("2026-11-01T01:10:00-08:00", opened(aSchedule({ ...stored, rrule: null })))).toMatchObject(stored);
});

test.each([
  // Clocks have not gone back.
  ["2026-11-01T00:50:00-07:00", "01:15", "01:45", "01:15:00-07:00", "01:45:00-07:00"],
  ["2026-11-01T01:20:00-07:00", "01:15", "01:45", "01:15:00-07:00", "01:45:00-07:00"],
  ["2026-11-01T01:20:00-07:00", "01:15", "02:15", "01:15:00-07:00", "02:15:00-08:00"],
  // It would be over.
  ["2026-11-01T01:50:00-07:00", "01:15", "01:45", "01:15:00-08:00", "01:45:00-08:00"],
  // They have.
  ["2026-11-01T01:10:00-08:00", "01:15", "01:45", "01:15:00-08:00", "01:45:00-08:00"],
  ["2026-11-01T01:10:00-08:00", "01:05", "01:45", "01:05:00-08:00", "01:45:00-08:00"],
  ["2026-11-01T01:10:00-08:00", "00:30", "01:45", "00:30:00-07:00", "01:45:00-08:00"],
  ["2026-11-01T01:10:00-08:00", "01:50", "02:30", "01:50:00-08:00", "02:30:00-08:00"],
])("at %s a booking from %s to %s is from %s to %s", (now, start, end, start_at, end_at) => {
  expect(sentAt(now, booking(`2026-11-01T${start}`, `2026-11-01T${end}`))).toMatchObject({
    start_at: iso(`2026-11-01T${start_at}`),
    end_at: iso(`2026-11-01T${end_at}`),
  });
});

test("a series begins in the first of two like hours, also when that is over", () => {
  const series = { ...booking("2026-11-01T01:15", "2026-11-01T01:45"), repeat: "daily", count: "3" };
  expect(sentAt("2026-11-01T01:10:00-08:00", series)).toMatchObject({
    start_at: iso("2026-11-01T01:15:00-07:00"),
    end_at: iso("2026-11-01T01:45:00-07:00"),
  });
});

test("a booking from within the hour that spring skips keeps its length, rather than end before it starts", () => {
  const sent = (start: string, end: string) =>
    sentAt("2027-03-01T12:00:00-08:00", booking(`2027-03-14T${start}`, `2027-03-14T${end}`));
  expect(sent("02:30", "03:15")).toMatchObject({
    start_at: iso("2027-03-14T03:30:00-07:00"),
    end_at: iso("2027-03-14T04:15:00-07:00"),
  });
  expect(sent("02:30", "03:30").end_at).toBe(iso("2027-03-14T04:30:00-07:00"));
  expect(sent("02:30", "04:00").end_at).toBe(iso("2027-03-14T04:00:00-07:00"));
  // An end that is before its start is still refused.
  expect(sent("03:15", "02:10").end_at).toBe(iso("2027-03-14T03:10:00-07:00"));
});

test.each([
  ["2027-03-14T02:30", "2027-03-14T04:00", "start_at", "2:30 AM"],
  ["2027-03-14T02:30", "2027-03-14T03:15", "start_at", "2:30 AM"],
  ["2027-03-13T20:00", "2027-03-14T02:00", "end_at", "2:00 AM"],
])("a series from %s to %s would be an hour late every night, and is refused", (start, end, field, time) => {
  const series = { ...booking(start, end), repeat: "weekly", days: "SA", ends: "never" };
  const detail = `Clocks go forward and skip ${time} on Sun, Mar 14. A series has its hours from its first night: begin on another`;
  expect(() => sentAt("2027-03-01T12:00:00-08:00", series)).toThrow(
    expect.objectContaining({ code: "invalid", detail, fields: { [field]: detail } }),
  );
});

test("a series that has long begun gets such hours from its next night on", () => {
  const stored = aSchedule({
    start_at: iso("2027-03-13T20:00:00-08:00"),
    end_at: iso("2027-03-13T23:00:00-08:00"),
    rrule: "FREQ=DAILY",
  });
  const until = { ...opened(stored), end_date: "2027-03-14", end_time: "02:30" };
  expect(sentAt("2027-06-01T12:00:00-07:00", until)).toMatchObject({
    start_at: iso("2027-03-14T20:00:00-07:00"),
    end_at: iso("2027-03-15T02:30:00-07:00"),
    rrule: "FREQ=DAILY",
  });
  const weekly = { ...until, repeat: "weekly", days: "SA,TU", interval: "2" };
  expect(sentAt("2027-06-01T12:00:00-07:00", weekly)).toMatchObject({ start_at: iso("2027-03-27T20:00:00-07:00") });
  // The other days of its first weeks are still to come, or its nights are counted from the first.
  expect(() => sentAt("2027-03-20T12:00:00-07:00", weekly)).toThrow("begin on another");
  expect(() => sentAt("2027-06-01T12:00:00-07:00", { ...until, ends: "count" })).toThrow("begin on another");
  // Or it is half typed.
  const halves: Record<string, string>[] = [{ start_date: "" }, { interval: "1e12" }, { interval: "-1e12" }];
  for (const half of halves) {
    expect(() => sentAt("2027-06-01T12:00:00-07:00", { ...until, ...half })).toThrow("begin on another");
  }
});

test("its preview says so while it is typed, rather than that of what was typed before", async () => {
  const form = formOf({ ...booking("2027-03-14T02:30", "2027-03-14T04:00"), repeat: "daily", ends: "never" });
  const preview = () => Promise.reject(new Error("not asked"));
  expect(await previewSent({ preview }, form, Date.parse("2027-03-01T12:00:00-08:00"))).toEqual({
    preview: null,
    problem:
      "Clocks go forward and skip 2:30 AM on Sun, Mar 14. A series has its hours from its first night: begin on another",
  });
});

test("a series that only meets the hour that spring skips, or goes by the sun there, begins as it is typed", () => {
  const sent = (fields: Record<string, string>) => sentAt("2027-03-01T12:00:00-08:00", { repeat: "daily", ...fields });
  const series = { repeat: "daily", count: "30" };
  expect(sent({ ...booking("2027-03-12T20:00", "2027-03-13T02:30"), ...series })).toMatchObject({
    start_at: iso("2027-03-12T20:00:00-08:00"),
    end_at: iso("2027-03-13T02:30:00-08:00"),
  });
  const by_sun = { ...booking("2027-03-13T20:00", "2027-03-14T02:30"), ...series, end_by: "dawn" };
  expect(sent(by_sun).end_at).toBe(iso("2027-03-14T07:00:00-07:00"));
});
