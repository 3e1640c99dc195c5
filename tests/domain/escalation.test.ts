import { expect, test } from "vitest";
import { ALARM_KINDS } from "#domain/enums";
import { isUrgent, nextToTell } from "#domain/messages/escalation";

const people = ["+13105550101", "ben@city.example"];
const open = { people, told: [], isAcknowledged: false, after_min: 15 };

test("people are told in their order, and the last one is known as such", () => {
  expect(nextToTell(open)).toEqual({ to: people[0], isLast: false });
  expect(nextToTell({ ...open, told: people.slice(0, 1) })).toEqual({ to: people[1], isLast: true });
  expect(nextToTell({ ...open, told: people })).toBeNull();
});

test("nobody is told once it is acknowledged, or while nothing is passed on", () => {
  expect(nextToTell({ ...open, isAcknowledged: true })).toBeNull();
  expect(nextToTell({ ...open, after_min: 0 })).toBeNull();
  expect(nextToTell({ ...open, people: [] })).toBeNull();
});

test("a list that became shorter ends, and one that became longer goes on", () => {
  expect(nextToTell({ ...open, people: ["+13105550101"], told: people.slice(0, 1) })).toBeNull();
  expect(nextToTell({ ...open, people: [...people, "cleo@city.example"], told: people })).toEqual({
    to: "cleo@city.example",
    isLast: true,
  });
});

test("a list in which people were added or taken out passes nobody over", () => {
  const told = ["+13105550101"];
  expect(nextToTell({ ...open, people: people.slice(1), told })).toEqual({ to: people[1], isLast: true });
  expect(nextToTell({ ...open, people: ["cleo@city.example", ...people], told })).toEqual({
    to: "cleo@city.example",
    isLast: false,
  });
});

test("what leaves the lights as they should be is not urgent", () => {
  expect(ALARM_KINDS.filter((kind) => !isUrgent(kind)).toSorted()).toEqual([
    "account_throttled",
    "light_on",
    "plan_refused",
    "webhook_failing",
  ]);
});
