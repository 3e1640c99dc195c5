import { ResultBadge, SourceBadge, StateBadge } from "#app/components/badges";
import { useOrganization } from "#app/components/organization";
import { formatInstant } from "#domain/display";
import type { SchedulerEvent } from "#domain/records";
import { Card } from "#app/ui/card";

const COLUMNS = ["Time", "Device", "Source", "Action", "Result", "Attempts", "Note"];

/** A table on a desk; on a phone each row is a small block, so that nothing has to be scrolled sideways. */
export function EventTable({ events }: { events: SchedulerEvent[] }) {
  return (
    <Card className="overflow-hidden">
      <table className="w-full text-left max-md:block">
        <thead className="bg-sunken text-ink-soft text-xs max-md:sr-only">
          <tr>
            {COLUMNS.map((column) => (
              <th key={column} scope="col" className="px-4 py-2.5 font-medium">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-line divide-y max-md:block">
          {events.map((event) => (
            <EventRow key={event.id} event={event} />
          ))}
        </tbody>
      </table>
    </Card>
  );
}

const CELL = "px-4 py-2.5 align-middle max-md:p-0";

function EventRow({ event }: { event: SchedulerEvent }) {
  const { zone } = useOrganization();
  return (
    <tr className="max-md:flex max-md:flex-wrap max-md:items-center max-md:gap-x-2 max-md:gap-y-1.5 max-md:px-4 max-md:py-3">
      <td className={`${CELL} text-ink-soft whitespace-nowrap max-md:order-2 max-md:ml-auto max-md:text-xs`}>
        <time dateTime={event.ts}>{formatInstant(event.ts, zone)}</time>
      </td>
      <th scope="row" className={`${CELL} font-medium max-md:order-1 max-md:max-w-[65%] max-md:truncate`}>
        {event.device_name ?? "Unknown Device"}
      </th>
      <td className={`${CELL} max-md:order-4`}>
        <SourceBadge source={event.source} />
      </td>
      <td className={`${CELL} max-md:order-4`}>
        <StateBadge state={event.action} />
      </td>
      <td className={`${CELL} max-md:order-4`}>
        <ResultBadge result={event.result} />
      </td>
      <td className={`${CELL} text-ink-soft max-md:order-4`}>
        {event.attempts > 1 ? `${event.attempts}x` : event.attempts}
      </td>
      <td className={`${CELL} text-ink-soft max-md:order-5 max-md:w-full max-md:empty:hidden`}>{event.note}</td>
      <td aria-hidden className="hidden max-md:order-3 max-md:block max-md:h-0 max-md:w-full" />
    </tr>
  );
}
