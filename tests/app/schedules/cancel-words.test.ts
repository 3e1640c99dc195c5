import { expect, test } from "vitest";
import { cancelAllWords, cancelWords } from "#app/routes/schedules/cancel-words";

const ASK = 'Are you sure you want to cancel "Evening lights"';
/** 6 PM in Los Angeles. */
const EVENING = { start_at: "2026-11-21T02:00:00.000Z", timezone: "America/Los_Angeles", is_running: false };
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

test("says of a schedule that runs that its lights go off", () => {
  const running = { ...EVENING, title: "Evening lights", is_running: true };
  expect(cancelWords({ ...running, rrule: null, left: 1 })).toBe(`${ASK}? ${PREVENTS} It runs now; its lights go off.`);
  expect(cancelWords({ ...running, rrule: "FREQ=DAILY", left: null })).toBe(
    `${ASK}: every night to come, for good? ${PREVENTS} It runs now; its lights go off.`,
  );
});

test("says of several how many run, and that their lights go off", () => {
  const once = { ...EVENING, rrule: null, left: 1 };
  const running = { ...once, is_running: true };
  expect(cancelAllWords([once, running])).toBe(
    `Are you sure you want to cancel what is selected? ${PREVENTS} One of them runs now; its lights go off.`,
  );
  expect(cancelAllWords([running, running, { ...once, rrule: "FREQ=DAILY", left: null }])).toBe(
    "Are you sure you want to cancel what is selected? One of them repeats: every night to come, for good. " +
      `${PREVENTS} 2 of them run now; their lights go off.`,
  );
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
