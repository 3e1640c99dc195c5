import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireUser } from "#app/session/session";
import { OWNERS } from "#domain/records/dependents";
import { dependentsOf, sentenceOrNull } from "./of-page";

/**
 * A sentence on what depends on a record, `/dependents?area=ID`, or on what goes with a hub that is moved, `?moved_hub=ID`.
 * Null, and logged, where it cannot be had.
 */
export async function loader(args: LoaderFunctionArgs): Promise<Response> {
  const { services } = await requireUser(args);
  const search = new URL(args.request.url).searchParams;
  const moved = search.get("moved_hub");
  if (moved !== null) return Response.json(await sentenceOrNull(services.dependents.movedHub(moved)));
  const owner = OWNERS.find((name) => search.has(name));
  return Response.json(owner ? await dependentsOf(services, owner, search.get(owner) ?? "") : null);
}
