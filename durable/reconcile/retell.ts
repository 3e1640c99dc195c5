import { toIso } from "#domain/time/to-iso";
import { nextSeq, type EngineContext } from "#durable/state/context";
import { memoryOf } from "#durable/state/device-memory";
import { enqueue } from "#durable/state/outbox";
import { plan } from "#durable/state/plan";
import { stateShown } from "./heard";

/**
 * Tells D1 of each light what it was last told of its state, its hold and its problem: where it was taken back to how it was,
 * it knows those of then, and otherwise hears of changes only. Must run inside a transaction.
 */
export function retellLights(context: EngineContext): void {
  for (const device_id of plan.deviceIds(context.sql)) {
    const { reconciled_at, written_at, hold_told, problem, problem_since } = memoryOf(context.sql, device_id);
    // Of one that nobody has looked at yet nothing was told.
    if (reconciled_at === null) continue;
    if (written_at !== null) {
      const current_state = stateShown(context, device_id);
      const last_state_at = current_state === "unknown" ? null : toIso(written_at);
      enqueue(context, "device_state", device_id, { device_id, current_state, last_state_at, seq: nextSeq(context) });
    }
    const hold = hold_told === null ? null : JSON.parse(hold_told);
    enqueue(context, "device_hold", device_id, { device_id, hold, seq: nextSeq(context) });
    enqueue(context, "device_problem", device_id, {
      device_id,
      problem,
      problem_since: problem_since === null ? null : toIso(problem_since),
      seq: nextSeq(context),
    });
  }
}
