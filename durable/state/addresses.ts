import { isDeviceId, vendorId } from "#domain/light/sockets";
import type { Address, HubAddress } from "#durable/providers/provider";
import type { Store } from "./kept";
import { plan, settingsOf } from "./plan";
import type { DeviceRow, HubRow } from "./plan-rows";

/** Where the device is reached as the plan stands: its hub, its own ids, and the mode that says which ways are tried. */
export function addressOf(sql: Store, device: DeviceRow): Address {
  const hub = device.hub_id === null ? null : plan.hub(sql, device.hub_id);
  return {
    mode: settingsOf(sql).PROVIDER_MODE,
    hub: hub && wayToHub(hub),
    lamp: device.cloud_device_id ?? ownReference(device) ?? device.id,
    cloud_device_id: device.cloud_device_id,
    local_ref: device.local_ref,
    model: device.model,
    on_payload: device.on_payload,
    off_payload: device.off_payload,
  };
}

/** The same of a device by its id; null where it is not planned, or no more. */
export function deviceAddress(sql: Store, device_id: string): Address | null {
  const device = plan.device(sql, device_id);
  return device && addressOf(sql, device);
}

/** What is no device ID is a note of people, such as the lamp's number behind its hub: each hub may have a '1'. */
function ownReference({ local_ref }: DeviceRow): string | null {
  return isDeviceId(vendorId(local_ref)) ? local_ref : null;
}

/** The address of a lamp that its device has no more, as its hub is reached by now, where that is still there. */
export function oldAddressNow(sql: Store, address: Address): Address {
  const hub = address.hub && plan.readableHub(sql, address.hub.id);
  return hub ? { ...address, hub: wayToHub(hub) } : address;
}

/** The address of a lamp behind a hub, as that is reached by now; null where it is not there any more. */
export function addressBehind(sql: Store, lamp: Omit<Address, "hub">, hub_id: string): Address | null {
  const hub = plan.readableHub(sql, hub_id);
  return hub && { ...lamp, hub: wayToHub(hub) };
}

function wayToHub(hub: HubRow): HubAddress {
  const { id, name, ip_address, port, connection_mode, agent_id, local_client_id, local_client_secret } = hub;
  return { id, name, ip_address, port, connection_mode, agent_id, local_client_id, local_client_secret };
}
