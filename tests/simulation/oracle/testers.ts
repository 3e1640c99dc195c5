import type { SwitchAction } from "#domain/enums";
import { advance } from "./debts";
import { MINUTE, SECOND, SEEN_WITHIN, type Desk } from "./desk";
import { isDark } from "./limits";
import { evaluate } from "./evaluation";
import { ANSWER_WITHIN } from "./toggles";

/**
 * How often the clock is read beside a test's wait: once before it, which is when the nine seconds begin, and eleven
 * times from its end until the answer, since a test asks twice, for the switch and for what came of it, and what it has
 * logged is told to D1 meanwhile.
 */
const READINGS_TO_TEST = 12;

/** A test that nobody ends is over after this long. */
const TEST_HOLDS = 30 * SECOND;

/** The engine takes up a test's switch: from now on nothing else is sent to the device. */
export function noteTest(desk: Desk, device: string, action: SwitchAction): void {
  advance(desk);
  const book = desk.books.get(device);
  if (!book) return;
  desk.snapshot([book]);
  const { clock } = desk.world;
  desk.trace.note(device, `a test switches ${action}`);
  if (action === "on" && (isDark(desk.known, device, clock) || !desk.known.isServed)) return;
  Object.assign(book, {
    live: null,
    owes: null,
    isOffKept: false,
    manual: null,
    probes: [...book.probes, { action, hasLeft: false }],
    test_until: clock + TEST_HOLDS,
  });
  evaluate(desk, book);
  desk.grant(book, TEST_HOLDS + SEEN_WITHIN + MINUTE);
}

/** Somebody ends the test. */
export function noteTestEnd(desk: Desk, device: string): void {
  advance(desk);
  const book = desk.books.get(device);
  if (!book || book.test_until === null) return;
  desk.snapshot([book]);
  desk.trace.note(device, "the test is ended");
  book.test_until = desk.world.clock;
  evaluate(desk, book);
}

/** A test is answered: in time, and no ON of it is taken under a guardrail. */
export function noteTestAnswer(desk: Desk, device: string, began: number, action: string, isOk: boolean): void {
  const { now, skew_ms, reading_ms } = desk.world;
  desk.trace.note(device, `the test ${action} is answered: ${isOk}`);
  const book = desk.books.get(device);
  const answered = book?.probes
    .toSorted((a, b) => Number(b.hasLeft) - Number(a.hasLeft))
    .find((p) => p.action === action);
  if (book) book.probes = book.probes.filter((probe) => probe !== answered);
  if (now - began > ANSWER_WITHIN + READINGS_TO_TEST * reading_ms)
    desk.object(device, `the test was answered after ${(now - began) / 1000} s`);
  // By a plan that has come since it began, as that of a group that the device was put into, it may be dark.
  const wasFree = answered !== undefined;
  const isForbidden = action === "on" && !wasFree && isDark(desk.known, device, began + skew_ms);
  if (isForbidden && isOk) desk.object(device, "a test's ON was accepted in a restricted time");
}
