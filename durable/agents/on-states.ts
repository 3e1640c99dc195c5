import type { AgentReading } from "#domain/agent/frames";
import type { PlannedLamp } from "#domain/agent/standing-plan";
import { endReached, waitsForNextTry } from "#durable/commands/command";
import { commandFor } from "#durable/commands/command-table";
import { noteReading } from "#durable/monitoring/watchdog";
import { carriedBy, type AgentSocket } from "#durable/providers/agent-socket";
import { takeReading } from "#durable/reconcile/readings";
import { transact, type EngineContext } from "#durable/state/context";
import { readable } from "#durable/state/body";
import { memoryOf } from "#durable/state/device-memory";
import { isSameLamp } from "#durable/state/lamps";
import { addressOf } from "#durable/state/addresses";
import { plan } from "#durable/state/plan";
import { agentPlan, planByRev } from "#durable/state/standing-plans";

/** The agent has read lights of its hubs. What it says of others, or read before we last switched them, counts for nothing. */
export function onStates(context: EngineContext, socket: AgentSocket, states: AgentReading[]): void {
  const { agent_id } = carriedBy(socket) ?? {};
  if (agent_id === undefined) return;
  transact(context, () => {
    const rev = agentPlan(context.sql, agent_id).taken?.rev ?? null;
    for (const { device, state, at } of states) {
      if (agentOf(context, device) !== agent_id || isOvertaken(context, device, at)) continue;
      if (isOfOtherLamp(context, agent_id, device, rev)) continue;
      takeReading(context, device, state, { always: false });
      endReached(context, device, state);
      noteReading(context, device);
    }
  });
}

/** The agent of the device's hub. Null also for a row that cannot be read, so that other lights are not held up. */
export function agentOf({ sql }: EngineContext, device_id: string): string | null {
  const hub_id = readable(() => plan.device(sql, device_id))?.hub_id ?? null;
  return hub_id === null ? null : (plan.readableHub(sql, hub_id)?.agent_id ?? null);
}

/**
 * Whether an agent that goes by its plan `rev` tells of another lamp than the device has by now, which it learns with its
 * next plan. Of a plan that is not known any more nobody can say.
 */
export function isOfOtherLamp(
  context: EngineContext,
  agent_id: string,
  device_id: string,
  rev: number | null,
): boolean {
  const lamp = lampToldOf(context, agent_id, device_id, rev);
  const device = plan.device(context.sql, device_id);
  return lamp !== null && device !== null && !isSameLamp(lamp.address, addressOf(context.sql, device));
}

/** The lamp that an agent which goes by its plan `rev` means by a device; null where that plan is not known any more. */
export function lampToldOf(
  { sql }: EngineContext,
  agent_id: string,
  device_id: string,
  rev: number | null,
): PlannedLamp | null {
  return planByRev(sql, agent_id, rev)?.lamps.find(({ device }) => device === device_id) ?? null;
}

/** A live command verifies its light itself, unless it is kept up and waits for its next try. */
function isOvertaken({ sql }: EngineContext, device_id: string, read_at: number): boolean {
  const live = commandFor(sql, device_id);
  return (live !== null && !waitsForNextTry(live)) || read_at <= (memoryOf(sql, device_id).sent_at ?? 0);
}
