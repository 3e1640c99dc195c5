import { expect, test } from "vitest";
import { cancelAllWords, cancelWords } from "#app/routes/schedules/cancel-words";

const ASK = 'Are you sure you want to cancel "Evening lights"';
/** 6 PM in Los Angeles. */
const EVENING = { start_at: "2026-11-21T02:00:00.000Z", timezone: "America/Los_Angeles" };
const PREVENTS = "This prevents scheduled device control.";

test.each([
  [null, 1, `${ASK}? ${PREVENTS}`],
  ["FREQ=DAILY;COUNT=31", 31, `${ASK}: all 31 nights to come, for good? ${PREVENTS}`],
  ["FREQ=DAILY;COUNT=31", 1, `${ASK}: the last night to come, for good? ${PREVENTS}`],
  ["FREQ=DAILY;COUNT=31", 0, `${ASK}? ${PREVENTS}`],
  ["FREQ=DAILY", null, `${ASK}: every night to come, for good? ${PREVENTS}`],
])("explains what canceling a schedule with the rule %s and %s windows left does", (rrule, left, words) => {
  expect(cancelWords({ ...EVENING, title: "Evening lights", rrule, left })).toBe(words);
});

test("explains for several how many repeat and how many windows they lose", () => {
  const once = { ...EVENING, rrule: null, left: 1 };
  const series = { ...EVENING, rrule: "FREQ=DAILY;COUNT=10", left: 10 };
  expect(cancelAllWords([once, series, { ...series, start_at: "2026-11-20T20:00:00.000Z", left: 4 }])).toBe(
    `Are you sure you want to cancel what is selected? 2 of them repeat: all 14 times to come, for good. ${PREVENTS}`,
  );
  expect(cancelAllWords([once, { ...series, left: 0 }])).toBe(
    `Are you sure you want to cancel what is selected? ${PREVENTS}`,
  );
  expect(cancelAllWords([once])).toBe(`Are you sure you want to cancel what is selected? ${PREVENTS}`);
});
