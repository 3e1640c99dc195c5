import type { Planned } from "#domain/claims";
import { plan, targetsOf, type DeviceRow, type ScheduleRow } from "#durable/state/plan";

/** A schedule as it is planned for one device: `since` (epoch ms), both it and the device have been in the same target. */
export type DeviceSchedule = ScheduleRow & Required<Pick<Planned, "since">>;

/** Every schedule for the device, its groups or its area, canceled ones included. */
export function plannedFor(sql: SqlStorage, device: DeviceRow): DeviceSchedule[] {
  return targetsOf(sql, device).flatMap((target) =>
    plan.schedulesOf(sql, target).map((schedule) => ({
      ...schedule,
      since: Math.max(target.since, schedule.target_since === null ? 0 : Date.parse(schedule.target_since)),
    })),
  );
}
