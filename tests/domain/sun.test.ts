import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sunAt } from "#domain/schedule/sun";
import { SUN_EVENTS, type SunEvent, type SunTime } from "#domain/schedule/sun-time";
import { boundsCross, dateOfSunTime, sunTimeOn } from "#domain/schedule/time-by-sun";
import { instantsOf, toInstant, toWall } from "#domain/time/wall-clock";
import { slowSunTime } from "#tests/support/slow-sun";
import { at, LA } from "./a-light";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const LOS_ANGELES = { lat: 34.0522, lon: -118.2437 };
const NORTH_CAPE = { lat: 71.17, lon: 25.78 };
const bySun = (event: SunEvent, over: Partial<SunTime> = {}): SunTime => ({
  event,
  offset_min: 0,
  not_before: null,
  not_after: null,
  ...over,
});
const dayOf = (date: string) => Date.parse(date) / DAY;
const on = (sun: SunTime, date: string, place = LOS_ANGELES, zone = LA) =>
  sunTimeOn(sun, dayOf(date), sunAt(place), instantsOf(zone));
const clock = (instant: number | null, zone = LA) =>
  instant === null ? null : new Date(toWall(zone, instant)).toISOString().slice(0, 16).replace("T", " ");

/** Every thirtieth day of 2026 in four cities, from an independent library, to the second. */
const [, ...ROWS] = readFileSync("tests/domain/sun-times.csv", "utf8").trim().split("\n");
const ZONES = {
  "Los Angeles": "America/Los_Angeles",
  Seattle: "America/Los_Angeles",
  Denver: "America/Denver",
  Miami: "America/New_York",
};

test("the sun is within 15 seconds of an independent library's instants, in four cities the year round", () => {
  const cities = new Set(ROWS.map((row) => row.split(",")[0]));
  expect([...cities].toSorted()).toEqual(Object.keys(ZONES).toSorted());
  for (const row of ROWS) {
    const [city = "", lat, lon, date = "", ...times] = row.split(",");
    const zone = Object.entries(ZONES).find(([name]) => name === city)?.[1] ?? "";
    for (const [n, event] of (["dawn", "sunrise", "sunset", "dusk"] as const).entries()) {
      const instant = on(bySun(event), date, { lat: Number(lat), lon: Number(lon) }, zone) ?? NaN;
      const wanted = Date.parse(times[n] ?? "");
      expect(Math.abs(instant - wanted), `${city} ${date} ${event}`).toBeLessThanOrEqual(15 * SECOND);
    }
  }
});

test("times are to the second, so that a browser and a server agree", () => {
  for (const event of SUN_EVENTS) expect((on(bySun(event), "2026-07-01") ?? 0) % SECOND).toBe(0);
});

test("sunset and dusk lie between noon and noon, sunrise and dawn between midnight and midnight", () => {
  expect(clock(on(bySun("sunrise"), "2026-12-21"))).toBe("2026-12-21 06:54");
  expect(clock(on(bySun("dusk"), "2026-12-21"))).toBe("2026-12-21 17:15");
  // At midsummer in Fairbanks the sun sets after midnight, and that is still the evening before.
  const fairbanks = { lat: 64.84, lon: -147.72 };
  expect(clock(on(bySun("sunset"), "2026-06-21", fairbanks, "America/Anchorage"), "America/Anchorage")).toBe(
    "2026-06-22 00:47",
  );
  expect(clock(on(bySun("sunrise"), "2026-06-21", fairbanks, "America/Anchorage"), "America/Anchorage")).toBe(
    "2026-06-21 02:57",
  );
});

test("an offset moves the time, and may not leave its bounds", () => {
  const sunset = on(bySun("sunset"), "2026-07-01") ?? 0;
  expect(on(bySun("sunset", { offset_min: -45 }), "2026-07-01")).toBe(sunset - 45 * MINUTE);
  expect(on(bySun("sunset", { offset_min: 180 }), "2026-07-01")).toBe(sunset + 180 * MINUTE);
  expect(on(bySun("sunset", { not_before: "20:30" }), "2026-07-01")).toBe(at("2026-07-01 20:30"));
  expect(on(bySun("sunset", { not_after: "19:45" }), "2026-07-01")).toBe(at("2026-07-01 19:45"));
  expect(on(bySun("sunset", { not_before: "17:00", not_after: "21:00" }), "2026-07-01")).toBe(sunset);
  expect(on(bySun("dawn", { not_before: "06:00" }), "2026-07-01")).toBe(at("2026-07-01 06:00"));
});

