import { claimsAt, nextStartOf } from "#domain/claims";
import { resolve } from "#domain/desired-state";
import { reasonSentence } from "#domain/reason-sentence";
import type { Explanation } from "#domain/explanation";
import { guardrailAt } from "#domain/guardrail";
import { commandFor } from "#durable/commands/command";
import { guardrailsOf, plan, settingsOf } from "#durable/state/plan";
import { iso } from "#durable/reporting/events";
import { openSchedules } from "./reconcile";
import type { EngineContext } from "#durable/state/context";
import { memoryOf } from "#durable/state/device-memory";

/** What resolve sees of each device right now, in words and in full; changes nothing. Unknown devices are left out. */
export function explain(context: EngineContext, device_ids: string[]): Explanation[] {
  const settings = settingsOf(context.sql);
  const guardrails = guardrailsOf(settings);
  const now = context.now();
  const guardrail = guardrailAt(guardrails, now);
  return device_ids.flatMap((device_id) => {
    const device = plan.device(context.sql, device_id);
    if (!device) return [];
    const memory = memoryOf(context.sql, device_id);
    const schedules = openSchedules(context.sql, device, plan.area(context.sql, device.area_id));
    const claims = claimsAt(schedules, now);
    const next_start = nextStartOf(schedules, now);
    const { state, reason, until } = resolve({ now, claims, next_start, instants: memory, guardrails });
    const live = commandFor(context.sql, device_id);
    return {
      device_id,
      state,
      reason: reason.kind,
      sentence: reasonSentence(state, reason, settings.APP_TIMEZONE),
      claims: claims.map((c) => ({
        schedule_id: c.schedule_id,
        title: c.title,
        start_at: iso(c.start),
        end_at: iso(c.end),
      })),
      toggle: { off_at: isoOrNull(memory.off_at), on_at: isoOrNull(memory.on_at) },
      lit_since: isoOrNull(memory.lit_since),
      guardrail: guardrail && { kind: guardrail.kind, until: iso(guardrail.until) },
      next_change_at: isoOrNull(until),
      next_start_at: isoOrNull(next_start),
      reported: { state: memory.reported, at: isoOrNull(memory.reported_at) },
      command: live && { action: live.action, source: live.source, attempt: live.attempt, phase: live.phase },
    };
  });
}

function isoOrNull(at: number | null): string | null {
  return at === null ? null : iso(at);
}
