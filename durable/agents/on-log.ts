import type { FromAgent } from "#domain/agent/frames";
import { settleLine } from "#durable/monitoring/agent-health";
import { sendOn } from "#durable/providers/agent-lines";
import { carriedBy, type AgentSocket } from "#durable/providers/agent-socket";
import { reconcileDevice } from "#durable/reconcile/reconcile";
import { transact, type EngineContext } from "#durable/state/context";
import { agentOf } from "./on-states";
import { takeLog } from "./take-log";

type Log = Extract<FromAgent, { type: "log" }>;

/**
 * Entries of what the agent did alone are taken in and acknowledged; with the last of them its line is settled, and its
 * lights are looked at. Where that was before, as with what was under way when the line was back, those of the entries are.
 */
export function onLog(context: EngineContext, socket: AgentSocket, { entries, isLast }: Log): void {
  const { agent_id, settled_at = null } = carriedBy(socket) ?? {};
  if (agent_id === undefined) return;
  const upto = transact(context, () => {
    const upto = takeLog(context, agent_id, entries);
    if (settled_at !== null) lookAt(context, agent_id, entries);
    else if (isLast) settleLine(context, socket);
    return upto;
  });
  if (upto > 0) sendOn(socket, { type: "ack", upto });
}

function lookAt(context: EngineContext, agent_id: string, entries: Log["entries"]): void {
  for (const device of new Set(entries.map((entry) => entry.device)))
    if (agentOf(context, device) === agent_id) reconcileDevice(context, device, "hub_back");
}
