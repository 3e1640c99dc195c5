import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, useParams, type ClientActionFunctionArgs } from "@remix-run/react";
import { Suspense } from "react";
import { Failure } from "#app/components/failure";
import { catchNetworkError } from "#app/forms/catch-network-error";
import { deferred } from "#app/router/deferred";
import { useKept } from "#app/router/use-kept";
import { isAnotherList } from "#app/router/view";
import { areaAction } from "#app/routes/areas/area-action";
import { AREA_FAILED } from "#app/routes/areas/area-failures";
import { foundOrNull } from "#app/routes/detail/found-or-null";
import { Gone } from "#app/routes/detail/gone";
import { requireUser } from "#app/session/session";
import { AreaScreen } from "./area-screen";
import { aroundOf } from "./around-of";
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
  return data({ area, around: deferred(aroundOf(services, id)) });
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
