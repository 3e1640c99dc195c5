import type { AreaType, Timezone } from "#domain/enums";
import type { NightLight } from "./tonight";
import type { NightFrame } from "./tonight-frame";
import type { NightTotals } from "./tonight-words";

/** An hour of a curfew or a blackout within the night, in epoch ms. */
export type Shade = { kind: "curfew" | "blackout"; from: number; to: number };

/** An area of the page. `hidden` counts lights of other departments; `lights` is null where they come on demand. */
export type NightArea = NightTotals & {
  id: string;
  name: string;
  type: AreaType;
  active: boolean;
  hidden: number;
  shade: Shade[];
  lights: NightLight[] | null;
};

/** Lights of one area, and how many more it has. */
export type AreaLights = { lights: NightLight[]; more: number; isForeseen: boolean };

/** The screen Tonight: a page of areas in one night. */
export type Tonight = {
  frame: NightFrame;
  /** Until when the log tells (epoch ms): now, or the night's end. */
  known: number;
  now: number;
  zone: Timezone;
  sentence: string;
  totals: NightTotals;
  /** False where the engine did not answer, so that nothing is known of what comes. */
  isForeseen: boolean;
};

/** One light in the night that runs, as its own page shows it. */
export type LightTonight = Pick<Tonight, "frame" | "known" | "now" | "zone" | "isForeseen"> & {
  light: NightLight;
  shade: Shade[];
};
