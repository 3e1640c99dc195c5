import type { Book } from "./book";
import { areaOf } from "./city";
import { SECOND, type Desk } from "./desk";

/** All that wait together have left by then. */
const ALL_WITHIN = 300 * SECOND;
/** From when a turn is taken until its call leaves, the clock is read no more often than this. */
const READINGS_TO_LEAVE = 40;

/** An ON leaves: not sooner after the last one of its area than that says, or all would not have left in time. */
export function noteTurn(desk: Desk, book: Book, whose: "own" | "test"): void {
  const { world, known, turns } = desk;
  const area_id = known.devices.get(book.id)?.area ?? "";
  const apart = apartOf(desk, book);
  const last = turns.get(area_id);
  const { clock } = world;
  const isOneOfThem = last !== undefined && clock - last.left_at <= 2 * apart;
  const began = isOneOfThem ? last.began : clock;
  turns.set(area_id, { began, left_at: clock, apart });
  if (last === undefined || whose === "test") return;
  const gap = clock - last.left_at + READINGS_TO_LEAVE * world.reading_ms;
  if (gap < Math.min(apart, last.apart) && !mustHurry(desk, area_id, clock - began, apart))
    desk.object(book.id, `an ON left ${clock - last.left_at} ms after the last one of its area`);
}

function mustHurry({ known }: Desk, area_id: string, gone: number, apart: number): boolean {
  const lights = [...known.devices.values()].filter(({ area }) => area === area_id).length;
  return gone + lights * apart > ALL_WITHIN;
}

/**
 * How much longer an ON may take than another, since its area's leave one after the other. Whoever has had to wait keeps the
 * place, also where they leave all at once from now on.
 */
export function turnTakes(desk: Desk, book: Book): number {
  const isApart = apartOf(desk, book) > 0 || (desk.turns.get(areaIdOf(desk, book))?.apart ?? 0) > 0;
  return isApart ? ALL_WITHIN : (book.owes?.turn ?? 0);
}

function areaIdOf({ known }: Desk, { id }: Book): string {
  return known.devices.get(id)?.area ?? "";
}

function apartOf({ known }: Desk, { id }: Book): number {
  return (areaOf(known, id)?.stagger_sec ?? 0) * SECOND;
}
