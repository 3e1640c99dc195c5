import { expect, test } from "vitest";
import { ladderWords, burnedWords, tonightWords } from "#app/routes/guardrails/describe-rules";

const RULES = {
  HARD_CURFEW_OFF: "23:45",
  BLACKOUT_WINDOW: "00:00-05:00",
  MAX_ON_DURATION_MIN: 240,
  zone: "America/Los_Angeles",
} as const;
/** Friday, 12:00 in Los Angeles. */
const NOON = Date.parse("2026-11-20T20:00:00.000Z");
const HOUR = 3_600_000;

test.each([
  [
    "at noon",
    NOON,
    RULES,
    "From Fri, Nov 20, 11:45 PM until Sat, Nov 21, 5:00 AM lights are off, and none may be turned on.",
  ],
  [
    "at night",
    NOON + 14 * HOUR,
    RULES,
    "In force now, until Sat, Nov 21, 5:00 AM: lights are off, and none may be turned on.",
  ],
  [
    "without a curfew",
    NOON,
    { ...RULES, HARD_CURFEW_OFF: "" },
    "From Sat, Nov 21, 12:00 AM until Sat, Nov 21, 5:00 AM lights are off, and none may be turned on.",
  ],
  [
    "without any rule",
    NOON,
    { ...RULES, HARD_CURFEW_OFF: "", BLACKOUT_WINDOW: "" },
    "No curfew and no blackout: lights may burn all night.",
  ],
  [
    "with rules that meet",
    NOON,
    { ...RULES, HARD_CURFEW_OFF: "06:00", BLACKOUT_WINDOW: "06:01-06:00" },
    "These rules leave no time at which a light may be on.",
  ],
] as const)("tonight in words, %s", (_when, now, rules, sentence) => {
  expect(tonightWords(rules, now, true)?.sentences[0]).toBe(sentence);
});

test("rules that are typed but not saved are in force only once saved", () => {
  expect(tonightWords(RULES, NOON + 14 * HOUR, false)?.sentences[0]).toBe(
    "In force as soon as you save, until Sat, Nov 21, 5:00 AM: lights are off, and none may be turned on.",
  );
});

test("explains how long a curfew without a blackout lasts, and nothing for a half-typed time", () => {
  const alone = { ...RULES, BLACKOUT_WINDOW: "" };
  expect(tonightWords(alone, NOON, true)?.sentences).toContain("Without a blackout the curfew lasts six hours.");
  expect(tonightWords({ ...RULES, HARD_CURFEW_OFF: "23:" }, NOON, false)).toBeNull();
});

test("describes the retries and max on in words", () => {
  expect(ladderWords([10, 30])).toBe("A switch that fails is tried 2 times more: after 10 s, then 30 s");
  expect(ladderWords([])).toBe("A switch that fails is not tried again, but by the watchdog");
  expect(ladderWords([NaN])).toBe("A list of seconds, such as 10, 30");
  expect(burnedWords(90)).toBe("A light that has burned for 1 h 30 min goes off");
  expect(burnedWords(240)).toBe("A light that has burned for 4 h goes off");
  expect(burnedWords(2)).toBe("A light that has burned for 2 min goes off");
});
