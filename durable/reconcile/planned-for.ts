import type { Planned } from "#domain/claims";
import { positionsOf } from "#domain/positions";
import { plan, settingsOf, targetsOf, type DeviceRow, type ScheduleRow } from "#durable/state/plan";

/**
 * A schedule as it is planned for one device: `since` (epoch ms), both it and the device have been in the same target, and
 * `nights_since`, what its nights depend on beside it has been as it is.
 */
export type DeviceSchedule = ScheduleRow &
  Required<Pick<Planned, "since">> &
  Pick<Planned, "positions" | "calendar"> & { nights_since: number };

/** Every schedule for the device, its groups or its area, canceled ones included. */
export function plannedFor(sql: SqlStorage, device: DeviceRow): DeviceSchedule[] {
  return targetsOf(sql, device).flatMap((target) =>
    plan.schedulesOf(sql, target).map((schedule) => ({
      ...withNights(sql, schedule, device.area_id),
      since: Math.max(target.since, schedule.target_since === null ? 0 : Date.parse(schedule.target_since)),
    })),
  );
}

/** With what its nights depend on beside the row: the positions of the area if it goes by the sun, and its calendar. */
function withNights(sql: SqlStorage, schedule: ScheduleRow, area_id: string): Omit<DeviceSchedule, "since"> {
  const { start_sun, end_sun, calendar_id, calendar_rule } = schedule;
  const isBySun = start_sun !== null || end_sun !== null;
  const isByCalendar = calendar_id !== null && calendar_rule !== null;
  if (!isBySun && !isByCalendar) return { ...schedule, nights_since: 0 };
  const positions = isBySun ? positionsOf(plan.area(sql, area_id), settingsOf(sql)) : [];
  const calendar = isByCalendar ? plan.calendar(sql, calendar_id) : null;
  return {
    ...schedule,
    ...(isBySun && { positions }),
    ...(isByCalendar && { calendar: { rule: calendar_rule, dates: calendar?.dates ?? NO_DATES } }),
    nights_since: Math.max(Date.parse(positions.at(-1)?.since ?? ALWAYS), calendar?.planned_at ?? 0),
  };
}

const NO_DATES: readonly never[] = [];
const ALWAYS = new Date(0).toISOString();
