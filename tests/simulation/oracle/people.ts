import type { SwitchAction } from "#domain/enums";
import type { ToggleResult } from "#domain/records";
import { caughtUp, claimsOf } from "./book";
import { advance } from "./debts";
import { MINUTE, SECOND, SEEN_WITHIN, type Desk } from "./desk";
import { isDark } from "./limits";
import { look } from "./looks";

/** The browser gives up after ten seconds. */
const ANSWER_WITHIN = 9 * SECOND;

/** From the end of a wait until its answer, the clock is read no more often than this. */
const READINGS_TO_ANSWER = 5;
/** A test asks twice, for the switch and for what came of it. */
const READINGS_TO_TEST = 2 * READINGS_TO_ANSWER;

/** The engine takes up a press: what has to follow from it. */
export function notePress(desk: Desk, device: string, action: SwitchAction): void {
  advance(desk);
  const book = desk.books.get(device);
  if (!book) return;
  desk.snapshot([book]);
  const { now, clock } = desk.world;
  desk.trace.note(device, `${action.toUpperCase()} is pressed`);
  if (action === "on" && isDark(desk.known, device, clock)) return;
  if (action === "on") {
    const { manual } = book;
    const { on_at } = caughtUp(book, desk.known, clock);
    book.manual = { isAccepted: false, on_at_before: manual && !manual.isAccepted ? manual.on_at_before : on_at };
    book.off_at = null;
    book.on_at = claimsOf(desk.known, device, clock).length === 0 ? clock : null;
    if (book.lit_since !== null) book.lit_since = clock;
  } else {
    book.off_at = clock;
    book.on_at = null;
    book.manual = null;
  }
  book.lit_by = "us";
  book.test_until = null;
  look(desk, book);
  book.live = action;
  book.isOffKept = false;
  book.owes = { action, since: now, waited: 0, isPressed: true };
  desk.grant(book, SEEN_WITHIN + MINUTE);
}

/** A press is answered: in time, and neither refused in free time nor accepted under a guardrail. */
export function notePressAnswer(
  desk: Desk,
  device: string,
  action: SwitchAction,
  began: number,
  { success, detail }: ToggleResult,
): void {
  const { now, clock, skew_ms } = desk.world;
  desk.trace.note(device, `the press of ${action.toUpperCase()} is answered: ${success} ${detail ?? ""}`);
  if (detail === "the scheduler did not answer") return;
  if (now - began > ANSWER_WITHIN) desk.object(device, `the press was answered after ${(now - began) / 1000} s`);
  const wasRefused = /may not go on/.test(detail ?? "");
  const isForbidden = action === "on" && isDark(desk.known, device, began + skew_ms);
  if (wasRefused && !isDark(desk.known, device, clock)) desk.object(device, "an ON was refused in free time");
  if (isForbidden && success) desk.object(device, "an ON was accepted in a restricted time");
}

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
  if (action === "on" && isDark(desk.known, device, clock)) return;
  Object.assign(book, {
    live: null,
    owes: null,
    isOffKept: false,
    manual: null,
    probe: action,
    test_until: clock + TEST_HOLDS,
  });
  look(desk, book);
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
  look(desk, book);
}

/** A test is answered: in time, and no ON of it is taken under a guardrail. */
export function noteTestAnswer(desk: Desk, device: string, began: number, action: string, isOk: boolean): void {
  const { now, skew_ms, reading_ms } = desk.world;
  desk.trace.note(device, `the test ${action} is answered: ${isOk}`);
  const book = desk.books.get(device);
  if (book) book.probe = null;
  if (now - began > ANSWER_WITHIN + READINGS_TO_TEST * reading_ms)
    desk.object(device, `the test was answered after ${(now - began) / 1000} s`);
  const isForbidden = action === "on" && isDark(desk.known, device, began + skew_ms);
  if (isForbidden && isOk) desk.object(device, "a test's ON was accepted in a restricted time");
}
