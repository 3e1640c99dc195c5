import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { queryOf } from "#app/router/query";
import { foundOrNull } from "#app/routes/detail/found-or-null";
import { described } from "#app/routes/schedules/described";
import { requireUser } from "#app/session/session";

/** The schedule behind a bar, in words and with its next nights, as JSON; null for one that there is not. */
export async function loader(args: LoaderFunctionArgs) {
  const { services } = await requireUser(args);
  const schedule = await foundOrNull(services.schedules.find(queryOf(args.request)["id"] ?? ""));
  return Response.json(schedule && described(schedule));
}
