import { expect, test } from "vitest";
import { changed, draftForToday, draftOf, timesOf, touchedIn, type Draft } from "#app/routes/schedules/draft";
import { occurrences } from "#domain/schedule/recurrence";
import { aSchedule, zone } from "./a-schedule";

const UNTOUCHED = { proposed: null, end_date: false, days: false };

test("the end date follows the start date as it is typed, and never to the year 2", () => {
  const typed = ["0002-11-24", "0020-11-24", "0202-11-24", "2026-11-24"];
  const ends = typed.map((start_date) => changed(aDraft(), { start_date }, UNTOUCHED).end_date);
  expect(ends).toEqual(["", "", "", "2026-11-24"]);
});

test("an end time at or before the start time is on the next day, also at the end of a month or year", () => {
  const evening = aDraft({ start_date: "2026-12-31", start_time: "20:00" });
  expect(changed(evening, { end_time: "22:00" }, UNTOUCHED).end_date).toBe("2026-12-31");
  expect(changed(evening, { end_time: "01:00" }, UNTOUCHED).end_date).toBe("2027-01-01");
  expect(changed(evening, { end_time: "20:00" }, UNTOUCHED).end_date).toBe("2027-01-01");
});

test("keeps an end date that was chosen by hand", () => {
  const chosen = aDraft({ end_date: "2026-11-26", start_time: "20:00", end_time: "22:00" });
  expect(changed(chosen, { start_date: "2026-11-24" }, { ...UNTOUCHED, end_date: true }).end_date).toBe("2026-11-26");
});

test("Weekly chooses the weekday of the start, until days are chosen by hand", () => {
  const tuesday = aDraft({ start_date: "2026-11-24" });
  const weekly = changed(tuesday, { repeat: "weekly" }, UNTOUCHED);
  expect(weekly.days).toEqual(["TU"]);
  expect(changed(weekly, { start_date: "2026-11-29" }, UNTOUCHED).days).toEqual(["SU"]);
  expect(changed(weekly, { start_date: "2026-11-29" }, { ...UNTOUCHED, days: true }).days).toEqual(["TU"]);
});

test("the end of a schedule that goes past midnight moves with its start", () => {
  const late = aDraft({ start_date: "2026-11-24", start_time: "22:00", end_date: "2026-11-25", end_time: "02:00" });
  expect(touchedIn(late, false)).toEqual(UNTOUCHED);
  expect(changed(late, { start_date: "2026-12-01" }, touchedIn(late, false)).end_date).toBe("2026-12-02");
});

test("weekdays other than the start's count as chosen by hand", () => {
  expect(touchedIn(aDraft({ start_date: "2026-11-24", repeat: "weekly", days: ["TU", "TH"] }), false).days).toBe(true);
  expect(touchedIn(aDraft({ start_date: "2026-11-24", repeat: "weekly", days: ["TU"] }), false).days).toBe(false);
});

test("a new booking is for today, and lacks only its hours", () => {
  const evening = Date.parse("2026-11-23T02:52:00Z");
  const { start_date, end_date, start_time } = draftForToday("America/Los_Angeles", evening);
  expect([start_date, end_date, start_time]).toEqual(["2026-11-22", "2026-11-22", ""]);
});

test("a ticked day makes it weekly from the first such day on, unless its start was chosen by hand", () => {
  const sunday = aDraft({ start_date: "2026-11-22", start_time: "18:00", end_time: "20:00" });
  const proposed = { ...UNTOUCHED, proposed: "2026-11-22", days: true };
  const weekly = changed(sunday, { days: ["TH"] }, proposed);
  expect([weekly.repeat, weekly.start_date, weekly.end_date]).toEqual(["weekly", "2026-11-26", "2026-11-26"]);
  expect(changed(weekly, { days: ["TU", "TH"] }, proposed).start_date).toBe("2026-11-24");
  expect(changed(sunday, { days: ["SU", "TU"] }, proposed).start_date).toBe("2026-11-22");
  expect(changed(sunday, { days: ["TH"] }, { ...proposed, proposed: null }).start_date).toBe("2026-11-22");
});

test("a typed last day is how it ends", () => {
  const weekly = aDraft({ start_date: "2026-11-24", repeat: "weekly", days: ["TU"] });
  expect(changed(weekly, { until: "2027-03-31" }, UNTOUCHED).ends).toBe("until");
});

function aDraft(more: Partial<Draft> = {}): Draft {
  return { ...draftOf(null, "America/Los_Angeles"), ...more };
}

const SUN = { offset_min: 0, not_before: null, not_after: null } as const;

