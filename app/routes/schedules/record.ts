import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { foundOrNull } from "#app/routes/detail/found-or-null";
import { queryOf } from "#app/router/query";
import { requireUser } from "#app/session/session";
import { frameOf } from "#domain/tonight/tonight-schema";
import { described } from "./described";

/** A schedule in words and with its next nights, or those of a date, as JSON; false for one that there is not: null would be no answer. */
export async function loader(args: LoaderFunctionArgs) {
  const { services } = await requireUser(args);
  const schedule = await foundOrNull(services.schedules.find(args.params.id ?? ""));
  const { date } = queryOf(args.request);
  const { APP_TIMEZONE } = await services.settings.find();
  const night = date === undefined ? null : frameOf(date, APP_TIMEZONE, Date.now());
  return Response.json(schedule !== null && described(schedule, night));
}
