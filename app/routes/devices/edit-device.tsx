import { useFetcher } from "@remix-run/react";
import { useEffect, useState } from "react";
import { toast } from "sonner";
import { useDialog } from "#app/router/view";
import type { Device } from "#domain/records";
import { DeviceDialog } from "./device-dialog";
import type { loader } from "./record";

const FAILED = "Failed to load the device";

/**
 * The form of a device of the list, once its record has come: a list's rows have only what their cards show. What is
 * `known` came with the page that the address opened.
 */
export function EditDevice({ id, known }: { id: string; known: Device | null }) {
  const { data, load } = useFetcher<typeof loader>();
  const { close } = useDialog();
  const came = known?.id === id ? known : data?.device;
  // The first: a newer version would overwrite what somebody else has changed meanwhile.
  const [first, setFirst] = useState(came);
  if (came && !first) setFirst(came);
  const hasFailed = !first && data?.device === null;

  useEffect(() => {
    if (!first && !data) load(`/devices/${encodeURIComponent(id)}/record`);
  }, [first, data, id, load]);
  useEffect(() => {
    if (!hasFailed) return;
    toast.error(FAILED, { id: FAILED });
    close();
  }, [hasFailed, close]);

  return first ? <DeviceDialog device={first} /> : null;
}
