import { Activity, CalendarClock, Check, CircleX, FlaskConical, MapPin, Radio, Router } from "#app/ui/icons";
import type { ReactElement, ReactNode } from "react";
import { StateBadge } from "#app/components/badges";
import { useOrganization } from "#app/components/organization";
import { formatDated } from "#domain/time/display";
import type { DeviceEvent } from "#domain/records/records";
import type { DeviceEventAction } from "#domain/enums";
import { Badge } from "#app/ui/badge";

const ACTIONS: Record<DeviceEventAction, ReactElement> = {
  on: <StateBadge state="on" />,
  off: <StateBadge state="off" />,
  status_check: <Badge icon={<Activity />}>status check</Badge>,
  test: <Badge icon={<FlaskConical />}>test</Badge>,
};

export function EventRow({ event }: { event: DeviceEvent }) {
  const { zone, loaded_at } = useOrganization();
  const isSuccess = event.result === "success";
  return (
    <li className="flex flex-col gap-1.5 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5">
        <h2 className="min-w-0 font-semibold">{event.device_name ?? "Unknown Device"}</h2>
        {ACTIONS[event.action]}
        <Badge tone={isSuccess ? "ok" : "bad"} icon={isSuccess ? <Check /> : <CircleX />}>
          {event.result}
        </Badge>
        <time
          dateTime={event.created_at}
          className="text-ink-soft text-xs whitespace-nowrap max-sm:basis-full sm:ml-auto"
        >
          {formatDated(event.created_at, zone, loaded_at)}
        </time>
      </div>
      <dl className="text-ink-soft flex flex-wrap gap-x-4 gap-y-1 text-sm">
        <Place label="Area" icon={<MapPin />} value={event.area_name} />
        <Place label="Hub" icon={<Router />} value={event.hub_name} />
        <Place label="Provider" icon={<Radio />} value={event.provider} />
        <Place label="Schedule" icon={<CalendarClock />} value={event.schedule_title} />
      </dl>
      <p className="bg-sunken text-ink-soft flex items-start justify-between gap-4 rounded-md px-2.5 py-1.5 font-mono text-xs empty:hidden">
        {event.response_snippet && <span className="min-w-0">{event.response_snippet}</span>}
        {event.http_status !== null && <span className="shrink-0">HTTP {event.http_status}</span>}
      </p>
    </li>
  );
}

function Place({ label, icon, value }: { label: string; icon: ReactNode; value: string | null }) {
  if (value === null) return null;
  return (
    <div className="flex min-w-0 items-center gap-1.5 [&_svg]:size-3.5 [&_svg]:shrink-0">
      <dt>
        <span aria-hidden>{icon}</span>
        <span className="sr-only">{label}</span>
      </dt>
      <dd className="min-w-0" title={label}>
        {value}
      </dd>
    </div>
  );
}
