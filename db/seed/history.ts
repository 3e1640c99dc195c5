import type { device_events, devices, scheduler_events } from "#db/schema";
import type { SchedulerResult } from "#domain/enums";
import { reasonSentence } from "#domain/resolve/reason-sentence";
import { occurrences } from "#domain/schedule/recurrence";
import type { Occurrence } from "#domain/schedule/schedule";
import { toInstant, toWall } from "#domain/time/wall-clock";
import { DEAD_HUB, DEAD_LAMP, DEAD_SINCE_MS } from "./broken";
import { random } from "./prng";
import type { Lamp } from "./hubs-and-devices";
import { type PlanRow, ZONE } from "./plans";
import { HOUR_MS } from "#domain/time/units";

const DAYS = 7;
/** The default guardrails, in force during the seeded week. */
const CURFEW_MS = 23.75 * HOUR_MS;
const NIGHT_ENDS_MS = 29 * HOUR_MS;
const MAX_ON_MS = 4 * HOUR_MS;
const VERIFY_MS = 8_000;

/** The default retry backoffs: three attempts. */
const BACKOFFS_MS = [10_000, 30_000];

type Window = Occurrence & { title: string; why_off: string; isCut: boolean };
/** Why a light was not switched, as the provider reports it; `ms` is how long after the send that was known. */
type Trouble = { detail: string; snippet: string; known_after_ms: number };

const SILENT: Trouble = { detail: "the device did not answer", snippet: "mock: 000201", known_after_ms: VERIFY_MS };
const UNREACHABLE: Trouble = { detail: "not reachable", snippet: "mock: not reachable", known_after_ms: 0 };
type DeviceEvent = typeof device_events.$inferInsert;
type SchedulerEvent = typeof scheduler_events.$inferInsert;
type Week = { device_events: DeviceEvent[]; scheduler_events: SchedulerEvent[] };

/** The events of one light in the seven days up to `now` (epoch ms): each window went on and off. */
export function weekOf(lamp: Lamp, plans: PlanRow[], now: number): Week {
  const week: Week = { device_events: [], scheduler_events: [] };
  const trouble = (at: number): Trouble | null => {
    if (lamp.cloud_device_id === DEAD_LAMP) return SILENT;
    return lamp.hub_id === DEAD_HUB && at > now - DEAD_SINCE_MS ? UNREACHABLE : null;
  };
  for (const window of windowsOf(plans, now)) {
    const { start, end, title, why_off } = window;
    const why_on = reasonSentence(
      "on",
      { kind: "claim", claims: [{ schedule_id: "", begins_at: start, ...window }], until: end },
      ZONE,
      start,
    );
    commandEvents(week, lamp, "on", start, title, why_on, trouble(start));
    if (window.isCut) week.scheduler_events.push(cutShort(lamp, window));
    commandEvents(week, lamp, "off", end, title, why_off, trouble(end));
  }
  return week;
}

/** A light's state after the week: off, or unknown if it did not answer or was never called. */
export function stateAfter(lamp: Lamp, week: Week | undefined, now: number): Partial<typeof devices.$inferInsert> {
  const last = week?.device_events.at(-1);
  if (last?.result === "failure") {
    const confirmed = week?.device_events.findLast(({ result }) => result === "success");
    return { current_state: "unknown", last_state_at: confirmed?.created_at ?? null };
  }
  if (last) return { current_state: "off", last_state_at: last.created_at };
  if (random(`${lamp.id} asked`) < 0.35) return { current_state: "unknown", last_state_at: null };
  const asked = now - DAYS * 24 * HOUR_MS + Math.round(random(lamp.id) * 6 * 24 * HOUR_MS);
  return { current_state: "off", last_state_at: new Date(asked).toISOString() };
}

/** Merges overlapping bookings; windows that still run are left to the engine. */
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
    else
      lit.push({ ...window, why_off: reasonSentence("off", { kind: "pending_off" }, ZONE, window.end), isCut: false });
  }
  return lit.map(cutByGuardrails).filter((window) => window.end < now && window.start > now - DAYS * 24 * HOUR_MS);
}

function cutByGuardrails(window: Window): Window {
  const midnight = Math.floor(toWall(ZONE, window.start) / (24 * HOUR_MS)) * 24 * HOUR_MS;
  const curfew = toInstant(ZONE, midnight + CURFEW_MS);
  if (window.end > curfew) {
    const until = toInstant(ZONE, midnight + NIGHT_ENDS_MS);
    return {
      ...window,
      end: curfew,
      why_off: reasonSentence("off", { kind: "curfew", until }, ZONE, curfew),
      isCut: true,
    };
  }
  // Consecutive bookings restart max on; the only light with such bookings is never cut.
  if (window.end - window.start > MAX_ON_MS && window.end - window.start < 2 * MAX_ON_MS) {
    const why_off = reasonSentence("off", { kind: "max_on", max_on_min: MAX_ON_MS / 60_000 }, ZONE, window.end);
    return { ...window, end: window.start + MAX_ON_MS, why_off, isCut: true };
  }
  return window;
}

/** One command: its attempts, each verified, until the light is confirmed or the retries are used up. */
function commandEvents(
  week: Week,
  lamp: Lamp,
  action: "on" | "off",
  at: number,
  title: string,
  reason: string,
  trouble: Trouble | null,
): void {
  const luck = random(`${lamp.id} ${new Date(at).toISOString()} ${action}`);
  let sent = at + 150 + Math.round(luck * 900);
  // Now and then the radio is busy, and the second attempt succeeds.
  const failures = trouble ? BACKOFFS_MS.length + 1 : luck > 0.965 ? 1 : 0;
  const { detail, snippet, known_after_ms } = trouble ?? SILENT;
  for (let attempt = 1; attempt <= failures; attempt += 1) {
    const known = sent + known_after_ms;
    const result = attempt > BACKOFFS_MS.length ? "fail" : "retry";
    week.device_events.push(deviceEvent(lamp, action, attempt, sent, title, snippet, "failure"));
    const note = `${reason} · not confirmed: ${detail}`;
    week.scheduler_events.push(schedulerEvent(lamp, action, attempt, known, result, note));
    sent = known + (BACKOFFS_MS[attempt - 1] ?? 0);
  }
  if (!trouble) confirmed(week, lamp, action, failures + 1, sent, title, reason);
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
  week.device_events.push(deviceEvent(lamp, action, attempts, at, title, `mock: state ${action}`, "success"));
  week.scheduler_events.push(schedulerEvent(lamp, action, attempts, at + VERIFY_MS, "ok", reason));
}

function deviceEvent(
  lamp: Lamp,
  action: "on" | "off",
  attempt: number,
  at: number,
  schedule_title: string,
  response_snippet: string,
  result: "success" | "failure",
): DeviceEvent {
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
    response_snippet,
    http_status: result === "success" ? 200 : null,
  };
}

function schedulerEvent(
  lamp: Lamp,
  action: "on" | "off",
  attempts: number,
  at: number,
  result: SchedulerResult,
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

/** A window that a guardrail ends early is recorded when that happens. */
function cutShort(lamp: Lamp, { start, end, title, why_off }: Window): SchedulerEvent {
  const event = schedulerEvent(lamp, "on", 0, end, "fail", `cut short: ${title} · ${why_off}`);
  return { ...event, id: `cut:${lamp.id}:${start}` };
}

function eventId(lamp: Lamp, action: string, attempt: number, at: number): string {
  return `${lamp.id}:${new Date(at).toISOString()}:${action}:${attempt}`;
}
