import { formatClock, formatHours } from "#domain/time/display";
import type { NightArea } from "#domain/tonight/tonight-records";
import type { Night } from "./night";

/** The dark hours of an area in words: 'curfew 10:00 PM - 5:00 AM', and where the night cuts them 'blackout from 8:00 AM'. */
export function darkWords({ shade }: NightArea, { frame, zone }: Pick<Night, "frame" | "zone">): string[] {
  return shade.map(({ kind, from, to }) => {
    if (from <= frame.from) return `${kind} until ${formatClock(to, zone)}`;
    return `${kind} ${to >= frame.to ? `from ${formatClock(from, zone)}` : formatHours(from, to, zone)}`;
  });
}
