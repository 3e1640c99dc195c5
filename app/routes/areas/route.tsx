import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, type ClientActionFunctionArgs } from "@remix-run/react";
import { Failure } from "#app/components/failure";
import { catchNetworkError } from "#app/forms/catch-network-error";
import { isNoScript } from "#app/no-script/no-script";
import { logFailure } from "#app/router/log-failure";
import { isAnotherList } from "#app/router/view";
import { queryOf } from "#app/router/query";
import { requireUser } from "#app/session/session";
import { deferred } from "#app/router/deferred";
import { areaAction } from "./area-action";
import { AREA_FAILED } from "./area-failures";
import { AreaList } from "./area-list";

export const meta: MetaFunction = () => [{ title: "Areas · Lamplighter" }];
export const shouldRevalidate = isAnotherList;

export const action = areaAction;

export async function loader(args: LoaderFunctionArgs) {
  const { services } = await requireUser(args);
  const query = queryOf(args.request);
  // Without script nothing could draw a map.
  if (query.view !== "map" || isNoScript(args.request)) {
    return { areas: deferred(services.areas.page(query)), city: null, tiles: null };
  }
  const { tiles } = args.context;
  if (tiles.problem !== null) logFailure(tiles.problem);
  return { areas: null, city: deferred(services.dashboard.places(query)), tiles };
}

export const clientAction = (args: ClientActionFunctionArgs) => catchNetworkError(args, AREA_FAILED);

export default function Areas() {
  return <AreaList {...useLoaderData<typeof loader>()} />;
}

export const ErrorBoundary = () => <Failure screen="Area Management" text="Failed to fetch areas" />;
