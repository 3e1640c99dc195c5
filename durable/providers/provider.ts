import type { ConnectionMode, DeviceState, ProviderMode, ProviderName, SwitchAction } from "#domain/enums";

/** A hub as a provider needs it; the credentials are still sealed. */
export type HubAddress = {
  id: string;
  name: string;
  ip_address: string | null;
  port: number;
  connection_mode: ConnectionMode;
  local_client_id: string | null;
  local_client_secret: string | null;
};

/** Where a device is reached. A command keeps the address it was made for, so that what is owed goes to the old lamp. */
export type Address = {
  mode: ProviderMode;
  hub: HubAddress | null;
  /** The physical lamp: what stays the same while names, hubs and areas change. */
  lamp: string;
  cloud_device_id: string | null;
  local_ref: string | null;
  model: string | null;
  on_payload: string | null;
  off_payload: string | null;
};

/**
 * Why a call did not succeed:
 * - `timeout`: no answer; what was asked may have been done
 * - `unreachable`: the hub or the vendor could not be reached; nothing was done
 * - `device`: the hub answered that the device did not
 * - `throttled`: too many calls; nothing was done, ask again after `retry_after_ms`
 * - `refused`: it will never work as it is configured; `detail` says why
 */
export type FailureReason = "timeout" | "unreachable" | "device" | "throttled" | "refused";

type ResultDetails = {
  provider: ProviderName;
  http_status: number | null;
  /** At most 200 characters, without secrets. */
  snippet: string;
  rtt_ms: number;
};

/** A provider never throws: failures of the outside world are values. */
export type ProviderResult =
  | ({ ok: true; state: DeviceState } & ResultDetails)
  | ({ ok: false; reason: FailureReason; detail: string; retry_after_ms?: number; limit?: Limit } & ResultDetails);

/** Whose limit a throttled call met. */
export type Limit = "account" | "device";

/** What a call may spend of a limited account, the first before the last. */
export const PRIORITIES = ["off", "on", "person", "verify", "poll"] as const;
export type Priority = (typeof PRIORITIES)[number];

/** What else a provider is told of a call. */
export type How = {
  priority: Priority;
  /** Only this way: a verification is made by the provider that acted. Null: any that the mode allows. */
  via: ProviderName | null;
  /** A state that the provider remembers will do, if it was reported after this (epoch ms). Null: ask the lamp. */
  cached_since: number | null;
};

/** The port to the hardware. Every call ends by itself within `timeout_ms`. */
export type Provider = {
  switch: (address: Address, action: SwitchAction, timeout_ms: number, how: How) => Promise<ProviderResult>;
  read: (address: Address, timeout_ms: number, how: How) => Promise<ProviderResult>;
  ping: (hub: HubAddress, mode: ProviderMode, timeout_ms: number, how: How) => Promise<ProviderResult>;
};

/** The provider for a mode (decision 20). */
export type Providers = (mode: ProviderMode) => Provider;
