import type { Piece } from "#app/week/rows";

/** By which the block under a pointer is found again. */
export function keyOf({ window: { schedule_id, start } }: Piece): string {
  return `${schedule_id} ${start}`;
}
