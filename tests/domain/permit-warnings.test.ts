import { expect, test } from "vitest";
import { permitWarnings } from "#domain/guardrails/permit-warnings";
import { at, guardrails } from "./a-light";

const now = at("2026-07-01 19:00");
const permit = { to: new Date(at("2026-07-01 23:30")).toISOString() };
const warnings = (over: Parameters<typeof guardrails>[0] = {}) => permitWarnings(permit, guardrails(over), now);

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
