import { isPrivateAddress, parseHubAddress } from "#domain/fields/ip-address";
import type { HubAddress } from "./provider";
import type { Client } from "./yolink/client";
import type { Transport } from "./transport";
import { yolinkTransport, type Reached } from "./yolink/transport";

export type LocalDeps = {
  client: Client;
  now: () => number;
  /** Throws where it was sealed with another key. */
  unseal: (sealed: string) => Promise<string>;
  /** `direct`: we stand on the hubs' own network, as the demo and a server of one's own do. */
  allow: { loopback: boolean; direct: boolean };
  /** Called by an agent: a private address is no reason why a hub is silent. */
  on_site?: boolean;
};

const PRIVATE_HINT = "a private address is reached from its own network only, not from Cloudflare";

/** A local hub on its own address. It has no limits but its radio, and is asked one call at a time. */
export function localTransport({ client, now, unseal, allow, on_site = false }: LocalDeps): Transport {
  return yolinkTransport({
    side: "local",
    client,
    now,
    cachesState: false,
    reach: async (hub) => {
      const reached = await reach(hub, unseal, allow);
      return reached.ok && on_site ? { ...reached, hint: undefined } : reached;
    },
    acquire: () => null,
    backOff: () => undefined,
    // A hub is not in its own list and answers no Hub.getState: its list is its sign of life.
    ping: async (account, _hub, bounds) => {
      const listed = await client.list(account, bounds);
      if (!listed.ok) return listed;
      const { size } = listed.value;
      return { ok: true, status: 200, code: "000000", says: size === 1 ? "1 device" : `${size} devices`, data: {} };
    },
  });
}

/** Checks the address again at use: what was saved under other rules must not be called. */
async function reach(hub: HubAddress | null, unseal: LocalDeps["unseal"], allow: LocalDeps["allow"]): Promise<Reached> {
  if (!hub) return { ...no("The device has no hub"), where: "device" };
  if (hub.ip_address === null) return no(`Hub ${hub.name} has no IP address`);
  const ip = parseHubAddress(hub.ip_address, allow);
  if (ip === null) return no(`Hub ${hub.name}'s IP address is not allowed`);
  // From Cloudflare it would only be a wait: nobody there has it, or somebody else does.
  if (isPrivateAddress(ip) && !allow.direct)
    return no(`Hub ${hub.name} is on a private network: assign it to an agent`);
  if (!hub.local_client_id || !hub.local_client_secret) return no(`Hub ${hub.name} has no local credentials`);
  try {
    const client_id = (await unseal(hub.local_client_id)).trim();
    const client_secret = (await unseal(hub.local_client_secret)).trim();
    const account = { key: `hub:${hub.id}`, base: `http://${ip}:${hub.port}`, client_id, client_secret };
    return { ok: true, account, name: `hub ${hub.name}`, ...(isPrivateAddress(ip) ? { hint: PRIVATE_HINT } : {}) };
  } catch {
    return no(`Hub ${hub.name}'s local credentials can't be read any more: enter them again`);
  }
}

function no(detail: string): { ok: false; detail: string } {
  return { ok: false, detail };
}
