import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, useParams, type ClientActionFunctionArgs } from "@remix-run/react";
import { Suspense } from "react";
import { Failure } from "#app/components/failure";
import { catchNetworkError } from "#app/forms/catch-network-error";
import { deferred } from "#app/router/deferred";
import { logFailure } from "#app/router/log-failure";
import { useKept } from "#app/router/use-kept";
import { isAnotherList } from "#app/router/view";
import { areaAction } from "#app/routes/areas/area-action";
import { AREA_FAILED } from "#app/routes/areas/area-failures";
import { foundOrNull } from "#app/routes/detail/found-or-null";
import { Gone } from "#app/routes/detail/gone";
import { requireUser } from "#app/session/session";
import type { SignedIn } from "#worker/context";
import { AreaScreen } from "./area-screen";
import type { Around } from "./around";
import { onDemand } from "#app/ui/on-demand";

/** Loaded after the page, to keep its forms out of the first load. */
const AreaDialogs = onDemand(() => import("./area-dialogs"));

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: `${loaded?.area?.name ?? "Area"} · Lamplighter` },
];
export const shouldRevalidate = isAnotherList;

export const action = areaAction;

export async function loader(args: LoaderFunctionArgs) {
  const { services } = await requireUser(args);
  const id = args.params.id ?? "";
  const area = await foundOrNull(services.areas.find(id));
  if (!area) return data({ area: null, around: null }, { status: 404 });
  const around = aroundOf(services, id);
  return data({ area, around: deferred(around) });
}

async function aroundOf(services: SignedIn["services"], id: string): Promise<Around> {
  // The page is useful without the picture of the night, so its failure is only logged.
  const night = services.tonight.area(id).catch((caught: unknown) => (logFailure(caught), null));
  const [detail, emergencies, guardrails, groups, closures, permits, tonight] = await Promise.all([
    services.areas.detail(id),
    services.devices.emergencies(id),
    services.areas.guardrails(id),
    services.groups.list(),
    services.closures.list({ area_id: id }),
    services.permits.list({ area_id: id }),
    night,
  ]);
  const own = groups.filter(({ area_id }) => area_id === id);
  return {
    ...detail,
    emergencies,
    guardrails,
    groups: own,
    closures,
    permits,
    tonight: tonight && tonight.lights.length > 0 ? tonight : null,
    now: Date.now(),
  };
}

export const clientAction = (args: ClientActionFunctionArgs) => catchNetworkError(args, AREA_FAILED);

export default function Area() {
  const loaded = useLoaderData<typeof loader>();
  const { id = null } = useParams();
  const { area, around } = useKept(loaded, { id, isGone: loaded.area === null });
  return (
    <>
      {area ? <AreaScreen area={area} around={around} /> : <Gone noun="area" list="/areas" all="All areas" />}
      <Suspense>
        <AreaDialogs area={area} />
      </Suspense>
    </>
  );
}

export const ErrorBoundary = () => <Failure screen="Area" text="Failed to fetch areas" />;
