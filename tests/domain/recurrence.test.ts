import fc from "fast-check";
import { expect, test } from "vitest";
import { describeRule } from "#domain/schedule/describe-rule";
import { lastEnd, nextStart, occurrences } from "#domain/schedule/recurrence";
import { formatRule, parseRule } from "#domain/schedule/rule";
import type { Recurring, Span } from "#domain/schedule/schedule";
import { toInstant, toWall } from "#domain/time/wall-clock";
import { TIMEZONES, WEEKDAYS } from "#domain/enums";
import { aSchedule, at, LA } from "./a-light";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const iso = (found: Span[]) => found.map(({ start, end }) => [show(start), show(end)]);
const show = (instant: number) => new Date(instant).toISOString();

test("reads every supported rule", () => {
  expect(parseRule("FREQ=DAILY;COUNT=10")).toEqual({
    freq: "DAILY",
    interval: 1,
    byday: [],
    count: 10,
    until: null,
  });
  expect(parseRule("BYDAY=WE,MO;INTERVAL=2;FREQ=WEEKLY;UNTIL=20270101T000000Z")).toEqual({
    freq: "WEEKLY",
    interval: 2,
    byday: ["MO", "WE"],
    count: null,
    until: "20270101T000000Z",
  });
  for (const good of ["FREQ=DAILY", "freq=daily", "FREQ=DAILY;UNTIL=20270101", "FREQ=DAILY;UNTIL=20270101T235900"]) {
    expect(parseRule(good), good).not.toBeNull();
  }
});

test("rejects any other rule", () => {
  const bad = [
    "FREQ=DA\u0131LY", // uppercase turns ı into I
    "FREQ=DAILY;COUNT=1E1",
    "FREQ=DAILY\n",
    "",
    "RRULE:FREQ=DAILY",
    "COUNT=3",
    "FREQ=MONTHLY",
    "FREQ=HOURLY;COUNT=3",
    "FREQ=WEEKLY",
    "FREQ=WEEKLY;BYDAY=",
    "FREQ=WEEKLY;BYDAY=XX",
    "FREQ=WEEKLY;BYDAY=1MO",
    "FREQ=WEEKLY;BYDAY=MO,MO",
    "FREQ=DAILY;BYDAY=MO",
    "FREQ=DAILY;COUNT=0",
    "FREQ=DAILY;COUNT=101",
    "FREQ=DAILY;COUNT=-1",
    "FREQ=DAILY;COUNT=1.5",
    "FREQ=DAILY;COUNT=",
    "FREQ=DAILY;INTERVAL=0",
    "FREQ=DAILY;INTERVAL=367",
    "FREQ=DAILY;INTERVAL=",
    "FREQ=DAILY;COUNT=3;UNTIL=20270101",
    "FREQ=DAILY;UNTIL=20270230",
    "FREQ=DAILY;UNTIL=20270101T250000Z",
    "FREQ=DAILY;UNTIL=2027-01-01",
    "FREQ=DAILY;UNTIL=",
    "FREQ=DAILY;FREQ=DAILY",
    "FREQ=DAILY;BYHOUR=3",
    "FREQ=DAILY;WKST=SU",
    "FREQ=DAILY;",
    "FREQ=DAILY ;COUNT=3",
    "FREQ=DAILY\nCOUNT=3",
    "FREQ=DAILY=3",
  ];
  for (const text of bad) expect(parseRule(text), text).toBeNull();
});

test("writes a rule as the form does", () => {
  for (const text of [
    "FREQ=DAILY;COUNT=10",
    "FREQ=WEEKLY;BYDAY=MO,WE;COUNT=10",
    "FREQ=DAILY;INTERVAL=3;UNTIL=20270101",
  ]) {
    const rule = parseRule(text);
    expect(rule && formatRule(rule)).toBe(text);
  }
});

