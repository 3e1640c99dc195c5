import { MOST_FRAME_BYTES, type AgentAnswer } from "#domain/agent/frames";
import type { ListResult, ProviderResult } from "#durable/providers/provider";

type Refusal = AgentAnswer & { ok: false };

/** What the city is told of a call to a hub. */
export function toAnswer(result: ProviderResult): AgentAnswer {
  const { http_status, snippet, rtt_ms } = result;
  const failures = (result.failures ?? []).flatMap(({ where, reason }) =>
    where === "device" || where === "hub" ? [{ where, reason }] : [],
  );
  const details = { http_status, snippet: snippet.slice(0, 200), rtt_ms, failures };
  if (result.ok) return { ok: true, state: result.state, ...details };
  const { reason, detail, retry_after_ms, limit } = result;
  return { ok: false, reason, detail: detail.slice(0, 500), retry_after_ms, limit, ...details };
}

/** The same of a hub's own list; of a long one, as much as a frame holds. */
export function toListAnswer(listed: ListResult, rtt_ms: number): AgentAnswer {
  if (!listed.ok) return { ...notDone(listed.reason, listed.detail, "hub"), rtt_ms };
  const cut = (text: string) => text.slice(0, 200);
  const devices = listed.devices
    .slice(0, 500)
    .map(({ id, name, type, model }) => ({ id: cut(id), name: cut(name), type: cut(type), model: cut(model) }));
  while (Buffer.byteLength(JSON.stringify(devices)) > MOST_FRAME_BYTES - 1_000) devices.pop();
  const snippet = `local: ${listed.devices.length} listed`;
  return { ok: true, state: "unknown", devices, http_status: null, snippet, rtt_ms };
}

/** No call was made. Counts as a failure of no hub, unless `where` says so. */
export function notDone(reason: Refusal["reason"], detail: string, where?: "hub"): Refusal {
  const failures = where && reason !== "late" && reason !== "stale" ? [{ where, reason }] : [];
  const snippet = `local: ${detail}`.slice(0, 200);
  return { ok: false, reason, detail: detail.slice(0, 500), failures, http_status: null, snippet, rtt_ms: 0 };
}
