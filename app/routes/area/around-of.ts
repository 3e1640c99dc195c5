import { logFailure } from "#app/router/log-failure";
import type { SignedIn } from "#worker/context";
import type { Arriving } from "./around";

/** What the area's page shows beside its name. Refuses with `not_found`. */
export async function aroundOf(services: SignedIn["services"], id: string): Promise<Arriving> {
  // The page is useful without the picture of the night, so its failure is only logged.
  const night = services.tonight.area(id).catch((caught: unknown) => (logFailure(caught), null));
  const [detail, emergencies, guardrails, groups, closures, permits, tonight] = await Promise.all([
    services.areas.detail(id),
    services.devices.emergencies(id),
    services.areas.guardrails(id),
    services.groups.listed(id),
    services.closures.list({ area_id: id }),
    services.permits.list({ area_id: id }),
    night,
  ]);
  return {
    ...detail,
    emergencies,
    guardrails,
    groups,
    closures,
    permits,
    tonight: tonight && tonight.lights.length > 0 ? tonight : null,
    now: Date.now(),
  };
}
