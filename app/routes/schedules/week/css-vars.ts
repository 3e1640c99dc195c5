import type { CSSProperties } from "react";

/** A style with custom properties, which are numbers here. */
export function vars(style: CSSProperties & Record<`--${string}`, number>): CSSProperties {
  return style;
}
