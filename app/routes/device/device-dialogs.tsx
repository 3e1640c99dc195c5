import { useNavigate } from "@remix-run/react";
import { useCan } from "#app/components/capability";
import { useOrganization } from "#app/components/organization";
import { DeleteDialog } from "#app/forms/delete-dialog";
import { useRecord } from "#app/router/use-record";
import { DeviceDialog } from "#app/routes/devices/device-dialog";
import { mayToggle } from "#domain/organization/permissions";
import type { Device } from "#domain/records/records";

/** The device's own forms. A deleted one stays here until it is told; then the list takes its place. */
export default function DeviceDialogs({ device: shown }: { device: Device | null }) {
  const { user } = useOrganization();
  const { dialog, record: device, close } = useRecord(shown && mayToggle(user, shown) ? [shown] : []);
  const navigate = useNavigate();
  const mayEdit = useCan("device.save");
  const mayDelete = useCan("device.delete");
  if (!device) return null;
  if (dialog === "edit" && mayEdit) return <DeviceDialog key={device.id} device={device} />;
  if (dialog !== "delete" || !mayDelete) return null;
  return (
    <DeleteDialog
      owner="device"
      record={device}
      onClose={close}
      onDone={() => navigate("/devices", { replace: true })}
    />
  );
}
