import { ConnectionModeBadge, HubStatusBadge } from "#app/components/badges";
import { hubHref, NameLink } from "#app/components/page-links";
import { relativeSeen } from "#domain/time/display";
import type { HubWithHealth } from "#domain/records/detail-records";

/** A hub in one line: its status and when it was last seen. `now` is in epoch ms. */
export function HubLine({ hub, now }: { hub: HubWithHealth; now: number }) {
  return (
    <div className="flex flex-col gap-1.5 px-4 py-2.5">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <NameLink to={hubHref(hub.name, hub.area_id)} className="min-w-0 font-medium">
          {hub.name}
        </NameLink>
        <HubStatusBadge status={hub.status} />
        <ConnectionModeBadge mode={hub.connection_mode} />
      </div>
      <p className="text-ink-soft flex flex-wrap gap-x-3 text-sm">
        <span>Last seen {relativeSeen(hub.last_seen, now).toLowerCase()}</span>
        {typeof hub.rtt_ms === "number" && <span>{hub.rtt_ms} ms</span>}
        <span>{hub.ip_address ? `${hub.ip_address}:${hub.port}` : "No IP address"}</span>
      </p>
    </div>
  );
}
