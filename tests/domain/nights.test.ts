import { expect, test } from "vitest";
import { comingWindows } from "#domain/schedule/coming-windows";
import { describeRule } from "#domain/schedule/describe-rule";
import {
  comingOccurrences,
  lastEnd,
  lastOccurrence,
  nextStart,
  occurrences,
  windowOn,
} from "#domain/schedule/recurrence";
import type { Recurring } from "#domain/schedule/schedule";
import type { Position, SunEvent, SunTime } from "#domain/schedule/sun-time";
import { aSchedule, at, guardrails, Light } from "./a-light";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const LONG_AGO = "2020-01-01T00:00:00.000Z";
const show = (instant: number) => new Date(instant).toISOString();
const days = (...dates: string[]) => dates.map((date) => ({ date }));
const ALWAYS: readonly Position[] = [{ lat: 34.0522, lon: -118.2437, since: LONG_AGO }];
const bySun = (event: SunEvent, over: Partial<SunTime> = {}): SunTime => ({
  event,
  offset_min: 0,
  not_before: null,
  not_after: null,
  ...over,
});
/** From dusk to dawn in Los Angeles, beginning on July 1. */
const path = (over: Partial<Recurring> = {}): Recurring => ({
  ...aSchedule("2026-07-01 20:37", "2026-07-02 05:15", "FREQ=DAILY"),
  start_sun: bySun("dusk"),
  end_sun: bySun("dawn"),
  positions: ALWAYS,
  ...over,
});
const duskTo = (end: string, over: Partial<Recurring> = {}) =>
  path({ end_at: new Date(at(`2026-07-01 ${end}`)).toISOString(), end_sun: null, ...over });
const nights = (schedule: Recurring, from: string, most: number) =>
  occurrences(schedule, at(`${from} 12:00`), at(`${from} 12:00`) + most * DAY);
const dates = (schedule: Recurring, from: string, most: number) =>
  nights(schedule, from, most).map(({ date }) => date.slice(5));
const minutes = (schedule: Recurring, date: string) => {
  const [night] = nights(schedule, date, 1);
  const text = (instant = 0) =>
    new Date(instant).toLocaleTimeString("en-GB", { timeZone: schedule.timezone, hour: "2-digit", minute: "2-digit" });
  return night && `${text(night.start)}-${text(night.end)}`;
};

test("a path burns from each evening's dusk to the next morning's dawn", () => {
  expect(minutes(path(), "2026-07-01")).toBe("20:37-05:16");
  expect(minutes(path(), "2026-12-21")).toBe("17:15-06:27");
  expect(dates(path(), "2026-07-01", 3)).toEqual(["07-01", "07-02", "07-03"]);
});

test("a schedule by the sun names the sun's times, not the hours of its first night", () => {
  expect(describeRule(path())).toBe("Every day, dusk to dawn, never ends");
  expect(describeRule(duskTo("23:00"))).toBe("Every day, dusk to 11:00 PM, never ends");
  const start_sun = bySun("sunset", { offset_min: 30 });
  const end_sun = bySun("sunrise", { offset_min: -15 });
  expect(describeRule(path({ start_sun, end_sun, rrule: null }))).toBe(
    "Once, Wed, Jul 1, 30 min after sunset to 15 min before sunrise",
  );
});

test("a schedule that begins by the sun after midnight ends on the date of an evening", () => {
  const start_sun = bySun("dusk", { offset_min: 180, not_before: "00:30" });
  const late = (rrule: string) =>
    path({ start_at: show(at("2026-07-03 00:30")), end_at: show(at("2026-07-03 05:16")), start_sun, rrule });
  const until = (rrule: string) => [/until .*/.exec(describeRule(late(rrule)))?.[0], lastOccurrence(late(rrule))?.date];
  expect(until("FREQ=WEEKLY;BYDAY=TH;COUNT=3")).toEqual(["until Thu, Jul 16", "2026-07-16"]);
  expect(until("FREQ=DAILY;INTERVAL=2;UNTIL=20260706")).toEqual(["until Mon, Jul 6", "2026-07-06"]);
  expect(until("FREQ=DAILY;UNTIL=20260706T120000")).toEqual(["until Sun, Jul 5", "2026-07-05"]);
});

