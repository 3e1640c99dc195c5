import type { Resolved } from "#domain/resolve/rungs";
import { problemOf } from "#domain/light/light-problem";
import { toIso } from "#domain/time/to-iso";
import { nextSeq } from "#durable/state/meta";
import type { EngineContext } from "#durable/state/context";
import { saveMemory, type DeviceMemory } from "#durable/state/device-memory";
import { enqueue } from "#durable/state/outbox";
import { settingsOf } from "#durable/state/plan";
import type { DeviceRow } from "#durable/state/plan-rows";
import { heardOf } from "./heard";

/**
 * Tells D1 when a device's state is not what it should be, why and since when, and when it is well again, so that lists can
 * mark and filter it. Only a change is told. Must run inside a transaction.
 */
export function noteProblem(
  context: EngineContext,
  device: DeviceRow,
  memory: DeviceMemory,
  { state, reason }: Resolved,
): void {
  const { APP_TIMEZONE: zone } = settingsOf(context.sql);
  const { lit_since } = memory;
  const heard = heardOf(context, device, memory);
  const problem = problemOf({ ...heard, now: context.now(), zone, wanted: state, reason, lit_since });
  if ((problem?.why ?? null) === memory.problem) return;
  const problem_since = problem && (memory.problem_since ?? problem.since);
  const after = { ...memory, problem: problem?.why ?? null, problem_since };
  saveMemory(context.sql, after);
  tellProblem(context, after);
}

/** Must run inside a transaction. */
export function tellProblem(context: EngineContext, { device_id, problem, problem_since }: DeviceMemory): void {
  enqueue(context, "device_problem", device_id, {
    device_id,
    problem,
    problem_since: problem_since === null ? null : toIso(problem_since),
    seq: nextSeq(context),
  });
}
