import { Lightbulb, Plus, RotateCw } from "lucide-react";
import { useCan } from "#app/components/capability";
import { ConfirmDialog, DELETE_WORDS } from "#app/components/confirm-dialog";
import { EmptyState } from "#app/components/empty-state";
import { useRefresh } from "#app/components/freshness";
import { NothingFound } from "#app/components/nothing-found";
import { PageHeader } from "#app/components/page-header";
import { Pager } from "#app/components/pager";
import { ListTools } from "#app/components/list-tools";
import { areaFilter, capitalized, deptFilter, sortFilter, wordFilter } from "#app/components/list-filters";
import { useOrganization } from "#app/components/organization";
import { Streamed } from "#app/components/streamed";
import { useRecord } from "#app/components/use-record";
import { useDialog } from "#app/components/view";
import type { Arrival } from "#app/streaming";
import type { DEVICE_SORTS, PlacedPage } from "#domain/list-query";
import type { Device } from "#domain/records";
import { AREA_TYPES } from "#domain/words";
import { Button } from "#app/ui/button";
import { CardGrid } from "#app/ui/card";
import { LoadingBlock } from "#app/ui/spinner";
import { DeviceCard } from "./device-card";
import { DeviceDialog } from "./device-dialog";
import { GuardrailNote } from "./guardrail-note";
import type { Sentences } from "./reason";

type Devices = PlacedPage<Device> & { guardrail: string | null };

const SORTS: Record<(typeof DEVICE_SORTS)[number], string> = {
  name: "Name",
  area: "Area",
  state: "State, on first",
  updated: "Last update",
};
const FILTERS = [
  wordFilter("type", "Area type", "All types", capitalized(AREA_TYPES)),
  wordFilter("state", "State", "Any state", { on: "On", off: "Off", unknown: "Unknown" }),
  sortFilter(SORTS),
];

const WORDS = { failed: "Failed to fetch devices" };

type Props = { devices: Promise<Arrival<Devices>>; sentences: Sentences };

export function DeviceList({ devices, sentences }: Props) {
  const { dialog, open } = useDialog();
  const mayCreate = useCan("device.save");
  const { refreshing, refresh } = useRefresh(devices, WORDS);
  return (
    <>
      <PageHeader title="Device Management" text="Switch lights on and off, and keep their details">
        <Button icon={<RotateCw className="size-4" />} pending={refreshing} onClick={refresh}>
          Refresh
        </Button>
        {mayCreate && (
          <Button look="primary" icon={<Plus className="size-4" />} onClick={() => open("new")}>
            New Device
          </Button>
        )}
      </PageHeader>
      <Streamed list={devices} loading={<LoadingBlock label="Loading devices..." />} failed={WORDS.failed}>
        {(page) => (
          <>
            <DeviceTools page={page} />
            <GuardrailNote guardrail={page.guardrail} />
            <DeviceCards page={page} sentences={sentences} />
            <Pager {...page} />
            <DeviceDialogs devices={page.rows} />
          </>
        )}
      </Streamed>
      {dialog === "new" && mayCreate && <DeviceDialog device={null} />}
    </>
  );
}

function DeviceTools({ page }: { page: Devices }) {
  const { departments } = useOrganization();
  const filters = [areaFilter(page.areas), deptFilter(departments), ...FILTERS];
  return <ListTools label="Search devices" count={page} filters={filters} />;
}

function DeviceCards({ page, sentences }: { page: Devices; sentences: Sentences }) {
  if (page.all === 0) {
    return (
      <EmptyState
        icon={Lightbulb}
        title="No Devices Found"
        text="A device is one switched light, or a group on one switch."
      />
    );
  }
  if (page.total === 0) return <NothingFound />;
  return (
    <CardGrid aria-label="Devices">
      {page.rows.map((device) => (
        <DeviceCard key={device.id} device={device} guardrail={page.guardrail} sentences={sentences} />
      ))}
    </CardGrid>
  );
}

function DeviceDialogs({ devices }: { devices: Device[] }) {
  const { dialog, record: device, close } = useRecord(devices);
  const mayEdit = useCan("device.save");
  const mayDelete = useCan("device.delete");
  if (!device) return null;
  if (dialog === "edit" && mayEdit) return <DeviceDialog key={device.id} device={device} />;
  if (dialog !== "delete" || !mayDelete) return null;
  const text = `Are you sure you want to delete "${device.name}"? Associated schedules will be removed.`;
  return (
    <ConfirmDialog
      title="Delete Device"
      text={text}
      intent="remove"
      record={device}
      words={DELETE_WORDS}
      onClose={close}
    />
  );
}
