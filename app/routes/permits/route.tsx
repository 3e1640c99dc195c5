import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, type ClientActionFunctionArgs } from "@remix-run/react";
import { Failure } from "#app/components/failure";
import { catchNetworkError } from "#app/forms/catch-network-error";
import { deferred } from "#app/router/deferred";
import { isAnotherList } from "#app/router/view";
import { requireUser } from "#app/session/session";
import { limitsAsked } from "#app/routes/limits/limits-asked";
import { permitAction } from "./permit-action";
import { PERMIT_FAILED } from "./permit-failures";
import { PermitList } from "./permit-list";

export const meta: MetaFunction = () => [{ title: "Permits · Lamplighter" }];
export const shouldRevalidate = isAnotherList;

export const action = permitAction;

export async function loader(args: LoaderFunctionArgs) {
  const { services } = await requireUser(args);
  const { tab, query } = limitsAsked(args.request);
  return { tab, now: Date.now(), permits: deferred(services.permits.listed(query)) };
}

export const clientAction = (args: ClientActionFunctionArgs) => catchNetworkError(args, PERMIT_FAILED);

export default function Permits() {
  return <PermitList {...useLoaderData<typeof loader>()} />;
}

export const ErrorBoundary = () => <Failure screen="Permits" text="Failed to fetch permits" />;
