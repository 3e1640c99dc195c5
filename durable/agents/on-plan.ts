import type { FromAgent } from "#domain/agent/frames";
import { tellLink } from "#durable/monitoring/agent-health";
import { noteRefused, noteTaken } from "#durable/monitoring/refused-plan";
import { carriedBy, type AgentSocket } from "#durable/providers/agent-socket";
import { transact, type EngineContext } from "#durable/state/context";
import { agentPlan, saveAgentPlan } from "#durable/state/standing-plans";

type Taken = Extract<FromAgent, { type: "plan_ok" }>;
type Refused = Extract<FromAgent, { type: "plan_refused" }>;

/** The agent has stored the plan: its lamps are entrusted to it while it is away. */
export function onPlanOk(context: EngineContext, socket: AgentSocket, { rev }: Taken): void {
  noteAnswer(context, socket, rev, null);
}

/** The agent goes on with the plan that it has, and whoever looks after agents reads why. */
export function onPlanRefused(context: EngineContext, socket: AgentSocket, { rev, why }: Refused): void {
  context.log({ level: "error", event: "agent.plan_refused", agent_id: carriedBy(socket)?.agent_id, rev, why });
  noteAnswer(context, socket, rev, why);
}

/** An answer to an older plan says nothing of the one that is on its way. */
function noteAnswer(context: EngineContext, socket: AgentSocket, rev: number, refused: string | null): void {
  const { agent_id } = carriedBy(socket) ?? {};
  if (agent_id === undefined) return;
  transact(context, () => {
    const known = agentPlan(context.sql, agent_id);
    if (known.sent?.rev !== rev) return;
    const taken = refused === null ? known.sent : known.taken;
    saveAgentPlan(context.sql, { ...known, answered_rev: rev, taken, refused });
    if (refused !== known.refused) tellLink(context, agent_id, true);
    if (refused === null) noteTaken(context, agent_id);
    else noteRefused(context, agent_id, refused);
  });
}