test("dusk to 20:30 lights nothing while dusk is later, and the whole winter long", () => {
  const field = duskTo("20:30");
  expect(nights(field, "2026-07-01", 1)).toEqual([]);
  expect(windowOn(field, "2026-07-01")).toBeNull();
  expect(minutes(field, "2026-12-21")).toBe("17:15-20:30");
  const light = new Light({ field }).goTo("2026-07-03 12:00");
  expect(light.log).toEqual([]);
  light.now = at("2026-12-21 12:00");
  expect(light.goTo("2026-12-21 23:00").log).toEqual(["on 17:15", "off 20:30"]);
});

test("the first window after a summer without one is found, and told as the next event", () => {
  const field = duskTo("20:00");
  const [first] = comingOccurrences(field, at("2026-07-01 12:00"), 1);
  expect(first?.date).toBe("2026-08-20");
  expect(nextStart(field, at("2026-07-01 12:00"))).toBe(first?.start);
  expect(comingWindows(field, at("2026-07-01 12:00")).window_start_at).toBe(new Date(first?.start ?? 0).toISOString());
});

test("where every night's window is empty the search for one ends", () => {
  const start_sun = bySun("sunset", { not_before: "21:00" });
  const never = path({ start_sun, end_sun: bySun("sunset", { not_after: "21:00" }) });
  for (const schedule of [never, path({ positions: [] })]) {
    expect(nextStart(schedule, at("2026-07-01 12:00"))).toBeNull();
    expect(nextStart({ ...schedule, rrule: "FREQ=WEEKLY;BYDAY=MO;INTERVAL=50" }, 0)).toBeNull();
  }
  expect(lastEnd(path({ positions: [], rrule: null }))).toBe(at("2026-07-01 20:37"));
});

test("only one end may go by the sun, and the other keeps its time on the wall through a clock change", () => {
  const evening = path({
    ...aSchedule("2026-10-30 18:00", "2026-10-31 07:00", "FREQ=DAILY"),
    start_sun: null,
    end_sun: bySun("sunrise", { offset_min: -30 }),
  });
  expect(minutes(evening, "2026-10-30")).toBe("18:00-06:41");
  expect(minutes(evening, "2026-10-31")).toBe("18:00-05:42");
  const morning = path({ ...aSchedule("2026-03-06 18:04", "2026-03-06 22:00", "FREQ=DAILY"), end_sun: null });
  expect(minutes(morning, "2026-03-08")).toBe("19:20-22:00");
});

test("the dates of the stored instants say whether a night ends on its own day or the next", () => {
  const sameDay = path({
    ...aSchedule("2026-07-01 05:00", "2026-07-01 05:44", "FREQ=DAILY"),
    start_sun: null,
    end_sun: bySun("sunrise"),
  });
  expect(nights({ ...sameDay }, "2026-07-04", 1)[0]?.date).toBe("2026-07-05");
  const nextDay = path({ ...aSchedule("2026-07-01 20:37", "2026-07-02 02:00", "FREQ=DAILY"), end_sun: null });
  expect(minutes(nextDay, "2026-12-21")).toBe("17:15-02:00");
});

test("a dusk after midnight belongs to the evening before, also as the first of a schedule", () => {
  const fairbanks = path({
    start_at: "2026-06-20T08:47:00.000Z",
    end_at: "2026-06-20T11:00:00.000Z",
    timezone: "America/Anchorage",
    positions: [{ lat: 64.84, lon: -147.72, since: LONG_AGO }],
    start_sun: bySun("sunset"),
    end_sun: null,
    rrule: "FREQ=WEEKLY;BYDAY=FR",
  });
  const [first] = comingOccurrences(fairbanks, Date.parse(fairbanks.start_at) - DAY, 1);
  expect(first?.date).toBe("2026-06-19");
  expect(new Date(first?.start ?? 0).toISOString().slice(0, 10)).toBe("2026-06-20");
});

test("a window that has begun keeps its instants when its place is moved, and the next one goes by the new place", () => {
  const moved = at("2026-07-01 20:40");
  const east = ALWAYS[0] ?? { lat: 0, lon: 0, since: LONG_AGO };
  const west = { lat: 34.0522, lon: -119.5, since: show(moved) };
  const before = duskTo("23:00", { positions: [east] });
  const after = duskTo("23:00", { positions: [east, west] });
  const [tonight, tomorrow] = nights(after, "2026-07-01", 2);
  expect(tonight).toEqual(nights(before, "2026-07-01", 1)[0]);
  expect(tomorrow?.start).toBe(nights(duskTo("23:00", { positions: [west] }), "2026-07-02", 1)[0]?.start);
  // Had it not begun, the new place would have had its say at once.
  const early = { ...west, since: show(at("2026-07-01 20:30")) };
  expect(nights(duskTo("23:00", { positions: [east, early] }), "2026-07-01", 1)).toEqual(
    nights(duskTo("23:00", { positions: [west] }), "2026-07-01", 1),
  );
});

