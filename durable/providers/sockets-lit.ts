import { ALL_SOCKETS, isSocketMask, socketsOf } from "#domain/light/sockets";
import { isObject, parseObject } from "#domain/fields/json";
import type { Address } from "./provider";

/**
 * The sockets of a strip that an ON of the address lights, a bit each: those that its own ON payload names, else those that stand
 * behind its ids; all where neither names any, or what is no number of any.
 */
export function socketsLit(address: Pick<Address, "cloud_device_id" | "local_ref" | "on_payload">): number {
  const own = socketsOfPayload(address.on_payload);
  const { mask } = socketsOf(address);
  return own ?? (isSocketMask(mask) ? mask : ALL_SOCKETS);
}

function socketsOfPayload(payload: string | null): number | null {
  if (!payload?.includes("chs")) return null;
  const body = parseObject(payload);
  const { chs } = isObject(body?.params) ? body.params : (body ?? {});
  return typeof chs === "number" && isSocketMask(chs) ? chs : null;
}
