import { formatClock } from "#domain/time/display";
import type { Night } from "./night";

/** What is said where there is no bar: of hours before the log began nobody knows what was planned. */
export function idleWords({ frame, known_from, zone }: Pick<Night, "frame" | "known_from" | "zone">): string {
  if (known_from >= frame.to) return "not known";
  return known_from > frame.from ? `nothing planned since ${formatClock(known_from, zone)}` : "nothing planned";
}
