import { expect, test } from "vitest";
import type { Step } from "#domain/forecast/forecast";
import { previewWindow } from "#domain/forecast/preview-window";
import type { Instants } from "#domain/resolve/instants";
import type { Claim } from "#domain/resolve/reason";
import { at, LA, UNTOUCHED } from "./a-light";

const clock = (time: string) => at(`2026-07-01 ${time}`);
const [start, end] = [clock("18:00"), clock("22:00")];
const claim: Claim = { schedule_id: "a", title: "Practice", start, end, date: "2026-07-01", begins_at: start };

function step(time: string, isOn: boolean, over: Partial<Instants> = {}): Step {
  const instants = { ...UNTOUCHED, ...over };
  const reason = isOn ? { kind: "claim" as const, claims: [claim], until: end } : { kind: "idle" as const };
  return { at: clock(time), resolved: { state: isOn ? "on" : "none", reason, until: null, instants }, claims: [claim] };
}
const cutAt = (time: string) => ({ cut_at: clock(time), cut_min: 30 });
const preview = (...lights: Step[][]) =>
  previewWindow(
    { start, end, date: claim.date },
    lights.map((steps) => ({ steps, zone: LA })),
    "a",
  );

test("a window is lit from when the first of its lights is on until the last is off, and where none is there is a gap", () => {
  const lit = (...spans: [string, string][]) =>
    preview(
      ...spans.map(([from, to]) => [
        step("18:00", false),
        step(from, true),
        ...(to === "22:00" ? [] : [step(to, false)]),
      ]),
    ).lit;
  const span = (from: string, to: string) => ({ from: clock(from), to: clock(to) });
  expect(lit(["19:00", "20:00"], ["18:30", "19:30"])).toEqual([span("18:30", "20:00")]);
  expect(lit(["18:30", "21:00"], ["19:00", "20:00"])).toEqual([span("18:30", "21:00")]);
  expect(lit(["18:30", "19:00"], ["19:00", "20:00"])).toEqual([span("18:30", "20:00")]);
  expect(lit(["20:00", "22:00"], ["18:30", "19:00"])).toEqual([span("18:30", "19:00"), span("20:00", "22:00")]);
});

test.each<[string, Step[][], string]>([
  [
    "one light",
    [[step("18:00", true), step("18:30", false, cutAt("18:30"))]],
    "The limit of 30 minutes is reached at 6:30 PM",
  ],
  [
    "one light, before it is asked",
    [[step("19:00", false, cutAt("18:30"))]],
    "The limit of 30 minutes was reached at 6:30 PM",
  ],
  [
    "one light, as it is asked",
    [[step("18:30", false, cutAt("18:30"))]],
    "The limit of 30 minutes is reached at 6:30 PM",
  ],
  [
    "one of two",
    [[step("18:00", true), step("18:30", false, cutAt("18:30"))], [step("18:00", true)]],
    "1 of 2 lights reaches its limit of 30 minutes at 6:30 PM",
  ],
  [
    "one of two, before they are asked",
    [[step("19:00", false, cutAt("18:30"))], [step("19:00", true)]],
    "1 of 2 lights reached its limit of 30 minutes at 6:30 PM",
  ],
])("the longest time on of %s is told in its tense", (_, lights, sentence) => {
  expect(preview(...lights).limits).toEqual([sentence]);
});
