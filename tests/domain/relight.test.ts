import { expect, test } from "vitest";
import { relightSentence } from "#domain/resolve/relight";

const ZONE = "America/Los_Angeles";
const at = (wall: string) => Date.parse(`${wall}-08:00`);
const NOW = at("2026-01-10T19:00");

test.each([
  [1, [], "Nothing lights it again."],
  [3, [], "Nothing lights them again."],
  [1, ["2026-01-10T20:30"], "1 goes on again at 8:30 PM."],
  [2, ["2026-01-11T17:30", "2026-01-11T17:30"], "2 go on again tomorrow 5:30 PM."],
  [
    5,
    ["2026-01-11T17:30", "2026-01-10T20:30", "2026-01-10T20:30"],
    "2 go on again at 8:30 PM, 1 tomorrow 5:30 PM; 2 stay off.",
  ],
  [
    6,
    ["2026-01-10T20:30", "2026-01-11T17:30", "2026-01-14T17:30", "2026-01-15T17:30", "2026-01-16T17:30"],
    "1 goes on again at 8:30 PM, 1 tomorrow 5:30 PM, 1 Jan 14, 5:30 PM, 2 later; 1 stays off.",
  ],
])("%i lights of which some go on again at %j: %s", (count, instants, sentence) => {
  expect(relightSentence(count, instants.map(at), ZONE, NOW)).toBe(sentence);
});
