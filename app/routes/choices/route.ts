import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import type { ClientLoaderFunctionArgs } from "@remix-run/react";
import type { Choices } from "#app/forms/choices";
import { requireUser } from "#app/session/session";
import type { Choice } from "#domain/list-query";

/**
 * The options of the dialogs' selects: every area, and the hubs and devices of the chosen one. A list that fails is logged
 * and null, so that the form keeps its input.
 */
export async function loader(args: LoaderFunctionArgs): Promise<Choices> {
  const { services } = await requireUser(args);
  const area_id = areaOf(args.request);
  const [areas, hubs, devices, guardrails] = await Promise.all([
    services.areas.list().catch(missing),
    area_id ? services.hubs.list().catch(missing) : [],
    area_id ? services.devices.choices({ area: area_id }).then(({ devices }) => devices, missing) : [],
    services.settings.guardrails().catch(missing),
  ]);
  const ofArea = (rows: Placed[] | null) => choices(rows?.filter((row) => row.area_id === area_id));
  return { area_id, areas: choices(areas), hubs: ofArea(hubs), devices: ofArea(devices), guardrails };
}

/** Without this, Remix would replace the screen with its error page when there is no answer. */
export async function clientLoader({ request, serverLoader }: ClientLoaderFunctionArgs): Promise<Choices> {
  try {
    return await serverLoader<typeof loader>();
  } catch (thrown) {
    if (thrown instanceof Response) throw thrown;
    // Ignore this answer if another area was chosen meanwhile.
    if (!request.signal.aborted) console.error(thrown);
    return { area_id: areaOf(request), areas: null, hubs: null, devices: null, guardrails: null };
  }
}

type Placed = Choice & { area_id: string };

function areaOf(request: Request): string {
  return new URL(request.url).searchParams.get("area") ?? "";
}

function choices(rows: Choice[] | null | undefined): Choice[] | null {
  return rows?.map(({ id, name }) => ({ id, name })) ?? null;
}

function missing(caught: unknown): null {
  console.error(caught);
  return null;
}
