import { placeOf } from "#domain/tonight/tonight-frame";
import type { Ends } from "./place";

/** How far, in percent of the track's width, from its left and its right edge. */
type TextPlace = { left: number; right: number };

/** Less of the track, in percent, holds no words. */
const LEAST = 25;

/**
 * Where a row has room for its words: behind all that is drawn (epoch ms), or else before it, but not over hours of which
 * nothing is known, which have words of their own. Null where there is none.
 */
export function textPlace(drawn: Ends[], frame: Ends, known_from: number): TextPlace | null {
  const end = placeOf(Math.max(...drawn.map(({ to }) => to)), frame);
  if (end <= 72) return { left: end, right: 0 };
  const start = placeOf(Math.min(...drawn.map(({ from }) => from)), frame);
  const left = placeOf(known_from, frame);
  return start - left < LEAST ? null : { left, right: 100 - start };
}
