import { grouped } from "#domain/counted";
import type { MapArea } from "./city-map";

/** What a mark says, the worst first: something is wrong, lit, all unknown, dark, without lights. */
export const MARK_STATES = ["wrong", "lit", "unknown", "dark", "empty"] as const;
export type MarkState = (typeof MARK_STATES)[number];

export const STATE_WORDS: Record<MarkState, string> = {
  wrong: "Wrong",
  lit: "Lit",
  unknown: "Unknown",
  dark: "Dark",
  empty: "No lights",
};

type Counts = Pick<MapArea, "on" | "unknown" | "problems" | "lights">;

export function stateOf({ on, unknown, problems, lights }: Counts): MarkState {
  if (problems > 0) return "wrong";
  if (on > 0) return "lit";
  if (lights === 0) return "empty";
  return unknown === lights ? "unknown" : "dark";
}

/** '3 of 8 on', 'No lights'. */
export function litWords({ on, lights }: Counts): string {
  return lights === 0 ? "No lights" : `${grouped(on)} of ${grouped(lights)} on`;
}

/** '2 wrong'; null where every light is as it should be. */
export function wrongWords({ problems }: Counts): string | null {
  return problems === 0 ? null : `${grouped(problems)} wrong`;
}

/** '5 unknown'; null where the state of each light is known. */
export function unknownWords({ unknown }: Counts): string | null {
  return unknown === 0 ? null : `${grouped(unknown)} unknown`;
}

/** All of it: '3 of 8 on, 1 wrong'. */
export function countWords(counts: Counts): string {
  return [litWords(counts), wrongWords(counts), unknownWords(counts)].filter((words) => words !== null).join(", ");
}
