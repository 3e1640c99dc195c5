import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { queryOf } from "#app/router/query";
import { foundOrNull } from "#app/routes/detail/found-or-null";
import { requireUser } from "#app/session/session";

/** The lights of one area in a night, as JSON; null for an area that there is not. */
export async function loader(args: LoaderFunctionArgs) {
  const { services } = await requireUser(args);
  return Response.json(await foundOrNull(services.tonight.lights(queryOf(args.request))));
}
