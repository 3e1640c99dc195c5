import type { Limits } from "#domain/device-limits";
import type { Store } from "./kept";
import { guardrailsOf, settingsOf, type DeviceRow } from "./plan";

/** What limits the device as the plan stands now. */
export function limitsOf(sql: Store, _device: DeviceRow): Limits {
  const guardrails = guardrailsOf(settingsOf(sql));
  return {
    guardrails,
    organization_max_on_min: guardrails.MAX_ON_DURATION_MIN,
    permits: [],
    closures: [],
  };
}
