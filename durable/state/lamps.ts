import { ALL_SOCKETS, isDeviceId, socketsOf } from "#domain/light/sockets";
import { sidesOf } from "#durable/providers/hybrid";
import type { Address } from "#durable/providers/provider";
import { socketsLit } from "#durable/providers/sockets-lit";
import type { Side } from "#durable/providers/transport";

/** What says which lamp an address leads to; without a `hub` it is one that an agent's plan has. */
type Lamp = Pick<Address, "mode" | "lamp" | "cloud_device_id" | "local_ref" | "on_payload"> &
  Partial<Pick<Address, "hub">>;

/**
 * Whether two addresses lead to the same lamp, whatever the way to it: the same sockets of the same device. The demo's lamps
 * are none of the city's.
 */
export function isSameLamp(a: Lamp, b: Lamp): boolean {
  const isMock = a.mode === "mock";
  if (isMock !== (b.mode === "mock")) return false;
  const isSameText = a.cloud_device_id === b.cloud_device_id && a.local_ref === b.local_ref;
  if (isSameText && a.on_payload === b.on_payload) return a.lamp === b.lamp; // most often, and nothing need be taken apart
  return (isMock ? a.lamp === b.lamp : isSameDevice(a, b)) && socketsLit(a) === socketsLit(b);
}

/** The sockets that two addresses share, a bit each; 0 where they share none. */
export function sharedSockets(a: Lamp, b: Lamp): number {
  if (a.mode === "mock") return isSameLamp(a, b) ? ALL_SOCKETS : 0;
  return isSameDevice(a, b) ? socketsLit(a) & socketsLit(b) : 0;
}

/** The same address, but of these sockets alone, of which nobody knows yet whether the device has any. */
export function withSockets(address: Address, sockets: number): Address {
  const { cloud, local } = socketsOf(address);
  const named = (id: string) => (id === "" ? null : `${id}#${sockets}`);
  const ids = { cloud_device_id: named(cloud), local_ref: named(local) };
  return { ...address, ...ids, on_payload: null, off_payload: null, is_rest: true };
}

/** Whether two addresses lead to the same device, by the ids that a way which both go knows it by; the demo has others. */
export function isSameDevice(a: Lamp, b: Lamp): boolean {
  if ((a.mode === "mock") !== (b.mode === "mock")) return false;
  const both = waysTo(a).filter((way) => waysTo(b).includes(way) && [a, b].some((one) => leadsBy(way, one)));
  return (both.length === 0 ? BY_CLOUD : both).some((way) => idOf(a, way) === idOf(b, way));
}

/** Where a Local reference is no ID but a name, as 'Pole 1', a hybrid hub's lamp is reached by the cloud alone. */
function leadsBy(way: Side, lamp: Lamp): boolean {
  return isDeviceId(idOf(lamp, way));
}

/** What is said of two lamps that are reached in different ways. */
const BY_CLOUD: Side[] = ["cloud"];

/** An agent reaches what its plan has through its hub. */
function waysTo({ mode, hub }: Lamp): Side[] {
  return hub === undefined ? ["local"] : sidesOf(mode, hub);
}

function idOf({ lamp, ...reference }: Lamp, way: Side): string {
  const { cloud, local } = socketsOf(reference);
  return ((way === "local" ? local || cloud : cloud || local) || lamp).toLowerCase();
}
