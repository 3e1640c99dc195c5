import { carry } from "#durable/providers/agent-socket";
import { readable } from "#durable/state/body";
import type { EngineContext } from "#durable/state/context";
import { plan } from "#durable/state/plan";
import type { Knocking } from "./door-request";

/** Of every agent's socket. */
export const AGENTS_TAG = "agents";
/** Of one agent's. */
export function agentTag(agent_id: string): string {
  return `agent:${agent_id}`;
}

/** An agent says hello at once; whoever does not is none of ours. */
const HELLO_WITHIN_MS = 15_000;

/** What the platform does for sockets. */
type Sockets = Pick<DurableObjectState, "acceptWebSocket">;

/**
 * Opens a socket for an agent, whose secret the worker has checked. The newest wins: an agent that reconnects may have a
 * socket that nobody has noticed to be dead. 403 where the secret has been replaced or revoked meanwhile.
 */
export function acceptAgent(context: EngineContext, sockets: Sockets, { agent_id, generation }: Knocking): Response {
  // Of one whose row cannot be read the worker knows more.
  const planned = readable(() => plan.agent(context.sql, agent_id));
  if (planned && (planned.revoked_at !== null || planned.generation > generation)) {
    return new Response(null, { status: 403 });
  }
  const [agent, socket] = Object.values(new WebSocketPair());
  if (!agent || !socket) throw new Error("the platform gave no sockets");
  for (const older of context.agents.ports.lines(agent_id))
    context.agents.hangUp(older.socket, "replaced", "The same agent has connected again");
  sockets.acceptWebSocket(socket, [AGENTS_TAG, agentTag(agent_id)]);
  const since = context.now();
  const connection = crypto.randomUUID();
  carry(socket, { agent_id, generation, connection, since, proto: null, welcomed_at: null, settled_at: null });
  context.agents.expectHello(socket, HELLO_WITHIN_MS);
  return new Response(null, { status: 101, webSocket: agent });
}
