import type { Planned } from "#domain/resolve/claims";
import { occurrences } from "#domain/schedule/recurrence";
import type { Occurrence } from "#domain/schedule/schedule";

/** The occurrences of a schedule, as `foresee` asks for them. */
export type Expand = (schedule: Planned) => Occurrence[];

/** Expands each schedule once between two instants (epoch ms): the lights of a group or an area share theirs. */
export function expansion(from: number, to: number): Expand {
  const known = new Map<string, Occurrence[]>();
  return (schedule) => {
    const found = known.get(schedule.id) ?? occurrences(schedule, from, to);
    known.set(schedule.id, found);
    return found;
  };
}
