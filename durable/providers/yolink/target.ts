import { ALL_SOCKETS, isDeviceId, isSocketMask, socketsOf } from "#domain/light/sockets";
import type { Address } from "#durable/providers/provider";

export type Target = { ok: true; device: string; mask: number } | { ok: false; detail: string };

/** The vendor's id of a lamp and its sockets. The cloud knows it by cloud_device_id, a hub by local_ref; each stands in for the other. */
export function targetOf(address: Address, side: "cloud" | "local"): Target {
  const { cloud, local, mask } = socketsOf(address);
  const device = side === "cloud" ? cloud || local : local || cloud;
  if (device === "") return { ok: false, detail: "the device has no cloud ID" };
  if (!isDeviceId(device)) {
    return { ok: false, detail: `'${device.slice(0, 40)}' is not a device ID (16 characters, 0-9 and a-f)` };
  }
  if (!isSocketMask(mask))
    return { ok: false, detail: `the sockets behind # must be a number from 1 to ${ALL_SOCKETS}` };
  return { ok: true, device: device.toLowerCase(), mask };
}
