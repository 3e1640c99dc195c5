import type { Address, HubAddress } from "#durable/providers/provider";

/** The vendor's id of a lamp. */
export const LAMP = "d88b4c0100000001";

export function aHub(given: Partial<HubAddress> = {}): HubAddress {
  return {
    id: "h1",
    name: "North hub",
    ip_address: "203.0.113.7",
    port: 1080,
    connection_mode: "hybrid",
    agent_id: null,
    local_client_id: "id",
    local_client_secret: "secret",
    ...given,
  };
}

/** In cloud mode and without a hub, unless given otherwise. */
export function anAddress(given: Partial<Address> = {}): Address {
  return {
    mode: "cloud",
    hub: null,
    lamp: LAMP,
    cloud_device_id: LAMP,
    local_ref: null,
    model: null,
    on_payload: null,
    off_payload: null,
    ...given,
  };
}
