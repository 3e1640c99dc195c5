import { MOST_CONFLICTS } from "#domain/forecast/preview-request";
import type { SchedulePreview } from "#domain/forecast/preview-schema";

type Conflict = SchedulePreview["conflicts"][number];

const SHOWN = 3;

/** The overlaps that are told one by one, and how many more there are, in a sentence; null where that is none. */
export function overlapsOf(conflicts: readonly Conflict[]): { shown: Conflict[]; more: string | null } {
  const told = conflicts.filter(isFirstOfItsWords);
  const rest = told.length - SHOWN;
  // The engine answers no more than so many, whatever there is.
  const least = conflicts.length >= MOST_CONFLICTS ? "At least " : "";
  return {
    shown: told.slice(0, SHOWN),
    more: rest > 0 ? `${least}${rest} more ${rest === 1 ? "overlaps" : "overlap"}.` : null,
  };
}

/** An area's lights may each have a schedule of one title, which are told of by one sentence. */
function isFirstOfItsWords({ title, start_at }: Conflict, at: number, all: readonly Conflict[]): boolean {
  return all.findIndex((other) => other.title === title && other.start_at === start_at) === at;
}
