import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, type ClientActionFunctionArgs } from "@remix-run/react";
import { AccessDenied } from "#app/components/access-denied";
import { Failure } from "#app/components/failure";
import { PageHeader } from "#app/components/page-header";
import { catchNetworkError } from "#app/forms/catch-network-error";
import { isAnotherList } from "#app/router/view";
import { answer, text } from "#app/forms/form-answer";
import { queryOf } from "#app/router/query";
import { requireUser } from "#app/session/session";
import { deferred } from "#app/router/deferred";
import { can } from "#domain/organization/permissions";
import { Bench } from "./bench";
import { FAILED, pinged, read, switched } from "./outcomes";
import { subjectsOf } from "./subjects";

export const meta: MetaFunction = () => [{ title: "Connectivity Test · Lamplighter" }];
export const shouldRevalidate = isAnotherList;

const LOGS = "10";

export async function loader(args: LoaderFunctionArgs) {
  const { user, services } = await requireUser(args);
  if (!can(user, "connectivity.test")) return null;
  const chosen = queryOf(args.request);
  const { areas, devices, hubs } = services;
  const subjects = Promise.all([devices.choices(chosen), hubs.list(), areas.list()]);
  return {
    now: Date.now(),
    subjects: deferred(subjects.then(([choices, hubs, areas]) => subjectsOf(choices, hubs, areas))),
    explanation: chosen.device ? deferred(devices.explain(chosen.device)) : null,
    logs: deferred(services.connectivity.list({ limit: LOGS })),
  };
}

export async function action(args: ActionFunctionArgs) {
  const { user, services } = await requireUser(args);
  const form = await args.request.formData();
  const device_id = text(form, "device_id");
  const { pingHub, readState, testSwitch, endTest } = services.connectivity;
  const handlers = {
    ping: pinged(() => pingHub({ hub_id: text(form, "hub_id") })),
    status: read(() => readState({ device_id })),
    on: switched(() => testSwitch({ device_id, action: "on" }), "on"),
    off: switched(() => testSwitch({ device_id, action: "off" }), "off"),
    end: { run: () => endTest({ device_id }) },
  };
  return answer(user, form, handlers, FAILED);
}

export const clientAction = (args: ClientActionFunctionArgs) => catchNetworkError(args, FAILED);

export default function Connectivity() {
  const loaded = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader title="Connectivity Test" text="Whether hubs answer and lights obey" />
      {loaded ? <Bench {...loaded} /> : <AccessDenied capability="connectivity.test" />}
    </>
  );
}

export const ErrorBoundary = () => <Failure screen="Connectivity Test" text="Failed to fetch devices and hubs" />;
