import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { queryOf } from "#app/router/query";
import { targetOfValue } from "#app/forms/target-value";
import { logFailure } from "#app/router/log-failure";
import { requireUser } from "#app/session/session";

/** The guardrails of a target's lights, `/permits/limits?target=group:ID`, as JSON. Null, and logged, where they cannot be had. */
export async function loader(args: LoaderFunctionArgs): Promise<Response> {
  const { services } = await requireUser(args);
  const target = targetOfValue(queryOf(args.request).target ?? "");
  return Response.json(await services.permits.limits(target).catch(missing));
}

function missing(caught: unknown): null {
  logFailure(caught);
  return null;
}
