import { expect, test } from "vitest";
import { dependentsSentence, movedLightSentence, movedSentence } from "#domain/records/dependents";

test.each([
  ["area", { hubs: 2, lights: 5, schedules: 1 }, "With it go 2 hubs, 5 lights, and 1 schedule still to come."],
  ["area", { hubs: 1, lights: 0, schedules: 0 }, "With it goes 1 hub."],
  ["area", { hubs: 1, lights: 2 }, "With it go 1 hub and 2 lights."],
  ["area", { hubs: 0, lights: 0, schedules: 0 }, "It has no hubs and no lights."],
  ["area", { hubs: 1, lights: 2, lit: 1 }, "With it go 1 hub and 2 lights. 1 light is on now, and goes off."],
  ["area", { lights: 5, lit: 3 }, "With it go 5 lights. 3 lights are on now, and go off."],
  ["area", { lights: 5, lit: 0 }, "With it go 5 lights."],
  ["device", { schedules: 0, lit: 1 }, "No schedule still to come goes with it. It is on now, and goes off."],
  ["hub", { lights: 12 }, "12 lights stay, without a hub."],
  ["hub", { lights: 1 }, "1 light stays, without a hub."],
  ["hub", { lights: 0 }, "No light is connected through it."],
  ["device", { schedules: 31 }, "With it go 31 schedules still to come."],
  ["device", { schedules: 1 }, "With it goes 1 schedule still to come."],
  ["device", { schedules: 0 }, "No schedule still to come goes with it."],
  ["department", { members: 3, lights: 1, workorders: 2 }, "In it: 3 members, 1 light, and 2 workorders."],
  ["department", { members: 0, lights: 0, workorders: 0 }, "It has no members, lights or workorders."],
] as const)("deleting a %s with %j says: %s", (owner, dependents, sentence) => {
  expect(dependentsSentence(owner, dependents)).toBe(sentence);
});

test.each([
  [{ lights: 0, schedules: 2 }, null],
  [{ lights: 5 }, "With it go 5 lights."],
  [{ lights: 1, groups: 1 }, "With it goes 1 light, which leaves 1 group."],
  [
    { lights: 5, groups: 2, closures: 1, permits: 0, schedules: 3 },
    "With it go 5 lights, which leave 2 groups, 1 closure, and 3 schedules still to come.",
  ],
])("moving a hub with %j says: %s", (left, sentence) => {
  expect(movedSentence(left)).toBe(sentence);
});

test.each([
  [{ lights: 1 }, null],
  [{ lights: 1, groups: 2 }, "It leaves 2 groups."],
  [{ lights: 1, groups: 1, permits: 1, schedules: 2 }, "It leaves 1 group, 1 permit, and 2 schedules still to come."],
])("moving one light with %j says: %s", (left, sentence) => {
  expect(movedLightSentence(left)).toBe(sentence);
});

test("once it is moved, the same is told as it was", () => {
  expect(movedLightSentence({ lights: 1, groups: 2 }, "moved")).toBe("It left 2 groups.");
  expect(movedSentence({ lights: 1, schedules: 1 }, "moved")).toBe(
    "With it went 1 light, which left 1 schedule still to come.",
  );
  expect(movedSentence({ lights: 2, groups: 1 }, "moved")).toBe("With it went 2 lights, which left 1 group.");
});
