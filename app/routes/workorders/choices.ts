import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import type { ClientLoaderFunctionArgs } from "@remix-run/react";
import { requireUser } from "#app/session";

/** What the form chooses from. A list that fails is logged only, and the form opens all the same (spec 8). */
export async function loader(args: LoaderFunctionArgs) {
  const { services } = await requireUser(args);
  const [areas, devices, people] = await Promise.all([
    services.areas.list().catch(missing),
    services.devices.list().catch(missing),
    services.users.list().catch(missing),
  ]);
  return {
    areas: areas.map(({ id, name }) => ({ id, name })),
    devices: devices.map(({ id, name, area_id, area_name }) => ({ id, name, area_id, area_name })),
    people: people.filter(isActive).map(({ id, email }) => ({ id, name: email })),
  };
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

function missing(caught: unknown): [] {
  console.error(caught);
  return [];
}

/** Only an admin is told of those who have left. */
function isActive(person: { id: string } | { active: boolean }) {
  return !("active" in person) || person.active;
}
