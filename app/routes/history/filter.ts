import type { Choice } from "#domain/list-query";
import type { DeviceChoices } from "#domain/records";
import type { SignedIn } from "#worker/context";

/** What the two filters choose from. */
export type Places = DeviceChoices & { areas: Choice[] };

/** Without them the events are still worth reading, so a failure is logged only. */
export async function placesOf(
  services: Pick<SignedIn["services"], "areas" | "devices">,
  chosen: { area?: string; device?: string },
): Promise<Places> {
  try {
    const [areas, choices] = await Promise.all([services.areas.list(), services.devices.choices(chosen)]);
    return { areas: areas.map(({ id, name }) => ({ id, name })), ...choices };
  } catch (caught) {
    console.error(caught);
    return { areas: [], devices: [], isNarrowed: false };
  }
}
