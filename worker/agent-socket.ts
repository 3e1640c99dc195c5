import type { Context, Handler } from "hono";
import { database } from "#db/database";
import { toAgentDoor } from "#durable/agents/door-request";
import { Refusal } from "#domain/errors";
import type { ApiEnv } from "#worker/api/session";
import { addressOf } from "#worker/auth/address";
import { admitAgent, REVOKED } from "#worker/auth/agent-door";
import { openSocket } from "#worker/scheduler";
import { engineAway } from "#worker/services/scope";

/**
 * A socket on which an on-site agent hears what to switch. Its secret comes in the Authorization header only, which no page
 * can set, and never in the address, which is logged. What the object gets is made here: nothing of the agent's request.
 */
export const agentSocket: Handler<ApiEnv> = async (c) => {
  if (c.req.method !== "GET") return c.json({ detail: "This method is not allowed here" }, 405, { Allow: "GET" });
  const isUpgrade = c.req.header("Upgrade")?.toLowerCase() === "websocket";
  if (!isUpgrade && c.req.header("Authorization") === undefined) return askForUpgrade(c);
  const deps = {
    db: database(c.env.DB),
    address: addressOf(c.req.raw, c.env.CLIENT_ADDRESS_HEADER),
    agent_tries: c.env.AGENT_TRIES,
    now: () => new Date(),
  };
  const agent = await admitAgent(deps, c.req.header("Authorization"));
  // A technician's check of the secret: opening a socket would cut the agent's own.
  if (!isUpgrade) return askForUpgrade(c);
  const { org_id, agent_id } = agent;
  const about = { org_id, agent_id };
  const { status, webSocket } = await openSocket(c.env.SCHEDULER, toAgentDoor(agent), "scheduler.agent_failed", about);
  // Between the read of the database and the door the secret was replaced or revoked.
  if (status === 403) throw new Refusal("forbidden", REVOKED);
  if (!webSocket) throw engineAway();
  return new Response(null, { status: 101, webSocket });
};

function askForUpgrade(c: Context<ApiEnv>): Response {
  c.header("Upgrade", "websocket");
  return c.json({ detail: "Open this address as a WebSocket, with an agent's secret" }, 426);
}
