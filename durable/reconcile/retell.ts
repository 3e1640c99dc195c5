import type { EngineContext } from "#durable/state/context";
import { memoryOf, saveMemory, type DeviceMemory } from "#durable/state/device-memory";
import { plan } from "#durable/state/plan";
import { tellState } from "#durable/reporting/events";
import { tellUnknown } from "#durable/reporting/state-log";
import { stateShown } from "./heard";
import { tellHold } from "./hold";
import { tellProblem } from "./problem";

/** `isKnown`: the copy had a plan before. `isLogOld`: the logs were taken back, too. */
type Restore = { isKnown: boolean; isLogOld: boolean };

/**
 * Tells D1 of each light what it was last told of its state, its hold and its problem: where it was taken back to how it was,
 * it knows those of then, and otherwise hears of changes only. The next evaluation and reading are news for a log of then. Of
 * one that nobody has looked at yet nothing was told, unless it may be one that was deleted, and is back. Must run inside a
 * transaction.
 */
export function retellLights(context: EngineContext, { isKnown, isLogOld }: Restore): void {
  for (const device_id of plan.deviceIds(context.sql)) {
    const memory = memoryOf(context.sql, device_id);
    const { reconciled_at, written_at, hold_told } = memory;
    if (reconciled_at === null) {
      if (isKnown) tellForgotten(context, memory);
      continue;
    }
    if (written_at !== null) tellState(context, device_id, stateShown(context, device_id), written_at);
    tellHold(context, device_id, hold_told === null ? null : JSON.parse(hold_told));
    tellProblem(context, memory);
    if (!isLogOld) continue;
    const desired_told = memory.desired_told && "";
    saveMemory(context.sql, { ...memory, desired_told, reported_told: null });
    // No reading says so: the log would go on telling what a reading had said then.
    if (memory.reported_told === "unknown") tellUnknown(context, device_id);
  }
}

/** Nothing is remembered of it; and whatever is wanted of it is news for its log, which ends with what was when it went. */
function tellForgotten(context: EngineContext, memory: DeviceMemory): void {
  const { device_id } = memory;
  tellState(context, device_id, "unknown", context.now());
  tellUnknown(context, device_id);
  tellHold(context, device_id, null);
  tellProblem(context, memory);
  saveMemory(context.sql, { ...memory, desired_told: "" });
}
