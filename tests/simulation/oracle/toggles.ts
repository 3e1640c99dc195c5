import type { City } from "./city";
import type { ToggleAction } from "#domain/enums";
import { caughtUp } from "./catch-up";
import type { Book } from "./book";
import { claimsOf } from "./claims";
import { coolsUntil } from "./cooling";
import { advance } from "./debts";
import { MINUTE, SECOND, SEEN_WITHIN, type Desk } from "./desk";
import { darkensBetween, isDark } from "./limits";
import { evaluate } from "./evaluation";

/** The browser gives up after ten seconds. */
export const ANSWER_WITHIN = 9 * SECOND;

/** What a person asks for; `until` is when it ends by itself. */
export type Toggle = { action: ToggleAction; until: number | null; isEmergency: boolean };

/** Of each toggle, the devices that an emergency lit when it was taken up: another may have ended it before the answer. */
const inEmergency = new WeakMap<Toggle, Set<string>>();

/** The same of those that were to be dark then: another plan may be known by the time of the answer. */
const inDark = new WeakMap<Toggle, Set<string>>();
/** ... and those whose lamp has to cool by what was known then: that may change before the answer. */
const coolingWhenTaken = new WeakMap<Toggle, Set<string>>();

/** By the engine's clock, which stands still where it was put back, when each toggle was taken up. */
const takenAt = new WeakMap<Toggle, number>();

/** The engine takes up a toggle: what has to follow from it. */
export function noteToggle(desk: Desk, device: string, asked: Toggle): void {
  advance(desk);
  takenAt.set(asked, desk.world.clock);
  const book = desk.books.get(device);
  if (!book) return;
  const { known, world } = desk;
  if (isLitInEmergency(book, world.clock))
    inEmergency.set(asked, (inEmergency.get(asked) ?? new Set<string>()).add(device));
  if (isDark(known, device, world.clock)) inDark.set(asked, (inDark.get(asked) ?? new Set<string>()).add(device));
  if (hasToCool(known, device))
    coolingWhenTaken.set(asked, (coolingWhenTaken.get(asked) ?? new Set<string>()).add(device));
  desk.snapshot([book]);
  desk.trace.note(device, `${nameOf(asked)} is toggled`);
  if (isRefused(desk, book, asked)) return;
  take(desk, book, asked);
  if (asked.action === "auto") {
    // What a test did is undone, as its end would.
    if (book.test_until !== null) book.test_until = desk.world.clock;
    return evaluate(desk, book);
  }
  book.test_until = null;
  evaluate(desk, book);
  // By the engine's clock its end is over already.
  if (asked.action === "on" && book.want !== "on") return;
  if (asked.action === "off" && asked.until !== null && book.want === "on") return replaceWaiting(desk, book);
  book.live = asked.action;
  book.isOffKept = false;
  book.owes = { action: asked.action, since: desk.world.now, waited: 0, isToggle: true };
  desk.grant(book, SEEN_WITHIN + MINUTE);
}

/** The OFF took the place of an ON that waited for its turn; the one in its own place has five minutes of its own. */
function replaceWaiting(desk: Desk, book: Book): void {
  book.isOffTried = true;
  if (!book.owes?.turn) return;
  book.owes.waited = 0;
  desk.grant(book, SEEN_WITHIN);
}

/** An ON of an inactive organization, or where it is dark or would be before the lamp has cooled, unless an emergency lights it. */
function isRefused(desk: Desk, book: Book, { action, isEmergency }: Toggle): boolean {
  const { known, world } = desk;
  if (action === "on" && !known.isServed) return true;
  if (action !== "on" || isEmergency) return false;
  const { clock } = world;
  if (isDark(known, book.id, clock)) return !isLitInEmergency(book, clock);
  const cool_at = coolsUntil(desk, book);
  return cool_at !== null && darkensBetween(known, book.id, clock, cool_at);
}

function isLitInEmergency({ emergency }: Book, at: number): boolean {
  return emergency !== null && emergency.until > at;
}

