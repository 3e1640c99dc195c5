import { logFailure } from "#app/router/log-failure";
import type { Choice } from "#domain/lists/list-query";
import type { DeviceChoices } from "#domain/records/records";
import type { SignedIn } from "#worker/context";

/** The options of the two filters. */
export type Places = DeviceChoices & { areas: Choice[] };

/** The events are useful without filters, so a failure is only logged. */
export async function placesOf(
  services: Pick<SignedIn["services"], "areas" | "devices">,
  chosen: { area?: string; device?: string },
): Promise<Places> {
  try {
    const [areas, choices] = await Promise.all([services.areas.list(), services.devices.choices(chosen)]);
    return { areas: areas.map(({ id, name }) => ({ id, name })), ...choices };
  } catch (caught) {
    logFailure(caught);
    return { areas: [], devices: [], isNarrowed: false };
  }
}
