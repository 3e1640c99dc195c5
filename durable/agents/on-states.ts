import type { AgentReading } from "#domain/agent/frames";
import { endReached, waitsForNextTry } from "#durable/commands/command";
import { commandFor } from "#durable/commands/command-table";
import { noteReading } from "#durable/monitoring/watchdog";
import { carriedBy, type AgentSocket } from "#durable/providers/agent-socket";
import { takeReading } from "#durable/reconcile/readings";
import { transact, type EngineContext } from "#durable/state/context";
import { readable } from "#durable/state/body";
import { memoryOf } from "#durable/state/device-memory";
import { plan } from "#durable/state/plan";

/** The agent has read lights of its hubs. What it says of others, or read before we last switched them, counts for nothing. */
export function onStates(context: EngineContext, socket: AgentSocket, states: AgentReading[]): void {
  const { agent_id } = carriedBy(socket) ?? {};
  transact(context, () => {
    for (const { device, state, at } of states) {
      if (agentOf(context, device) !== agent_id || isOvertaken(context, device, at)) continue;
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

/** A live command verifies its light itself, unless it is kept up and waits for its next try. */
function isOvertaken({ sql }: EngineContext, device_id: string, read_at: number): boolean {
  const live = commandFor(sql, device_id);
  return (live !== null && !waitsForNextTry(live)) || read_at <= (memoryOf(sql, device_id).sent_at ?? 0);
}
