import { UNDO, useAnswer } from "#app/forms/use-answer";

/** Tells what came of an 'Undo' in a toast. */
export function Undone() {
  useAnswer({ key: UNDO });
  return null;
}
