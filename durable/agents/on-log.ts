import type { FromAgent } from "#domain/agent/frames";
import { settleLine } from "#durable/monitoring/agent-health";
import type { AgentSocket } from "#durable/providers/agent-socket";
import { transact, type EngineContext } from "#durable/state/context";

type Log = Extract<FromAgent, { type: "log" }>;

/** Entries of what the agent did alone; with the last of them its line is settled. */
export function onLog(context: EngineContext, socket: AgentSocket, { isLast }: Log): void {
  if (isLast) transact(context, () => settleLine(context, socket));
}
