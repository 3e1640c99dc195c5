/**
 * Where a schedule is asked for as it is now (`DescribedSchedule` or, of one that there is not, false, as JSON); with the
 * nights of a date alone, noon to noon.
 */
export function recordHref(id: string, date?: string): string {
  return `/schedules/${encodeURIComponent(id)}/record${date === undefined ? "" : `?date=${date}`}`;
}

export const RECORD_FAILED = "Failed to load the schedule";
