import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { queryOf } from "#app/router/query";
import { requireUser } from "#app/session/session";
import { relightSentence } from "#domain/resolve/relight";

/** When lights that were just turned off go on again: `/relight?ids=a,b`. Null where the engine does not say at once. */
export async function loader(args: LoaderFunctionArgs): Promise<Response> {
  const { services } = await requireUser(args);
  const ids = (queryOf(args.request).ids ?? "").split(",").filter(Boolean);
  const [ahead, { APP_TIMEZONE }] = await Promise.all([services.devices.nextOn(ids), services.settings.find()]);
  if (ahead.size === 0) return Response.json(null);
  const instants = [...ahead.values()].filter((at) => at !== null).map(Date.parse);
  return Response.json(relightSentence(ahead.size, instants, APP_TIMEZONE, Date.now()));
}
