/** Where a schedule is asked for as it is now (`DescribedSchedule` or, of one that there is not, false, as JSON). */
export function recordHref(id: string): string {
  return `/schedules/${encodeURIComponent(id)}/record`;
}

export const RECORD_FAILED = "Failed to load the schedule";