test("a bound before noon of an evening's event belongs to the next day", () => {
  expect(on(bySun("dusk", { not_before: "00:30" }), "2026-07-01")).toBe(at("2026-07-02 00:30"));
  expect(on(bySun("dusk", { offset_min: 180, not_after: "00:15" }), "2026-07-01")).toBe(
    on(bySun("dusk", { offset_min: 180 }), "2026-07-01"),
  );
  expect(on(bySun("dusk", { offset_min: 180, not_after: "23:30" }), "2026-07-01")).toBe(at("2026-07-01 23:30"));
});

test.each([
  ["sunset", "18:00", "17:59", true],
  ["sunset", "18:00", "18:00", false],
  ["sunset", "23:00", "00:30", false],
  ["sunset", "00:30", "23:00", true],
  ["sunrise", "05:00", "04:00", true],
  ["sunrise", "04:00", "13:00", false],
  ["dawn", null, "04:00", false],
  ["dusk", "18:00", null, false],
] as const)("the bounds of a %s not before %s and not after %s cross: %s", (event, not_before, not_after, cross) => {
  expect(boundsCross(bySun(event, { not_before, not_after }))).toBe(cross);
});

test("beyond the polar circle the sun does not do it for weeks", () => {
  const zone = "Europe/Oslo";
  expect(on(bySun("sunset"), "2026-06-21", NORTH_CAPE, zone)).toBeNull();
  expect(on(bySun("sunrise"), "2026-12-21", NORTH_CAPE, zone)).toBeNull();
  expect(on(bySun("dusk"), "2026-06-21", NORTH_CAPE, zone)).toBeNull();
  // The light of a polar night's noon still has a dawn.
  expect(on(bySun("dawn"), "2026-12-21", NORTH_CAPE, zone)).not.toBeNull();
  // A bound is none for a sun that does not set at all.
  expect(on(bySun("sunset", { not_after: "22:00" }), "2026-06-21", NORTH_CAPE, zone)).toBeNull();
});

test("on the nights of a clock change the sun keeps its own time", () => {
  for (const date of ["2026-03-07", "2026-03-08", "2026-10-31", "2026-11-01"]) {
    const [today, tomorrow] = [
      on(bySun("sunset"), date),
      sunTimeOn(bySun("sunset"), dayOf(date) + 1, sunAt(LOS_ANGELES), instantsOf(LA)),
    ];
    expect(Math.abs((tomorrow ?? 0) - (today ?? 0) - DAY)).toBeLessThan(2 * MINUTE);
  }
  // 2:30 does not exist, and moves forward as every schedule's time does.
  expect(on(bySun("dawn", { not_after: "02:30" }), "2026-03-08")).toBe(toInstant(LA, Date.parse("2026-03-08T02:30Z")));
});

const someSun: fc.Arbitrary<SunTime> = fc
  .record({
    event: fc.constantFrom(...SUN_EVENTS),
    offset_min: fc.oneof(fc.constant(0), fc.integer({ min: -180, max: 180 })),
    not_before: fc.option(fc.constantFrom("04:00", "06:30", "16:00", "17:30", "20:15")),
    not_after: fc.option(fc.constantFrom("06:45", "00:30", "18:00", "21:00", "23:59")),
  })
  .filter((sun) => !boundsCross(sun));
const somePlace = fc.record({
  lat: fc.constantFrom(0, 21.3, 34.0522, 47.6, 64.84, 71.17, -33.87),
  lon: fc.constantFrom(-118.2437, -80.2, -105, 151.2, 0, 179.9, -179.9),
});

test("a time by the sun is what reading the sun day by day finds, wherever the place and its zone are", () => {
  const zones = [LA, "UTC", "Europe/Dublin", "Australia/Lord_Howe", "Pacific/Kiritimati"];
  fc.assert(
    fc.property(
      someSun,
      somePlace,
      fc.constantFrom(...zones),
      fc.integer({ min: 20_454, max: 21_200 }),
      (sun, place, zone, day) => {
        const slow = slowSunTime(sun, day * DAY, place, (wall) => toInstant(zone, wall));
        expect(sunTimeOn(sun, day, sunAt(place), instantsOf(zone))).toBe(slow);
      },
    ),
    { numRuns: 300 },
  );
});

test("the instant of a time by the sun tells the date to which it belongs", () => {
  const places = fc.constantFrom(
    LOS_ANGELES,
    { lat: 61.2, lon: -149.9 },
    { lat: 0, lon: -78.5 },
    { lat: 64.84, lon: -147.72 },
  );
  fc.assert(
    fc.property(someSun, places, fc.integer({ min: 20_454, max: 21_200 }), (sun, place, day) => {
      const zone = place.lat > 60 ? "America/Anchorage" : "America/Chicago";
      const instant = sunTimeOn(sun, day, sunAt(place), instantsOf(zone));
      expect(instant === null ? day : dateOfSunTime(sun, toWall(zone, instant))).toBe(day);
    }),
    { numRuns: 300 },
  );
});
