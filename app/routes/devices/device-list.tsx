import { Plus, Upload } from "#app/ui/icons";
import { ButtonLink } from "#app/components/button-link";
import { useCan } from "#app/components/capability";
import { useOrganization } from "#app/components/organization";
import { DeleteDialog } from "#app/forms/delete-dialog";
import { PageHeader } from "#app/components/page-header";
import { RefreshButton } from "#app/components/refresh-button";
import { Streamed } from "#app/router/streamed";
import { useRecord } from "#app/router/use-record";
import { opens, useDialog } from "#app/router/view";
import type { Deferred } from "#app/router/deferred";
import { mayToggle } from "#domain/organization/permissions";
import { Button } from "#app/ui/button";
import { LoadingBlock } from "#app/ui/spinner";
import { DeviceDialog } from "./device-dialog";
import { EditDevice } from "./edit-device";
import type { ListedDevice } from "./listed-device";
import { DevicePage, type Devices } from "./device-page";
import { dialogOnDemand } from "#app/ui/dialog-on-demand";

/** Loaded on demand, to keep its form out of the first load. */
const DeviceSwitch = dialogOnDemand(() => import("#app/routes/switch/device-switch"));

const WORDS = { failed: "Failed to fetch devices" };

type Props = { devices: Promise<Deferred<Devices>> };

export function DeviceList({ devices }: Props) {
  const { dialog } = useDialog();
  const mayCreate = useCan("device.save");
  const mayImport = useCan("import.run");
  return (
    <>
      <PageHeader title="Device Management" text="Switch lights on and off, and keep their details">
        <RefreshButton list={devices} words={WORDS} />
        {mayImport && (
          <ButtonLink to="/import" icon={<Upload className="size-4" />}>
            <span className="max-sm:sr-only">Import</span>
          </ButtonLink>
        )}
        {mayCreate && (
          <Button variant="primary" icon={<Plus className="size-4" />} {...opens("new")}>
            New Device
          </Button>
        )}
      </PageHeader>
      <Streamed list={devices} loading={<LoadingBlock label="Loading devices..." />} failed={WORDS.failed}>
        {(page) => (
          <>
            <DevicePage page={page} />
            <DeviceDialogs page={page} />
          </>
        )}
      </Streamed>
      {dialog === "new" && mayCreate && <DeviceDialog device={null} />}
    </>
  );
}

function DeviceDialogs({ page }: { page: Devices }) {
  const { user } = useOrganization();
  const opened = useDialog().dialog;
  const isForm = opened === "edit" || opened === "delete";
  const rows = page.edited ? [...page.rows, page.edited] : page.rows;
  const {
    dialog,
    record: device,
    close,
  } = useRecord<ListedDevice>(rows.filter((row) => !isForm || mayToggle(user, row)));
  const mayEdit = useCan("device.save");
  const mayDelete = useCan("device.delete");
  if (!device) return null;
  if (dialog === "edit" && mayEdit) return <EditDevice key={device.id} id={device.id} known={page.edited} />;
  if (dialog === "delete") return mayDelete ? <DeleteDialog owner="device" record={device} onClose={close} /> : null;
  return <DeviceSwitch device={device} now={page.now} onClose={close} />;
}
