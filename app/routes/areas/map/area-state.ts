import type { MapArea } from "./city-map";

/** What a mark says, the worst first: something is wrong, lit, all unknown, dark, without lights. */
export const MARK_STATES = ["wrong", "lit", "unknown", "dark", "empty"] as const;
export type MarkState = (typeof MARK_STATES)[number];

export const STATE_WORDS: Record<MarkState, string> = {
  wrong: "Problem",
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
  return lights === 0 ? "No lights" : `${on} of ${lights} on`;
}

/** '1 problem', '2 problems'; null without any. */
export function problemWords({ problems }: Counts): string | null {
  if (problems === 0) return null;
  return problems === 1 ? "1 problem" : `${problems} problems`;
}

/** '5 unknown'; null where the state of each light is known. */
export function unknownWords({ unknown }: Counts): string | null {
  return unknown === 0 ? null : `${unknown} unknown`;
}

/** All of it: '3 of 8 on, 1 problem'. */
export function countWords(counts: Counts): string {
  return [litWords(counts), problemWords(counts), unknownWords(counts)].filter((words) => words !== null).join(", ");
}
