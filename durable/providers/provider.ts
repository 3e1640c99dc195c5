import type { ConnectionMode, DeviceState, ProviderMode, ProviderName, SwitchAction } from "#domain/enums";

/** A hub as a provider needs it; the credentials are still sealed. */
export type HubAddress = {
  id: string;
  name: string;
  ip_address: string | null;
  port: number;
  connection_mode: ConnectionMode;
  /** The on-site agent that speaks to it; null where we do so ourselves. */
  agent_id: string | null;
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
  /** The sockets that it names are what other lights have left of a strip: a device that has none has nothing to be put out. */
  is_rest?: boolean;
};

/**
 * Why a call did not succeed:
 * - `timeout`: no answer; what was asked may have been done
 * - `unreachable`: whoever was called could not be reached, or said that it is out of order; nothing was done
 * - `device`: the hub or the cloud answered that the device did not
 * - `throttled`: too many calls; nothing was done, ask again after `retry_after_ms`
 * - `refused`: it will not work until somebody changes something; `detail` says what
 */
export type FailureReason = "timeout" | "unreachable" | "device" | "throttled" | "refused";

/**
 * Where a call failed, which is what the failure counts against:
 * - `device`: the lamp, or how it is set up; whoever answered for it is well
 * - `hub`: the local hub did not answer, does not let us in, or is not set up
 * - `cloud`: the same for the vendor's cloud and our account there
 * - `agent`: the on-site agent is not there, or did not answer; of its hub that says nothing
 */
export type FailurePlace = "device" | "hub" | "cloud" | "agent";

/** One way that was tried and failed. */
export type Failure = { where: FailurePlace; reason: FailureReason };

type ResultDetails = {
  provider: ProviderName;
  http_status: number | null;
  /** At most 200 characters, in our own words: a far end's text could carry what we sent to it. */
  snippet: string;
  rtt_ms: number;
};

/**
 * A provider never throws: failures of the outside world are values. `failures` has one entry for each way that was
 * tried and failed; a success may have them too, where another way took over. A call that never left has none.
 */
export type ProviderResult =
  | ({ ok: true; state: DeviceState; failures?: Failure[] } & ResultDetails)
  | ({
      ok: false;
      reason: FailureReason;
      detail: string;
      failures: Failure[];
      retry_after_ms?: number;
      limit?: Limit;
    } & ResultDetails);

/** Whose limit a throttled call met. */
export type Limit = "account" | "device";

/** What a call may spend of a limited account, the first before the last. */
export const PRIORITIES = ["off", "on", "person", "verify", "poll"] as const;
/** Who asks, from the first served to the last. */
export type Priority = (typeof PRIORITIES)[number];

/** What else a provider is told of a call. */
export type How = {
  priority: Priority;
  /** Only this way: a verification is made by the provider that acted. Null: any that the mode allows. */
  via: ProviderName | null;
  /** A state that the provider remembers will do, if it was reported after this (epoch ms). Null: ask the lamp. */
  cached_since: number | null;
  /**
   * A switch must not leave after this (epoch ms), whatever came before it: a token that had to be fetched, or a hub that
   * was silent until the cloud took over. Null: it is never too late.
   */
  not_after: number | null;
  /** Our own id of the device; null for a hub's sign of life. */
  device_id: string | null;
  /** Rises with every switch, so that whoever hears an older one later can tell; 0 for what is none. */
  order: number;
  /** An ON asks the lamp's own timer, where it has one, to put it out after so many minutes; null: not asked. */
  off_after_min: number | null;
};

/** A device in an account's list. All texts are the far end's own, and not for people as they come. */
export type Listed = { id: string; name: string; type: string; model: string };

export type ListResult =
  | { ok: true; devices: Listed[] }
  /** `detail` is in our own words. */
  | { ok: false; reason: FailureReason; detail: string };

/** The port to the hardware. Every call ends by itself within `timeout_ms`. */
export type Provider = {
  switch: (address: Address, action: SwitchAction, timeout_ms: number, how: How) => Promise<ProviderResult>;
  read: (address: Address, timeout_ms: number, how: How) => Promise<ProviderResult>;
  ping: (hub: HubAddress, mode: ProviderMode, timeout_ms: number, how: How) => Promise<ProviderResult>;
  /** The devices of the hub's own list; without a hub, of the account in the cloud. */
  list: (hub: HubAddress | null, timeout_ms: number) => Promise<ListResult>;
};

/** The provider for a mode. */
export type Providers = (mode: ProviderMode) => Provider;