test("a schedule without a rule is exactly its own window", () => {
  const once = aSchedule("2026-07-01 18:00", "2026-07-01 22:00");
  const window = { start: at("2026-07-01 18:00"), end: at("2026-07-01 22:00"), date: "2026-07-01" };
  expect(occurrences(once, at("2026-07-01 00:00"), at("2026-07-02 00:00"))).toEqual([window]);
  expect(occurrences(once, window.end, window.end + DAY)).toEqual([]);
  expect(occurrences(once, window.start - DAY, window.start)).toEqual([]);
  expect(nextStart(once, window.start - 1)).toBe(window.start);
  expect(nextStart(once, window.start)).toBeNull();
  expect(lastEnd(once)).toBe(window.end);
});

test("keeps one-off windows of the autumn night as stored, in either hour", () => {
  const second = { start_at: "2026-11-01T09:30:00Z", end_at: "2026-11-01T09:45:00Z", rrule: null, timezone: LA };
  expect(iso(occurrences(second, 0, at("2027-01-01 00:00")))).toEqual([
    ["2026-11-01T09:30:00.000Z", "2026-11-01T09:45:00.000Z"],
  ]);
});

test("daily 02:30-03:30 over spring forward starts at 03:30 and keeps its hour", () => {
  const daily = aSchedule("2026-03-07 02:30", "2026-03-07 03:30", "FREQ=DAILY;COUNT=3");
  expect(iso(occurrences(daily, 0, at("2026-04-01 00:00")))).toEqual([
    ["2026-03-07T10:30:00.000Z", "2026-03-07T11:30:00.000Z"],
    ["2026-03-08T10:30:00.000Z", "2026-03-08T11:30:00.000Z"],
    ["2026-03-09T09:30:00.000Z", "2026-03-09T10:30:00.000Z"],
  ]);
});

test("daily 02:30-03:15 over spring forward is never negative", () => {
  const daily = aSchedule("2026-03-07 02:30", "2026-03-07 03:15", "FREQ=DAILY");
  expect(iso(occurrences(daily, at("2026-03-08 00:00"), at("2026-03-09 00:00")))).toEqual([
    ["2026-03-08T10:30:00.000Z", "2026-03-08T11:15:00.000Z"],
  ]);
});

test("daily 01:30-02:30 over fall back starts once, at the first 01:30", () => {
  const daily = aSchedule("2026-10-31 01:30", "2026-10-31 02:30", "FREQ=DAILY");
  expect(iso(occurrences(daily, at("2026-11-01 00:00"), at("2026-11-02 00:00")))).toEqual([
    ["2026-11-01T08:30:00.000Z", "2026-11-01T10:30:00.000Z"],
  ]);
});

test("a repeating schedule stored in the second 01:30 of the autumn night first runs exactly as it is stored", () => {
  const second = { start_at: "2026-11-01T09:30:00Z", end_at: "2026-11-01T10:30:00Z", timezone: LA };
  for (const rrule of [
    "FREQ=DAILY;COUNT=2",
    "FREQ=DAILY",
    "FREQ=WEEKLY;BYDAY=SU,MO",
    "FREQ=DAILY;UNTIL=20261102T093000Z",
  ]) {
    const found = occurrences({ ...second, rrule }, 0, at("2026-11-03 00:00"));
    expect(iso(found), rrule).toEqual([
      ["2026-11-01T09:30:00.000Z", "2026-11-01T10:30:00.000Z"],
      ["2026-11-02T09:30:00.000Z", "2026-11-02T10:30:00.000Z"],
    ]);
  }
  const none = occurrences({ ...second, rrule: "FREQ=DAILY;UNTIL=20261101T092900Z" }, 0, at("2026-11-03 00:00"));
  expect(none).toEqual([]);
  expect(nextStart({ ...second, rrule: "FREQ=DAILY" }, Date.parse("2026-11-01T08:30:00Z"))).toBe(
    Date.parse("2026-11-01T09:30:00Z"),
  );
});

test("a first window over the autumn night keeps its stored end, and later ones their wall-clock length", () => {
  const over = { start_at: "2026-11-01T07:30:00Z", end_at: "2026-11-01T09:30:00Z", rrule: "FREQ=DAILY", timezone: LA };
  expect(iso(occurrences(over, 0, at("2026-11-02 12:00")))).toEqual([
    ["2026-11-01T07:30:00.000Z", "2026-11-01T09:30:00.000Z"],
    ["2026-11-02T08:30:00.000Z", "2026-11-02T09:30:00.000Z"],
  ]);
});

