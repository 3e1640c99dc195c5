import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { logFailure } from "#app/router/log-failure";
import { areasAndPeople } from "#app/routes/choices/every-choice";
import { queryOf } from "#app/router/query";
import { requireUser } from "#app/session/session";
import type { Choice } from "#domain/lists/list-query";
import type { DeviceChoices } from "#domain/records/records";

const FAILED: DeviceChoices = { devices: [], isNarrowed: false };

export type WorkorderChoices = DeviceChoices & { areas: Choice[]; people: Choice[] };

/** The options of the form's selects. A list that fails is only logged. */
export async function loader(args: LoaderFunctionArgs): Promise<Response> {
  const { services } = await requireUser(args);
  const devices = services.devices
    .choices(queryOf(args.request))
    .catch((caught: unknown) => (logFailure(caught), FAILED));
  const answer: WorkorderChoices = { ...(await areasAndPeople(services)), ...(await devices) };
  return Response.json(answer);
}
