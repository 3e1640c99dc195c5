import { expect, test } from "vitest";
import type { Step } from "#domain/forecast/forecast";
import { bookedUntil, cutOf, keyOf, segmentsOf, wantedOf } from "#domain/forecast/forecast-segments";
import type { Instants } from "#domain/resolve/instants";
import type { Claim, Reason, ResolvedState } from "#domain/resolve/reason";
import { at, LA, UNTOUCHED } from "./a-light";

const clock = (time: string) => at(`2026-07-01 ${time}`);
const window = (schedule_id: string, start: string, end: string): Claim => ({
  schedule_id,
  title: schedule_id,
  start: clock(start),
  end: clock(end),
  date: "2026-07-01",
  begins_at: clock(start),
});
const a = window("a", "18:00", "20:00");
const b = window("b", "19:00", "21:00");

function step(state: ResolvedState, reason: Reason, claims: Claim[] = [], over: Partial<Instants> = {}): Step {
  const instants = { ...UNTOUCHED, ...over };
  return { at: clock("19:00"), resolved: { state, reason, until: null, instants }, claims };
}
const until = clock("23:00");
const closure = (id: string, end: number | null = until) => ({
  kind: "closure" as const,
  id,
  reason: "wet",
  until: end,
});
const held = (claims: Claim[]) => step("on", { kind: "claim", claims, until }, [a, b]);

test("a lit light names the schedules that light it, a dark one those whose windows run, each once", () => {
  expect(wantedOf(held([a]), LA)).toMatchObject({ state: "on", reason: "claim", schedule_ids: ["a"] });
  const dark = step("none", { kind: "curfew", until }, [b, a, window("b", "18:30", "19:30")]);
  expect(wantedOf(dark, LA)).toMatchObject({ state: "off", reason: "curfew", schedule_ids: ["a", "b"] });
  expect(wantedOf(step("on", { kind: "manual_on", until }, [a]), LA).schedule_ids).toEqual([]);
});

test("a light that a hand lit is on, and an OFF that is owed is as good as done", () => {
  expect(wantedOf(step("none", { kind: "external", until }), LA)).toMatchObject({ state: "on", reason: "external" });
  expect(wantedOf(step("off", { kind: "pending_off" }), LA)).toMatchObject({
    state: "off",
    reason: "idle",
    sentence: "Off: nothing is scheduled",
  });
});

test("beside a window that stays dark it is told whether a person or the longest time on ended it", () => {
  const sentence = (over: Partial<Instants>, kind: "idle" | "pending_off" = "idle") =>
    wantedOf(step(kind === "idle" ? "none" : "off", { kind }, [a], over), LA).sentence;
  const cut = { cut_at: clock("18:30"), cut_min: 30 };
  for (const kind of ["idle", "pending_off"] as const) {
    expect(sentence({ off_at: clock("18:30") }, kind)).toBe("Off: switched off by a person");
    expect(sentence(cut, kind)).toBe("Off: 30 minutes reached");
    expect(sentence({ ...cut, off_at: clock("18:29") }, kind)).toBe("Off: 30 minutes reached");
    expect(sentence({ ...cut, off_at: clock("18:31") }, kind)).toBe("Off: switched off by a person");
  }
});

test("a cut is what darkens a window that runs, where no later OFF and nothing else does", () => {
  const cut = { cut_at: clock("18:30"), cut_min: 30 };
  const reached = { at: clock("18:30"), minutes: 30 };
  expect(cutOf(step("off", { kind: "max_on", max_on_min: 30 }, [a], cut))).toEqual(reached);
  expect(cutOf(step("none", { kind: "idle" }, [a], cut))).toEqual(reached);
  expect(cutOf(step("off", { kind: "pending_off" }, [a], { ...cut, off_at: clock("18:30") }))).toEqual(reached);
  expect(cutOf(step("none", { kind: "idle" }, [], cut))).toBeNull();
  expect(cutOf(step("none", { kind: "idle" }, [a]))).toBeNull();
  expect(cutOf(step("none", { kind: "idle" }, [a], { cut_at: clock("18:30") }))).toBeNull();
  expect(cutOf(step("none", { kind: "curfew", until }, [a], cut))).toBeNull();
  expect(cutOf(step("on", { kind: "manual_on", until }, [a], cut))).toBeNull();
});

test("a dark light is booked until the last of its windows ends, a lit one and one without windows are not", () => {
  expect(bookedUntil(step("none", { kind: "curfew", until }, [b, a]))).toBe(clock("21:00"));
  expect(bookedUntil(step("none", { kind: "idle" }))).toBeNull();
  expect(bookedUntil(step("on", { kind: "manual_on", until }, [a]))).toBeNull();
  expect(bookedUntil(held([a]))).toBeNull();
});

test("what is wanted for another reason, until another end or of other windows has another key", () => {
  const emergency = (end: number) => step("on", { kind: "emergency", until: end }, [], { emergency_until: end });
  const holdOff = (hold_until: number) =>
    step("off", { kind: "hold_off", until: hold_until }, [], { hold_action: "off", hold_until });
  const steps = [
    held([a]),
    held([b]),
    held([a, b]),
    held([{ ...a, end: clock("22:00") }]),
    step("on", { kind: "manual_on", until }),
    step("on", { kind: "hold_on", until }),
    emergency(until),
    emergency(until + 1),
    holdOff(until),
    holdOff(until + 1),
    step("none", { kind: "curfew", until }),
    step("none", { kind: "curfew", until: until + 1 }),
    step("none", { kind: "blackout", until }),
    step("none", { kind: "blackout", until: until + 1 }),
    step("none", { kind: "blackout", until }, [a]),
    step("none", closure("c")),
    step("none", closure("d")),
    step("none", closure("c", null)),
    step("none", { kind: "idle" }),
    step("none", { kind: "external", until }),
  ];
  expect(new Set(steps.map(keyOf)).size).toBe(steps.length);
});

test("the order of windows, an owed OFF and a limit that each look moves do not change the key", () => {
  expect(keyOf(held([a, b]))).toBe(keyOf(held([b, a])));
  expect(keyOf(step("off", { kind: "pending_off" }))).toBe(keyOf(step("none", { kind: "idle" })));
  expect(keyOf(step("on", { kind: "manual_on", until: 1 }))).toBe(keyOf(step("on", { kind: "manual_on", until: 2 })));
  // Under a closure or a curfew, what a person held is told once that is over.
  const hold = { hold_action: "off" as const, hold_until: until };
  expect(keyOf(step("none", closure("c"), [], hold))).toBe(keyOf(step("none", closure("c"))));
  expect(keyOf(step("none", { kind: "curfew", until }, [], hold))).toBe(keyOf(step("none", { kind: "curfew", until })));
});

test("equal steps are one segment, and the last one lasts until the end that was asked for", () => {
  const steps = [
    { ...step("none", { kind: "idle" }), at: clock("17:00") },
    { ...step("none", { kind: "idle" }), at: clock("17:30") },
    { ...held([a]), at: clock("18:00") },
    { ...step("off", { kind: "pending_off" }), at: clock("20:00") },
  ];
  const spans = segmentsOf(steps, until, LA).map(({ from, to, state }) => [from, to, state]);
  expect(spans).toEqual([
    [clock("17:00"), clock("18:00"), "off"],
    [clock("18:00"), clock("20:00"), "on"],
    [clock("20:00"), until, "off"],
  ]);
  expect(segmentsOf([], until, LA)).toEqual([]);
});
