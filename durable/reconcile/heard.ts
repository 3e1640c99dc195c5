import type { DeviceState } from "#domain/enums";
import type { Heard } from "#domain/light/light-facts";
import { shownState } from "#domain/light/light-problem";
import { entrustedSince } from "./entrusted";
import { coolsUntil } from "#durable/commands/cooling";
import { commandFor } from "#durable/commands/command-table";
import { incident } from "#durable/reporting/incidents";
import type { EngineContext } from "#durable/state/context";
import { knownState, memoryOf, type DeviceMemory } from "#durable/state/device-memory";
import { plan } from "#durable/state/plan";
import type { DeviceRow } from "#durable/state/plan-rows";

/** What the object remembers and has heard of a device, as the sentence about it is made from. */
export function heardOf(context: EngineContext, device: DeviceRow, memory: DeviceMemory): Heard {
  const command = underWay(context, device.id);
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
    command,
    cools_until: command?.action === "on" ? coolsUntil(context, device.id) : null,
    trouble: trouble && { since: trouble.since, tries: trouble.sends + (command?.attempt ?? 0) },
    hub_away_since: away?.since ?? null,
    entrusted_since: entrustedSince(context, device, memory.resolved_state),
    is_tested: memory.test_until !== null,
    is_area_active: plan.area(context.sql, device.area_id)?.active ?? false,
  };
}

/** What is under way for a device, and whether its lamp has confirmed it and was not read since; null if nothing is. */
function underWay({ sql }: EngineContext, device_id: string): Heard["command"] {
  const live = commandFor(sql, device_id);
  if (live === null) return null;
  const { action, attempt, held_since, via, phase } = live;
  return { action, attempt, held_since, is_answered: via !== null && (phase === "verify" || phase === "verifying") };
}

/** The state of a device as its card shows it. */
export function stateShown(context: EngineContext, device_id: string): DeviceState {
  return shownState({ command: underWay(context, device_id), known: knownState(memoryOf(context.sql, device_id)) });
}
