import { targetValue } from "#app/forms/target-value";
import type { Week } from "#app/week/week";
import { toLocalInput } from "#domain/display";

type At = { area?: string | undefined; group?: string | undefined; week?: string | undefined };

/** The week of a place; `more` opens a dialog. */
export function weekHref({ area, group, week }: At, more: Record<string, string> = {}): string {
  const search = new URLSearchParams({
    view: "week",
    ...(area === undefined ? {} : { area }),
    ...(group === undefined ? {} : { group }),
    ...(week === undefined ? {} : { week }),
    ...more,
  });
  return `/schedules?${search}`;
}

/** Where the screen is. This week needs no date, so that a bookmark of it stays this week. */
export function placeOf({ area, group, frame }: Week): At {
  return { area: area?.id, group: group?.id, week: frame.isCurrent ? undefined : frame.monday };
}

/** The screen with a dialog on top of it. */
export function dialogHref(week: Week, dialog: Record<string, string>): string {
  return weekHref(placeOf(week), dialog);
}

/** The form of a new schedule for the place that is shown, with the hours (epoch ms) if they are known. */
export function newHref(week: Week, hours?: { start: number; end: number }): string {
  const { area, group, zone } = week;
  const target = group ? { type: "group" as const, id: group.id } : { type: "area" as const, id: area?.id ?? "" };
  if (area === null) return dialogHref(week, { new: "" });
  const place = { new: "", area_id: area.id, device_id: targetValue(target) };
  return dialogHref(week, hours ? { ...place, ...momentsOf(hours, zone) } : place);
}

/** Two instants as the links to forms have them: '2026-11-24T18:30' by the zone's clock. */
export function momentsOf({ start, end }: { start: number; end: number }, zone: string) {
  const moment = (at: number) => {
    const { date, time } = toLocalInput(at, zone);
    return `${date}T${time}`;
  };
  return { start: moment(start), end: moment(end) };
}