/** What is remembered of a toggle. */
function take({ known, world }: Desk, book: Book, { action, until, isEmergency }: Toggle): void {
  const { clock } = world;
  // Until now it was as people had asked for until now.
  const { off_at, cut_at, on_at: was_on_at, hold: was_held, emergency, lit_by } = caughtUp(book, known, clock);
  const evaluated_at = book.evaluated_at === null ? null : clock;
  Object.assign(book, {
    off_at,
    cut_at,
    on_at: was_on_at,
    hold: was_held,
    emergency,
    lit_by,
    evaluated_at,
    asked_at: clock,
  });
  const hold = action === "auto" || until === null ? null : { action, until, since: clock };
  const { manual, on_at } = book;
  if (action === "on")
    book.manual = { isAccepted: false, on_at_before: manual && !manual.isAccepted ? manual.on_at_before : on_at };
  if (action === "off") book.manual = null;
  if (isEmergency && until !== null) return void (book.emergency = { until, since: clock });
  // Lit by an emergency, where nothing else may light it.
  if (action === "on" && isDark(known, book.id, clock)) return;
  book.lit_by = "us";
  book.hold = hold;
  book.on_at = null;
  if (action === "auto") book.off_at = null;
  if (action === "off") book.emergency = null;
  if (action === "off" && !hold) book.off_at = clock;
  // Whatever is known of the lamp, it is owed an OFF until it is read dark.
  if (action === "off") book.lit_since ??= clock;
  if (action !== "on") return;
  if (book.lit_since !== null) book.lit_since = clock;
  if (hold) return;
  book.off_at = null;
  book.cut_at = null;
  book.on_at = claimsOf(known, book.id, clock).length === 0 ? clock : null;
}

/** How a toggle is answered. */
export type ToggleAnswer = { success: boolean; detail: string | null };

/** A toggle is answered: in time, and neither refused in free time nor accepted where it is dark. */
export function noteToggleAnswer(
  desk: Desk,
  device: string,
  asked: Toggle,
  began: number,
  { success, detail }: ToggleAnswer,
): void {
  const { now, clock, skew_ms } = desk.world;
  desk.trace.note(device, `the toggle of ${nameOf(asked)} is answered: ${success} ${detail ?? ""}`);
  if (detail === "the scheduler did not answer") return;
  if (now - began > ANSWER_WITHIN) desk.object(device, `the toggle was answered after ${(now - began) / 1000} s`);
  const wasRefused = /may not go on/.test(detail ?? "");
  const mayCool = /cooling/.test(detail ?? "");
  const isLit = inEmergency.get(asked)?.has(device) ?? false;
  const taken_at = takenAt.get(asked) ?? began + skew_ms;
  const wasDark = inDark.get(asked)?.has(device) ?? false;
  const isForbidden = asked.action === "on" && !asked.isEmergency && !isLit && wasDark;
  const isSettled = taken_at >= desk.known.served_at;
  if (/organization is inactive/.test(detail ?? "")) {
    // It may have become active again between the toggle and its answer.
    if (desk.known.isServed && isSettled) desk.object(device, "an ON was refused as of an inactive organization");
    return;
  }
  if (wasRefused && asked.isEmergency) desk.object(device, "an emergency was refused");
  if (wasRefused && !mayCool && !wasDark && !isDark(desk.known, device, clock))
    desk.object(device, "an ON was refused in free time");
  if (mayCool && !hasToCool(desk.known, device) && !coolingWhenTaken.get(asked)?.has(device))
    desk.object(device, "an ON was refused for a lamp that need not cool");
  if (isForbidden && success) desk.object(device, "an ON was accepted in a restricted time");
  const isUnserved = asked.action === "on" && !desk.known.isServed && isSettled;
  if (isUnserved && success) desk.object(device, "an ON was accepted of an organization that is inactive");
}

function hasToCool({ devices }: City, device: string): boolean {
  return (devices.get(device)?.restrike_min ?? 0) > 0;
}

function nameOf({ action, until, isEmergency }: Toggle): string {
  const end = until === null ? "" : ` until ${new Date(until).toISOString().slice(0, 16)}`;
  return `${isEmergency ? "emergency " : ""}${action.toUpperCase()}${end}`;
}
