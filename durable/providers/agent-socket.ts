import { z } from "zod";

/**
 * What an agent's socket carries, since it outlives the process. Instants are epoch ms.
 * - `generation`: that of the secret which it was opened with
 * - `connection`: which of the agent's connections it is
 * - `proto`: what both ends speak; null until the agent was welcomed, at `welcomed_at`
 * - `settled_at`: when what the agent did alone was taken in, or did not come in time
 */
const carried = z.object({
  agent_id: z.string(),
  generation: z.number(),
  connection: z.string(),
  since: z.number(),
  proto: z.number().nullable(),
  welcomed_at: z.number().nullable(),
  settled_at: z.number().nullable(),
});
export type Carried = z.infer<typeof carried>;

/** An agent's socket, as far as it is used here. */
export type AgentSocket = Pick<
  WebSocket,
  "send" | "close" | "readyState" | "serializeAttachment" | "deserializeAttachment"
>;

/** What the socket carries; null where it is no agent's. */
export function carriedBy(socket: Pick<WebSocket, "deserializeAttachment">): Carried | null {
  return carried.safeParse(socket.deserializeAttachment()).data ?? null;
}

/** Changes what the socket carries. */
export function carry(socket: AgentSocket, change: Partial<Carried>): void {
  socket.serializeAttachment({ ...carriedBy(socket), ...change });
}
