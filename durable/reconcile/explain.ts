import type { Explanation } from "#domain/resolve/explanation";
import { closureAt, darkAt } from "#domain/guardrails/device-limits";
import { lightFacts } from "#domain/light/light-facts";
import { problemOf } from "#domain/light/light-problem";
import { lightSentence } from "#domain/light/light-sentence";
import { refusalSentence } from "#domain/resolve/reason-sentence";
import { toIso } from "#domain/time/to-iso";
import { commandFor } from "#durable/commands/command-table";
import { limitsOf } from "#durable/state/limits";
import { plan } from "#durable/state/plan";
import { heardOf } from "./heard";
import { openSchedules } from "./evaluation";
import { readableLight } from "#durable/state/body";
import type { EngineContext } from "#durable/state/context";
import { memoryOf } from "#durable/state/device-memory";

/**
 * What resolve sees of each device right now, in words and in full; changes nothing. Devices that are unknown or cannot be
 * read are left out.
 */
export function explain(context: EngineContext, device_ids: string[]): Explanation[] {
  return device_ids.flatMap(
    (device_id) => readableLight(context, device_id, () => explained(context, device_id)) ?? [],
  );
}

function explained(context: EngineContext, device_id: string): Explanation | null {
  const now = context.now();
  const device = plan.device(context.sql, device_id);
  if (!device) return null;
  const memory = memoryOf(context.sql, device_id);
  const limits = limitsOf(context.sql, device);
  const dark = darkAt(limits, now);
  const closure = closureAt(limits, now);
  const schedules = openSchedules(context.sql, device, plan.area(context.sql, device.area_id));
  const heard = heardOf(context, device, memory);
  const facts = lightFacts({ schedules, instants: memory, limits }, heard, now);
  const { claims, flip } = facts;
  const problem = problemOf(facts);
  const live = commandFor(context.sql, device_id);
  return {
    device_id,
    state: facts.wanted,
    reason: facts.reason.kind,
    sentence: lightSentence(facts),
    claims: claims.map((c) => ({
      schedule_id: c.schedule_id,
      title: c.title,
      start_at: toIso(c.start),
      end_at: toIso(c.end),
    })),
    toggle: {
      off_at: isoOrNull(memory.off_at),
      off_by: memory.off_at === null ? null : memory.off_by,
      on_at: isoOrNull(memory.on_at),
      on_by: memory.on_at === null ? null : memory.on_by,
    },
    lit_since: isoOrNull(memory.lit_since),
    refusal: dark && facts.reason.kind !== "emergency" ? refusalSentence(dark, limits.guardrails.zone, now) : null,
    guardrail: dark && dark.kind !== "closure" ? { kind: dark.kind, until: toIso(dark.until) } : null,
    closure: closure && { id: closure.id, reason: closure.reason, until: isoOrNull(closure.until) },
    next_change_at: isoOrNull(facts.until),
    next_start_at: isoOrNull(facts.next_start),
    next_flip: flip && { at: toIso(flip.at), state: flip.resolved.state === "on" ? "on" : "off" },
    problem: problem && { since: toIso(memory.problem_since ?? problem.since), why: problem.why },
    reported: { state: memory.reported, at: isoOrNull(memory.reported_at) },
    command: live && { action: live.action, source: live.source, attempt: live.attempt, phase: live.phase },
  };
}

function isoOrNull(at: number | null): string | null {
  return at === null ? null : toIso(at);
}
