import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireUser } from "#app/session/session";

/** How many alarms nobody has seen to, for the sidebar. */
export async function loader(args: LoaderFunctionArgs): Promise<Response> {
  const { services } = await requireUser(args);
  return Response.json(await services.alarms.openCount());
}
