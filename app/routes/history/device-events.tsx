import { History } from "#app/ui/icons";
import { EmptyState } from "#app/components/empty-state";
import { ArchiveNotes } from "#app/lists/archive-notes";
import { labelsOf, wordFilter } from "#app/lists/list-filters";
import { LogPager } from "#app/lists/log-pager";
import { LogTools } from "#app/lists/log-tools";
import { Streamed } from "#app/router/streamed";
import type { Deferred } from "#app/router/deferred";
import type { LogPage } from "#domain/lists/log-query";
import type { DeviceEvent } from "#domain/records/records";
import { DEVICE_EVENT_ACTIONS, DEVICE_EVENT_RESULTS } from "#domain/enums";
import { Card } from "#app/ui/card";
import { LoadingBlock } from "#app/ui/spinner";
import { EventRow } from "./event-row";
import type { Places } from "./filter";
import { Filters } from "./filters";

const FILTERS = [
  wordFilter("action", "Action", "Any action", labelsOf(DEVICE_EVENT_ACTIONS)),
  wordFilter("result", "Result", "Any result", labelsOf(DEVICE_EVENT_RESULTS)),
];

export function DeviceEvents({ events, places }: { events: Promise<Deferred<LogPage<DeviceEvent>>>; places: Places }) {
  return (
    <>
      <Filters {...places} />
      <Streamed
        list={events}
        loading={<LoadingBlock label="Loading event history..." />}
        failed="Failed to fetch event history"
      >
        {(page) => (
          <>
            <LogTools label="Search device events" log="history" page={page} filters={FILTERS} />
            <ArchiveNotes notes={page.notes} />
            <EventRows events={page.rows} />
            <LogPager next={page.next} />
          </>
        )}
      </Streamed>
    </>
  );
}

function EventRows({ events }: { events: DeviceEvent[] }) {
  if (events.length === 0) {
    return <EmptyState icon={History} title="No Events Found" text="What the lights do is written down here." />;
  }
  return (
    <Card className="overflow-hidden">
      <ul aria-label="Device events" className="divide-line divide-y">
        {events.map((event) => (
          <EventRow key={event.id} event={event} />
        ))}
      </ul>
    </Card>
  );
}
