import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, type ClientActionFunctionArgs } from "@remix-run/react";
import { Failure } from "#app/components/failure";
import { catchNetworkError } from "#app/forms/catch-network-error";
import { deferred } from "#app/router/deferred";
import { isAnotherList } from "#app/router/view";
import { requireUser } from "#app/session/session";
import { limitsAsked } from "#app/routes/limits/limits-asked";
import { closureAction } from "./closure-action";
import { CLOSURE_FAILED } from "./closure-failures";
import { ClosureList } from "./closure-list";

export const meta: MetaFunction = () => [{ title: "Closures · Lamplighter" }];
export const shouldRevalidate = isAnotherList;

export const action = closureAction;

export async function loader(args: LoaderFunctionArgs) {
  const { services } = await requireUser(args);
  const { tab, query } = limitsAsked(args.request);
  return { tab, now: Date.now(), closures: deferred(services.closures.listed(query)) };
}

export const clientAction = (args: ClientActionFunctionArgs) => catchNetworkError(args, CLOSURE_FAILED);

export default function Closures() {
  return <ClosureList {...useLoaderData<typeof loader>()} />;
}

export const ErrorBoundary = () => <Failure screen="Closures" text="Failed to fetch closures" />;
