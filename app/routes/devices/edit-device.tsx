import { useState } from "react";
import { useAsked } from "#app/routes/detail/use-asked";
import type { Device } from "#domain/records/records";
import { DeviceDialog } from "./device-dialog";

const FAILED = "Failed to load the device";

/**
 * The form of a device of the list, once its record has come: a list's rows have only what their cards show. What is
 * `known` came with the page that the address opened.
 */
export function EditDevice({ id, known }: { id: string; known: Device | null }) {
  // The first: a newer version would overwrite what somebody else has changed meanwhile.
  const [first] = useState(known?.id === id ? known : null);
  const record = useAsked<Device>(first ? null : `/devices/${encodeURIComponent(id)}/record`, FAILED);
  const device = first ?? record;
  return device ? <DeviceDialog device={device} /> : null;
}
