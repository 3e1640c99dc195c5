import { logFailure } from "#app/router/log-failure";
import type { Device } from "#domain/records/records";
import type { SignedIn } from "#worker/context";
import type { Around } from "./around";

/** What the light's page shows beside the light. Refuses with `not_found`. */
export async function aroundOf(
  services: SignedIn["services"],
  { id, area_id }: Pick<Device, "id" | "area_id">,
): Promise<Around> {
  // The page is useful without the picture of the night, so its failure is only logged.
  const night = services.tonight.light(id).catch((caught: unknown) => (logFailure(caught), null));
  const [detail, groups, tonight] = await Promise.all([
    services.devices.detail(id),
    services.groups.list({ area_id }),
    night,
  ]);
  return {
    ...detail,
    groups: groups.filter(({ device_ids }) => device_ids.includes(id)),
    tonight,
    now: Date.now(),
  };
}
