import { reasonSentence, resolve } from "#domain/desired-state";
import type { Explanation } from "#domain/explanation";
import { guardrailAt } from "#domain/guardrail";
import { nextStart } from "#domain/recurrence";
import { commandFor } from "#durable/commands/command";
import { guardrailsOf, plan, settingsOf } from "#durable/state/plan";
import { iso } from "#durable/reporting/events";
import { claimsAt, earliest, openSchedules } from "./reconcile";
import type { Room } from "#durable/state/context";
import { standing } from "#durable/state/device-state";

/** What resolve sees of each device right now, in words and in full; changes nothing. Unknown devices are left out. */
export function explain(room: Room, device_ids: string[]): Explanation[] {
  const settings = settingsOf(room.sql);
  const guardrails = guardrailsOf(settings);
  const now = room.now();
  const guardrail = guardrailAt(guardrails, now);
  return device_ids.flatMap((device_id) => {
    const device = plan.device(room.sql, device_id);
    if (!device) return [];
    const of = standing(room.sql, device_id);
    const schedules = openSchedules(room.sql, device, plan.area(room.sql, device.area_id));
    const claims = claimsAt(schedules, now);
    const next_start = earliest(schedules.map((s) => nextStart(s, now)));
    const { state, reason, until } = resolve({ now, claims, next_start, instants: of, guardrails });
    const live = commandFor(room.sql, device_id);
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
      press: { off_at: isoOrNull(of.off_at), on_at: isoOrNull(of.on_at) },
      lit_since: isoOrNull(of.lit_since),
      guardrail: guardrail && { kind: guardrail.kind, until: iso(guardrail.until) },
      next_change_at: isoOrNull(until),
      next_start_at: isoOrNull(next_start),
      reported: { state: of.reported, at: isoOrNull(of.reported_at) },
      command: live && { action: live.action, source: live.source, attempt: live.attempt, phase: live.phase },
    };
  });
}

function isoOrNull(at: number | null): string | null {
  return at === null ? null : iso(at);
}
