import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { queryOf } from "#app/router/query";
import { requireUser } from "#app/session/session";

/** What the search over everything finds, for whoever types. */
export async function loader(args: LoaderFunctionArgs): Promise<Response> {
  const { services } = await requireUser(args);
  return Response.json(await services.search.hits(queryOf(args.request)));
}
