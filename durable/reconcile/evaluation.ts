import { earliest } from "#domain/earliest";
import { claimsAt, nextStartOf } from "#domain/resolve/claims";
import { resolve } from "#domain/resolve/desired-state";
import type { Outlook } from "#domain/forecast/forecast";
import type { Claim } from "#domain/resolve/reason";
import { NO_HOLD, type Instants } from "#domain/resolve/instants";
import type { Resolved } from "#domain/resolve/rungs";
import { limitsOf, type DeviceLimits } from "#durable/state/limits";
import { isServed, plan, servedSince } from "#durable/state/plan";
import type { AreaRow, DeviceRow } from "#durable/state/plan-rows";
import { plannedFor, type DeviceSchedule } from "./planned-for";

/** What a device is evaluated with: the plan of its windows and the rules, as they are known now. */
export type View = {
  device: DeviceRow;
  area: AreaRow | null;
  /** Those that can claim the device, see `openSchedules`. */
  schedules: DeviceSchedule[];
  limits: DeviceLimits;
  isServed: boolean;
  served_since: number;
};

/** What an evaluation at one instant finds; `next_start` is the first start after it (epoch ms). */
export type Evaluation = { claims: Claim[]; next_start: number | null; resolved: Resolved };

/** What the copy of the plan says of the device right now. */
export function viewOf(sql: SqlStorage, device: DeviceRow): View {
  const area = plan.area(sql, device.area_id);
  const schedules = openSchedules(sql, device, area);
  const served = { isServed: isServed(sql), served_since: servedSince(sql) };
  return { device, area, schedules, limits: limitsOf(sql, device), ...served };
}

/** The schedules that can claim the device: not canceled, and none in an inactive area or organization. */
export function openSchedules(sql: SqlStorage, device: DeviceRow, area: AreaRow | null): DeviceSchedule[] {
  if (!area?.active || !isServed(sql)) return [];
  return plannedFor(sql, device).filter((s) => s.status === "scheduled");
}

/** One evaluation of the device at an instant (epoch ms), pure: what holds it, what it should be, and its instants after that. */
export function evaluateAt(view: View, instants: Instants, now: number): Evaluation {
  const { schedules, ...light } = outlookOf(view, instants);
  const claims = claimsAt(schedules, now);
  const next_start = nextStartOf(schedules, now);
  return { claims, next_start, resolved: resolve({ now, claims, next_start, ...light }) };
}

/** When (epoch ms) the first of several windows ends that a light stays dark in: the log tells until when the last one runs. */
export function firstOfSeveral({ resolved, claims }: Pick<Evaluation, "resolved" | "claims">): number | null {
  return resolved.state === "on" || claims.length < 2 ? null : earliest(...claims.map(({ end }) => end));
}

/** What evaluations of the device go by. */
export function outlookOf({ schedules, limits, isServed }: View, instants: Instants): Outlook {
  return { schedules, limits, instants: isServed ? instants : withoutToggles(instants) };
}

/** Where nobody is served, nothing that a person toggled keeps a light on. */
function withoutToggles(instants: Instants): Instants {
  return { ...instants, ...(instants.hold_action === "on" && NO_HOLD), on_at: null, emergency_until: null };
}

/**
 * Since when (epoch ms) the schedule's windows have held this device: not before they were planned as they are, nor while
 * the device was elsewhere, or its area or organization inactive.
 */
export function plannedSince({ area, device, served_since }: View, schedule: DeviceSchedule): number {
  const { planned_at, since, nights_since } = schedule;
  return Math.max(planned_at, since, nights_since, device.planned_at, area?.planned_at ?? 0, served_since);
}
