import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { RotateCw, ScrollText } from "lucide-react";
import { EmptyState } from "#app/components/empty-state";
import { Failure } from "#app/components/failure";
import { useRefresh } from "#app/components/freshness";
import { PageHeader } from "#app/components/page-header";
import { Streamed } from "#app/components/streamed";
import { requireUser } from "#app/session";
import { streaming } from "#app/streaming";
import { Button } from "#app/ui/button";
import { LoadingBlock } from "#app/ui/spinner";
import { EventTable } from "./event-table";

export const meta: MetaFunction = () => [{ title: "Events Log · Lamplighter" }];

const WORDS = { failed: "Failed to load events" };
/** Spec 9. */
const LIMIT = 100;

export async function loader(args: LoaderFunctionArgs) {
  const { services } = await requireUser(args);
  return { events: streaming(services.schedulerEvents.list({ limit: String(LIMIT) })) };
}

export default function EventsLog() {
  const { events } = useLoaderData<typeof loader>();
  const { refreshing, refresh } = useRefresh(events, WORDS);
  return (
    <>
      <PageHeader title="Events Log" text="What the scheduler, the watchdog and people have switched">
        <Button icon={<RotateCw className="size-4" />} pending={refreshing} onClick={refresh}>
          Refresh
        </Button>
      </PageHeader>
      <Streamed list={events} loading={<LoadingBlock label="Loading events..." />} failed={WORDS.failed}>
        {(rows) => (
          <>
            {rows.length === 0 ? (
              <EmptyState icon={ScrollText} title="No events found" />
            ) : (
              <EventTable events={rows} />
            )}
            <p className="text-ink-faint mt-3 text-sm">{`Showing ${rows.length} events (limit: ${LIMIT})`}</p>
          </>
        )}
      </Streamed>
    </>
  );
}

export const ErrorBoundary = () => <Failure text={WORDS.failed} />;
