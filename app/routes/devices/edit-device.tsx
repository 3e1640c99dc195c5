import { useEffect, useState } from "react";
import { toast } from "sonner";
import { useDialog } from "#app/router/view";
import type { Device } from "#domain/records";
import { DeviceDialog } from "./device-dialog";

const FAILED = "Failed to load the device";

/**
 * The form of a device of the list, once its record has come: a list's rows have only what their cards show. What is
 * `known` came with the page that the address opened.
 */
export function EditDevice({ id, known }: { id: string; known: Device | null }) {
  const { close } = useDialog();
  const came = known?.id === id ? known : null;
  // The first: a newer version would overwrite what somebody else has changed meanwhile.
  const [device, setDevice] = useState(came);
  const isKnown = device !== null;

  useEffect(() => {
    if (isKnown) return;
    const leaving = new AbortController();
    void recordOf(id, leaving.signal).then((record) => {
      if (leaving.signal.aborted) return;
      if (record) return setDevice(record);
      toast.error(FAILED, { id: FAILED });
      close();
    });
    return () => leaving.abort();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `close` is another one at each rendering
  }, [isKnown, id]);

  return device ? <DeviceDialog device={device} /> : null;
}

/** By a plain request: one of Remix's that is broken off by the back button takes the whole screen down. */
async function recordOf(id: string, signal: AbortSignal): Promise<Device | null> {
  try {
    const answer = await fetch(`/devices/${encodeURIComponent(id)}/record`, { signal });
    return answer.ok ? (await answer.json<{ device: Device | null }>()).device : null;
  } catch {
    return null;
  }
}
