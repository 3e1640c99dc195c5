import { beginsAt, claimsAt, nextStartOf, type Planned } from "#domain/resolve/claims";
import type { Claim } from "#domain/resolve/reason";
import { occurrences } from "#domain/schedule/recurrence";
import type { Occurrence } from "#domain/schedule/schedule";

/** A device's windows, as a walk through time asks for them; no question may go back behind an earlier one. */
export type Windows = {
  /** Those that run at an instant (epoch ms). */
  at: (now: number) => Claim[];
  /** The next start after an instant. */
  nextStart: (after: number) => number | null;
};

/** Computed for each question, without a limit in time. */
export function asAsked(schedules: readonly Planned[]): Windows {
  return { at: (now) => claimsAt(schedules, now), nextStart: (after) => nextStartOf(schedules, after) };
}

/**
 * Computed once for [from, to) (epoch ms), since a walk asks many times; starts after that are not known. `expand` answers
 * a schedule's occurrences in that span.
 */
export function expanded(
  schedules: readonly Planned[],
  from: number,
  to: number,
  expand: (schedule: Planned) => Occurrence[] = (schedule) => occurrences(schedule, from, to),
): Windows {
  const coming = schedules
    .flatMap((schedule, place) => expand(schedule).map((window) => ({ place, claim: claimOf(schedule, window) })))
    .toSorted((a, b) => a.claim.start - b.claim.start);
  let begun = 0;
  let running: typeof coming = [];
  const goTo = (now: number): void => {
    const first = begun;
    while ((coming[begun]?.claim.start ?? Infinity) <= now) begun += 1;
    if (begun > first) running = [...running, ...coming.slice(first, begun)].toSorted((a, b) => a.place - b.place);
    running = running.filter(({ claim }) => claim.end > now);
  };
  return {
    at: (now) => {
      goTo(now);
      return running.map(({ claim }) => claim);
    },
    nextStart: (after) => {
      goTo(after);
      return coming[begun]?.claim.start ?? null;
    },
  };
}

function claimOf(schedule: Planned, window: Occurrence): Claim {
  const { id: schedule_id, title } = schedule;
  return { ...window, schedule_id, title, begins_at: beginsAt(schedule, window.start) };
}
