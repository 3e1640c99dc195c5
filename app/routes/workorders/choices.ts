import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import type { ClientLoaderFunctionArgs } from "@remix-run/react";
import { placesAndPeople } from "#app/routes/choices/every-choice";
import { requireUser } from "#app/session";

/** What the form chooses from. */
export async function loader(args: LoaderFunctionArgs) {
  const { services } = await requireUser(args);
  return placesAndPeople(services);
}

export type WorkorderChoices = Awaited<ReturnType<typeof loader>>;

/** Without an answer at all Remix would put its error page in the screen's place. */
export async function clientLoader({ serverLoader }: ClientLoaderFunctionArgs): Promise<WorkorderChoices> {
  try {
    return await serverLoader<typeof loader>();
  } catch (thrown) {
    if (thrown instanceof Response) throw thrown;
    console.error(thrown);
    return { areas: [], devices: [], people: [] };
  }
}