test("a lamp switched off after sunset is not lit again by a later one", () => {
  const sunset = { start_sun: bySun("sunset"), start_at: new Date(at("2026-07-01 20:08")).toISOString() };
  const light = new Light({ field: duskTo("23:00", sunset) });
  light.goTo("2026-07-01 20:09").toggleOff().goTo("2026-07-01 20:10");
  light.change({
    field: { ...duskTo("23:00", sunset), positions: [...ALWAYS, { lat: 34, lon: -119.5, since: show(light.now) }] },
  });
  expect(light.goTo("2026-07-01 23:30").log).toEqual(["on 20:08", "off 20:09"]);
});

test("a skipped date does not happen, keeps its number for COUNT, and moves no end", () => {
  const week = aSchedule("2026-07-01 18:00", "2026-07-01 22:00", "FREQ=DAILY;COUNT=5");
  const skipped = { ...week, skips: days("2026-07-02", "2026-07-05", "2026-08-01") };
  expect(dates(skipped, "2026-07-01", 30)).toEqual(["07-01", "07-03", "07-04"]);
  expect(lastEnd(skipped)).toBe(lastEnd(week));
  expect(lastOccurrence(skipped)?.date).toBe("2026-07-05");
  expect(nextStart(skipped, at("2026-07-01 19:00"))).toBe(at("2026-07-03 18:00"));
  expect(windowOn(skipped, "2026-07-02")).toEqual({ start: at("2026-07-02 18:00"), end: at("2026-07-02 22:00") });
  expect(windowOn(skipped, "2026-07-06")).toBeNull();
  expect(windowOn(skipped, "2026-06-30")).toBeNull();
  expect(windowOn({ ...week, rrule: "FREQ=WEEKLY;BYDAY=WE" }, "2026-07-09")).toBeNull();
});

test("a window past midnight is skipped by the date on which it began", () => {
  const late = aSchedule("2026-07-01 20:00", "2026-07-02 02:00", "FREQ=DAILY");
  const light = new Light({ late }, guardrails({ MAX_ON_DURATION_MIN: 480 })).goTo("2026-07-02 00:30");
  light.change({ late: { ...late, skips: days("2026-07-01") } });
  expect(light.goTo("2026-07-02 21:00").log).toEqual(["on 20:00", "off 00:30", "on 20:00"]);
});

test("a calendar's dates are skipped, or are the only ones", () => {
  const daily = aSchedule("2026-07-01 18:00", "2026-07-01 22:00", "FREQ=DAILY");
  const holidays = days("2026-07-03", "2026-07-04", "2027-01-01");
  const off = { ...daily, calendar: { rule: "skip" as const, dates: holidays } };
  const only = { ...daily, calendar: { rule: "only" as const, dates: holidays } };
  expect(dates(off, "2026-07-01", 5)).toEqual(["07-01", "07-02", "07-05"]);
  expect(dates(only, "2026-07-01", 5)).toEqual(["07-03", "07-04"]);
  expect(dates({ ...only, skips: days("2026-07-03") }, "2026-07-01", 5)).toEqual(["07-04"]);
  expect(nextStart(only, at("2026-07-05 00:00"))).toBe(at("2027-01-01 18:00"));
  expect(nextStart(only, at("2027-01-01 18:00"))).toBeNull();
  expect(lastEnd(only)).toBeNull();
  expect(nextStart({ ...daily, calendar: { rule: "only", dates: [] } }, 0)).toBeNull();
  expect(nextStart({ ...daily, calendar: { rule: "skip", dates: [] } }, 0)).toBe(at("2026-07-01 18:00"));
  expect(nextStart({ ...daily, calendar: null, skips: [] }, 0)).toBe(at("2026-07-01 18:00"));
});

