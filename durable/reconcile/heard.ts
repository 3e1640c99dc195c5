import type { DeviceState } from "#domain/enums";
import type { Heard } from "#domain/light/light-facts";
import { entrustedSince } from "./entrusted";
import { coolsUntil } from "#durable/commands/cooling";
import { commandFor, type Command } from "#durable/commands/command-table";
import { incident } from "#durable/reporting/incidents";
import type { EngineContext } from "#durable/state/context";
import { knownState, memoryOf, type DeviceMemory } from "#durable/state/device-memory";
import { plan, type DeviceRow } from "#durable/state/plan";

/** What the object remembers and has heard of a device, as the sentence about it is made from. */
export function heardOf(context: EngineContext, device: DeviceRow, memory: DeviceMemory): Heard {
  const live = commandFor(context.sql, device.id);
  const trouble = incident(context, `device:${device.id}`);
  const hub = device.hub_id === null ? null : plan.hub(context.sql, device.hub_id);
  const away = hub && (incident(context, `hub:${hub.id}`) ?? incident(context, `agent:${hub.agent_id}`));
  return {
    off_by: memory.off_by,
    on_by: memory.on_by,
    hold_by: memory.hold_by,
    hold_reason: memory.hold_reason,
    emergency_by: memory.emergency_by,
    emergency_reason: memory.emergency_reason,
    hold_since: memory.hold_since,
    emergency_since: memory.emergency_since,
    known: knownState(memory),
    command: live && {
      action: live.action,
      attempt: live.attempt,
      is_answered: isAnswered(live),
      held_since: live.held_since,
    },
    cools_until: live?.action === "on" ? coolsUntil(context, device.id) : null,
    trouble: trouble && { since: trouble.since, tries: trouble.sends + (live?.attempt ?? 0) },
    hub_away_since: away?.since ?? null,
    entrusted_since: entrustedSince(context, device, memory.resolved_state),
    is_tested: memory.test_until !== null,
    is_area_active: plan.area(context.sql, device.area_id)?.active ?? false,
  };
}

/** Whether the lamp has confirmed it, and was not read since. */
function isAnswered({ via, phase }: Command): boolean {
  return via !== null && (phase === "verify" || phase === "verifying");
}

/** The state that its card shows: an answered command counts until the lamp is read, an unanswered one makes it unknown. */
export function stateShown({ sql }: EngineContext, device_id: string): DeviceState {
  const live = commandFor(sql, device_id);
  return live && isAnswered(live) ? live.action : knownState(memoryOf(sql, device_id));
}