test("an 18:00 schedule made in winter starts at 18:00 wall clock in summer", () => {
  const weekly = aSchedule("2026-01-05 18:00", "2026-01-05 22:00", "FREQ=WEEKLY;BYDAY=MO");
  expect(nextStart(weekly, at("2026-07-01 00:00"))).toBe(at("2026-07-06 18:00"));
});

test("17:00-01:00 is one window over midnight", () => {
  const daily = aSchedule("2026-07-01 17:00", "2026-07-02 01:00", "FREQ=DAILY");
  expect(occurrences(daily, at("2026-07-04 00:00"), at("2026-07-04 00:01"))).toEqual([
    { start: at("2026-07-03 17:00"), end: at("2026-07-04 01:00"), date: "2026-07-03" },
  ]);
});

test("daily 06:00-06:00 touches itself, on long days and on short ones", () => {
  const always = aSchedule("2026-03-05 06:00", "2026-03-06 06:00", "FREQ=DAILY");
  const found = occurrences(always, at("2026-03-05 06:00"), at("2026-11-10 06:00"));
  expect(found.every((one, index) => index === 0 || one.start === found[index - 1]?.end)).toBe(true);
});

test("UNTIL in UTC is an instant, and the start that equals it is the last", () => {
  const last = at("2026-11-02 18:00");
  const until = show(last).replaceAll(/[-:]|\.000/g, "");
  const daily = aSchedule("2026-10-30 18:00", "2026-10-30 22:00", `FREQ=DAILY;UNTIL=${until}`);
  expect(until).toBe("20261103T020000Z");
  expect(lastEnd(daily)).toBe(at("2026-11-02 22:00"));
  const before = aSchedule("2026-10-30 18:00", "2026-10-30 22:00", "FREQ=DAILY;UNTIL=20261103T015959Z");
  expect(lastEnd(before)).toBe(at("2026-11-01 22:00"));
});

test("a floating UNTIL is local, and a date counts to its end", () => {
  const floating = aSchedule("2026-10-30 18:00", "2026-10-30 22:00", "FREQ=DAILY;UNTIL=20261102T180000");
  expect(lastEnd(floating)).toBe(at("2026-11-02 22:00"));
  const sooner = aSchedule("2026-10-30 18:00", "2026-10-30 22:00", "FREQ=DAILY;UNTIL=20261102T175959");
  expect(lastEnd(sooner)).toBe(at("2026-11-01 22:00"));
  const date = aSchedule("2026-10-30 23:59", "2026-10-31 03:00", "FREQ=DAILY;UNTIL=20261102");
  expect(lastEnd(date)).toBe(at("2026-11-03 03:00"));
});

test("UNTIL before the start gives no occurrence and an end at its start", () => {
  const never = aSchedule("2026-07-01 18:00", "2026-07-01 22:00", "FREQ=DAILY;UNTIL=20260601");
  expect(occurrences(never, 0, at("2030-01-01 00:00"))).toEqual([]);
  expect(nextStart(never, 0)).toBeNull();
  expect(lastEnd(never)).toBe(at("2026-07-01 18:00"));
});

test("a rule whose last window ends after the year 9999 never ends", () => {
  const evenings = aSchedule("2026-07-01 18:00", "2026-07-01 22:00", "FREQ=DAILY;UNTIL=99991231");
  expect(lastEnd(evenings)).toBeNull();
  expect(describeRule(evenings)).toBe("Every day, 6:00 PM - 10:00 PM, never ends");
  const mornings = aSchedule("2026-07-01 06:00", "2026-07-01 08:00", "FREQ=DAILY;UNTIL=99991231");
  expect(lastEnd(mornings)).toBe(Date.parse("9999-12-31T16:00:00Z"));
});

test("a rule that can't be read has no occurrence", () => {
  const broken = aSchedule("2026-07-01 18:00", "2026-07-01 22:00", "FREQ=YEARLY");
  expect(occurrences(broken, 0, at("2030-01-01 00:00"))).toEqual([]);
  expect(nextStart(broken, 0)).toBeNull();
  expect(lastEnd(broken)).toBe(at("2026-07-01 18:00"));
});

