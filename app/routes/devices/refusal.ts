import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { foundOrNull } from "#app/routes/detail/found-or-null";
import { requireUser } from "#app/session/session";
import type { Told } from "#domain/light/refusal";

/** Why an ON of a device would be refused now, if it would, as JSON; null if the device is gone. */
export async function loader(args: LoaderFunctionArgs): Promise<Response> {
  const { services } = await requireUser(args);
  const explanation = await foundOrNull(services.devices.explain(args.params.id ?? ""));
  return Response.json(explanation && ({ refusal: explanation.refusal } satisfies Pick<Told, "refusal">));
}
