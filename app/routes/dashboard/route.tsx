import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { MapPinned } from "#app/ui/icons";
import { lazy, Suspense } from "react";
import { ButtonLink } from "#app/components/button-link";
import { useCan } from "#app/components/capability";
import { EmptyState } from "#app/components/empty-state";
import { Failure } from "#app/components/failure";
import { Pager } from "#app/lists/pager";
import { RefreshButton } from "#app/components/refresh-button";
import { Streamed } from "#app/router/streamed";
import { queryOf } from "#app/router/query";
import { isAnotherList } from "#app/router/view";
import { requireUser } from "#app/session/session";
import { deferred } from "#app/router/deferred";
import type { DashboardPage } from "#domain/dashboard-page";
import { CardGrid } from "#app/ui/card";
import { AreaCard } from "./area-card";
import { DashboardHeader } from "./dashboard-header";
import { DashboardSkeleton } from "./dashboard-skeleton";
import { ProblemsBar } from "./problems-bar";
import { SummaryCards } from "./summary-cards";

/** Loaded on demand, because it is needed in the first days only. */
const FirstSteps = lazy(() => import("./first-steps"));

export const meta: MetaFunction = () => [{ title: "Dashboard · Lamplighter" }];
export const shouldRevalidate = isAnotherList;

const WORDS = { done: "Dashboard refreshed", failed: "Failed to fetch dashboard data" };

export async function loader(args: LoaderFunctionArgs) {
  const { services } = await requireUser(args);
  return { city: deferred(services.dashboard.page(queryOf(args.request))) };
}

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

function City({ page }: { page: DashboardPage }) {
  const mayBegin = useCan("device.save");
  return (
    <>
      <ProblemsBar count={page.totals.problems} />
      <SummaryCards areas={page.all} totals={page.totals} />
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
        <CardGrid aria-label="Areas">
          {page.rows.map((area) => (
            <AreaCard key={area.id} area={area} />
          ))}
        </CardGrid>
      )}
      <Pager {...page} />
    </>
  );
}

export const ErrorBoundary = () => <Failure screen="Dashboard" text={WORDS.failed} />;
