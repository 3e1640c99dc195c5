import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import type { ClientLoaderFunctionArgs } from "@remix-run/react";
import { areasAndPeople } from "#app/routes/choices/every-choice";
import { queryOf } from "#app/router/query";
import { requireUser } from "#app/session/session";
import type { DeviceChoices } from "#domain/records";

const FAILED: DeviceChoices = { devices: [], isNarrowed: false };

/** The options of the form's selects. A list that fails is only logged. */
export async function loader(args: LoaderFunctionArgs) {
  const { services } = await requireUser(args);
  const devices = services.devices
    .choices(queryOf(args.request))
    .catch((caught: unknown) => (console.error(caught), FAILED));
  return { ...(await areasAndPeople(services)), ...(await devices) };
}

export type WorkorderChoices = Awaited<ReturnType<typeof loader>>;

/** Without this, Remix would replace the screen with its error page when there is no answer. */
export async function clientLoader({ serverLoader }: ClientLoaderFunctionArgs): Promise<WorkorderChoices> {
  try {
    return await serverLoader<typeof loader>();
  } catch (thrown) {
    if (thrown instanceof Response) throw thrown;
    console.error(thrown);
    return { areas: [], people: [], ...FAILED };
  }
}
