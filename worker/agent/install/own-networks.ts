import type { NetworkInterfaceInfo } from "node:os";
import { isPrivate, parseNetwork, PRIVATE } from "../networks";

/** What containers and tunnels bring along; no hub is there. */
const NOT_A_LAN = /^(docker|br-|veth|virbr|tun|tap|wg|tailscale|lo)/;

/** The private networks that the computer itself is on, such as `192.168.1.0/24`: there its hubs are. All where there is none. */
export function ownNetworks(interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>): string[] {
  const found = Object.entries(interfaces).flatMap(([name, addresses = []]) =>
    NOT_A_LAN.test(name) ? [] : addresses.flatMap(({ family, cidr }) => (family === "IPv4" && cidr ? [cidr] : [])),
  );
  const own = [...new Set(found.flatMap(startOf))];
  return own.length > 0 ? own : PRIVATE;
}

function startOf(cidr: string): string[] {
  const network = parseNetwork(cidr);
  if (!network || !isPrivate(network, { loopback: false })) return [];
  const { base, bits } = network;
  return [`${[24, 16, 8, 0].map((shift) => Math.floor(base / 2 ** shift) % 256).join(".")}/${bits}`];
}
