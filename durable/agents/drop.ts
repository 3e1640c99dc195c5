import { noteGone } from "#durable/monitoring/agent-health";
import { transact, type EngineContext } from "#durable/state/context";

/** Why a socket is closed whose secret is not the agent's any more. */
export const REVOKED = ["revoked", "This agent's secret is no longer valid"] as const;

/** The agent's secret was replaced or revoked: its sockets are closed, with what is under way on them. */
export function dropAgent(context: EngineContext, agent_id: string): void {
  for (const { socket } of context.agents.ports.lines(agent_id)) context.agents.hangUp(socket, ...REVOKED);
  transact(context, () => noteGone(context, agent_id));
}
