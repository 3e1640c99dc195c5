import { Fragment, type ReactNode } from "react";
import { ListTree } from "#app/ui/icons";
import { useOrganization } from "#app/components/organization";
import type { FormFields } from "#app/forms/form-fields";
import { areaHref, NameLink } from "#app/components/page-links";
import { Section } from "#app/routes/detail/section";
import { formatDated } from "#domain/time/display";
import type { Device, Group } from "#domain/records/records";
import { Fact } from "#app/ui/card";

/** Shown by the page's heading and its other sections, and the notes below the facts. */
type ShownApart = "name" | "area_id" | "hub_id" | "dept_id" | "notes";

/** The device's record. A new field of its form needs an entry here, or null to leave it out. */
export function DeviceFacts({ device, groups }: { device: Device; groups: Group[] }) {
  const { zone, loaded_at } = useOrganization();
  const facts: Record<Exclude<FormFields["device"], ShownApart>, ReactNode> = {
    model: <Fact label="Model">{device.model || "N/A"}</Fact>,
    cloud_device_id: <Fact label="Cloud ID">{device.cloud_device_id ?? "N/A"}</Fact>,
    local_ref: <Fact label="Local reference">{device.local_ref ?? "N/A"}</Fact>,
    restrike_min: device.restrike_min > 0 && <Fact label="Cools for">{device.restrike_min} min</Fact>,
    on_payload: device.on_payload && <Fact label="ON payload">{device.on_payload}</Fact>,
    off_payload: device.off_payload && <Fact label="OFF payload">{device.off_payload}</Fact>,
  };
  return (
    <Section icon={ListTree} title="Details">
      {/* A card cuts what is long; here is all of it. */}
      <dl className="facts px-4 py-3 [&_dd]:whitespace-normal">
        {Object.entries(facts).map(([name, fact]) => (
          <Fragment key={name}>{fact}</Fragment>
        ))}
        {groups.length > 0 && (
          <Fact label={groups.length === 1 ? "Group" : "Groups"}>
            <NameLink to={areaHref(device.area_id)}>{groups.map(({ name }) => name).join(", ")}</NameLink>
          </Fact>
        )}
        <Fact label="Created">{formatDated(device.created_at, zone, loaded_at)}</Fact>
      </dl>
      {device.notes && (
        <p className="border-line text-ink-soft border-t px-4 py-3 whitespace-pre-line">{device.notes}</p>
      )}
    </Section>
  );
}
