import { causeOf } from "#domain/errors";
import type { Explanation } from "#domain/resolve/explanation";
import { log } from "#worker/log";
import type { Scope } from "#worker/services/scope";
import { sleep } from "#worker/sleep";

/** The longest that a page waits for the engine; the next poll asks again. */
const PATIENCE_MS = 400;

/** The engine's answers for the devices, by id; empty if it does not answer within PATIENCE_MS. Never fails. */
export async function explainSoon(
  { scheduler, org_id }: Scope,
  device_ids: string[],
): Promise<Map<string, Explanation>> {
  if (device_ids.length === 0) return new Map();
  const explained = scheduler.explain({ org_id, device_ids }).catch((caught: unknown) => {
    log("warn", "scheduler.explain_failed", { org_id, ...causeOf(caught) });
    return [];
  });
  const explanations = await Promise.race([explained, sleep(PATIENCE_MS).then(() => [])]);
  return new Map(explanations.map((explanation) => [explanation.device_id, explanation]));
}
