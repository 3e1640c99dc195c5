import type { DeviceState } from "#domain/enums";
import { bookedUntil, keyOf, wantedOf } from "#domain/forecast/forecast-segments";
import type { Step } from "#domain/forecast/forecast";
import { reasonSentence } from "#domain/resolve/reason-sentence";
import { toIso } from "#domain/time/to-iso";
import { orgId } from "#durable/state/meta";
import type { EngineContext } from "#durable/state/context";
import type { DeviceMemory } from "#durable/state/device-memory";
import { enqueue } from "#durable/state/outbox";
import { settingsOf } from "#durable/state/plan";

/**
 * Logs what is wanted of a light at a step where that has changed, or until when it is to be on, so that a night can be told
 * later as it was wanted then. Answers the memory with it, for the caller to save. Must run inside a transaction.
 */
export function noteDesired(context: EngineContext, memory: DeviceMemory, step: Step): DeviceMemory {
  const zone = settingsOf(context.sql).APP_TIMEZONE;
  const desired_told = toldOf(step, zone);
  if (desired_told === memory.desired_told) return memory;
  const { sentence, reason, schedule_ids } = wantedOf(step, zone);
  // Of a light that was never wanted on, nothing is told before it is.
  const isNews = memory.desired_told !== null || reason !== "idle" || schedule_ids.length > 0;
  if (isNews) {
    const state = step.resolved.state === "on" ? "on" : "off";
    const until = bookedUntil(step);
    const booked_until = until === null ? null : toIso(until);
    enqueueChange(context, step.at, memory.device_id, {
      kind: "desired",
      state,
      reason,
      sentence,
      schedule_ids,
      booked_until,
    });
  }
  return { ...memory, desired_told };
}

/** Whether the same was last logged as wanted, for the same reason and of the same windows, in whatever words. */
export function isWantedAsTold(step: Step, { desired_told }: Pick<DeviceMemory, "desired_told">): boolean {
  return desired_told?.split(BEFORE_WORDS)[0] === keyOf(step);
}

/** The same after an unknown time: of a light that was to be on, whatever is wanted now is news. */
export function toldBefore(desired_told: string): string {
  return desired_told.includes(BEFORE_WORDS) ? "" : desired_told;
}

const BEFORE_WORDS = "\n";

/**
 * What is kept of what was logged. Of a light that is to be on its sentence, too: a limit or another ON moves its end, and
 * screens tell by the log until when it is lit. That of a dark one says nothing that its reason does not.
 */
function toldOf(step: Step, zone: string): string {
  const { state, reason } = step.resolved;
  if (state !== "on") return keyOf(step);
  return keyOf(step) + BEFORE_WORDS + reasonSentence(state, reason, zone, step.at);
}

/** Logs what a reading at `at` says of a light, or that nobody can tell, where that has changed; sets it in `memory`. */
export function noteReported(
  context: EngineContext,
  memory: DeviceMemory,
  state: DeviceState,
  at: number = context.now(),
): void {
  if (state === (memory.reported_told ?? "unknown")) return;
  memory.reported_told = state;
  enqueueChange(context, at, memory.device_id, { kind: "reported", state });
}

/** Logs that nobody can tell what a light is, whatever was logged of it: where that is so no reading will. */
export function tellUnknown(context: EngineContext, device_id: string): void {
  enqueueChange(context, context.now(), device_id, { kind: "reported", state: "unknown" });
}

type Change = Omit<Parameters<typeof enqueue<"state_change">>[3], "org_id" | "device_id" | "at">;

function enqueueChange(context: EngineContext, instant: number, device_id: string, change: Change): void {
  const at = toIso(instant);
  enqueue(context, "state_change", `${change.kind}:${device_id}:${at}`, {
    org_id: orgId(context),
    device_id,
    at,
    ...change,
  });
}
