import { expect, test } from "vitest";
import type { Segment } from "#domain/forecast/forecast-segments";
import { cutsOf, windowsOf } from "#worker/services/week-windows";

const at = (clock: string) => Date.parse(`2026-11-20T${clock}:00.000Z`);
const window = { schedule_id: "league", start: at("18:00"), end: at("22:00") };
const dark = (from: string, to: string, words: string, more: Partial<Segment> = {}): Segment => ({
  from: at(from),
  to: at(to),
  state: "off",
  reason: "closure",
  sentence: `Off: ${words}`,
  schedule_ids: ["league"],
  ...more,
});
const lit = (from: string, to: string) => dark(from, to, "", { state: "on", reason: "claim" });
const cuts = (ahead: Record<string, Segment[]>, isWhole = true, lights = Object.keys(ahead).length) => {
  const { dark: all, limits } = cutsOf(window, new Map(Object.entries(ahead)), { lights, isWhole });
  const clock = (instant: number) => new Date(instant).toISOString().slice(11, 16);
  return {
    dark: all.map(({ from, to }) => `${clock(from)}-${clock(to)}`),
    limits: limits.map(({ from, to, words, lights: n }) => `${clock(from)}-${clock(to)} ${words} ${n}`),
  };
};

test("a window is dark where all of its lights are, whatever keeps each of them dark", () => {
  expect(
    cuts({
      north: [lit("18:00", "19:00"), dark("19:00", "20:00", "closed"), dark("20:00", "21:00", "curfew")],
      south: [dark("18:00", "19:30", "closed"), dark("19:30", "23:00", "curfew")],
    }),
  ).toEqual({
    dark: ["19:00-21:00"],
    limits: ["18:00-19:30 closed 1", "19:00-20:00 closed 1", "19:30-22:00 curfew 1", "20:00-21:00 curfew 1"],
  });
});

test("what lights have in common is told once, and of what begins together that of most lights first", () => {
  expect(
    cuts({
      north: [dark("20:00", "21:00", "closed")],
      south: [dark("20:00", "22:00", "curfew")],
      west: [dark("20:00", "22:00", "curfew")],
      east: [lit("18:00", "22:00")],
    }),
  ).toEqual({ dark: [], limits: ["20:00-22:00 curfew 2", "20:00-21:00 closed 1"] });
});

test("a reason that goes on is one stretch, and one that comes again is another", () => {
  const again = [dark("18:00", "19:00", "closed"), dark("19:00", "20:00", "closed"), dark("21:00", "22:00", "closed")];
  expect(cuts({ north: again }).limits).toEqual(["18:00-20:00 closed 1", "21:00-22:00 closed 1"]);
});

test("what is not of the window, or of less than a minute of it, takes nothing from it", () => {
  const moment = { from: at("22:00") - 59_999, to: at("23:00") };
  expect(
    cuts({
      north: [dark("18:00", "22:00", "closed", { schedule_ids: ["other"] })],
      south: [dark("22:00", "23:00", "curfew", moment)],
    }),
  ).toEqual({ dark: [], limits: [] });
});

test("where not all lights were looked at, the window is as dark as those that were", () => {
  const north = [dark("18:00", "22:00", "closed")];
  const elsewhere = [dark("18:00", "22:00", "closed", { schedule_ids: ["other"] })];
  expect(cuts({ north, elsewhere }, false, 300).dark).toEqual(["18:00-22:00"]);
  expect(cuts({ north, elsewhere }, true, 300).dark).toEqual([]);
});

test("a night is left out by a person before its calendar, and one that a calendar never names never was", () => {
  const plan = {
    id: "league",
    start_at: "2026-11-20T18:00:00.000Z",
    end_at: "2026-11-20T22:00:00.000Z",
    rrule: "FREQ=DAILY;COUNT=3",
    timezone: "UTC",
    skips: [{ date: "2026-11-20", reason: "" }],
  };
  const dates = ["2026-11-20", "2026-11-21"].map((date) => ({ date, name: "Fair" }));
  const told = (rule: "skip" | "only") =>
    windowsOf({ ...plan, calendar: { rule, dates } }, at("00:00"), at("00:00") + 7 * 86_400_000).map(
      ({ date, skipped }) => [date, skipped],
    );
  expect(told("skip")).toEqual([
    ["2026-11-20", { by: "person", reason: null }],
    ["2026-11-21", { by: "calendar", reason: "Fair" }],
    ["2026-11-22", null],
  ]);
  expect(told("only")).toEqual([
    ["2026-11-20", { by: "person", reason: null }],
    ["2026-11-21", null],
  ]);
});
