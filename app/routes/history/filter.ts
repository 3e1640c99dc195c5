import type { Choice } from "#domain/list-query";
import type { SignedIn } from "#worker/context";

/** What the two filters choose from. */
export type Places = { areas: Choice[]; devices: (Choice & { area_id: string })[] };

/** Without them the events are still worth reading, so a failure is logged only. */
export async function placesOf(services: Pick<SignedIn["services"], "areas" | "devices">): Promise<Places> {
  try {
    const [areas, devices] = await Promise.all([services.areas.list(), services.devices.list()]);
    return {
      areas: areas.map(({ id, name }) => ({ id, name })),
      devices: devices.map(({ id, name, area_id }) => ({ id, name, area_id })),
    };
  } catch (caught) {
    console.error(caught);
    return { areas: [], devices: [] };
  }
}
