import { ListTree } from "#app/ui/icons";
import { useOrganization } from "#app/components/organization";
import { Section } from "#app/routes/detail/section";
import { formatInstant } from "#domain/display";
import type { Device } from "#domain/records";
import { Fact } from "#app/ui/card";

/** The device's record. */
export function DeviceFacts({ device }: { device: Device }) {
  const { zone } = useOrganization();
  return (
    <Section icon={ListTree} title="Details">
      <dl className="facts px-4 py-3">
        <Fact label="Model">{device.model || "N/A"}</Fact>
        <Fact label="Cloud ID">{device.cloud_device_id ?? "N/A"}</Fact>
        <Fact label="Local reference">{device.local_ref ?? "N/A"}</Fact>
        {device.on_payload && <Fact label="ON payload">{device.on_payload}</Fact>}
        {device.off_payload && <Fact label="OFF payload">{device.off_payload}</Fact>}
        <Fact label="Created">{formatInstant(device.created_at, zone)}</Fact>
      </dl>
      {device.notes && (
        <p className="border-line text-ink-soft border-t px-4 py-3 whitespace-pre-line">{device.notes}</p>
      )}
    </Section>
  );
}
