import { History } from "lucide-react";
import { EmptyState } from "#app/components/empty-state";
import { Streamed } from "#app/components/streamed";
import type { Arrival } from "#app/streaming";
import type { DeviceEvent } from "#domain/records";
import { Card } from "#app/ui/card";
import { LoadingBlock } from "#app/ui/spinner";
import { EventRow } from "./event-row";
import type { Places } from "./filter";
import { Filters } from "./filters";

export function DeviceEvents({ events, places }: { events: Promise<Arrival<DeviceEvent[]>>; places: Places }) {
  return (
    <>
      <Filters {...places} />
      <Streamed
        list={events}
        loading={<LoadingBlock label="Loading event history..." />}
        failed="Failed to fetch event history"
      >
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon={History} title="No Events Found" text="What the lights do is written down here." />
          ) : (
            <Card className="overflow-hidden">
              <ul aria-label="Device events" className="divide-line divide-y">
                {rows.map((event) => (
                  <EventRow key={event.id} event={event} />
                ))}
              </ul>
            </Card>
          )
        }
      </Streamed>
    </>
  );
}
