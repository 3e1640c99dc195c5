import { DAY } from "./wall-clock";

/** How long the oracle remembers what was told: longer than the engine remembers a window after its end. */
export const REMEMBERED = 7 * DAY;

/** Forgets what is older than `oldest`; the oldest come first. However many there are, nothing younger is forgotten. */
export function forgetBefore<K, V>(all: Map<K, V>, oldest: number, atOf: (value: V) => number): void {
  for (const [key, value] of all) {
    if (atOf(value) >= oldest) return;
    all.delete(key);
  }
}
