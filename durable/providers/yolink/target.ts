import type { Address } from "../provider";
import { ALL_SOCKETS } from "./state";

export type Target = { ok: true; device: string; mask: number } | { ok: false; detail: string };

/**
 * The vendor's id of a lamp and its sockets. The cloud knows it by cloud_device_id, a hub by local_ref;
 * each stands in for the other. `#6` or `#0x06` behind either names the sockets of a MultiOutlet.
 */
export function targetOf(address: Address, side: "cloud" | "local"): Target {
  const cloud = split(address.cloud_device_id);
  const local = split(address.local_ref);
  const [first, second] = side === "cloud" ? [cloud, local] : [local, cloud];
  const device = first.id || second.id;
  if (device === "") return { ok: false, detail: "the device has no cloud ID" };
  if (!/^[0-9a-f]{16}$/i.test(device)) {
    return { ok: false, detail: `'${device.slice(0, 40)}' is not a device ID (16 characters, 0-9 and a-f)` };
  }
  const mask = local.mask ?? cloud.mask ?? ALL_SOCKETS;
  if (!Number.isInteger(mask) || mask < 1 || mask > ALL_SOCKETS) {
    return { ok: false, detail: "the sockets behind # must be a number from 1 to 255" };
  }
  return { ok: true, device: device.toLowerCase(), mask };
}

function split(text: string | null): { id: string; mask: number | null } {
  const [id = "", mask] = (text ?? "").split("#");
  return { id: id.trim(), mask: mask === undefined ? null : Number(mask) };
}
