import { formatClock } from "#domain/time/display";
import type { NightContext } from "./bar-track";

/** What is said where there is no bar: of hours before the log began nobody knows what was planned. */
export function idleWords({ frame, known_from, zone }: Pick<NightContext, "frame" | "known_from" | "zone">): string {
  if (known_from >= frame.to) return "not known";
  return known_from > frame.from ? `nothing planned since ${formatClock(known_from, zone)}` : "nothing planned";
}
