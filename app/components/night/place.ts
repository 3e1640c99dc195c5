import type { CSSProperties } from "react";
import { placeOf, type NightFrame } from "#domain/tonight/tonight-frame";

export type Ends = Pick<NightFrame, "from" | "to">;

/** Where a stretch of a night is on its axis, as far as it lies within. */
export function stretch({ from, to }: Ends, frame: Ends): CSSProperties {
  const left = placeOf(from, frame);
  return { left: `${left}%`, width: `${Math.round((placeOf(to, frame) - left) * 100) / 100}%` };
}
