import { darkAt } from "#domain/guardrails/device-limits";
import { refusalSentence } from "#domain/resolve/reason-sentence";
import type { EngineContext } from "#durable/state/context";
import { limitsOf } from "#durable/state/limits";
import { isServed, plan, settingsOf } from "#durable/state/plan";

const NOT_SERVED = "Lights may not go on: the organization is inactive";

/** Why the device may not be switched on right now, in a sentence for people; null where it may. */
export function refusedNow({ sql, now }: EngineContext, device_id: string): string | null {
  if (!isServed(sql)) return NOT_SERVED;
  const device = plan.device(sql, device_id);
  const at = now();
  const dark = device && darkAt(limitsOf(sql, device), at);
  return dark && refusalSentence(dark, settingsOf(sql).APP_TIMEZONE, at);
}
