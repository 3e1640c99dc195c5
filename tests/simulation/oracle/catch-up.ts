import type { Book, Memory } from "./book";
import { firstAfter, windowsOf } from "./calendar";
import { openedAt, type City } from "./city";
import { judge } from "./judge";
import { limitEdges, rulesOf, rulesSince } from "./limits";
import { plansOf } from "./targets";
import { DAY } from "./wall-clock";

const MINUTE = 60_000;

/**
 * What the book holds at `now` if somebody had evaluated it at every instant since the last evaluation at which something changed:
 * a window that took the light over in between, or a curfew that ended it, is not undone by nobody having been there.
 */
export function caughtUp(book: Book, city: City, now: number): Book {
  const then = { ...book };
  if (book.evaluated_at === null) return then;
  for (let at = Math.max(book.evaluated_at, rulesSince(city, book.id), now - 2 * DAY); at < now;) {
    const judged = judge({ ...then, ...without(then, at) }, city, at, true);
    const { off_at, cut_at, on_at, hold, emergency, lit_by } = judged;
    Object.assign(then, { off_at, cut_at, on_at, hold, emergency, lit_by }, later(then, at));
    at = edgeAfter(then, city, at);
  }
  return then;
}

type Hidden = Partial<Memory>;

/** What came only after an instant is not known at it ... */
function without(book: Memory, at: number): Hidden {
  const { off_at, cut_at, on_at, hold, emergency, lit_since } = book;
  return {
    off_at: isAfter(off_at, at) ? null : off_at,
    cut_at: isAfter(cut_at, at) ? null : cut_at,
    on_at: isAfter(on_at, at) ? null : on_at,
    hold: isAfter(hold?.since, at) ? null : hold,
    emergency: isAfter(emergency?.since, at) ? null : emergency,
    lit_since: isAfter(lit_since, at) ? null : lit_since,
  };
}

/** ... and stays as it is. */
function later({ off_at, cut_at, on_at, hold, emergency, lit_since, lit_by }: Memory, at: number): Hidden {
  return {
    ...(isAfter(off_at, at) && { off_at }),
    ...(isAfter(cut_at, at) && { cut_at }),
    ...(isAfter(on_at, at) && { on_at }),
    ...(isAfter(hold?.since, at) && { hold }),
    ...(isAfter(emergency?.since, at) && { emergency }),
    ...(isAfter(lit_since, at) && { lit_by }),
  };
}

function isAfter(instant: number | null | undefined, at: number): boolean {
  return typeof instant === "number" && instant > at;
}

/** The next instant at which the book's answer could change. */
export function edgeAfter(book: Book, city: City, at: number): number {
  const max = rulesOf(city, book.id).MAX_ON_DURATION_MIN * MINUTE;
  const plain = city.rules.MAX_ON_DURATION_MIN * MINUTE;
  const { off_at, cut_at, on_at, hold, emergency, lit_since } = book;
  let next = Infinity;
  const note = (edge: number) => {
    if (edge > at && edge < next) next = edge;
  };
  note(openedAt(city, book.id));
  for (const edge of limitEdges(city, book.id, at)) note(edge);
  for (const instant of [off_at, cut_at, on_at, lit_since]) {
    if (instant === null) continue;
    note(instant);
    note(instant + max);
    note(instant + plain);
  }
  for (const slot of [hold, emergency]) {
    if (!slot) continue;
    note(slot.since);
    note(slot.until);
  }
  for (const plan of plansOf(city, book.id).flatMap((one) => [one, ...(one.formers ?? [])])) {
    const windows = windowsOf(plan);
    note(plan.changed_at);
    note(plan.made_at + max);
    for (let i = firstAfter(windows, at - 3 * DAY); i < windows.length; i += 1) {
      const window = windows[i];
      if (!window) break;
      note(window.start);
      note(window.end);
      note(window.start + max);
      if (window.start > at) break;
    }
  }
  return next;
}
