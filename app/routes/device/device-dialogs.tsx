import { useNavigate } from "@remix-run/react";
import { useCan } from "#app/components/capability";
import { ConfirmDialog, DELETE_WORDS } from "#app/forms/confirm-dialog";
import { useRecord } from "#app/router/use-record";
import { DeviceDialog } from "#app/routes/devices/device-dialog";
import type { Device } from "#domain/records";

/** The device's forms. After a deletion they stay until the toast, then the list is shown. */
export function DeviceDialogs({ device: shown }: { device: Device | null }) {
  const { dialog, record: device, close } = useRecord(shown ? [shown] : []);
  const navigate = useNavigate();
  const mayEdit = useCan("device.save");
  const mayDelete = useCan("device.delete");
  if (!device) return null;
  if (dialog === "edit" && mayEdit) return <DeviceDialog key={device.id} device={device} />;
  if (dialog !== "delete" || !mayDelete) return null;
  return (
    <ConfirmDialog
      title="Delete Device"
      text={`Are you sure you want to delete "${device.name}"? Associated schedules will be removed.`}
      intent="remove"
      record={device}
      words={DELETE_WORDS}
      onClose={close}
      onDone={() => navigate("/devices", { replace: true })}
    />
  );
}
