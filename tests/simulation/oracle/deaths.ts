import { queueOf, type Desk } from "./desk";
import { litByUs } from "./calls";
import type { Ledger } from "./ledger";

/** The process is gone: what it had not committed nobody knows any more. */
export function noteDeath(desk: Desk, ledger: Ledger): void {
  desk.died_at = desk.world.now;
  forgetLooks(desk);
  desk.undo?.();
  desk.undo = null;
  // What was heard of the hubs and not written down is forgotten with the process.
  desk.hubs = new Map(desk.inside.hubTrouble().map(({ hub, ...trouble }) => [hub, trouble]));
  noteUnseen(desk, ledger);
  desk.inFlight.clear();
  for (const book of desk.books.values()) book.probes = [];
  desk.ok_since = Infinity;
  const until = new Date(desk.world.down_until).toISOString().slice(11, 19);
  desk.trace.note(null, `the process dies, until ${until}`);
}

/** What a process saw (the longest time was up, a guardrail began) and died without a word of, the next one decides anew. */
function forgetLooks(desk: Desk): void {
  for (const [id, { at, before }] of desk.evaluated) {
    const book = desk.books.get(id);
    const evaluated_at = desk.inside.evaluatedAt(id);
    if (book && evaluated_at !== null && evaluated_at < at) Object.assign(book, before);
  }
  desk.evaluated.clear();
}

/**
 * A call that was handed out and never left, since the process died in between: whoever comes after it can't know, and
 * has to take it for sent, and its answer for lost (verified, not repeated blindly).
 */
function noteUnseen(desk: Desk, ledger: Ledger): void {
  const { now } = desk.world;
  const handedOut = desk.inside.handedOut();
  const before = desk.handed_out;
  desk.handed_out = new Set(handedOut.map(({ id }) => id));
  for (const { id, lamp, hub, action, isTest } of handedOut) {
    // Of a call whose answer is still awaited, another process has died before.
    if (before.has(id)) continue;
    if ((desk.inFlight.get(queueOf(lamp, hub)) ?? 0) > 0) continue;
    const book = desk.bookOf(lamp, hub);
    const owed = book ?? desk.orphans.get(lamp);
    if (owed && owed.owes?.action === action) owed.owes = null;
    // Of a test's call it may have had the answer already, and died before it could write it down.
    ledger.sent(lamp, action, now, isTest ? "test" : book ? "own" : "old");
    if (!book) continue;
    desk.trace.note(book.id, `${action} was handed out, and died`);
    if (action === "on") litByUs(desk, book);
    book.sent_at = now;
    if (!isTest) Object.assign(book, { live: action, isOffTried: action === "off", isUnsent: false, kept_up: null });
  }
}
