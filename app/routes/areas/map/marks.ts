import type { MarkState } from "./area-state";

/** The tokens (app/styles/tailwind.css) that the map is drawn with. */
export type Token =
  | "canvas"
  | "surface"
  | "line"
  | "line-strong"
  | "ink"
  | "ink-soft"
  | "ink-faint"
  | "lit"
  | "lit-mark"
  | "lit-ink"
  | "bad"
  | "bad-ink"
  | "bad-text"
  | "focus"
  | "map-land"
  | "map-park"
  | "map-water"
  | "map-road"
  | "map-building";

/** What each token is in the scheme that is shown. */
export type Colors = Record<Token, string>;

/** A path in a square of 24, filled, or drawn with a line of some width. */
export type Shape = { d: string; fill?: Token; stroke?: Token; width?: number; dash?: [number, number] };

/**
 * A mark by its state. Each has a shape of its own, for who cannot tell the colors apart: a sun, a ring, a diamond with its
 * sign, a broken ring, a dot.
 */
export const MARKS: Record<MarkState, Shape[]> = {
  lit: [
    { d: rays(), stroke: "lit-mark", width: 2.5 },
    { d: circle(7), fill: "lit", stroke: "lit-mark", width: 1.5 },
  ],
  dark: [{ d: circle(7), fill: "surface", stroke: "line-strong", width: 3 }],
  wrong: [
    { d: "M12 1 23 12 12 23 1 12z", fill: "bad", stroke: "surface", width: 1.5 },
    { d: "M12 6.5v6", stroke: "bad-ink", width: 2.5 },
    { d: circle(1.5, 16), fill: "bad-ink" },
  ],
  unknown: [{ d: circle(7.5), fill: "surface", stroke: "line-strong", width: 2.5, dash: [4, 3.85] }],
  empty: [{ d: circle(4), fill: "line-strong", stroke: "surface", width: 1.5 }],
};

/** Many areas in one mark, which has room for their number. The problem's diamond sits on the edge. */
export const CLUSTERS: Record<MarkState, Shape[]> = {
  lit: [{ d: circle(10), fill: "lit", stroke: "lit-mark", width: 1.5 }],
  dark: [{ d: circle(10), fill: "surface", stroke: "line-strong", width: 1.75 }],
  wrong: [
    { d: circle(10), fill: "surface", stroke: "bad", width: 1.75 },
    { d: "M19.5 0 24 4.5 19.5 9 15 4.5z", fill: "bad", stroke: "surface", width: 0.75 },
  ],
  unknown: [{ d: circle(10), fill: "surface", stroke: "line-strong", width: 1.75, dash: [3.3, 2.95] }],
  empty: [{ d: circle(10), fill: "surface", stroke: "line", width: 1.5 }],
};

function circle(radius: number, y = 12): string {
  return `M${12 - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0z`;
}

function rays(): string {
  const at = (angle: number, radius: number) =>
    `${(12 + radius * Math.cos(angle)).toFixed(2)} ${(12 + radius * Math.sin(angle)).toFixed(2)}`;
  const angles = Array.from({ length: 8 }, (_, nth) => (nth * Math.PI) / 4);
  return angles.map((angle) => `M${at(angle, 8)}L${at(angle, 11)}`).join("");
}
