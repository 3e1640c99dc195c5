import { nextStart, occurrences } from "./recurrence";
import type { Recurring } from "./schedule";

/** The next start or the running end, whichever comes first (epoch ms); null if nothing is to come. */
export function nextEvent(schedule: Recurring, now: number): number | null {
  const ends = occurrences(schedule, now, now + 1).map((occurrence) => occurrence.end);
  const start = nextStart(schedule, now);
  const instants = start === null ? ends : [...ends, start];
  return instants.length > 0 ? Math.min(...instants) : null;
}
