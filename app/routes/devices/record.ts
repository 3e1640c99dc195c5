import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { foundOrNull } from "#app/routes/detail/found-or-null";
import { requireUser } from "#app/session/session";

/** One device with all its fields, as JSON, for its form; null if it is gone. */
export async function loader(args: LoaderFunctionArgs): Promise<Response> {
  const { services } = await requireUser(args);
  return Response.json(await foundOrNull(services.devices.find(args.params.id ?? "")));
}
