import type { Book } from "./book";
import { MINUTE, type Desk } from "./desk";

/** A reading says whether a lamp burns: from the first that says off after one that said on, it cools. */
export function noteCooling({ world }: Desk, book: Book, state: string): void {
  if (state === "off" && book.isSeenLit) book.dark_since = world.clock;
  if (state === "on") book.dark_since = null;
  if (state !== "unknown") book.isSeenLit = state === "on";
}

/** The lamp took our OFF. */
export function noteTaken({ world }: Desk, book: Book): void {
  if (book.isSeenLit) book.dark_since = world.clock;
}

/** When a lamp has cooled, or had. */
export function cooledAt({ known }: Desk, { id, dark_since }: Book): number {
  const pause = (known.devices.get(id)?.restrike_min ?? 0) * MINUTE;
  return dark_since === null ? -Infinity : dark_since + pause;
}

/** Until when a lamp that must cool may not be lit; null where it may. */
export function coolsUntil(desk: Desk, book: Book): number | null {
  const at = cooledAt(desk, book);
  return at <= desk.world.clock ? null : at;
}

export function isCooling(desk: Desk, book: Book): boolean {
  return coolsUntil(desk, book) !== null;
}
