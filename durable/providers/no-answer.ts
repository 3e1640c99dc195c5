import { sidesOf } from "./hybrid";
import type { Address, ProviderResult, FailureReason } from "./provider";

/** What is told of a call that no provider answered for; `provider` is the first that it would have gone by. */
export function noAnswer(
  { mode, hub }: Pick<Address, "mode" | "hub">,
  reason: FailureReason,
  detail: string,
  snippet = detail,
): ProviderResult & { ok: false } {
  const provider = mode === "mock" ? "mock" : (sidesOf(mode, hub)[0] ?? "cloud");
  return { ok: false, reason, detail, failures: [], provider, http_status: null, snippet, rtt_ms: 0 };
}
