import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { MapPinned } from "lucide-react";
import { lazy, Suspense } from "react";
import { ButtonLink } from "#app/components/button-link";
import { useCan } from "#app/components/capability";
import { EmptyState } from "#app/components/empty-state";
import { Failure } from "#app/components/failure";
import { RefreshButton } from "#app/components/refresh-button";
import { Streamed } from "#app/router/streamed";
import { isAnotherList } from "#app/router/view";
import { requireUser } from "#app/session/session";
import { deferred } from "#app/router/deferred";
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
  const { dashboard } = services;
  const summaries = Promise.all([dashboard.list(), dashboard.firstSteps()]);
  return { summaries: deferred(summaries.then(([areas, steps]) => ({ areas, steps }))) };
}

export default function Dashboard() {
  const { summaries } = useLoaderData<typeof loader>();
  const mayBegin = useCan("device.save");
  return (
    <>
      <DashboardHeader>
        <RefreshButton list={summaries} words={WORDS} />
      </DashboardHeader>
      <Streamed list={summaries} loading={<DashboardSkeleton />} failed={WORDS.failed}>
        {({ areas, steps }) => (
          <>
            <ProblemsBar areas={areas} />
            <SummaryCards areas={areas} />
            {steps && mayBegin && (
              <Suspense>
                <FirstSteps steps={steps} />
              </Suspense>
            )}
            {areas.length === 0 ? (
              <EmptyState
                icon={MapPinned}
                title="No Areas Found"
                text="Get started by creating your first area in the Areas section."
              >
                <ButtonLink to="/areas">Go to Areas</ButtonLink>
              </EmptyState>
            ) : (
              <CardGrid aria-label="Areas">
                {areas.map((area) => (
                  <AreaCard key={area.id} area={area} />
                ))}
              </CardGrid>
            )}
          </>
        )}
      </Streamed>
    </>
  );
}

export const ErrorBoundary = () => <Failure screen="Dashboard" text={WORDS.failed} />;
