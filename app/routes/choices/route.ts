import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireUser } from "#app/session";
import type { Choice } from "#domain/list-query";

/** What the dialogs choose from: every area, and the hubs and devices of the one that is chosen (spec 5). */
export async function loader(args: LoaderFunctionArgs) {
  const { services } = await requireUser(args);
  const area_id = new URL(args.request.url).searchParams.get("area");
  const ofArea = <Row extends { area_id: string }>(rows: Row[]) => rows.filter((row) => row.area_id === area_id);
  const [areas, hubs, devices, guardrails] = await Promise.all([
    services.areas.list(),
    area_id ? services.hubs.list().then(ofArea) : [],
    area_id ? services.devices.list().then(ofArea) : [],
    services.settings.guardrails(),
  ]);
  return { area_id, areas: areas.map(choice), hubs: hubs.map(choice), devices: devices.map(choice), guardrails };
}

export type Choices = Awaited<ReturnType<typeof loader>>;

function choice({ id, name }: Choice): Choice {
  return { id, name };
}
