import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import type { ClientLoaderFunctionArgs, ShouldRevalidateFunctionArgs } from "@remix-run/react";
import type { Choices } from "#app/forms/choices";
import { isAnotherList, wasSent } from "#app/router/view";
import { requireUser } from "#app/session/session";
import type { Choice } from "#domain/list-query";
import type { Guardrails } from "#domain/schedule";
import type { SignedIn } from "#worker/context";

/** Not after a save, nor when its form closes: canceling a form whose save was refused would wait for these options. */
export function shouldRevalidate(args: ShouldRevalidateFunctionArgs) {
  return !wasSent(args) && isAnotherList(args);
}

/**
 * The options of the dialogs' selects: every area, and the hubs, groups and devices of the chosen one. A list that fails is logged
 * and null, so that the form keeps its input.
 */
export async function loader(args: LoaderFunctionArgs): Promise<Choices> {
  const { services } = await requireUser(args);
  const area_id = areaOf(args.request);
  const [areas, calendars, hubs, groups, devices, guardrails] = await Promise.all([
    services.areas.list().catch(missing),
    services.calendars.list().catch(missing),
    area_id ? services.hubs.list().catch(missing) : [],
    area_id ? services.groups.list().catch(missing) : [],
    area_id ? services.devices.choices({ area: area_id }).then(({ devices }) => devices, missing) : [],
    guardrailsOf(services, area_id).catch(missing),
  ]);
  const ofArea = (rows: Placed[] | null) => choices(rows?.filter((row) => row.area_id === area_id));
  const lists = { hubs: ofArea(hubs), groups: ofArea(groups), devices: ofArea(devices) };
  return { area_id, areas: choices(areas), calendars: choices(calendars), ...lists, guardrails };
}

/** Without this, Remix would replace the screen with its error page when there is no answer. */
export async function clientLoader({ request, serverLoader }: ClientLoaderFunctionArgs): Promise<Choices> {
  try {
    return await serverLoader<typeof loader>();
  } catch (thrown) {
    if (thrown instanceof Response) throw thrown;
    // Ignore this answer if another area was chosen meanwhile.
    if (!request.signal.aborted) console.error(thrown);
    return {
      area_id: areaOf(request),
      areas: null,
      calendars: null,
      hubs: null,
      groups: null,
      devices: null,
      guardrails: null,
    };
  }
}

/** Of the chosen area, else of the organization. */
async function guardrailsOf(services: SignedIn["services"], area_id: string): Promise<Guardrails> {
  const organization = await services.settings.guardrails();
  if (area_id === "") return organization;
  const { HARD_CURFEW_OFF, BLACKOUT_WINDOW, MAX_ON_DURATION_MIN } = await services.areas.guardrails(area_id);
  return {
    HARD_CURFEW_OFF: HARD_CURFEW_OFF.value,
    BLACKOUT_WINDOW: BLACKOUT_WINDOW.value,
    MAX_ON_DURATION_MIN: MAX_ON_DURATION_MIN.value,
    zone: organization.zone,
  };
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
