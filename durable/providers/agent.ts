import type { AgentAnswer } from "#domain/agent/frames";
import { assertNever } from "#domain/assert-never";
import type { AgentLines, AgentReply, Asked } from "./agent-lines";
import type { Address, Failure, FailureReason, HubAddress, ListResult, ProviderResult } from "./provider";
import type { Transport, TransportCall } from "./transport";

/** What people call an agent, and since when it is away, in words; null where that is not known. */
export type AgentName = { name: string; away_since: string | null };

export type AgentDeps = {
  lines: AgentLines;
  now: () => number;
  nameOf: (agent_id: string) => AgentName;
};

/** The answer's way back: what the agent begins later than this before our time is up is heard of too late. */
const WAY_BACK_MS = 300;
const THROTTLED_MS = 500;

type Bounds = Pick<TransportCall, "until" | "not_after">;
type Reply = { reply: AgentReply | { kind: "too_late" | "no_time" }; rtt_ms: number };

/**
 * A hub by way of the agent on its network: one frame for what the local transport does there. It is the local side:
 * `provider` stays 'local', and the snippet names the agent.
 */
export function agentTransport({ lines, now, nameOf }: AgentDeps): Transport {
  return {
    switch: (address, action, call) =>
      throughAgent(address.hub, call, (hub) => ({
        ...lampOf(address, call),
        order: call.order,
        hub: hub.id,
        verb: "switch",
        action,
        off_after_min: action === "on" ? call.off_after_min : null,
      })),
    read: (address, call) =>
      throughAgent(address.hub, call, (hub) => ({ ...NOTHING, ...lampOf(address, call), hub: hub.id, verb: "read" })),
    ping: (hub, call) => throughAgent(hub, call, () => ({ ...NOTHING, hub: hub.id, verb: "ping" })),
    list: async (hub, call) => {
      if (!hub?.agent_id) return { ok: false, reason: "refused", detail: "The hub has no agent" };
      const { reply } = await ask(hub.agent_id, call, { ...NOTHING, hub: hub.id, verb: "list" });
      return toList(reply, nameOf(hub.agent_id));
    },
  };

  async function throughAgent(
    hub: HubAddress | null,
    call: Bounds,
    frame: (hub: HubAddress) => Omit<Asked, "for_ms">,
  ): Promise<ProviderResult> {
    if (!hub?.agent_id) throw new Error("the hub has no agent");
    const { reply, rtt_ms } = await ask(hub.agent_id, call, frame(hub));
    return toResult(reply, nameOf(hub.agent_id), rtt_ms);
  }

  async function ask(agent_id: string, { until, not_after }: Bounds, asked: Omit<Asked, "for_ms">): Promise<Reply> {
    const telling = lines.told(agent_id);
    if (telling) await telling;
    const began = now();
    if (not_after !== null && began > not_after) return { reply: { kind: "too_late" }, rtt_ms: 0 };
    const for_ms = Math.floor(Math.min(until - began - WAY_BACK_MS, (not_after ?? Infinity) - began));
    if (for_ms <= 0) return { reply: { kind: "no_time" }, rtt_ms: 0 };
    const reply = await lines.ask(agent_id, { ...asked, for_ms }, until - began);
    const rtt_ms = now() - began;
    if (reply.kind === "answered" && rtt_ms < for_ms) lines.noteOnTime(agent_id, isLate(reply.answer));
    return { reply, rtt_ms };
  }
}

const NOTHING = { order: 0, device: null, action: null, address: null, off_after_min: null };

function lampOf(
  { mode, lamp, cloud_device_id, local_ref, model, on_payload, off_payload, is_rest }: Address,
  { device_id }: Pick<TransportCall, "device_id">,
): Pick<Asked, "device" | "address"> {
  const address = { mode, lamp, cloud_device_id, local_ref, model, on_payload, off_payload, is_rest };
  return { device: device_id, address };
}

/** Of a call that was not answered: whether it may have been done, in words, and when to ask again. */
type Unanswered = { reason: FailureReason; says: string; retry_after_ms?: number };

function unanswered(kind: Exclude<Reply["reply"]["kind"], "answered">, { away_since }: AgentName): Unanswered {
  switch (kind) {
    case "away":
      return { reason: "unreachable", says: away_since === null ? "not connected" : `away since ${away_since}` };
    case "full":
      return { reason: "throttled", says: "too many calls at once", retry_after_ms: THROTTLED_MS };
    case "silent":
      return { reason: "timeout", says: "no answer in time" };
    case "cut":
      return { reason: "timeout", says: "the line was cut" };
    case "too_late":
      return { reason: "throttled", says: "too late to send", retry_after_ms: 0 };
    case "no_time":
      return { reason: "unreachable", says: "no time was left to ask it" };
    default:
      return assertNever(kind);
  }
}

function toList(reply: Reply["reply"], agent: AgentName): ListResult {
  if (reply.kind !== "answered") {
    const { reason, says } = unanswered(reply.kind, agent);
    return { ok: false, reason, detail: `agent ${agent.name}, ${says}` };
  }
  const { answer } = reply;
  if (answer.ok) return { ok: true, devices: answer.devices ?? [] };
  return { ok: false, ...undone(answer, agent) };
}

function toResult(reply: Reply["reply"], agent: AgentName, rtt_ms: number): ProviderResult {
  const by = `local (agent ${agent.name})`;
  const details = { provider: "local", rtt_ms } as const;
  if (reply.kind !== "answered") {
    const { reason, says, retry_after_ms } = unanswered(reply.kind, agent);
    const detail = `agent ${agent.name}, ${says}`;
    // What never left counts against nobody.
    const failures: Failure[] = reason === "throttled" ? [] : [{ where: "agent", reason }];
    const snippet = `${by}: ${says}`.slice(0, 200);
    return { ok: false, reason, detail, failures, retry_after_ms, ...details, http_status: null, snippet };
  }
  const { answer } = reply;
  const { http_status } = answer;
  const snippet = `${by}: ${answer.snippet.replace(/^local: /, "")}`.slice(0, 200);
  if (answer.ok) return { ok: true, state: answer.state, failures: answer.failures, ...details, http_status, snippet };
  const { failures, retry_after_ms, limit } = answer;
  const own: Failure[] = isOwn(answer) ? [{ where: "agent", reason: "unreachable" }] : failures;
  return {
    ok: false,
    ...undone(answer, agent),
    failures: own,
    retry_after_ms,
    limit,
    ...details,
    http_status,
    snippet,
  };
}

function isLate(answer: AgentAnswer): boolean {
  return !answer.ok && answer.reason === "late";
}

/** The agent would not do it: it was late, or an older order than the last. */
function isOwn({ reason }: AgentAnswer & { ok: false }): boolean {
  return reason === "late" || reason === "stale";
}

function undone(answer: AgentAnswer & { ok: false }, { name }: AgentName): { reason: FailureReason; detail: string } {
  const { reason, detail } = answer;
  if (reason === "late") return { reason: "unreachable", detail: `agent ${name}, the order came too late` };
  if (reason === "stale") return { reason: "unreachable", detail: `agent ${name}, a newer order came before it` };
  return { reason, detail };
}
