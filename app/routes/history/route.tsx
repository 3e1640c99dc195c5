import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { useCan } from "#app/components/capability";
import { Failure } from "#app/components/failure";
import { PageHeader } from "#app/components/page-header";
import { Tabs } from "#app/components/tabs";
import { isAnotherList } from "#app/router/view";
import { queryOf } from "#app/router/query";
import { requireUser } from "#app/session/session";
import { deferred } from "#app/router/deferred";
import { can } from "#domain/organization/permissions";
import { ActivityLogs } from "./activity-logs";
import { DeviceEvents } from "./device-events";
import { placesOf } from "./filter";
import { logEntry } from "./log-entry";

export const meta: MetaFunction = () => [{ title: "History · Lamplighter" }];
export const shouldRevalidate = isAnotherList;

const EVENTS = { name: "events", label: "Device Events" };
const LOGS = { name: "logs", label: "Activity Logs" };

export async function loader(args: LoaderFunctionArgs) {
  const { user, services } = await requireUser(args);
  const search = queryOf(args.request);
  if (search.tab === LOGS.name) {
    const entries = () =>
      deferred(services.audit.page(search).then((page) => ({ ...page, rows: page.rows.map(logEntry) })));
    return { tab: LOGS.name, logs: can(user, "audit.see") ? entries() : null };
  }
  const events = deferred(services.history.page(search));
  return { tab: EVENTS.name, events, places: await placesOf(services, search) };
}

export default function History() {
  const shown = useLoaderData<typeof loader>();
  const tabs = useCan("audit.see") ? [EVENTS, LOGS] : [EVENTS];
  return (
    <>
      <PageHeader title="History" text="What the lights have done, and who has changed what" />
      <Tabs label="History" current={shown.tab} tabs={tabs} />
      {shown.events ? <DeviceEvents {...shown} /> : <ActivityLogs logs={shown.logs} />}
    </>
  );
}

export const ErrorBoundary = () => <Failure screen="History" text="Failed to fetch event history" />;
