import { expect, test } from "vitest";
import { EVENT_CAUSES, SCHEDULER_RESULTS } from "#domain/enums";
import { eventTone } from "#domain/event-tone";

test("a replaced press, a cut window and a refused ON alarm nobody", () => {
  for (const cause of ["replaced", "dropped", "cut", "refused"] as const) {
    for (const result of SCHEDULER_RESULTS) expect(eventTone({ result, cause })).toBe("calm");
  }
});

test("an attempt, and an event from before causes were kept, goes by its result", () => {
  for (const cause of ["attempt", null] as const) {
    expect(SCHEDULER_RESULTS.map((result) => eventTone({ result, cause }))).toEqual(["good", "warning", "alarm"]);
  }
});

test("a window that nothing ran for and a fault of the engine are alarms, what was skipped or lit from outside a warning", () => {
  const tones = Object.fromEntries(EVENT_CAUSES.map((cause) => [cause, eventTone({ result: "fail", cause })]));
  expect(tones).toMatchObject({ missed: "alarm", fault: "alarm", skipped: "warning", external: "warning" });
});
