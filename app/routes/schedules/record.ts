import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { foundOrNull } from "#app/routes/detail/found-or-null";
import { requireUser } from "#app/session/session";
import { described } from "./described";

/** A schedule in words and with its next nights, as JSON; false for one that there is not: null would be no answer. */
export async function loader(args: LoaderFunctionArgs) {
  const { services } = await requireUser(args);
  const schedule = await foundOrNull(services.schedules.find(args.params.id ?? ""));
  return Response.json(schedule !== null && described(schedule));
}
