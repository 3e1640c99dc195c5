import { OLDEST_PROTO, PROTO, type FromAgent } from "#domain/agent/frames";
import { noteOnline, settleLine, TAKE_IN_MS } from "#durable/monitoring/agent-health";
import { sendOn } from "#durable/providers/agent-lines";
import { carriedBy, carry, type AgentSocket } from "#durable/providers/agent-socket";
import { transact, type EngineContext } from "#durable/state/context";
import { noteHeldPlan } from "./send-plan";
import { welcomeFor } from "./welcome";

type Hello = Extract<FromAgent, { type: "hello" }>;

/**
 * An agent says hello: it is welcomed in the newest protocol that both speak, with what it has to know. What it did alone
 * is taken in before the scheduler commands its hubs, for TAKE_IN_MS at most.
 */
export async function greet(context: EngineContext, socket: AgentSocket, hello: Hello): Promise<void> {
  const { agents, log } = context;
  const { agent_id } = carriedBy(socket) ?? {};
  if (agent_id === undefined) return;
  agents.greeted(socket);
  const [oldest, newest] = hello.proto;
  const proto = Math.min(PROTO, newest);
  if (proto < Math.max(OLDEST_PROTO, oldest)) {
    log({ level: "warn", event: "agent.protocol", agent_id, agent: hello.agent, proto: hello.proto });
    return agents.hangUp(socket, "protocol", newest < OLDEST_PROTO ? TOO_OLD : TOO_NEW);
  }
  // A plan that changes meanwhile is sent right after the welcome.
  const isWelcome = await agents.tell(agent_id, async () => {
    const welcome = await welcomeFor(context, agent_id, proto);
    if (!agents.open().includes(socket) || !sendOn(socket, welcome)) return false;
    carry(socket, { proto, welcomed_at: context.now(), settled_at: null });
    return true;
  });
  if (!isWelcome) return;
  transact(context, () => {
    noteHeldPlan(context, agent_id, hello);
    noteOnline(context, agent_id, hello.agent);
    if (hello.log_from === null) settleLine(context, socket);
  });
  if (hello.log_from !== null) context.after(TAKE_IN_MS, () => transact(context, () => settleLine(context, socket)));
}

const TOO_OLD = "The server no longer speaks this agent's protocol: install the agent anew";
const TOO_NEW = "The server does not speak this agent's protocol yet: update the server";
