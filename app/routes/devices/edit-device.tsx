import { useEffect, useState } from "react";
import { toast } from "sonner";
import { useJson } from "#app/router/use-json";
import { useDialog } from "#app/router/view";
import type { Device } from "#domain/records/records";
import { DeviceDialog } from "./device-dialog";

const FAILED = "Failed to load the device";

/**
 * The form of a device of the list, once its record has come: a list's rows have only what their cards show. What is
 * `known` came with the page that the address opened.
 */
export function EditDevice({ id, known }: { id: string; known: Device | null }) {
  const { close } = useDialog();
  // The first: a newer version would overwrite what somebody else has changed meanwhile.
  const [first] = useState(known?.id === id ? known : null);
  const record = useJson<Device>(first ? null : `/devices/${encodeURIComponent(id)}/record`);
  const hasFailed = record === null;

  useEffect(() => {
    if (!hasFailed) return;
    toast.error(FAILED, { id: FAILED });
    close();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `close` is another one at each rendering
  }, [hasFailed]);

  const device = first ?? record;
  return device ? <DeviceDialog device={device} /> : null;
}
