import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireUser } from "#app/session/session";
import { OWNERS } from "#domain/records/dependents";
import { dependentsOf, sentenceOrNull } from "./of-page";

/**
 * A sentence on what depends on a record, `/dependents?area=ID`, or on what is left behind in its area by a hub's lights,
 * `?moved_hub=ID`, or by one light, `?moved_device=ID`, that are moved.
 * Null, and logged, where it cannot be had.
 */
export async function loader(args: LoaderFunctionArgs): Promise<Response> {
  const { services } = await requireUser(args);
  const search = new URL(args.request.url).searchParams;
  const [hub, device] = [search.get("moved_hub"), search.get("moved_device")];
  if (hub !== null) return Response.json(await sentenceOrNull(services.dependents.movedHub(hub)));
  if (device !== null) return Response.json(await sentenceOrNull(services.dependents.movedDevice(device)));
  const owner = OWNERS.find((name) => search.has(name));
  return Response.json(owner ? await dependentsOf(services, owner, search.get(owner) ?? "") : null);
}
