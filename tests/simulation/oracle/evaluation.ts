import type { SwitchAction } from "#domain/enums";
import { isKnown, type Book } from "./book";
import { caughtUp, edgeAfter } from "./catch-up";
import type { City } from "./city";
import { judge } from "./judge";
import { isDark } from "./limits";
import { READINGS_TO_BEGIN, SEEN_WITHIN, type Desk } from "./desk";

/** The engine has evaluated the device: what it must conclude is noted, and what has to leave because of it. */
export function evaluate(desk: Desk, book: Book): void {
  const { now, clock } = desk.world;
  if (isAsSeen(desk, book)) return void (book.evaluated_at = clock);
  evaluateAnew(desk, book, now, clock);
  seen.set(book, { city: desk.known, until: edgeAfter(book, desk.known, clock), book: { ...book } });
}

/** What the last evaluation of each book saw, and when that can change by itself. */
const seen = new WeakMap<Book, { city: City; until: number; book: Book }>();

/** Whether nothing can have changed since the last evaluation: another one, and whoever judges anew, would say the same. */
export function isAsSeen({ known, world }: Desk, book: Book): boolean {
  const last = seen.get(book);
  if (!last || last.city !== known || world.clock >= last.until || book.test_until !== null) return false;
  const was = last.book;
  const isSameLight = book.lit_since === was.lit_since && book.lit_by === was.lit_by && book.key === was.key;
  const isSameHold = book.hold === was.hold && book.emergency === was.emergency;
  const isSameMemory = book.off_at === was.off_at && book.cut_at === was.cut_at && book.on_at === was.on_at;
  const isForward = (book.evaluated_at ?? -Infinity) >= (was.evaluated_at ?? Infinity);
  return isSameLight && isSameHold && isSameMemory && isForward && book.want === was.want;
}

function evaluateAnew(desk: Desk, book: Book, now: number, clock: number): void {
  const { key, off_at, cut_at, on_at, hold, emergency } = book;
  const before = {
    key,
    off_at,
    cut_at,
    on_at,
    hold,
    emergency,
    lit_by: book.lit_by,
    want: book.want,
    test_until: book.test_until,
    evaluated_at: book.evaluated_at,
    asked_at: book.asked_at,
    owes: book.owes && { ...book.owes },
    isOffKept: book.isOffKept,
    isOffTried: book.isOffTried,
  };
  Object.assign(book, judge(caughtUp(book, desk.known, clock), desk.known, clock), { evaluated_at: clock });
  if (book.hold !== hold || book.emergency !== emergency) book.asked_at = clock;
  const isReleased = endTest(desk, book);
  const isSameMemory = book.off_at === off_at && book.cut_at === cut_at && book.on_at === on_at;
  const isSameHold = book.hold === hold && book.emergency === emergency;
  if (isSameMemory && isSameHold && book.key === key && !isReleased) return;
  desk.evaluated.set(book.id, { at: clock, before });
  if (book.key === key && !isReleased) return;
  desk.trace.note(book.id, `wanted from now on: ${book.key}`);
  desk.reasons.add(book.key.replace(/ \S+@.*/, " booked"));
  const { want } = book;
  // It replaces an OFF that was to leave, and a command is sent whatever the lamp is known to be.
  if (want === "on" && (book.isOffKept || book.owes?.action === "off")) book.isOffTried = true;
  book.isOffKept = want !== "on" && (book.isOffKept || book.owes?.action === "off");
  // An OFF that nothing contradicts is kept, and an ON only while it is wanted.
  if (book.kept_up !== want && (book.kept_up === "on" || want === "on")) book.kept_up = null;
  const isUnknown = book.test_until === null && want !== "none" && book.live !== want && !isKnown(book, want);
  // Who reads the clock a moment later finds it over, and sends nothing.
  const isOver = isUnknown && isOverSoon(desk, book);
  if (isOver) book.isAhead = true;
  const isOwed = isUnknown && !isOver;
  // A toggle is sent whatever the state; an ON that is no longer want is dropped, an OFF never.
  const isDue = book.owes?.isToggle && (want === book.owes.action || (want === "none" && book.owes.action === "off"));
  // Who waits already for the same keeps the place, whatever it is for by now.
  const turn = book.owes?.action === want ? book.owes.turn : undefined;
  if (!isDue) {
    book.owes = isOwed ? { action: want, since: now, waited: 0, isToggle: false, turn } : null;
  }
  desk.grant(book, SEEN_WITHIN);
}

/** Whether what is wanted changes before the engine has read its clock as often as it may until it evaluates. */
function isOverSoon({ known, world: { clock, reading_ms } }: Desk, book: Book): boolean {
  return reading_ms > 0 && judge(book, known, clock + READINGS_TO_BEGIN * reading_ms).want !== book.want;
}

/** A test that is over, by itself or by a guardrail, holds the device no longer. */
function endTest({ known, world }: Desk, book: Book): boolean {
  const isForbidden = (isDark(known, book.id, world.clock) && book.want !== "on") || !known.isServed;
  const isOver = book.test_until !== null && (book.test_until <= world.clock || isForbidden);
  if (isOver) book.test_until = null;
  return isOver;
}

/** An attempt has ended without success, and there will be another. */
export function retried(desk: Desk, device: string): void {
  const manual = desk.books.get(device)?.manual;
  if (manual) manual.isAccepted = false;
}

/** An ON takes the place of an OFF, which may have failed and have been kept up: it leaves, whatever the lamp was last read. */
export function replaced(desk: Desk, device: string): void {
  const book = desk.books.get(device);
  if (book?.want === "on") book.isOffTried = true;
}

/** A command has ended, as its event says: a manual ON that failed leaves no wish behind but the one before it. */
export function ended(desk: Desk, device: string, action: SwitchAction, isLostWish: boolean): void {
  const book = desk.books.get(device);
  if (!book) return;
  const { manual } = book;
  if (book.live === action) book.live = null;
  book.isMadeGood = false;
  if (action === "on") book.manual = null;
  else book.isOffKept = false;
  if (!isLostWish) return;
  if (book.on_at !== null) book.on_at = manual?.on_at_before ?? null;
  evaluate(desk, book);
}

/** All tries of a command have failed, none of which has left: it is kept up while it is wanted. */
export function failedUnsent(desk: Desk, device: string, action: SwitchAction): void {
  const book = desk.books.get(device);
  if (book?.isUnsent) book.kept_up = action === "off" || book.want === "on" ? action : null;
}
