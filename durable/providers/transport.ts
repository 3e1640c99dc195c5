import type { SwitchAction } from "#domain/enums";
import type { Address, How, HubAddress, ListResult, ProviderResult } from "./provider";

/** `local`: a hub on its own address. `cloud`: its vendor's cloud. */
export type Side = "local" | "cloud";

/** How far one call may go; `until` is epoch ms. */
export type TransportCall = Omit<How, "via"> & { until: number };

/** One way to real hardware. It never throws and never outlasts `until`. */
export type Transport = {
  switch: (address: Address, action: SwitchAction, call: TransportCall) => Promise<ProviderResult>;
  read: (address: Address, call: TransportCall) => Promise<ProviderResult>;
  ping: (hub: HubAddress, call: TransportCall) => Promise<ProviderResult>;
  list: (hub: HubAddress | null, call: TransportCall) => Promise<ListResult>;
  /** Sets the lamp's own timer: after so many minutes it puts itself out, should nobody reach it any more. */
  putOutAfter?: (address: Address, minutes: number, call: TransportCall) => Promise<ProviderResult>;
};
