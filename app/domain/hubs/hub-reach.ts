import { counted, grouped } from "#domain/counted";
import type { ProviderMode } from "#domain/enums";
import { isPrivateAddress } from "#domain/fields/ip-address";
import { nameInArea } from "#domain/records/name-in-area";
import type { Hub } from "#domain/records/records";

/** How the organization reaches its hubs; `direct`: the server stands on the hubs' own network. */
export type Reach = { mode: ProviderMode; direct: boolean };

type Known = Pick<Hub, "name" | "ip_address" | "connection_mode" | "agent_id">;

/**
 * A sentence for a hub that cannot be reached as it is saved, so that nobody waits for the first light that stays dark to
 * learn of it; null for any other. From Cloudflare nobody reaches a private address.
 */
export function reachWarning(hub: Known, { mode, direct }: Reach): string | null {
  const { name, ip_address, agent_id } = hub;
  if (direct || agent_id !== null || ip_address === null || !isPrivateAddress(ip_address)) return null;
  const way = mode === "hybrid" ? hub.connection_mode : mode;
  if (way === "local") return `Hub ${name} is on a private network: assign it to an agent.`;
  if (way === "hybrid")
    return `Hub ${name} is on a private network: without an agent it is reached through the cloud only.`;
  return null;
}

const NAMED = 3;

/**
 * The same of all hubs, in one sentence; null where there is none to warn of. Each is named with its area: there may be a
 * 'Hub 1' in every park.
 */
export function reachWarningOf(hubs: readonly (Known & Pick<Hub, "area_name">)[], reach: Reach): string | null {
  const warned = hubs.filter((hub) => reachWarning(hub, reach) !== null);
  const [only, ...others] = warned;
  if (!only) return null;
  if (others.length === 0) return reachWarning({ ...only, name: nameInArea(only) }, reach);
  const names = warned.slice(0, NAMED).map(nameInArea);
  const rest = warned.length - names.length;
  const listed = `${names.join(", ")}${rest > 0 ? ` and ${grouped(rest)} more` : ""}`;
  return `${counted(warned.length, "hub")} are on a private network and have no agent: ${listed}. Assign them to one.`;
}
