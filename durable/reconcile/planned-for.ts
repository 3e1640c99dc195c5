import type { Planned } from "#domain/resolve/claims";
import { positionsOf } from "#domain/schedule/positions";
import { plan, settingsOf, targetsOf, type AreaRow, type DeviceRow, type ScheduleRow } from "#durable/state/plan";
import type { CalendarRow } from "#durable/state/plan-rows";

/**
 * A schedule as it is planned for one device: `since` (epoch ms), both it and the device have been in the same target, and
 * `nights_since`, what its nights depend on beside it has been as it is. `formers` are as it was planned before that, the latest
 * first.
 */
export type DeviceSchedule = ScheduleRow &
  Required<Pick<Planned, "since">> &
  Pick<Planned, "positions" | "calendar"> & { nights_since: number; formers: DeviceSchedule[] };

/** Every schedule for the device, its groups or its area, canceled ones included. */
export function plannedFor(sql: SqlStorage, device: DeviceRow): DeviceSchedule[] {
  const area = plan.area(sql, device.area_id);
  return targetsOf(sql, device).flatMap((target) =>
    plan.schedulesOf(sql, target).map((schedule) => withNights(sql, schedule, target.since, area)),
  );
}

/** What a schedule as planned for a device goes by beside its row; `area` and `settings` only if it goes by the sun. */
type Parts = { since: number; area: AreaRow | null; settings: unknown; calendar: CalendarRow | null };

/** By row, as it was last planned: a light is looked at over and over, and all lights of a place are planned for alike. */
const made = new WeakMap<ScheduleRow, { parts: Parts; schedule: DeviceSchedule }>();

function withNights(sql: SqlStorage, row: ScheduleRow, since: number, area: AreaRow | null): DeviceSchedule {
  const { start_sun, end_sun, calendar_id, calendar_rule } = row;
  const isBySun = start_sun !== null || end_sun !== null;
  const settings = settingsOf(sql);
  const calendar = calendar_id !== null && calendar_rule !== null ? plan.calendar(sql, calendar_id) : null;
  const parts = { since, area: isBySun ? area : null, settings: isBySun ? settings : null, calendar };
  const before = made.get(row);
  if (before && isSame(before.parts, parts)) return before.schedule;
  const positions = isBySun ? positionsOf(area, settings) : [];
  const withDates = (known: Pick<CalendarRow, "dates" | "planned_at"> | null): DeviceSchedule => ({
    ...row,
    ...(isBySun && { positions }),
    ...(calendar_id !== null &&
      calendar_rule !== null && { calendar: { rule: calendar_rule, dates: known?.dates ?? NO_DATES } }),
    nights_since: Math.max(Date.parse(positions.at(-1)?.since ?? ALWAYS), known?.planned_at ?? 0),
    since: Math.max(since, row.target_since === null ? 0 : Date.parse(row.target_since)),
    formers: [],
  });
  const earlier = row.was ? withNights(sql, row.was, since, area) : null;
  const formers = [
    ...(calendar?.was ? [withDates(calendar.was)] : []),
    ...(earlier ? [earlier, ...earlier.formers] : []),
  ];
  const schedule = { ...withDates(calendar), formers };
  made.set(row, { parts, schedule });
  return schedule;
}

function isSame(a: Parts, b: Parts): boolean {
  return a.since === b.since && a.area === b.area && a.settings === b.settings && a.calendar === b.calendar;
}

const NO_DATES: readonly never[] = [];
const ALWAYS = new Date(0).toISOString();