test("a weekly rule whose start day is not among its days begins on the first that is, and COUNT counts from there", () => {
  const weekly = aSchedule("2026-07-01 18:00", "2026-07-01 22:00", "FREQ=WEEKLY;BYDAY=MO,FR;COUNT=3"); // a Wednesday
  expect(occurrences(weekly, 0, at("2027-01-01 00:00")).map((one) => one.start)).toEqual([
    at("2026-07-03 18:00"),
    at("2026-07-06 18:00"),
    at("2026-07-10 18:00"),
  ]);
});

test("an endless rule from ten years ago costs no more than a new one", () => {
  const old = aSchedule("2016-07-01 18:00", "2016-07-01 22:00", "FREQ=DAILY");
  expect(lastEnd(old)).toBeNull();
  expect(nextStart(old, at("2026-07-01 19:00"))).toBe(at("2026-07-02 18:00"));
});

test("a preview describes a schedule in words", () => {
  const say = (rrule: string | null) => describeRule(aSchedule("2027-01-04 18:00", "2027-01-04 22:00", rrule));
  expect(say("FREQ=WEEKLY;BYDAY=MO,WE;COUNT=10")).toBe(
    "Every Mon and Wed, 6:00 PM - 10:00 PM, 10 times, until Wed, Feb 3",
  );
  expect(say("FREQ=DAILY")).toBe("Every day, 6:00 PM - 10:00 PM, never ends");
  expect(say("FREQ=DAILY;INTERVAL=2;UNTIL=20270110")).toBe("Every 2 days, 6:00 PM - 10:00 PM, until Sun, Jan 10");
  expect(say("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU,FR;COUNT=1")).toBe(
    "Every 2 weeks on Mon, Tue and Fri, 6:00 PM - 10:00 PM, once, until Mon, Jan 4",
  );
  expect(say("FREQ=DAILY;UNTIL=20290101")).toBe("Every day, 6:00 PM - 10:00 PM, until Mon, Jan 1, 2029");
  expect(say("FREQ=DAILY;UNTIL=20260101")).toBe("Every day, 6:00 PM - 10:00 PM, ends before it begins");
  expect(say(null)).toBe("Once, Mon, Jan 4, 6:00 PM - 10:00 PM");
});

const BASE = Date.UTC(2025, 8, 1);
const someEnd = fc.oneof(
  fc.constant(""),
  fc.integer({ min: 1, max: 100 }).map((count) => `;COUNT=${count}`),
  fc.tuple(fc.integer({ min: -5, max: 500 }), fc.constantFrom("date", "wall", "utc")).map(([day, form]) => {
    const text = new Date(BASE + day * DAY + 19 * HOUR).toISOString().replaceAll(/[-:]|\.000/g, "");
    return `;UNTIL=${form === "utc" ? text : text.slice(0, form === "date" ? 8 : 15)}`;
  }),
);
const someRule = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.option(fc.subarray([...WEEKDAYS], { minLength: 1 })), someEnd)
  .map(
    ([interval, days, end]) =>
      `FREQ=${days ? "WEEKLY" : "DAILY"};INTERVAL=${interval}${days ? `;BYDAY=${days}` : ""}${end}`,
  );
const someSchedule: fc.Arbitrary<Recurring> = fc
  .record({
    start: fc.integer({ min: 0, max: 400 * 96 }).map((quarter) => BASE + (quarter * DAY) / 96),
    quarters: fc.integer({ min: 1, max: 96 }),
    rrule: fc.option(someRule),
    timezone: fc.constantFrom(...TIMEZONES),
  })
  .map(({ start, quarters, ...rest }) => ({
    ...rest,
    start_at: show(start),
    end_at: show(start + (quarters * DAY) / 96),
  }));
const someTime = fc.integer({ min: -100, max: 600 * 96 }).map((quarter) => BASE + (quarter * DAY) / 96);

