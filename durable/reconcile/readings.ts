import { readFor } from "#domain/resolve/cooling";
import { sawState } from "#domain/resolve/instants";
import type { DeviceState } from "#domain/enums";
import type { Call } from "#durable/commands/calls";
import { queueOf } from "#durable/commands/command-table";
import type { Address, ProviderResult } from "#durable/providers/provider";
import { publishState } from "#durable/reporting/events";
import { noteReported } from "#durable/reporting/state-log";
import type { EngineContext } from "#durable/state/context";
import { memoryOf, saveMemory, takeBack } from "#durable/state/device-memory";
import { isSameLamp } from "#durable/state/lamps";
import { addressOf } from "#durable/state/addresses";
import { plan } from "#durable/state/plan";

/**
 * Takes in what a call has read of a device's state. Not where the device was deleted meanwhile, nor where another lamp
 * is the device's by now: of that one nothing is known. Nor where it has another hub by now, by which it may have been
 * switched since: only in one hub's queue does a call wait for the one before it.
 */
export function takeReadingFrom(
  context: EngineContext,
  { device_id, address }: { device_id: string; address: Address },
  state: DeviceState,
  publish: { always: boolean },
): void {
  const device = plan.device(context.sql, device_id);
  const route = device && addressOf(context.sql, device);
  if (route && isSameLamp(address, route) && queueOf(address) === queueOf(route))
    takeReading(context, device_id, state, publish);
}

/** Takes in a reading of a device of the plan, whoever asked for it; only a reading can tell that a light is off. */
export function takeReading(
  context: EngineContext,
  device_id: string,
  state: DeviceState,
  publish: { always: boolean },
): void {
  const memory = memoryOf(context.sql, device_id);
  const now = context.now();
  publishState(context, memory, state, publish);
  noteReported(context, memory, state);
  // Later than any send: one call is under way per queue, so this one was asked after the last send was answered.
  const reported_at = Math.max(now, (memory.sent_at ?? 0) + 1);
  saveMemory(context.sql, {
    ...memory,
    ...sawState(memory, state, now),
    ...readFor(memory, state, now),
    reported: state,
    reported_at,
  });
}

/**
 * A call that did nothing has not touched its lamp. Not where the device was deleted meanwhile, nor where it has another
 * lamp by now: of that one it says nothing.
 */
export function takeBackSend({ sql }: EngineContext, { device_id, address, before }: Call): void {
  const device = device_id === null ? null : plan.device(sql, device_id);
  if (before && device && isSameLamp(address, addressOf(sql, device))) takeBack(sql, device.id, before);
}

/** Whether a call surely never reached the lamp: it did not leave, or was refused as it was configured. */
export function didNothing(answer: ProviderResult): boolean {
  return !answer.ok && (answer.reason === "throttled" || answer.reason === "refused");
}
