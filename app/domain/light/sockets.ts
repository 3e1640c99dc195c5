/** Every socket of an outlet strip. */
export const ALL_SOCKETS = 0xff;

type Reference = { cloud_device_id: string | null; local_ref: string | null };

/**
 * The ids by which the cloud and a hub know a light ('' where there is none), and its sockets, a bit each. `#6` or `#0x06`
 * behind either id names the sockets of a strip, the Local reference before the Cloud ID; a light that names none has all of
 * them. `mask` is whatever number stands there, NaN where it is none.
 */
export function socketsOf({ cloud_device_id, local_ref }: Reference): { cloud: string; local: string; mask: number } {
  const cloud = split(cloud_device_id);
  const local = split(local_ref);
  return { cloud: cloud.id, local: local.id, mask: local.mask ?? cloud.mask ?? ALL_SOCKETS };
}

/** The vendor's id without the sockets behind it, in small letters; '' where there is none. */
export function vendorId(text: string | null): string {
  return split(text).id.toLowerCase();
}

/** Whether the vendor's hubs and cloud could know a device by it. */
export function isDeviceId(id: string): boolean {
  return /^[0-9a-f]{16}$/i.test(id);
}

/** Whether the number names sockets. */
export function isSocketMask(mask: number): boolean {
  return Number.isInteger(mask) && mask >= 1 && mask <= ALL_SOCKETS;
}

function split(text: string | null): { id: string; mask: number | null } {
  const [id = "", mask] = (text ?? "").split("#");
  return { id: id.trim(), mask: mask === undefined ? null : Number(mask) };
}
