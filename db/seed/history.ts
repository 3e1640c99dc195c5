import type { device_events, devices, scheduler_events } from "#db/schema";
import { formatClock } from "#domain/display";
import { occurrences } from "#domain/recurrence";
import { toInstant, toWall } from "#domain/wall-clock";
import { share } from "./prng";
import type { Lamp } from "./hubs-and-devices";
import { type PlanRow, ZONE } from "./plans";

const HOUR_MS = 3_600_000;
const DAYS = 7;
/** The default guardrails, which held in the week that the history tells. */
const CURFEW_MS = 23.75 * HOUR_MS;
const MAX_ON_MS = 4 * HOUR_MS;
const VERIFY_MS = 8_000;
const RETRY_MS = 10_000;

type Window = { start: number; end: number; title: string; why_off: string };
type DeviceEvent = typeof device_events.$inferInsert;
type SchedulerEvent = typeof scheduler_events.$inferInsert;
type Week = { device_events: DeviceEvent[]; scheduler_events: SchedulerEvent[] };

/** What the plans did in the seven days up to `now` (epoch ms), for one light: each window went on and off. */
export function weekOf(lamp: Lamp, plans: PlanRow[], now: number): Week {
  const week: Week = { device_events: [], scheduler_events: [] };
  for (const window of windowsOf(plans, now)) {
    switched(week, lamp, "on", window.start, window.title, `On until ${clock(window.end)}: ${window.title}`);
    switched(week, lamp, "off", window.end, window.title, window.why_off);
  }
  return week;
}

/** A light that the week left off is known to be off; one that was never asked is unknown. */
export function stateAfter(lamp: Lamp, week: Week | undefined, now: number): Partial<typeof devices.$inferInsert> {
  const last = week?.device_events.at(-1);
  if (last) return { current_state: "off", last_state_at: last.created_at };
  if (share(`${lamp.id} asked`) < 0.35) return { current_state: "unknown", last_state_at: null };
  const asked = now - DAYS * 24 * HOUR_MS + Math.round(share(lamp.id) * 6 * 24 * HOUR_MS);
  return { current_state: "off", last_state_at: new Date(asked).toISOString() };
}

/** Overlapping bookings light once; what still burns is left to the engine. */
function windowsOf(plans: PlanRow[], now: number): Window[] {
  const booked = plans
    .filter((plan) => plan.status === "scheduled")
    .flatMap((plan) =>
      occurrences({ ...plan, rrule: plan.rrule ?? null }, now - DAYS * 24 * HOUR_MS, now).map((occurrence) => ({
        ...occurrence,
        title: plan.title,
      })),
    )
    .toSorted((a, b) => a.start - b.start);
  const lit: Window[] = [];
  for (const window of booked) {
    const before = lit.at(-1);
    if (before && window.start <= before.end) before.end = Math.max(before.end, window.end);
    else lit.push({ ...window, why_off: "Off: no schedule is running" });
  }
  return lit.map(guarded).filter((window) => window.end < now && window.start > now - DAYS * 24 * HOUR_MS);
}

function guarded(window: Window): Window {
  const midnight = Math.floor(toWall(ZONE, window.start) / (24 * HOUR_MS)) * 24 * HOUR_MS;
  const curfew = toInstant(ZONE, midnight + CURFEW_MS);
  if (window.end > curfew) return { ...window, end: curfew, why_off: "Off: curfew until 5:00 AM" };
  // Bookings that follow each other start the count anew; the city's only such light is never cut.
  if (window.end - window.start > MAX_ON_MS && window.end - window.start < 2 * MAX_ON_MS) {
    return { ...window, end: window.start + MAX_ON_MS, why_off: "Off: 240 minutes reached" };
  }
  return window;
}

function switched(week: Week, lamp: Lamp, action: "on" | "off", at: number, title: string, reason: string): void {
  const luck = share(`${lamp.id} ${new Date(at).toISOString()} ${action}`);
  const answered = at + 150 + Math.round(luck * 900);
  if (luck > 0.965) {
    week.device_events.push(deviceEvent(lamp, action, 1, answered, title, "failure"));
    week.scheduler_events.push(
      schedulerEvent(lamp, action, 1, answered, "retry", `${reason} · the device did not answer`),
    );
    return confirmed(week, lamp, action, 2, answered + RETRY_MS, title, reason);
  }
  confirmed(week, lamp, action, 1, answered, title, reason);
}

function confirmed(
  week: Week,
  lamp: Lamp,
  action: "on" | "off",
  attempts: number,
  at: number,
  title: string,
  reason: string,
): void {
  week.device_events.push(deviceEvent(lamp, action, attempts, at, title, "success"));
  week.scheduler_events.push(schedulerEvent(lamp, action, attempts, at + VERIFY_MS, "ok", reason));
}

function deviceEvent(
  lamp: Lamp,
  action: "on" | "off",
  attempt: number,
  at: number,
  schedule_title: string,
  result: "success" | "failure",
): DeviceEvent {
  const isSuccess = result === "success";
  return {
    id: eventId(lamp, action, attempt, at),
    org_id: lamp.org_id,
    created_at: new Date(at).toISOString(),
    device_id: lamp.id,
    area_id: lamp.area_id,
    dept_id: lamp.dept_id ?? null,
    device_name: lamp.name,
    area_name: lamp.area_name,
    hub_name: lamp.hub_name,
    schedule_title,
    action,
    result,
    provider: "mock",
    response_snippet: isSuccess ? `mock: state ${action}` : "mock: 000201",
    http_status: isSuccess ? 200 : null,
  };
}

function schedulerEvent(
  lamp: Lamp,
  action: "on" | "off",
  attempts: number,
  at: number,
  result: "ok" | "retry",
  note: string,
): SchedulerEvent {
  return {
    id: eventId(lamp, action, attempts, at),
    org_id: lamp.org_id,
    ts: new Date(at).toISOString(),
    device_id: lamp.id,
    dept_id: lamp.dept_id ?? null,
    device_name: lamp.name,
    source: "scheduler",
    action,
    result,
    attempts,
    note,
  };
}

function eventId(lamp: Lamp, action: string, attempt: number, at: number): string {
  return `${lamp.id}:${new Date(at).toISOString()}:${action}:${attempt}`;
}

function clock(instant: number): string {
  return formatClock(instant, ZONE);
}
