import type { FromAgent } from "#domain/agent/frames";
import { settleLine } from "#durable/monitoring/agent-health";
import { sendOn } from "#durable/providers/agent-lines";
import { carriedBy, type AgentSocket } from "#durable/providers/agent-socket";
import { transact, type EngineContext } from "#durable/state/context";
import { takeLog } from "./take-log";

type Log = Extract<FromAgent, { type: "log" }>;

/**
 * Entries of what the agent did alone are taken in and acknowledged; with the last of them its line is settled, and its
 * lights are looked at.
 */
export function onLog(context: EngineContext, socket: AgentSocket, { entries, isLast }: Log): void {
  const { agent_id } = carriedBy(socket) ?? {};
  if (agent_id === undefined) return;
  const upto = transact(context, () => {
    const upto = takeLog(context, agent_id, entries);
    if (isLast) settleLine(context, socket);
    return upto;
  });
  if (upto > 0) sendOn(socket, { type: "ack", upto });
}
