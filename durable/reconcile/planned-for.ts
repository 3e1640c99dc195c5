import type { Planned } from "#domain/resolve/claims";
import { ALWAYS, positionsOf } from "#domain/schedule/positions";
import { targetOf } from "#domain/schedule/target";
import { plan, settingsOf, targetsOf } from "#durable/state/plan";
import { targetKey, type AreaRow, type CalendarRow, type DeviceRow, type ScheduleRow } from "#durable/state/plan-rows";

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
  const targets = targetsOf(sql, device);
  const sinceOf = (row: ScheduleRow) => {
    const key = targetKey(targetOf(row));
    return targets.find((target) => targetKey(target) === key)?.since ?? null;
  };
  return targets.flatMap(({ since, ...target }) =>
    plan.schedulesOf(sql, target).map((schedule) => {
      const was_since = schedule.was ? sinceOf(schedule.was) : null;
      return withNights(sql, schedule, { since, was_since }, area);
    }),
  );
}

/** Since when (epoch ms) a device is in a schedule's target, and in that which it had before; null where it is not. */
type InTarget = { since: number; was_since: number | null };

/** What a schedule as planned for a device goes by beside its row; `area` and `settings` only if it goes by the sun. */
type Parts = InTarget & { area: AreaRow | null; settings: unknown; calendar: CalendarRow | null };

/** By row, as it was last planned: a light is looked at over and over, and all lights of a place are planned for alike. */
const made = new WeakMap<ScheduleRow, { parts: Parts; schedule: DeviceSchedule }>();

function withNights(
  sql: SqlStorage,
  row: ScheduleRow,
  { since, was_since }: InTarget,
  area: AreaRow | null,
): DeviceSchedule {
  const { start_sun, end_sun, calendar_id, calendar_rule } = row;
  const isBySun = start_sun !== null || end_sun !== null;
  const settings = settingsOf(sql);
  const calendar = calendar_id !== null && calendar_rule !== null ? plan.calendar(sql, calendar_id) : null;
  const parts = { since, was_since, area: isBySun ? area : null, settings: isBySun ? settings : null, calendar };
  const before = made.get(row);
  if (before && isSame(before.parts, parts)) return before.schedule;
  const positions = isBySun ? positionsOf(area, settings) : [];
  const withDates = (known: Dates, seen: typeof positions): DeviceSchedule => ({
    ...row,
    ...(isBySun && { positions: seen }),
    ...(calendar_id !== null &&
      calendar_rule !== null && { calendar: { rule: calendar_rule, dates: known?.dates ?? NO_DATES } }),
    nights_since: Math.max(Date.parse(seen.at(-1)?.since ?? ALWAYS), known?.planned_at ?? 0),
    since: Math.max(since, row.target_since === null ? 0 : Date.parse(row.target_since)),
    formers: [],
  });
  const calendars = calendar?.was ? [calendar, calendar.was] : [calendar];
  const places = [positions, ...positions.slice(1).map((_, n) => positions.slice(0, -1 - n))];
  const planned = calendars.flatMap((known) => places.map((seen) => withDates(known, seen)));
  const earlier =
    row.was && was_since !== null ? withNights(sql, row.was, { since: was_since, was_since: null }, area) : null;
  const formers = [...planned.slice(1), ...(earlier ? [earlier, ...earlier.formers] : [])];
  const schedule = { ...withDates(calendar, positions), formers };
  made.set(row, { parts, schedule });
  return schedule;
}

function isSame(a: Parts, b: Parts): boolean {
  return (
    a.since === b.since &&
    a.was_since === b.was_since &&
    a.area === b.area &&
    a.settings === b.settings &&
    a.calendar === b.calendar
  );
}

type Dates = Pick<CalendarRow, "dates" | "planned_at"> | null;
const NO_DATES: readonly never[] = [];
