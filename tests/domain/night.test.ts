import { expect, test } from "vitest";
import { nightOf, type StateChange } from "#domain/tonight/night";
import { nightSpan } from "#domain/tonight/night-schema";
import { at, LA } from "./a-light";

const iso = (text: string) => new Date(at(text)).toISOString();
const NOON = at("2026-07-01 12:00");
const NEXT = at("2026-07-02 12:00");

function wanted(time: string, state: "on" | "off", reason: StateChange["reason"], ids: string[] = []): StateChange {
  return {
    kind: "desired",
    at: iso(time),
    state,
    reason,
    sentence: `${reason}`,
    schedule_ids: ids,
    booked_until: null,
  };
}
function read(time: string, state: StateChange["state"]): StateChange {
  return {
    kind: "reported",
    at: iso(time),
    state,
    reason: null,
    sentence: null,
    schedule_ids: null,
    booked_until: null,
  };
}
const minutesOf = (...changes: StateChange[]) => nightOf(changes, NOON, NEXT).minutes;

test("tells what was planned as it was planned then, beside what readings said", () => {
  const { planned, verified, minutes } = nightOf(
    [
      wanted("2026-06-30 22:00", "off", "idle"),
      wanted("2026-07-01 18:00", "on", "claim", ["a"]),
      wanted("2026-07-01 20:00", "off", "idle"),
      read("2026-06-30 22:00", "off"),
      read("2026-07-01 18:01", "on"),
      read("2026-07-01 20:10", "off"),
    ],
    NOON,
    NEXT,
  );
  expect(planned.map(({ from, to, state, schedule_ids }) => [from, to, state, ...schedule_ids])).toEqual([
    [iso("2026-07-01 12:00"), iso("2026-07-01 18:00"), "off"],
    [iso("2026-07-01 18:00"), iso("2026-07-01 20:00"), "on", "a"],
    [iso("2026-07-01 20:00"), iso("2026-07-02 12:00"), "off"],
  ]);
  expect(verified.map(({ from, state }) => [from, state])).toEqual([
    [iso("2026-07-01 12:00"), "off"],
    [iso("2026-07-01 18:01"), "on"],
    [iso("2026-07-01 20:10"), "off"],
  ]);
  expect(minutes).toEqual({ lit: 129, lit_unwanted: 10, dark_booked: 1, dark_failed: 1 });
});

test("booked but closed is not dark by failure", () => {
  const closed = [wanted("2026-07-01 18:00", "off", "closure", ["a"]), wanted("2026-07-01 20:00", "off", "closure")];
  expect(minutesOf(...closed, read("2026-07-01 12:00", "off"))).toMatchObject({ dark_booked: 120, dark_failed: 0 });
  const failed = [wanted("2026-07-01 18:00", "on", "claim", ["a"]), wanted("2026-07-01 20:00", "off", "idle")];
  expect(minutesOf(...failed, read("2026-07-01 12:00", "off"))).toMatchObject({ dark_booked: 120, dark_failed: 120 });
});

test("a window that stays dark is booked until its end, whenever the engine looks again", () => {
  const closed = { ...wanted("2026-07-01 18:00", "off", "closure", ["a"]), booked_until: iso("2026-07-01 20:00") };
  const { planned, minutes } = nightOf([closed, read("2026-07-01 12:00", "off")], NOON, NEXT);
  expect(planned.map(({ from, to, schedule_ids }) => [from, to, schedule_ids])).toEqual([
    [iso("2026-07-01 12:00"), iso("2026-07-01 18:00"), []],
    [iso("2026-07-01 18:00"), iso("2026-07-01 20:00"), ["a"]],
    [iso("2026-07-01 20:00"), iso("2026-07-02 12:00"), []],
  ]);
  expect(minutes.dark_booked).toBe(120);
});

test("a window that stays dark until something else is wanted, or that ended before the night, is no second stretch", () => {
  const closed = (at: string, until: string) => {
    return { ...wanted(at, "off", "closure", ["a"]), booked_until: iso(until) };
  };
  const idle = wanted("2026-07-01 20:00", "off", "idle");
  const stretches = (...changes: StateChange[]) =>
    nightOf(changes, NOON, NEXT).planned.map(({ from, schedule_ids }) => [from, ...schedule_ids]);
  expect(stretches(closed("2026-07-01 18:00", "2026-07-01 20:00"), idle)).toEqual([
    [iso("2026-07-01 12:00")],
    [iso("2026-07-01 18:00"), "a"],
    [iso("2026-07-01 20:00")],
  ]);
  expect(stretches(closed("2026-07-01 08:00", "2026-07-01 10:00"))).toEqual([[iso("2026-07-01 12:00")]]);
  expect(stretches(closed("2026-07-01 08:00", "2026-07-01 12:00"))).toEqual([[iso("2026-07-01 12:00")]]);
});

test("of a light without a log nothing was scheduled, and what changes at the night's end is the next one's", () => {
  const { planned, verified } = nightOf([wanted("2026-07-02 12:00", "on", "claim", ["a"])], NOON, NEXT);
  const night = { from: iso("2026-07-01 12:00"), to: iso("2026-07-02 12:00") };
  expect(planned).toEqual([
    { ...night, state: "off", reason: "idle", sentence: "Off: nothing is scheduled", schedule_ids: [] },
  ]);
  expect(verified).toEqual([{ ...night, state: "unknown" }]);
});

test("a light that a hand lit is lit unwanted, though it is left on", () => {
  const hand = [wanted("2026-07-01 18:00", "off", "external"), wanted("2026-07-01 22:00", "off", "max_on")];
  const lit = [read("2026-07-01 18:00", "on"), read("2026-07-01 22:00", "off")];
  expect(minutesOf(...hand, ...lit)).toMatchObject({ lit: 240, lit_unwanted: 240 });
});

test("counts no minute of which nobody knows the state", () => {
  const booked = [wanted("2026-07-01 18:00", "on", "claim", ["a"]), wanted("2026-07-01 20:00", "off", "idle")];
  expect(minutesOf(...booked)).toEqual({ lit: 0, lit_unwanted: 0, dark_booked: 0, dark_failed: 0 });
  const lost = [read("2026-07-01 18:00", "on"), read("2026-07-01 18:30", "unknown"), read("2026-07-01 19:30", "on")];
  expect(minutesOf(...booked, ...lost, read("2026-07-01 20:00", "off"))).toMatchObject({ lit: 60, dark_failed: 0 });
});

test("a night goes from noon to noon by the city's clock, also when the clocks change", () => {
  const hours = (span: { from: number; to: number } | null) => (span ? (span.to - span.from) / 3_600_000 : null);
  expect(nightSpan("2026-07-01", LA, 0)).toEqual({ from: NOON, to: NEXT });
  expect(hours(nightSpan("2026-03-07", LA, 0))).toBe(23);
  expect(hours(nightSpan("2026-10-31", LA, 0))).toBe(25);
  expect(nightSpan(undefined, LA, at("2026-07-02 11:59"))).toEqual({ from: NOON, to: NEXT });
  expect(nightSpan(undefined, LA, at("2026-07-02 12:00"))?.from).toBe(NEXT);
});
