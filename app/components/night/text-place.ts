import { placeOf } from "#domain/tonight/tonight-frame";
import type { Ends } from "./place";

/** How far, in percent of the track's width, from its left and its right edge; before all that is drawn, or behind a part. */
export type TextPlace = { left: number; right: number; isBefore: boolean };

/** Less of the track, in percent, holds no words. */
const LEAST = 25;

/**
 * Where a row has room for its words: behind all that is drawn (epoch ms), or else before it, but not over hours of which
 * nothing is known, which have words of their own. Null where there is none.
 */
export function textPlace(drawn: Ends[], frame: Ends, known_from: number): TextPlace | null {
  const end = placeOf(Math.max(...drawn.map(({ to }) => to)), frame);
  if (end <= 72) return { left: end, right: 0, isBefore: false };
  const start = placeOf(Math.min(...drawn.map(({ from }) => from)), frame);
  const left = placeOf(known_from, frame);
  return start - left < LEAST ? null : { left, right: 100 - start, isBefore: true };
}

/** The room behind some of what is drawn, up to what is drawn next. Null where that is too little, or nothing is next. */
export function gapBehind(run: Ends[], drawn: Ends[], frame: Ends): TextPlace | null {
  const end = Math.max(...run.map(({ to }) => to));
  const next = Math.min(...drawn.filter(({ to }) => to > end).map(({ from }) => from));
  if (next === Infinity) return null;
  const [left, right] = [placeOf(end, frame), 100 - placeOf(next, frame)];
  return 100 - left - right < LEAST ? null : { left, right, isBefore: false };
}
