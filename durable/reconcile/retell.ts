import type { EngineContext } from "#durable/state/context";
import { memoryOf } from "#durable/state/device-memory";
import { plan } from "#durable/state/plan";
import { tellState } from "#durable/reporting/events";
import { stateShown } from "./heard";
import { tellHold } from "./hold";
import { tellProblem } from "./problem";

/**
 * Tells D1 of each light what it was last told of its state, its hold and its problem: where it was taken back to how it was,
 * it knows those of then, and otherwise hears of changes only. Must run inside a transaction.
 */
export function retellLights(context: EngineContext): void {
  for (const device_id of plan.deviceIds(context.sql)) {
    const memory = memoryOf(context.sql, device_id);
    const { reconciled_at, written_at, hold_told } = memory;
    // Of one that nobody has looked at yet nothing was told.
    if (reconciled_at === null) continue;
    if (written_at !== null) tellState(context, device_id, stateShown(context, device_id), written_at);
    tellHold(context, device_id, hold_told === null ? null : JSON.parse(hold_told));
    tellProblem(context, memory);
  }
}
