import { z } from "zod";

/**
 * An agent whose secret the worker has checked. The organization comes from the agent's row, and `generation` is the
 * row's: a socket of another one is closed.
 */
const knocking = z.object({ org_id: z.string(), agent_id: z.string(), generation: z.number().int() });
export type Knocking = z.infer<typeof knocking>;

/** Only the worker reaches the object, and with it this header. */
const HEADER = "X-Agent";
const PATH = "/agent";

/** The request with which the worker asks the object for an agent's socket. Nothing of the agent's own request is in it. */
export function toAgentDoor({ org_id, agent_id, generation }: Knocking): Request {
  const headers = {
    Upgrade: "websocket",
    [HEADER]: encodeURIComponent(JSON.stringify({ org_id, agent_id, generation })),
  };
  return new Request(`https://object${PATH}`, { headers });
}

/** The agent that asks for a socket; null for any other request. Throws if the worker's header is malformed. */
export function atAgentDoor(request: Request): Knocking | null {
  if (new URL(request.url).pathname !== PATH) return null;
  return knocking.parse(JSON.parse(decodeURIComponent(request.headers.get(HEADER) ?? "")));
}
