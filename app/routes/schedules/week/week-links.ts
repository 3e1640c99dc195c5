import { targetValue } from "#app/forms/target-value";
import type { Week } from "#app/week/week";
import { toLocalInput } from "#domain/time/display";

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
export function placeIn({ area, group, frame }: Week): At {
  return { area: area?.id, group: group?.id, week: frame.isCurrent ? undefined : frame.monday };
}

/** The screen with a dialog on top of it. */
export function dialogHref(week: Week, dialog: Record<string, string>): string {
  return weekHref(placeIn(week), dialog);
}

/** The form of a new schedule for a place, with the hours (epoch ms, by the zone's clock) if they are known. */
export function newHref(at: At, hours?: { start: number; end: number; zone: string }): string {
  const more = hours ? { new: "", ...momentsOf(hours, hours.zone) } : { new: "" };
  const { area, group } = at;
  if (area === undefined) return weekHref(at, more);
  const device_id = targetValue(group === undefined ? { type: "area", id: area } : { type: "group", id: group });
  return weekHref(at, { ...more, area_id: area, device_id });
}

/** Two instants as the links to forms have them: '2026-11-24T18:30' by the zone's clock. */
export function momentsOf({ start, end }: { start: number; end: number }, zone: string) {
  const moment = (at: number) => {
    const { date, time } = toLocalInput(at, zone);
    return `${date}T${time}`;
  };
  return { start: moment(start), end: moment(end) };
}
