import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { queryOf } from "#app/router/query";
import type { Choices } from "#app/forms/choices";
import { logFailure } from "#app/router/log-failure";
import { requireUser } from "#app/session/session";
import type { Choice } from "#domain/lists/list-query";

/**
 * The options of the dialogs' selects: every area, and the hubs, groups and devices of the chosen one. A list that fails
 * is logged and null, so that the form keeps its input.
 */
export async function loader(args: LoaderFunctionArgs): Promise<Response> {
  const { services } = await requireUser(args);
  const { area: area_id = "" } = queryOf(args.request);
  const [areas, agents, calendars, hubs, groups, devices, hidden] = await Promise.all([
    services.areas.list().catch(missing),
    services.agents.choices().catch(missing),
    services.calendars.list().catch(missing),
    area_id ? services.hubs.list({ area_id }).catch(missing) : [],
    area_id ? services.groups.list({ area_id }).catch(missing) : [],
    area_id ? services.devices.choices({ area: area_id }).then(({ devices }) => devices, missing) : [],
    area_id ? services.dashboard.find(area_id).then(({ devices_hidden }) => devices_hidden, missing) : 0,
  ]);
  // Where the city has few, the devices are those of every area.
  const ofArea = devices?.filter((device) => device.area_id === area_id);
  const lists = { hubs: choices(hubs), groups: choices(groups), devices: choices(ofArea), hidden: hidden ?? 0 };
  const answer: Choices = { areas: choices(areas), agents, calendars: choices(calendars), ...lists };
  return Response.json(answer);
}

function choices(rows: Choice[] | null | undefined): Choice[] | null {
  return rows?.map(({ id, name }) => ({ id, name })) ?? null;
}

function missing(caught: unknown): null {
  logFailure(caught);
  return null;
}
