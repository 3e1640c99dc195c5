import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { areasAndPeople } from "#app/routes/choices/every-choice";
import { queryOf } from "#app/router/query";
import { requireUser } from "#app/session/session";
import type { Choice } from "#domain/lists/list-query";
import type { DeviceChoices } from "#domain/records/records";

export type WorkorderChoices = DeviceChoices & { areas: Choice[]; people: Choice[] };

/** The options of the form's selects. */
export async function loader(args: LoaderFunctionArgs): Promise<Response> {
  const { services } = await requireUser(args);
  const [places, devices] = await Promise.all([
    areasAndPeople(services),
    services.devices.choices(queryOf(args.request)),
  ]);
  const answer: WorkorderChoices = { ...places, ...devices };
  return Response.json(answer);
}
