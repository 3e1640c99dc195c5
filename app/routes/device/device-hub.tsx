import { PlugZap, Router } from "#app/ui/icons";
import { useCan } from "#app/components/capability";
import { ButtonLink } from "#app/components/button-link";
import { HubLine } from "#app/routes/detail/hub-line";
import { Nothing, Section } from "#app/routes/detail/section";
import type { HubWithHealth } from "#domain/records/detail-records";
import type { Device } from "#domain/records/records";

type Props = { device: Device; hub: HubWithHealth | null; now: number };

/** The light's hub, with a link to test it. */
export function DeviceHub({ device, hub, now }: Props) {
  const mayTest = useCan("connectivity.test");
  const subject = new URLSearchParams({ area: device.area_id, device: device.id, ...(hub && { hub: hub.id }) });
  return (
    <Section icon={Router} title="Hub">
      {hub ? <HubLine hub={hub} now={now} /> : <Nothing>No hub. The light is reached through the cloud.</Nothing>}
      {mayTest && (
        <div className="border-line border-t px-4 py-3">
          <ButtonLink to={`/connectivity?${subject}`} icon={<PlugZap className="size-4" />}>
            Test the connection
          </ButtonLink>
        </div>
      )}
    </Section>
  );
}
