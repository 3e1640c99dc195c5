import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { foundOrNull } from "#app/routes/detail/found-or-null";
import { requireUser } from "#app/session/session";
import type { Hold } from "#domain/resolve/hold";

/**
 * The server's clock (epoch ms), when something of an area begins or ends next (ISO), and the emergency that lights it,
 * which an OFF would end, whether the person may switch any of its lights, and how many are hidden from them.
 */
export type AreaNow = {
  now: number;
  next_event: string | null;
  emergency: Hold | null;
  may_switch: boolean;
  hidden: number;
};

/** As JSON; null for an area that there is not. */
export async function loader(args: LoaderFunctionArgs) {
  const { services } = await requireUser(args);
  const id = args.params.id ?? "";
  const [summary, emergencies, may_switch] = await Promise.all([
    foundOrNull(services.dashboard.find(id)),
    services.devices.emergencies(id),
    services.devices.maySwitchAny(id),
  ]);
  if (!summary) return Response.json(null);
  return Response.json({
    now: Date.now(),
    next_event: summary.next_event,
    emergency: emergencies.area,
    may_switch,
    hidden: summary.devices_hidden,
  } satisfies AreaNow);
}
