import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { ScrollText } from "#app/ui/icons";
import { EmptyState } from "#app/components/empty-state";
import { Failure } from "#app/components/failure";
import { ArchiveNotes } from "#app/lists/archive-notes";
import { labelsOf, wordFilter } from "#app/lists/list-filters";
import { LogPager } from "#app/lists/log-pager";
import { LogTools } from "#app/lists/log-tools";
import { PageHeader } from "#app/components/page-header";
import { RefreshButton } from "#app/components/refresh-button";
import { Streamed } from "#app/router/streamed";
import { isAnotherList } from "#app/router/view";
import { queryOf } from "#app/router/query";
import { requireUser } from "#app/session/session";
import { deferred } from "#app/router/deferred";
import { LOG_PAGE } from "#domain/enums";
import { COMMAND_SOURCES, SCHEDULER_RESULTS } from "#domain/enums";
import { LoadingBlock } from "#app/ui/spinner";
import { EventTable } from "./event-table";

export const meta: MetaFunction = () => [{ title: "Events Log · Lamplighter" }];
export const shouldRevalidate = isAnotherList;

const WORDS = { failed: "Failed to load events" };
const FILTERS = [
  wordFilter("source", "Source", "Any source", labelsOf(COMMAND_SOURCES)),
  wordFilter("action", "Action", "On and off", { on: "On", off: "Off" }),
  wordFilter("result", "Result", "Any result", labelsOf(SCHEDULER_RESULTS)),
];

export async function loader(args: LoaderFunctionArgs) {
  const { services } = await requireUser(args);
  return { events: deferred(services.schedulerEvents.page(queryOf(args.request))) };
}

export default function EventsLog() {
  const { events } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader title="Events Log" text="What was switched, by whom, and what came of it">
        <RefreshButton list={events} words={WORDS} />
      </PageHeader>
      <Streamed list={events} loading={<LoadingBlock label="Loading events..." />} failed={WORDS.failed}>
        {(page) => (
          <>
            <LogTools label="Search events" log="events" page={page} filters={FILTERS} />
            <ArchiveNotes notes={page.notes} />
            {page.rows.length === 0 ? (
              <EmptyState icon={ScrollText} title="No events found" />
            ) : (
              <EventTable events={page.rows} />
            )}
            <p className="text-ink-faint mt-3 text-sm">{`Showing ${page.rows.length} events (limit: ${LOG_PAGE})`}</p>
            <LogPager next={page.next} />
          </>
        )}
      </Streamed>
    </>
  );
}

export const ErrorBoundary = () => <Failure screen="Events Log" text={WORDS.failed} />;