test("a schedule that keeps to a calendar says so in words, where the calendar's name is known", () => {
  const daily = aSchedule("2026-07-01 18:00", "2026-07-01 22:00", "FREQ=DAILY");
  const holidays = days("2026-07-03");
  const by = (rule: "skip" | "only") =>
    describeRule({ ...daily, calendar: { rule, dates: holidays, name: "Holidays" } });
  expect(by("skip")).toBe("Every day, 6:00 PM - 10:00 PM, never ends, not on the dates of Holidays");
  expect(by("only")).toBe("Every day, 6:00 PM - 10:00 PM, never ends, only on the dates of Holidays");
  expect(describeRule({ ...daily, calendar: { rule: "skip", dates: holidays } })).toBe(describeRule(daily));
});

test("a one-off that is skipped does not happen, and its schedule still ends when it would have", () => {
  const once = { ...aSchedule("2026-07-01 18:00", "2026-07-01 22:00"), skips: days("2026-07-01") };
  expect(nights(once, "2026-07-01", 1)).toEqual([]);
  expect(lastEnd(once)).toBe(at("2026-07-01 22:00"));
});

test("a rule by the sun ends on the date that its UNTIL names, though the sun sets after midnight", () => {
  const until = path({ rrule: "FREQ=DAILY;UNTIL=20260703" });
  expect(dates(until, "2026-07-01", 9)).toEqual(["07-01", "07-02", "07-03"]);
  expect(lastEnd(until)).toBe(nights(path(), "2026-07-03", 1)[0]?.end);
  const zulu = path({ rrule: "FREQ=DAILY;UNTIL=20260704T065959Z" });
  expect(dates(zulu, "2026-07-01", 9)).toEqual(["07-01", "07-02", "07-03"]);
  const hour = path({ rrule: "FREQ=DAILY;UNTIL=20260703T203600" });
  expect(dates(hour, "2026-07-01", 9)).toEqual(["07-01", "07-02"]);
});

test("a rule that a form ends with a day's last minute has that day's sunset, though it is after the zone's midnight", () => {
  const utc = path({
    start_at: "2026-12-04T00:44:00.000Z",
    end_at: "2026-12-04T03:00:00.000Z",
    end_sun: null,
    start_sun: bySun("sunset"),
    timezone: "UTC",
    rrule: "FREQ=DAILY;UNTIL=20261206T235900Z",
  });
  expect(dates(utc, "2026-12-03", 9)).toEqual(["12-03", "12-04", "12-05", "12-06"]);
});

// What people write as 'for ever', or a slip in the year: day by day, each of them is a walk of seconds.
test.each(["9999-12-31", "3026-12-24"])("a calendar whose last date is %s costs no more than any other", (last) => {
  const daily = path({ start_sun: null, end_sun: null });
  const only = (...more: string[]) => ({
    ...daily,
    calendar: { rule: "only" as const, dates: days(last, "2020-01-01", ...more) },
  });
  const began = performance.now();
  expect(comingOccurrences(only(), at("2026-11-26 12:00"), 2).map(({ date }) => date)).toEqual([last]);
  expect(dates(only("2027-01-01"), "2026-11-26", 60)).toEqual(["01-01"]);
  expect(nextStart(only("none"), at("2026-11-26 12:00"))).toBeGreaterThan(at("2999-01-01 00:00"));
  expect(nextStart({ ...only(), rrule: "FREQ=WEEKLY;INTERVAL=2;BYDAY=SA" }, at("2026-11-26 12:00"))).toBeNull();
  expect(performance.now() - began).toBeLessThan(200);
});

test("two schedules that share a calendar's dates read them once", () => {
  const all = days(...Array.from({ length: 2_000 }, (_, n) => show(Date.UTC(2026, 0, 1) + n * DAY).slice(0, 10)));
  let reads = 0;
  const dates = new Proxy(all, { get: (target, key) => (reads += 1) && Reflect.get(target, key) });
  const daily = {
    ...aSchedule("2026-07-01 18:00", "2026-07-01 22:00", "FREQ=DAILY"),
    calendar: { rule: "skip" as const, dates },
  };
  const next = nextStart(daily, at("2026-07-01 00:00"));
  expect(new Date(next ?? 0).toISOString().slice(0, 10)).toBe("2031-06-25");
  expect(reads).toBeGreaterThan(2_000);
  reads = 0;
  for (let n = 0; n < 100; n += 1) {
    const another = { ...daily, start_at: new Date(Date.parse(daily.start_at) + n * 60_000).toISOString() };
    occurrences(another, at("2026-07-01 00:00"), at("2026-07-02 00:00"));
  }
  expect(reads).toBeLessThan(2_000);
});
