import { ResultBadge, SourceBadge, StateBadge } from "#app/components/badges";
import { LogCell, LogName, LogNote, LogRow, LogTable, LogTime } from "#app/lists/log-table";
import type { SchedulerEvent } from "#domain/records/records";

const COLUMNS = ["Time", "Device", "Source", "Action", "Result", "Attempts", "Note"];

export function EventTable({ events }: { events: SchedulerEvent[] }) {
  return (
    <LogTable columns={COLUMNS}>
      {events.map((event) => (
        <LogRow key={event.id}>
          <LogTime at={event.ts} />
          <LogName>{event.device_name ?? "Unknown Device"}</LogName>
          <LogCell>
            <SourceBadge source={event.source} />
          </LogCell>
          <LogCell>
            <StateBadge state={event.action} />
          </LogCell>
          <LogCell>
            <ResultBadge event={event} />
          </LogCell>
          <LogCell>
            {event.attempts > 1 ? `${event.attempts}x` : <span className="max-xl:sr-only">{event.attempts}</span>}
          </LogCell>
          <LogNote>{event.note}</LogNote>
        </LogRow>
      ))}
    </LogTable>
  );
}
