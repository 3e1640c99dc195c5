import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { queryOf } from "#app/router/query";
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
  const search = queryOf(args.request);
  const { moved_hub: hub, moved_device: device } = search;
  if (hub !== undefined) return Response.json(await sentenceOrNull(services.dependents.movedHub(hub)));
  if (device !== undefined) return Response.json(await sentenceOrNull(services.dependents.movedDevice(device)));
  const owner = OWNERS.find((name) => Object.hasOwn(search, name));
  return Response.json(owner ? await dependentsOf(services, owner, search[owner] ?? "") : null);
}
