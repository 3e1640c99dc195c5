import { expect, test } from "vitest";
import { hasWords, isCut, isToldIn, rowsOf, titleLength } from "#app/week/rows";
import type { WeekSchedule, WeekWindow } from "#app/week/week";
import { weekFrame } from "#app/week/week-frame";

const LA = "America/Los_Angeles";
const frame = weekFrame("2026-11-16", LA, Date.parse("2026-11-18T12:00:00Z"));
const at = (text: string) => Date.parse(`2026-11-${text}:00-08:00`);

function aWindow(schedule_id: string, start: number, end: number): WeekWindow {
  return { schedule_id, date: "2026-11-17", start, end, skipped: null, dark: [], limits: [] };
}

function aSchedule(id: string): WeekSchedule {
  return {
    id,
    title: id,
    target: { type: "device", id: "mast", name: "Mast" },
    lights: 1,
    start_sun: null,
    end_sun: null,
    repeats: true,
    is_open: true,
    may_write: true,
    words: "",
    who: null,
  };
}

const rows = (...windows: WeekWindow[]) =>
  rowsOf({ frame, windows, schedules: windows.map(({ schedule_id }) => aSchedule(schedule_id)) });

test("what crosses midnight is one block in the night in which it begins", () => {
  const all = rows(aWindow("late", at("17T16:00"), at("18T02:00")));
  expect(all.map(({ pieces }) => pieces.length)).toEqual([0, 1, 0, 0, 0, 0, 0]);
});

test("what crosses noon has a part in both nights, and is told once", () => {
  const all = rows(aWindow("day", at("17T09:00"), at("17T15:00")));
  expect(all.map(({ pieces }) => pieces.map(({ from, to }) => (to - from) / 3_600_000))).toEqual([
    [3],
    [3],
    [],
    [],
    [],
    [],
    [],
  ]);
  const told = all.flatMap(({ night, pieces }) => pieces.filter((piece) => isToldIn(piece, night, frame)));
  expect(told).toHaveLength(1);
  const before = rows(aWindow("day", at("16T09:00"), at("16T15:00")));
  expect(before.flatMap(({ night, pieces }) => pieces.filter((piece) => isToldIn(piece, night, frame)))).toHaveLength(
    1,
  );
});

test("what overlaps stands in lanes of its own, and a lane is used again once it is free", () => {
  const [, tuesday] = rows(
    aWindow("a", at("17T17:00"), at("17T19:00")),
    aWindow("b", at("17T18:00"), at("17T20:00")),
    aWindow("c", at("17T19:00"), at("17T21:00")),
  );
  expect(tuesday?.pieces.map(({ schedule, lane }) => [schedule.id, lane])).toEqual([
    ["a", 0],
    ["b", 1],
    ["c", 0],
  ]);
  expect(tuesday?.lanes).toBe(2);
  expect(tuesday?.pieces.map(({ free_until }) => free_until)).toEqual([
    at("17T19:00"),
    tuesday?.night.to,
    tuesday?.night.to,
  ]);
});

test("a title that its block would cut is told apart, and a sliver shows no letter", () => {
  const [, tuesday] = rows(
    aWindow("Under-12 training and league", at("17T16:00"), at("17T19:00")),
    aWindow("next", at("17T19:00"), at("17T19:30")),
    aWindow("last", at("17T19:30"), at("18T11:00")),
  );
  const [long, sliver, last] = tuesday?.pieces ?? [];
  if (!long || !sliver || !last) throw new Error("Three blocks were expected");
  expect([long, last].map((piece) => isCut(piece, titleLength(piece)))).toEqual([true, false]);
  expect([sliver, last].map((piece) => hasWords(piece, 20))).toEqual([false, true]);
});
