/** Where a schedule is asked for as it is now (`DescribedSchedule` or null, as JSON). */
export function recordHref(id: string): string {
  return `/schedules/${encodeURIComponent(id)}/record`;
}
