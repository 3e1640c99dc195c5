import type { FromAgent } from "#domain/agent/frames";
import { carriedBy, type AgentSocket } from "#durable/providers/agent-socket";
import type { EngineContext } from "#durable/state/context";

type Taken = Extract<FromAgent, { type: "plan_ok" }>;
type Refused = Extract<FromAgent, { type: "plan_refused" }>;

/** The agent has stored the plan. */
export function onPlanOk(context: EngineContext, socket: AgentSocket, { rev }: Taken): void {
  context.log({ level: "info", event: "agent.plan_ok", agent_id: carriedBy(socket)?.agent_id, rev });
}

/** The agent goes on with the plan that it has. */
export function onPlanRefused(context: EngineContext, socket: AgentSocket, { rev, why }: Refused): void {
  context.log({ level: "error", event: "agent.plan_refused", agent_id: carriedBy(socket)?.agent_id, rev, why });
}
