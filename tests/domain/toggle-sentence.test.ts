import { expect, test } from "vitest";
import type { Reason } from "#domain/resolve/reason";
import { type HoldToggle, heldUntil } from "#domain/light/toggle-sentence";
import { at, guardrails, limits, UNTOUCHED } from "./a-light";

const clock = (time: string) => at(`2026-07-01 ${time}`);
const rules = limits(guardrails({ BLACKOUT_WINDOW: "22:00-23:00" }), {
  closures: [{ start: clock("21:00"), end: clock("21:30"), id: "c", reason: "wet ground" }],
});
const on = (time: string, reason: string | null = null): HoldToggle => ({ action: "on", until: clock(time), reason });
const off = (time: string, reason: string | null = null): HoldToggle => ({ ...on(time, reason), action: "off" });
const say = (press: HoldToggle, why: Reason) =>
  heldUntil(press, { state: "on", reason: why, until: null, instants: UNTOUCHED }, rules, clock("18:00"));
const until = (kind: "hold_on" | "hold_off" | "emergency", time: string) => ({
  kind,
  until: clock(time),
});
const claim = (title: string) => ({
  schedule_id: title,
  title,
  start: clock("18:00"),
  end: clock("20:30"),
  date: "2026-07-01",
  begins_at: clock("18:00"),
});

test("a toggle with an end is told with the end and the reason that were asked for", () => {
  expect(say(on("19:30", "rain"), until("hold_on", "19:30"))).toBe("On until 7:30 PM: rain");
  expect(say(on("19:30"), until("hold_on", "19:30"))).toBe("On until 7:30 PM");
  expect(say(off("21:30", "rain"), until("hold_off", "21:30"))).toBe("Off until 9:30 PM: rain");
  expect(say(off("21:30"), until("hold_off", "21:30"))).toBe("Off until 9:30 PM");
});

test("an end on another day is told with its day", () => {
  const morning = at("2026-07-02 09:00");
  const asked: HoldToggle = { action: "off", until: morning, reason: "rain" };
  const last = { state: "off" as const, reason: { kind: "hold_off" as const, until: morning }, until: null };
  const told = (now: number) => heldUntil(asked, { ...last, instants: UNTOUCHED }, rules, now);
  expect(told(clock("10:00"))).toBe("Off until tomorrow 9:00 AM: rain");
  expect(told(clock("22:00"))).toBe("Off until 9:00 AM: rain");
});

test("an OFF until is told as it was asked for, whatever else keeps the light dark", () => {
  expect(say(off("21:30", "rain"), { kind: "curfew", until: clock("20:00") })).toBe("Off until 9:30 PM: rain");
  expect(say(off("21:30"), { kind: "curfew", until: clock("23:00") })).toBe("Off until 9:30 PM");
});

test("an ON until that something ends before its time is told with that end and what ends it", () => {
  expect(say(on("23:30", "rain"), until("hold_on", "22:00"))).toBe("On until 10:00 PM: blackout");
  expect(say(on("23:30", "rain"), until("hold_on", "21:00"))).toBe("On until 9:00 PM: closed: wet ground");
  expect(say(on("23:30", "rain"), until("hold_on", "20:00"))).toBe("On until 8:00 PM: 240 minutes reached");
});

test("an ON until that something outlasts is told with that end, and the booking's title or the emergency", () => {
  const claims = [claim("Little League"), claim("Finals")];
  expect(say(on("19:30", "rain"), { kind: "claim", claims, until: clock("20:30") })).toBe(
    "On until 8:30 PM: Little League, Finals",
  );
  expect(say(on("19:30", "rain"), until("emergency", "20:00"))).toBe("On until 8:00 PM: emergency");
});

test("an emergency that something outlasts is told with that end, and what it is that lasts longer", () => {
  const by_hand = "On until 10:30 PM: switched on by a person";
  expect(say(on("19:30", "search"), until("hold_on", "22:30"))).toBe(by_hand);
  expect(say(on("19:30", "search"), { kind: "manual_on", until: clock("22:30") })).toBe(by_hand);
});

test("an ON until that was refused or is over underneath an emergency is told with the emergency's end, unless it is dark then", () => {
  expect(say(on("23:30", "rain"), until("emergency", "20:00"))).toBe("On until 8:00 PM: emergency");
  expect(say(on("23:30", "rain"), until("emergency", "22:30"))).toBe("On until 10:30 PM: blackout");
});

test("an ON until is told with when the light goes off, also where no reason says so", () => {
  const last = { state: "on" as const, reason: until("hold_on", "23:30"), until: null, instants: UNTOUCHED };
  expect(heldUntil(on("23:30", "rain"), last, rules, clock("18:00"), clock("20:00"))).toBe(
    "On until 8:00 PM: 240 minutes reached",
  );
});

test("a reason without an end leaves the sentence as it was asked for", () => {
  expect(say(on("19:30", "rain"), { kind: "idle" })).toBe("On until 7:30 PM: rain");
  expect(say(on("19:30", "rain"), { kind: "closure", id: "c", reason: "wet ground", until: null })).toBe(
    "On until 7:30 PM: rain",
  );
});
