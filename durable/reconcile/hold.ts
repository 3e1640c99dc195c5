import type { Hold } from "#domain/resolve/hold";
import { toIso } from "#domain/time/to-iso";
import { nextSeq } from "#durable/state/meta";
import type { EngineContext } from "#durable/state/context";
import { saveMemory, type DeviceMemory } from "#durable/state/device-memory";
import { enqueue } from "#durable/state/outbox";

/**
 * Tells D1 what a person holds the device on or off until, so that lists show it. Only a change is told; one that is over
 * is told with the next, since readers drop it by themselves. Must run inside a transaction.
 */
export function noteHold(context: EngineContext, memory: DeviceMemory): DeviceMemory {
  const hold = holdNow(memory, context.now());
  const hold_told = hold && JSON.stringify(hold);
  if (hold_told === memory.hold_told) return memory;
  tellHold(context, memory.device_id, hold);
  const told = { ...memory, hold_told };
  saveMemory(context.sql, told);
  return told;
}

/** Must run inside a transaction. */
export function tellHold(context: EngineContext, device_id: string, hold: Hold | null): void {
  enqueue(context, "device_hold", device_id, { device_id, hold, seq: nextSeq(context) });
}

/** The emergency while it lasts, else the hold; null where neither is in force. */
function holdNow(memory: DeviceMemory, now: number): Hold | null {
  const { emergency_until, emergency_reason, emergency_by, hold_action, hold_until, hold_reason, hold_by } = memory;
  if (emergency_until !== null && emergency_until > now) {
    const until = toIso(emergency_until);
    return { action: "on", until, reason: emergency_reason, by: emergency_by ?? "", emergency: true };
  }
  if (hold_action === null || hold_until === null || hold_until <= now) return null;
  return { action: hold_action, until: toIso(hold_until), reason: hold_reason, by: hold_by ?? "", emergency: false };
}
