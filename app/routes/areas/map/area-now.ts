import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { foundOrNull } from "#app/routes/detail/found-or-null";
import { whyNoneGoesOn } from "#app/routes/area/around";
import { requireUser } from "#app/session/session";
import type { Hold } from "#domain/resolve/hold";

/**
 * The server's clock (epoch ms), when something of an area begins or ends next (ISO), and the emergency that lights it,
 * which an OFF would end, whether the person may switch any of its lights, why none of them may go on now (null if one may),
 * and how many are hidden from them.
 */
export type AreaNow = {
  now: number;
  next_event: string | null;
  emergency: Hold | null;
  may_switch: boolean;
  refusal: string | null;
  hidden: number;
};

/** As JSON; null for an area that there is not. */
export async function loader(args: LoaderFunctionArgs) {
  const { services } = await requireUser(args);
  const id = args.params.id ?? "";
  const [area, emergencies, may_switch] = await Promise.all([
    foundOrNull(services.areas.detail(id)),
    services.devices.emergencies(id),
    services.devices.maySwitchAny(id),
  ]);
  if (!area) return Response.json(null);
  const { summary, devices } = area;
  return Response.json({
    now: Date.now(),
    next_event: summary.next_event,
    emergency: emergencies.area,
    may_switch,
    refusal: whyNoneGoesOn(devices, summary.devices_total),
    hidden: summary.devices_hidden,
  } satisfies AreaNow);
}
