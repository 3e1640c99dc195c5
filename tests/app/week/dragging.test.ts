import { expect, test } from "vitest";
import { dragged, instantAt, slotBetween } from "#app/week/dragging";
import { weekFrame } from "#app/week/week-frame";
import { toLocalInput } from "#domain/time/display";

const zone = "America/Los_Angeles";
const frame = weekFrame("2026-11-16", zone, Date.parse("2026-11-18T12:00:00Z"));
const [, tuesday] = frame.nights;
if (!tuesday) throw new Error("a week has a Tuesday");
const at = (text: string) => Date.parse(`2026-11-${text}:00-08:00`);
const evening = { start: at("17T18:00"), end: at("17T22:00") };
const told = ({ start, end }: { start: number; end: number }) =>
  [start, end].map((each) => Object.values(toLocalInput(each, zone)).join(" ").slice(8));
const series = { repeats: true, zone };
const once = { repeats: false, zone };

test("a pointer means quarters of an hour, and never what is beyond the night", () => {
  expect(instantAt(0, tuesday)).toBe(tuesday.from);
  expect(instantAt(-3, tuesday)).toBe(tuesday.from);
  expect(instantAt(2, tuesday)).toBe(tuesday.to);
  expect(instantAt(6.1 / 24, tuesday)).toBe(at("17T18:00"));
  expect(instantAt(6.2 / 24, tuesday)).toBe(at("17T18:15"));
});

test("an empty stretch is drawn from either side, and a click is two hours", () => {
  expect(slotBetween(at("17T18:00"), at("17T20:30"), tuesday)).toEqual({ start: at("17T18:00"), end: at("17T20:30") });
  expect(slotBetween(at("17T20:30"), at("17T18:00"), tuesday)).toEqual({ start: at("17T18:00"), end: at("17T20:30") });
  expect(told(slotBetween(at("17T23:00"), at("17T23:00"), tuesday))).toEqual(["17 23:00", "18 01:00"]);
  expect(told(slotBetween(tuesday.to, tuesday.to, tuesday))).toEqual(["18 11:45", "18 12:00"]);
});

test("a block keeps its length, also across midnight; its edges move alone", () => {
  const by = { from: at("17T19:07"), to: at("17T20:37") };
  expect(told(dragged(evening, "move", by, series))).toEqual(["17 19:30", "17 23:30"]);
  expect(told(dragged(evening, "move", { from: at("17T19:00"), to: at("17T22:00") }, series))).toEqual([
    "17 21:00",
    "18 01:00",
  ]);
  expect(told(dragged(evening, "start", by, series))).toEqual(["17 19:30", "17 22:00"]);
  expect(told(dragged(evening, "end", by, series))).toEqual(["17 18:00", "17 23:30"]);
});

test("what repeats stays on its date, since another one would be other weekdays; what is once may go anywhere", () => {
  const late = { from: at("17T18:00"), to: at("18T01:00") };
  expect(told(dragged(evening, "move", late, series))).toEqual(["17 23:45", "18 03:45"]);
  expect(told(dragged(evening, "move", late, once))).toEqual(["18 01:00", "18 05:00"]);
  expect(told(dragged(evening, "move", { from: at("17T18:00"), to: at("20T18:00") }, once))).toEqual([
    "20 18:00",
    "20 22:00",
  ]);
});

test("a window stays between a quarter of an hour and a day", () => {
  const far = { from: at("17T18:00"), to: at("19T18:00") };
  const back = { from: at("17T22:00"), to: at("16T22:00") };
  expect(told(dragged(evening, "end", far, once))).toEqual(["17 18:00", "18 18:00"]);
  expect(told(dragged(evening, "end", back, once))).toEqual(["17 18:00", "17 18:15"]);
  expect(told(dragged(evening, "start", far, once))).toEqual(["17 21:45", "17 22:00"]);
  expect(told(dragged(evening, "start", { from: at("17T18:00"), to: at("16T12:00") }, once))).toEqual([
    "16 22:00",
    "17 22:00",
  ]);
});

test("in a night with 25 hours a block moves by the wall clock", () => {
  const saturday = Date.parse("2026-10-31T22:00:00-07:00");
  const window = { start: saturday, end: Date.parse("2026-11-01T03:00:00-08:00") };
  const moved = dragged(window, "move", { from: saturday, to: saturday + 3_600_000 }, series);
  expect([toLocalInput(moved.start, zone).time, toLocalInput(moved.end, zone).time]).toEqual(["23:00", "04:00"]);
});
