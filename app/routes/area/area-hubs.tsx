import { Router } from "#app/ui/icons";
import { HubLine } from "#app/routes/detail/hub-line";
import { Nothing, Section } from "#app/routes/detail/section";
import type { HubWithHealth } from "#domain/records/detail-records";

type Props = { hubs: HubWithHealth[]; now: number; all: string };

export function AreaHubs({ hubs, now, all }: Props) {
  return (
    <Section icon={Router} title="Hubs" more={{ to: all, label: "All hubs" }}>
      {hubs.length === 0 ? (
        <Nothing>No hub yet. A hub connects the devices of an area.</Nothing>
      ) : (
        <ul className="divide-line divide-y">
          {hubs.map((hub) => (
            <li key={hub.id}>
              <HubLine hub={hub} now={now} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
