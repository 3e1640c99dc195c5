import { sidesOf } from "./hybrid";
import type { Address, FailurePlace, FailureReason, ProviderResult } from "./provider";

/**
 * What is told of a call that no provider answered for; `provider` is the first that it would have gone by. It counts
 * against nobody, unless `where` says so.
 */
export function noAnswer(
  { mode, hub }: Pick<Address, "mode" | "hub">,
  reason: FailureReason,
  detail: string,
  snippet = detail,
  where?: FailurePlace,
): ProviderResult & { ok: false } {
  const provider = mode === "mock" ? "mock" : (sidesOf(mode, hub)[0] ?? "cloud");
  const failures = where ? [{ where, reason }] : [];
  return { ok: false, reason, detail, failures, provider, http_status: null, snippet, rtt_ms: 0 };
}
