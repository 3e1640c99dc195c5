import { expect, test } from "vitest";
import { afterPermits, darkAt, nextDark } from "#domain/guardrails/device-limits";
import { isDark, type Reason } from "#domain/resolve/reason";
import { at, guardrails, limits } from "./a-light";

const clock = (time: string) => at(`2026-07-01 ${time}`);
const span = (start: string, end: string) => ({ start: clock(start), end: clock(end) });
const closed = (id: string, start: string, end: string | null) => ({
  id,
  reason: "wet ground",
  start: clock(start),
  end: end === null ? Infinity : clock(end),
});
const blackout = guardrails({ BLACKOUT_WINDOW: "20:00-23:00" });

test("a closure that nobody has said an end of is named without one, and before any that has one", () => {
  const closures = [closed("evening", "19:00", "23:30"), closed("open", "18:00", null)];
  const dark = { kind: "closure", id: "open", reason: "wet ground", until: null };
  expect(darkAt(limits(blackout, { closures }), clock("21:00"))).toEqual(dark);
  expect(darkAt(limits(blackout, { closures: closures.toReversed() }), clock("21:00"))).toEqual(dark);
});

test("of what keeps a light dark until the same instant a guardrail is named first, then the first closure", () => {
  const closures = [closed("a", "19:00", "23:00"), closed("b", "18:00", "23:00")];
  expect(darkAt(limits(blackout, { closures }), clock("21:00"))).toEqual({ kind: "blackout", until: clock("23:00") });
  expect(darkAt(limits(guardrails(), { closures }), clock("21:00"))).toMatchObject({ id: "a" });
});

test("a permit that is to come ends a guardrail's darkness, and its end brings it back", () => {
  const permitted = limits(blackout, { permits: [span("21:00", "22:00")] });
  expect(darkAt(permitted, clock("20:30"))).toEqual({ kind: "blackout", until: clock("21:00") });
  expect(darkAt(permitted, clock("21:00"))).toBeNull();
  expect(nextDark(permitted, clock("21:00"))).toBe(clock("22:00"));
  expect(darkAt(permitted, clock("22:00"))).toEqual({ kind: "blackout", until: clock("23:00") });
});

test("a permit that is over, has no length or comes after the guardrail lifts nothing", () => {
  const permits = [span("19:00", "20:30"), span("20:30", "20:30"), span("23:30", "23:45")];
  expect(darkAt(limits(blackout, { permits }), clock("20:30"))).toEqual({ kind: "blackout", until: clock("23:00") });
});

test("the end of a permit makes dark only within a guardrail that no other permit covers", () => {
  const permits = [span("18:00", "19:00"), span("19:30", "20:30"), span("20:15", "21:00")];
  expect(nextDark(limits(guardrails(), { permits }), clock("18:30"))).toBeNull();
  expect(nextDark(limits(blackout, { permits }), clock("18:30"))).toBe(clock("21:00"));
});

test("a guardrail whose start a permit covers makes dark at the permit's end, or on the next night", () => {
  const next = (end: string) => nextDark(limits(blackout, { permits: [span("19:30", end)] }), clock("19:00"));
  expect(next("22:00")).toBe(clock("22:00"));
  expect(next("23:00")).toBe(at("2026-07-02 20:00"));
});

test("permits that overlap or touch are one", () => {
  const permits = [span("20:00", "21:00"), span("19:00", "20:15"), span("21:00", "21:30"), span("22:00", "23:00")];
  expect(afterPermits({ permits }, clock("19:00"))).toBe(clock("21:30"));
  expect(afterPermits({ permits }, clock("21:30"))).toBe(clock("21:30"));
});

test("curfew, blackout and closure keep a light dark, and no other reason does", () => {
  const until = clock("23:00");
  const reasons: Reason[] = [
    { kind: "curfew", until },
    { kind: "blackout", until },
    { kind: "closure", id: "c", reason: "wet ground", until },
    { kind: "hold_off", until },
    { kind: "max_on", max_on_min: 240 },
    { kind: "idle" },
  ];
  expect(reasons.filter(isDark).map(({ kind }) => kind)).toEqual(["curfew", "blackout", "closure"]);
});