test("expansion agrees with counting the days one by one", () => {
  fc.assert(
    fc.property(someSchedule, someTime, (schedule, from) => {
      const to = from + 60 * DAY;
      const slow = dayByDay(schedule, to).filter((one) => one.end > from && one.start < to);
      expect(iso(occurrences(schedule, from, to))).toEqual(iso(slow));
    }),
    { numRuns: 400 },
  );
});

test("splitting a range never changes its occurrences", () => {
  fc.assert(
    fc.property(someSchedule, someTime, fc.integer({ min: 1, max: 40 * 96 }), (schedule, from, quarters) => {
      const middle = from + (quarters * DAY) / 96;
      const to = from + 45 * DAY;
      const parts = [...occurrences(schedule, from, middle), ...occurrences(schedule, middle, to)];
      const unique = new Map(parts.map((one) => [one.start, one]));
      expect([...unique.values()]).toEqual(occurrences(schedule, from, to));
    }),
  );
});

test("the next start is the first occurrence that starts later", () => {
  fc.assert(
    fc.property(someSchedule, someTime, (schedule, after) => {
      const later = occurrences(schedule, after, after + 600 * DAY).find((one) => one.start > after);
      expect(nextStart(schedule, after)).toBe(later?.start ?? null);
    }),
  );
});

test("the last end is an occurrence's, and none comes after it", () => {
  fc.assert(
    fc.property(someSchedule, (schedule) => {
      const end = lastEnd(schedule);
      if (end === null) {
        expect(nextStart(schedule, BASE + 9000 * DAY)).not.toBeNull();
        return;
      }
      expect(occurrences(schedule, end, end + 1000 * DAY)).toEqual([]);
      const isEmpty = nextStart(schedule, 0) === null;
      expect(occurrences(schedule, end - 1, end).some((one) => one.end === end)).toBe(!isEmpty);
    }),
  );
});

/** Slow and obvious: tries every day since the first and counts. */
function dayByDay(schedule: Recurring, to: number): Span[] {
  const first = { start: Date.parse(schedule.start_at), end: Date.parse(schedule.end_at) };
  if (schedule.rrule === null) return [first];
  const part = (name: string) => new RegExp(`${name}=([^;]+)`).exec(schedule.rrule ?? "")?.[1];
  const zone = schedule.timezone;
  const wall = toWall(zone, first.start);
  const shown = toWall(zone, first.end) - wall;
  const length = shown > 0 ? shown : first.end - first.start;
  const mondayBefore = (day: number) => day - ((new Date(day).getUTCDay() + 6) % 7) * DAY;

  const made: Span[] = [];
  for (let day = wall; day < to + 3 * DAY; day += DAY) {
    const weekday = WEEKDAYS[(new Date(day).getUTCDay() + 6) % 7] ?? "MO";
    const days = part("BYDAY")?.split(",");
    const passed = days ? Math.round((mondayBefore(day) - mondayBefore(wall)) / (7 * DAY)) : (day - wall) / DAY;
    if ((days && !days.includes(weekday)) || passed % Number(part("INTERVAL")) !== 0) continue;
    if (part("COUNT") && made.length >= Number(part("COUNT"))) break;
    const start = day === wall ? first.start : toInstant(zone, day);
    const until = part("UNTIL");
    const text = (until?.endsWith("Z") ? show(start) : show(day)).replaceAll(/[-:]|\.000/g, "");
    if (until && text.slice(0, until.length) > until) break;
    const end = day === wall ? first.end : toInstant(zone, day + length);
    made.push({ start, end: end > start ? end : start + length });
  }
  return made;
}

test("a window that first spans the night of a change is as long by the wall on every other night", () => {
  const spring = aSchedule("2026-03-07 20:00", "2026-03-08 07:00", "FREQ=DAILY;COUNT=2");
  expect(occurrences(spring, at("2026-03-07 00:00"), at("2026-03-10 00:00"))).toEqual([
    { start: at("2026-03-07 20:00"), end: at("2026-03-08 07:00"), date: "2026-03-07" },
    { start: at("2026-03-08 20:00"), end: at("2026-03-09 07:00"), date: "2026-03-08" },
  ]);
});

