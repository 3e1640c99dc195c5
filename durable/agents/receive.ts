import { z } from "zod";
import { assertNever } from "#domain/assert-never";
import { fromAgent, MOST_FRAME_BYTES, type FromAgent } from "#domain/agent/frames";
import { noteGone } from "#durable/monitoring/agent-health";
import { carriedBy, type AgentSocket } from "#durable/providers/agent-socket";
import { transact, type EngineContext } from "#durable/state/context";
import { parseJson } from "#domain/fields/json";
import { greet } from "./hello";
import { onLog } from "./on-log";
import { onPlanOk, onPlanRefused } from "./on-plan";
import { onStates } from "./on-states";

const typed = z.object({ type: z.string() });
const KNOWN = new Set<string>(fromAgent.options.map(({ shape }) => shape.type.value));

/**
 * A frame has come on an agent's socket. Whoever sends something else than frames is hung up on; a type that a newer agent
 * knows is ignored. Never rejects.
 */
export async function receive(context: EngineContext, socket: AgentSocket, data: string | ArrayBuffer): Promise<void> {
  const { agents } = context;
  if (!agents.open().includes(socket)) return;
  if (agents.isTooMany(socket)) return agents.hangUp(socket, "too_many", "More than 100 frames in 10 s");
  if (typeof data !== "string") return agents.hangUp(socket, "not_json", "A frame is JSON text");
  if (sizeOf(data) > MOST_FRAME_BYTES) return agents.hangUp(socket, "too_big", "A frame is at most 64 KiB");
  const json = parseJson(data);
  if (json === undefined) return agents.hangUp(socket, "not_json", "A frame is JSON text");
  const { type } = typed.safeParse(json).data ?? {};
  if (type !== undefined && !KNOWN.has(type)) return;
  const frame = fromAgent.safeParse(json);
  if (!frame.success) return agents.hangUp(socket, "bad_shape", `Not a frame: ${type ?? "it has no type"}`);
  const isWelcomed = carriedBy(socket)?.proto !== null;
  if (!isWelcomed && frame.data.type !== "hello" && frame.data.type !== "bye")
    return agents.hangUp(socket, "bad_shape", "An agent says hello first");
  try {
    await take(context, socket, frame.data);
  } catch (error) {
    context.log({ level: "error", event: "agent.frame_failed", type, reason: String(error) });
  }
}

/** The socket is gone, or is about to. */
export function leave(context: EngineContext, socket: AgentSocket): void {
  const { agent_id } = carriedBy(socket) ?? {};
  context.agents.cut(socket);
  if (agent_id !== undefined) transact(context, () => noteGone(context, agent_id));
}

async function take(context: EngineContext, socket: AgentSocket, frame: FromAgent): Promise<void> {
  switch (frame.type) {
    case "hello":
      return greet(context, socket, frame);
    case "result":
      return context.agents.answered(socket, frame.id, frame.answer);
    case "states":
      return onStates(context, socket, frame.states);
    case "log":
      return onLog(context, socket, frame);
    case "plan_ok":
      return onPlanOk(context, socket, frame);
    case "plan_refused":
      return onPlanRefused(context, socket, frame);
    case "bye":
      return context.log({ level: "info", event: "agent.bye", agent_id: carriedBy(socket)?.agent_id, say: frame.say });
    default:
      return assertNever(frame);
  }
}

function sizeOf(text: string): number {
  return text.length > MOST_FRAME_BYTES ? text.length : new TextEncoder().encode(text).byteLength;
}
