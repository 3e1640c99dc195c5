import { z } from "zod";
import { AGENT_CLOSE, toAgent, type ToAgent } from "#domain/agent/frames";
import { parseJson } from "#domain/fields/json";

export type Read =
  | { kind: "frame"; frame: ToAgent }
  /** A newer city says what this program doesn't know; it is no reason to hang up. */
  | { kind: "unknown" }
  | { kind: "bad"; code: number; detail: string };

const anyFrame = z.looseObject({ type: z.string() });
const KNOWN = new Set<string>(toAgent.options.map((option) => option.shape.type.value));

/** Reads what the city says; `code` is what the socket is closed with. */
export function readFrame(text: string): Read {
  const json = parseJson(text);
  if (json === undefined) return { kind: "bad", code: AGENT_CLOSE.not_json, detail: "a frame is not JSON" };
  const { type } = anyFrame.safeParse(json).data ?? {};
  if (type === undefined) return { kind: "bad", code: AGENT_CLOSE.bad_shape, detail: "a frame has no type" };
  if (!KNOWN.has(type)) return { kind: "unknown" };
  const { data } = toAgent.safeParse(json);
  return data
    ? { kind: "frame", frame: data }
    : { kind: "bad", code: AGENT_CLOSE.bad_shape, detail: `a bad '${type}' frame` };
}
