import type { CommandSource, DeviceState, EventCause, SchedulerResult, SwitchAction } from "#domain/enums";
import { toIso } from "#domain/time/to-iso";
import { enqueue } from "#durable/state/outbox";
import { plan } from "#durable/state/plan";
import type { ProviderResult } from "#durable/providers/provider";
import { readable } from "#durable/state/body";
import { nextSeq, orgId } from "#durable/state/meta";
import type { EngineContext } from "#durable/state/context";
import { type DeviceMemory } from "#durable/state/device-memory";

/** An unchanged confirmation is written to D1 at most this often, unless a person waits for it. */
const CONFIRM_EVERY_MS = 5 * 60_000;

/** The names that logs carry, so that they outlive what they are about. */
export type Names = {
  device_name: string;
  dept_id: string | null;
  area_id: string | null;
  area_name: string | null;
  hub_name: string | null;
  schedule_title: string | null;
};

/** One try to switch a device, as far as people read of it. */
export type Attempt = {
  device_id: string;
  seq: number;
  attempt: number;
  source: CommandSource;
  action: SwitchAction;
  reason: string;
  names: Names;
  /** How long it waited for the cloud's limit of calls (ms). */
  held_ms: number;
};

/** One scheduler event for an attempt, or for its end without an outcome; its id makes a second delivery harmless. */
export function recordAttempt(
  context: EngineContext,
  attempt: Attempt,
  result: SchedulerResult,
  note: string | null,
  cause: "attempt" | "replaced" | "dropped",
  end: "verified" | "dropped",
): void {
  const id = `${attempt.device_id}:${attempt.seq}:${attempt.attempt}`;
  recordEvent(context, end === "dropped" ? `${id}:dropped` : id, {
    device_id: attempt.device_id,
    device_name: attempt.names.device_name,
    dept_id: deptNow(context, attempt),
    source: attempt.source,
    action: attempt.action,
    result,
    attempts: attempt.attempt,
    note: [attempt.reason, heldNote(attempt), note].filter(Boolean).join(" · ") || null,
    cause,
  });
}

/**
 * The department that reads of it: the device's as it is now, or as it was where the device is gone. A command may go on for
 * a day, and whoever has the light by then is who should hear.
 */
export function deptNow(
  { sql }: EngineContext,
  { device_id, names }: Pick<Attempt, "device_id" | "names">,
): string | null {
  const device = plan.device(sql, device_id);
  return device ? device.dept_id : names.dept_id;
}

/** A switch that the account's budget could not carry in time says so. */
function heldNote({ held_ms }: Attempt): string | null {
  const sec = Math.round(held_ms / 1000);
  return sec < 1 ? null : `held back ${sec} s by the cloud's limit of calls`;
}

/** A scheduler event that no attempt of ours stands behind: refused, missed, cut short; without a device, the engine's own. */
export function recordEvent(
  context: EngineContext,
  id: string,
  event: {
    device_id: string | null;
    device_name: string | null;
    dept_id: string | null;
    source: CommandSource;
    action: SwitchAction;
    result: SchedulerResult;
    attempts: number;
    note: string | null;
    cause: EventCause;
  },
  at: number = context.now(),
): void {
  enqueue(context, "scheduler_event", id, { id, org_id: orgId(context), ts: toIso(at), ...event });
}

/** The history's line for one call. */
export function recordCall(
  context: EngineContext,
  id: string,
  of: { device_id: string; names: Names; action: "on" | "off" | "status_check" | "test" },
  answer: Pick<ProviderResult, "ok" | "http_status" | "snippet"> & { provider: ProviderResult["provider"] | null },
  at: number = context.now(),
): void {
  const { device_name, area_id, area_name, hub_name, schedule_title } = of.names;
  enqueue(context, "device_event", id, {
    id,
    org_id: orgId(context),
    created_at: toIso(at),
    device_id: of.device_id,
    dept_id: deptNow(context, of),
    area_id,
    device_name,
    area_name,
    hub_name,
    schedule_title,
    action: of.action,
    result: answer.ok ? "success" : "failure",
    provider: answer.provider,
    response_snippet: answer.snippet.slice(0, 200),
    http_status: answer.http_status,
  });
}

/** The names of a device as the plan has them now; what cannot be read has none. */
export function namesOf(context: EngineContext, device_id: string, schedule_title: string | null): Names {
  const device = plan.device(context.sql, device_id);
  const area = device && readable(() => plan.area(context.sql, device.area_id));
  const hub = device && readable(() => (device.hub_id ? plan.hub(context.sql, device.hub_id) : null));
  return {
    device_name: device?.name ?? "Unknown Device",
    dept_id: device?.dept_id ?? null,
    area_id: device?.area_id ?? null,
    area_name: area?.name ?? null,
    hub_name: hub?.name ?? null,
    schedule_title,
  };
}

/** Writes to D1 what the device's state is, if it changed, a person waits, or the last confirmation is old. */
export function publishState(
  context: EngineContext,
  of: DeviceMemory,
  state: DeviceState,
  publish: { always: boolean },
): void {
  const now = context.now();
  const isStale = of.written_at === null || now - of.written_at >= CONFIRM_EVERY_MS;
  if (!publish.always && !isStale && of.reported === state) return;
  of.written_at = now;
  tellState(context, of.device_id, state, now);
}

/** Tells D1 what a light is, and since when that is known (epoch ms). Must run inside a transaction. */
export function tellState(context: EngineContext, device_id: string, state: DeviceState, at: number): void {
  enqueue(context, "device_state", device_id, {
    device_id,
    current_state: state,
    last_state_at: state === "unknown" ? null : toIso(at),
    seq: nextSeq(context),
  });
}
