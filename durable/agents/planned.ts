import { endTroubleOfUnneeded } from "#durable/monitoring/agent-health";
import { sendOn } from "#durable/providers/agent-lines";
import { carriedBy, type AgentSocket, type Carried } from "#durable/providers/agent-socket";
import { readable } from "#durable/state/body";
import { transact, type EngineContext } from "#durable/state/context";
import { plan } from "#durable/state/plan";
import { askForPlans } from "./send-plan";
import { welcomeFor } from "./welcome";
import { REVOKED } from "./drop";

/** The plan was pulled; `kinds` are those of its changes, null for all. Never throws. */
export function noteAgents(context: EngineContext, kinds: string[] | null): void {
  askForPlansOfAll(context);
  const isConcerned = kinds === null || kinds.includes("agent") || kinds.includes("hub");
  if (kinds?.includes("settings") || isConcerned) transact(context, () => endTroubleOfUnneeded(context));
  if (isConcerned) tellAgents(context);
}

/**
 * Hubs or agents have changed, be it by one page of a pull. Closes the sockets whose secret was replaced or revoked, also
 * where the call that said so was lost, and tells the others of their hubs as they are now. Never throws.
 */
export function tellAgents(context: EngineContext): void {
  for (const socket of context.agents.open()) {
    const carried = carriedBy(socket);
    if (!carried) continue;
    const { agent_id } = carried;
    readable(
      () => tellAgent(context, socket, carried),
      (error) => notTold(context, agent_id, error),
    );
  }
}

function tellAgent(context: EngineContext, socket: AgentSocket, { agent_id, generation }: Carried): void {
  const agent = plan.agent(context.sql, agent_id);
  if (!agent || agent.revoked_at !== null || agent.generation > generation) {
    context.agents.hangUp(socket, ...REVOKED);
  } else if (agent.generation < generation) {
    // After a restore, or a late pull, the plan knows an older secret than the worker checked: the agent connects again.
    context.agents.hangUp(socket, "again", "Connect again");
  } else {
    // The lights of its new hubs are called at once. A welcome that is on its way may still name the old hubs.
    void context.agents.tell(agent_id, () => welcomeAgain(context, agent_id));
  }
}

function notTold(context: EngineContext, agent_id: string, error: unknown): void {
  context.log({ level: "error", event: "agent.not_told", agent_id, reason: String(error) });
}

/** Any change of the plan can concern the lamps of any agent. */
function askForPlansOfAll(context: EngineContext): void {
  const ids = new Set(context.agents.open().flatMap((socket) => carriedBy(socket)?.agent_id ?? []));
  if (ids.size > 0) transact(context, () => askForPlans(context, ids));
}

/** Never rejects. */
async function welcomeAgain(context: EngineContext, agent_id: string): Promise<void> {
  try {
    const socket = context.agents.socketOf(agent_id);
    const { proto = null } = (socket && carriedBy(socket)) ?? {};
    if (!socket || proto === null) return;
    const welcome = await welcomeFor(context, agent_id, proto);
    sendOn(socket, { ...welcome, ask_states: [] });
  } catch (error) {
    notTold(context, agent_id, error);
  }
}
