import { isObject, type Json } from "#domain/fields/json";
import type { HubAddress } from "./provider";
import type { Client } from "./yolink/client";
import { failed, type Failed, type ParsedResponse } from "./yolink/parse-response";
import type { Account, Bounds } from "./yolink/endpoint";
import type { Device } from "./yolink/device-list";

/** An address may change; what a hub said of its own is asked again after this. */
const ADDRESS_VALID_MS = 3_600_000;

/**
 * Asks the cloud for a hub's state. It knows hubs by an id that ours do not have, so theirs is the one with our hub's
 * name, or else the only one that says it has our hub's address; what a hub said is remembered.
 */
export function cloudHubs(client: Client, now: () => number) {
  const addresses = new Map<string, { ips: unknown[]; at: number }>();

  return async (account: Account, hub: HubAddress, bounds: Bounds): Promise<ParsedResponse> => {
    for (const listed of [client.known, client.again]) {
      const devices = await listed(account, bounds);
      if (!devices) break;
      if (!devices.ok) return devices;
      const hubs = devices.value.filter(({ type }) => /hub$/i.test(type));
      const named = only(hubs.filter(({ name }) => isNamed(name, hub.name)));
      if (named) return state(account, named, bounds);
      const response = await atAddress(account, hubs, hub.ip_address, bounds);
      if (response) return response;
    }
    return failed("refused", `it has no hub named '${hub.name}', and not one at its address`, { where: "hub" });
  };

  async function atAddress(
    account: Account,
    hubs: Device[],
    ip: string | null,
    bounds: Bounds,
  ): Promise<ParsedResponse | null> {
    if (ip === null) return null;
    for (const { id, type } of hubs.filter((one) => isUnknown(one.id))) {
      const response = await state(account, { id, type }, bounds);
      if (response.ok) addresses.set(id, { ips: [ipOf(response.data.wifi), ipOf(response.data.eth)], at: now() });
      else if (response.reason === "throttled") return response;
    }
    const found = only(hubs.filter(({ id }) => addresses.get(id)?.ips.includes(ip)));
    return found && state(account, found, bounds);
  }

  function isUnknown(id: string): boolean {
    return Math.abs(now() - (addresses.get(id)?.at ?? -Infinity)) > ADDRESS_VALID_MS;
  }

  async function state(
    account: Account,
    { id, type }: Pick<Device, "id" | "type">,
    bounds: Bounds,
  ): Promise<ParsedResponse> {
    const params: Json = {};
    const response = await client.ask(account, id, () => ({ ok: true, method: `${type}.getState`, params }), bounds);
    return !response.ok && response.where === "device" ? ofHub(response) : response;
  }
}

/** The device that was asked is the hub itself: one that did not answer is not well, as it is when it answers for a silent lamp. */
function ofHub(response: Failed): Failed {
  return { ...response, where: "hub", reason: response.reason === "device" ? "unreachable" : response.reason };
}

function only<T>(all: T[]): T | null {
  const [first = null] = all;
  return all.length === 1 ? first : null;
}

function ipOf(port: unknown): unknown {
  return isObject(port) ? port.ip : undefined;
}

function isNamed(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}