test("a window whose end the clock shows before its start keeps its real length", () => {
  const autumn = {
    start_at: "2026-11-01T01:30:00-07:00",
    end_at: "2026-11-01T01:10:00-08:00",
    rrule: "FREQ=DAILY;COUNT=2",
    timezone: "America/Los_Angeles",
  };
  expect(occurrences(autumn, at("2026-11-02 00:00"), at("2026-11-03 00:00"))).toEqual([
    { start: at("2026-11-02 01:30"), end: at("2026-11-02 02:10"), date: "2026-11-02" },
  ]);
});

test("a rule that ends on a page's last days has its last end there", () => {
  const daily = aSchedule("2026-07-01 18:00", "2026-07-01 20:00", "FREQ=DAILY;UNTIL=20260716");
  expect(lastEnd(daily)).toBe(at("2026-07-16 20:00"));
});

test("a preview says that a rule can't be read", () => {
  const odd = aSchedule("2026-07-01 18:00", "2026-07-01 20:00", "FREQ=HOURLY");
  expect(describeRule(odd)).toBe("Never: its rule can't be read");
  expect(occurrences(odd, at("2026-07-01 00:00"), at("2026-07-09 00:00"))).toEqual([]);
  expect(lastEnd(odd)).toBe(at("2026-07-01 18:00"));
});

test("names the year only if the last occurrence is more than 360 days away", () => {
  const every = (days: number) =>
    describeRule(aSchedule("2026-01-01 18:00", "2026-01-01 20:00", `FREQ=DAILY;INTERVAL=${days};COUNT=2`));
  expect(every(360)).toBe("Every 360 days, 6:00 PM - 8:00 PM, 2 times, until Sun, Dec 27");
  expect(every(361)).toBe("Every 361 days, 6:00 PM - 8:00 PM, 2 times, until Mon, Dec 28, 2026");
});

test("every day of the week has its name", () => {
  const weekly = aSchedule("2026-07-01 18:00", "2026-07-01 20:00", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU");
  expect(describeRule(weekly)).toBe("Every Mon, Tue, Wed, Thu, Fri, Sat and Sun, 6:00 PM - 8:00 PM, never ends");
});

test("no day is lost where one page of days ends and the next begins", () => {
  const daily = aSchedule("2027-01-04 18:00", "2027-01-04 22:00", "FREQ=DAILY");
  const first = Date.parse(daily.start_at);
  const days = Array.from({ length: 60 }, (_, day) => first + day * 86_400_000);
  expect(days.filter((start) => occurrences(daily, start, start + 1).length !== 1)).toEqual([]);
  expect(days.filter((start) => nextStart(daily, start - 1) !== start)).toEqual([]);
});

test("rejects an UNTIL with letters before the date", () => {
  expect(parseRule("FREQ=DAILY;UNTIL=AB20270101")).toBeNull();
});

test("a rule of one weekday names it alone", () => {
  const rule = "FREQ=WEEKLY;BYDAY=MO";
  expect(describeRule(aSchedule("2027-01-04 18:00", "2027-01-04 22:00", rule))).toBe(
    "Every Mon, 6:00 PM - 10:00 PM, never ends",
  );
});

test("a window of the hour that comes twice keeps its length on other nights", () => {
  const twice = {
    start_at: "2026-11-01T08:30:00.000Z",
    end_at: "2026-11-01T09:30:00.000Z",
    timezone: LA,
    rrule: "FREQ=DAILY",
  };
  const [next] = occurrences(twice, at("2026-11-02 00:00"), at("2026-11-02 12:00"));
  expect((next?.end ?? 0) - (next?.start ?? 0)).toBe(HOUR);
});

test("the same window and rule in another zone repeat at other instants", () => {
  const daily = aSchedule("2026-03-01 18:00", "2026-03-01 20:00", "FREQ=DAILY");
  const after = at("2026-03-08 12:00");
  expect(nextStart({ ...daily, timezone: "UTC" }, after)).toBe(Date.parse("2026-03-09T02:00:00Z"));
  expect(nextStart(daily, after)).toBe(Date.parse("2026-03-09T01:00:00Z"));
});
