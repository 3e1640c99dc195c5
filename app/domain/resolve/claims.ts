import { earliest } from "#domain/earliest";
import type { Claim } from "./reason";
import { nextStart, occurrences } from "#domain/schedule/recurrence";
import type { Recurring } from "#domain/schedule/schedule";

/**
 * A schedule as the resolver needs it for one device; `created_at` is ISO 8601. `since` (epoch ms): when the device came to
 * be in its target, if it was not always.
 */
export type Planned = Recurring & { id: string; title: string; created_at: string; since?: number };

/**
 * The occurrences that hold a device at an instant (epoch ms). If the schedule, or the device in its target, came during
 * its window, the claim begins then: a booking made at 7:30 PM for 6:30 PM is newer than an OFF at 7:00 PM and is lit. An edit does
 * not restart a claim, or a new title would undo a person's OFF.
 */
export function claimsAt(schedules: readonly Planned[], now: number): Claim[] {
  return schedules.flatMap((schedule) =>
    occurrences(schedule, now, now + 1).map((occurrence) => ({
      ...occurrence,
      schedule_id: schedule.id,
      title: schedule.title,
      begins_at: beginsAt(schedule, occurrence.start),
    })),
  );
}

/** From when (epoch ms) the window that starts at `start` counts against an OFF; see `claimsAt`. */
export function beginsAt(schedule: Pick<Planned, "created_at" | "since">, start: number): number {
  return Math.max(start, Date.parse(schedule.created_at), schedule.since ?? 0);
}

/** The first start of any of the schedules after an instant (epoch ms); null if there is none. */
export function nextStartOf(schedules: readonly Recurring[], after: number): number | null {
  return earliest(...schedules.map((schedule) => nextStart(schedule, after)));
}
