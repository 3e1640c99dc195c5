import { expect, test } from "vitest";
import { EVENT_CAUSES, SCHEDULER_RESULTS } from "#domain/enums";
import { eventTone } from "#domain/records/event-tone";

test("a replaced toggle, a cut window and a refused ON are no alarms", () => {
  for (const cause of ["replaced", "dropped", "cut", "refused"] as const) {
    for (const result of SCHEDULER_RESULTS) expect(eventTone({ result, cause })).toBe("calm");
  }
});

test("an attempt, and an old event without a cause, takes the tone of its result", () => {
  for (const cause of ["attempt", null] as const) {
    expect(SCHEDULER_RESULTS.map((result) => eventTone({ result, cause }))).toEqual(["good", "warning", "alarm"]);
  }
});

test("a missed window and an engine fault are alarms; a skipped window and an external light are warnings", () => {
  const tones = Object.fromEntries(EVENT_CAUSES.map((cause) => [cause, eventTone({ result: "fail", cause })]));
  expect(tones).toMatchObject({ missed: "alarm", fault: "alarm", skipped: "warning", external: "warning" });
});
