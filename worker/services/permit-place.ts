import { areas } from "#db/areas";
import { hubs } from "#db/hubs";
import { invalid } from "#worker/services/refuse";
import type { Scope } from "#worker/services/scope";

type Place = { area_id: string; hub_id?: string | null | undefined };

/** Refuses with `invalid` an area that is not there, and a hub that is not in it. */
export async function permitPlace({ db, org_id }: Scope, { area_id, hub_id }: Place): Promise<void> {
  if (!(await areas(db, org_id).find(area_id))) throw invalid("area_id", "Area not found");
  const hub = hub_id ? await hubs(db, org_id).find(hub_id) : null;
  if (hub_id && hub?.area_id !== area_id) throw invalid("hub_id", "Choose a hub of the chosen area");
}
