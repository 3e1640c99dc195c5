import { Router } from "#app/ui/icons";
import { ConnectionModeBadge, HubStatusBadge } from "#app/components/badges";
import { useCan } from "#app/components/capability";
import { LongText } from "#app/routes/detail/long-text";
import { Note } from "#app/components/note";
import { CardActions } from "#app/components/card-actions";
import { relativeSeen } from "#domain/time/display";
import type { Hub, HubHealth, MayAffect } from "#domain/records/records";
import { Card, Fact } from "#app/ui/card";

type Props = { hub: Hub & MayAffect; warning: string | null; health: HubHealth | undefined; now: number };

export function HubCard({ hub, warning, health, now }: Props) {
  const mayEdit = useCan("hub.save");
  const mayDelete = useCan("hub.delete") && hub.may_affect;
  return (
    <li>
      <Card aria-label={hub.name} className="flex h-full flex-col gap-3 p-4">
        <div className="flex items-start gap-3">
          <span className="bg-brand-soft text-brand-text flex size-10 shrink-0 items-center justify-center rounded-lg">
            <Router className="size-5" />
          </span>
          <div className="min-w-0 flex-1">
            <h2 className="font-semibold">{hub.name}</h2>
            <p className="text-ink-soft text-sm">{hub.area_name}</p>
          </div>
          <CardActions name={hub.name} id={hub.id} mayEdit={mayEdit} mayDelete={mayDelete} />
        </div>
        <div className="flex flex-wrap gap-1.5">
          <HubStatusBadge status={health?.status ?? "unknown"} />
          <ConnectionModeBadge mode={hub.connection_mode} />
        </div>
        <dl className="facts">
          <Fact label="IP address">{hub.ip_address ?? "Not set"}</Fact>
          <Fact label="Port">{hub.port}</Fact>
          {hub.agent_name && <Fact label="Agent">{hub.agent_name}</Fact>}
          <Fact label="Last seen">{relativeSeen(health?.last_seen ?? null, now)}</Fact>
          {typeof health?.rtt_ms === "number" && <Fact label="Response time">{health.rtt_ms} ms</Fact>}
        </dl>
        {warning && <Note>{warning}</Note>}
        {hub.notes && <LongText text={hub.notes} className="text-ink-soft text-sm" />}
      </Card>
    </li>
  );
}