test("an edge by the sun after midnight keeps the date of its evening, so that an edit changes nothing", () => {
  const seattle = draftOf(
    {
      ...aSchedule({ start_at: "2026-06-21T04:10:00.000Z", end_at: "2026-06-21T07:10:00.000Z" }),
      start_sun: { ...SUN, event: "sunset" },
      end_sun: { ...SUN, event: "sunset", offset_min: 180 },
    },
    "America/Los_Angeles",
  );
  expect([seattle.start_date, seattle.end_date]).toEqual(["2026-06-20", "2026-06-20"]);
  const utc = draftOf(
    {
      ...aSchedule({ start_at: "2026-12-04T01:00:00.000Z", end_at: "2026-12-04T03:25:00.000Z", rrule: null }),
      start_sun: { ...SUN, event: "sunset" },
      end_sun: { ...SUN, event: "dusk", offset_min: 120 },
    },
    "UTC",
  );
  expect([utc.start_date, utc.end_date]).toEqual(["2026-12-03", "2026-12-03"]);
  const bound = { ...SUN, event: "dusk", not_before: "00:30" } as const;
  const bounded = draftOf(
    aSchedule({ start_at: "2026-12-04T02:00:00.000Z", end_at: "2026-12-04T08:30:00.000Z", end_sun: bound }),
    zone,
  );
  expect([bounded.start_date, bounded.end_date]).toEqual(["2026-12-03", "2026-12-03"]);
});

test.each([
  ["an instant before the last day's start", "20261225T000000Z", "2026-12-23"],
  ["a wall time before it", "20261224T050000", "2026-12-23"],
  ["a wall time after it", "20261224T180000", "2026-12-24"],
  ["a bare date", "20261224", "2026-12-24"],
  ["the end of a day, as the form writes it", "20261225T075900Z", "2026-12-24"],
])("the last day of a rule that ends with %s is the last on which a window begins", (_, until, last) => {
  const times = { start_at: "2026-11-25T02:00:00.000Z", end_at: "2026-11-25T04:00:00.000Z" };
  const daily = aSchedule({ ...times, rrule: `FREQ=DAILY;UNTIL=${until}` });
  const draft = draftOf(daily, zone);
  expect([draft.ends, draft.until]).toEqual(["until", last]);
  const days = (rrule: string) => occurrences({ ...daily, rrule }, Date.UTC(2026, 11, 20), Date.UTC(2027, 0, 9)).length;
  expect(days(timesOf(draft, zone).rrule)).toBe(days(daily.rrule ?? ""));
});

test("the last day of a rule is of its dawns' dates, also where it begins before their midnight", () => {
  const dawn = { event: "dawn", offset_min: -7, not_before: null, not_after: null } as const;
  const times = { start_at: "2027-06-11T06:59:31.000Z", end_at: "2027-06-11T10:00:00.000Z", start_sun: dawn };
  const draft = draftOf(aSchedule({ ...times, rrule: "FREQ=DAILY;UNTIL=20270614" }), zone);
  expect([draft.start_date, draft.until]).toEqual(["2027-06-11", "2027-06-14"]);
});

test("after the city has changed its zone, a late night is of another weekday, so that an edit changes nothing", () => {
  const late = { start_at: "2026-11-04T06:00:00.000Z", end_at: "2026-11-04T07:30:00.000Z" };
  const east = "America/New_York";
  for (const [rrule, days] of [
    ["FREQ=WEEKLY;BYDAY=TU,TH", ["WE", "FR"]],
    ["FREQ=WEEKLY;BYDAY=TU,SU;COUNT=9", ["MO", "WE"]],
    ["FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;UNTIL=20261223T075900Z", ["WE"]],
  ] as const) {
    const before = aSchedule({ ...late, rrule });
    const draft = draftOf(before, east);
    expect(draft.days).toEqual(days);
    const nights = (schedule: typeof before) =>
      occurrences(schedule, Date.parse("2026-11-01"), Date.parse("2027-02-01")).map(({ start, end }) => [start, end]);
    expect(nights({ ...before, ...timesOf(draft, east), timezone: east })).toEqual(nights(before));
  }
  const back = draftOf(aSchedule({ start_at: "2026-11-04T05:30:00.000Z", timezone: east }), zone);
  expect(back.days).toEqual(["MO", "WE"]);
});

test.each([
  ["half an hour before its hour", "2026-10-27T18:00:00-07:00", "2026-11-03T17:30:00-08:00", "2026-11-03"],
  ["half an hour after it", "2026-10-27T18:00:00-07:00", "2026-11-03T18:30:00-08:00", "2026-11-10"],
  ["half an hour after it, in spring", "2027-03-02T18:00:00-08:00", "2027-03-16T18:30:00-07:00", "2027-03-23"],
])(
  "a copy that is made %s after clocks have changed begins by whole weeks of the wall clock",
  (_, start, now, date) => {
    const tuesdays = aSchedule({ start_at: new Date(start).toISOString() });
    expect(draftOf(tuesdays, zone, Date.parse(now))).toMatchObject({ start_date: date, start_time: "18:00" });
  },
);
