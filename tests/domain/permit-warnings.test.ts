import { expect, test } from "vitest";
import { permitWarnings } from "#domain/guardrails/permit-warnings";
import { at, guardrails } from "./a-light";

const now = at("2026-07-01 19:00");
const permit = { to: new Date(at("2026-07-01 23:30")).toISOString() };
const warnings = (over: Parameters<typeof guardrails>[0] = {}) =>
  permitWarnings(permit, [{ rules: guardrails(over), lights: 2 }], now);

test("whoever gives a permit is warned of lights that have burned too long when it ends", () => {
  expect(warnings()).toEqual([
    "Lights on since 7:30 PM or earlier go off when the permit ends (11:30 PM): at most 4 h",
  ]);
});

test("there is nothing to warn of where no longest time on is set, or it is dark then anyway", () => {
  expect(warnings({ MAX_ON_DURATION_MIN: 0 })).toEqual([]);
  expect(warnings({ HARD_CURFEW_OFF: "22:00" })).toEqual([]);
  expect(warnings({ BLACKOUT_WINDOW: "23:30-05:00" })).toEqual([]);
  expect(warnings({ BLACKOUT_WINDOW: "22:00-23:30" })).toHaveLength(1);
});

test("of lights with rules of their own it says how many go off, the first ones first", () => {
  const all = [240, 90, 0, 90].map((MAX_ON_DURATION_MIN, n) => ({
    rules: guardrails({ MAX_ON_DURATION_MIN }),
    lights: n + 1,
  }));
  expect(permitWarnings(permit, all, now)).toEqual([
    "6 of 10 lights go off when the permit ends (11:30 PM) if on since 10:00 PM or earlier: at most 1 h 30 min",
    "1 of 10 lights goes off when the permit ends (11:30 PM) if on since 7:30 PM or earlier: at most 4 h",
  ]);
});

test("of a place without lights it tells what those that come will do", () => {
  expect(permitWarnings(permit, [{ rules: guardrails(), lights: 0 }], now)).toHaveLength(1);
});
