import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, type ClientActionFunctionArgs } from "@remix-run/react";
import { ATTENTION_FAILED } from "#app/attention/attention-failures";
import { attentionHandlers } from "#app/routes/attention/attention-handlers";
import { MapPinned } from "#app/ui/icons";
import { Suspense } from "react";
import { ButtonLink } from "#app/components/button-link";
import { useCan } from "#app/components/capability";
import { EmptyState } from "#app/components/empty-state";
import { Failure } from "#app/components/failure";
import { Pager } from "#app/lists/pager";
import { RefreshButton } from "#app/components/refresh-button";
import { catchNetworkError } from "#app/forms/catch-network-error";
import { answer } from "#app/forms/form-answer";
import { Streamed } from "#app/router/streamed";
import { queryOf } from "#app/router/query";
import { isAnotherList } from "#app/router/view";
import { requireUser } from "#app/session/session";
import { deferred } from "#app/router/deferred";
import type { Attention, OnNow } from "#domain/alarms/attention";
import { nextUpWords, type DashboardPage } from "#domain/records/dashboard-page";
import { CardGrid } from "#app/ui/card";
import { AreaCard } from "./area-card";
import { DashboardHeader } from "./dashboard-header";
import { DashboardSkeleton } from "./dashboard-skeleton";
import { SummaryCards } from "./summary-cards";
import { onDemand } from "#app/ui/on-demand";

/** Loaded on demand, because it is needed in the first days only. */
const FirstSteps = onDemand(() => import("./first-steps"));
/** Loaded after the page, to keep it out of the first load; the server renders it with the page. */
const NightPanels = onDemand(() => import("./night-panels"));

/** What comes next is sent in words: it is one line, and how it is said stays on the server. */
type Arrived = Omit<DashboardPage, "next"> & { next: string | null; attention: Attention; lit: OnNow };

export const meta: MetaFunction = () => [{ title: "Dashboard · Lamplighter" }];
export const shouldRevalidate = isAnotherList;

const WORDS = { done: "Dashboard refreshed", failed: "Failed to fetch dashboard data" };

export async function loader(args: LoaderFunctionArgs) {
  const { services } = await requireUser(args);
  const { dashboard, attention } = services;
  const arrived = Promise.all([dashboard.page(queryOf(args.request)), attention.list(), attention.onNow()]);
  const told = ([page, attention, lit]: Awaited<typeof arrived>): Arrived => {
    return { ...page, next: nextUpWords(page.next), attention, lit };
  };
  return { city: deferred(arrived.then(told)) };
}

export async function action(args: ActionFunctionArgs) {
  const { user, services } = await requireUser(args);
  const form = await args.request.formData();
  return answer(user, form, attentionHandlers(services, form), ATTENTION_FAILED);
}

export const clientAction = (args: ClientActionFunctionArgs) => catchNetworkError(args, ATTENTION_FAILED);

export default function Dashboard() {
  const { city } = useLoaderData<typeof loader>();
  return (
    <>
      <DashboardHeader>
        <RefreshButton list={city} words={WORDS} />
      </DashboardHeader>
      <Streamed list={city} loading={<DashboardSkeleton />} failed={WORDS.failed}>
        {(page) => <City page={page} />}
      </Streamed>
    </>
  );
}

function City({ page }: { page: Arrived }) {
  const mayBegin = useCan("device.save");
  return (
    <>
      <SummaryCards {...page} />
      {page.totals.devices_total + page.attention.total > 0 && (
        <Suspense>
          <NightPanels {...page} />
        </Suspense>
      )}
      {page.steps && mayBegin && (
        <Suspense>
          <FirstSteps steps={page.steps} />
        </Suspense>
      )}
      {page.all === 0 ? (
        <EmptyState
          icon={MapPinned}
          title="No Areas Found"
          text="Get started by creating your first area in the Areas section."
        >
          <ButtonLink to="/areas">Go to Areas</ButtonLink>
        </EmptyState>
      ) : (
        <>
          <h2 className="mb-2 text-base font-semibold">Areas</h2>
          <CardGrid aria-label="Areas">
            {page.rows.map((area) => (
              <AreaCard key={area.id} area={area} />
            ))}
          </CardGrid>
        </>
      )}
      <Pager {...page} />
    </>
  );
}

export const ErrorBoundary = () => <Failure screen="Dashboard" text={WORDS.failed} />;
