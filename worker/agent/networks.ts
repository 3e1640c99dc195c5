/** `192.168.1.0/24` as numbers. */
export type Network = { base: number; bits: number };

/** What no address of the internet is in (RFC 1918). */
export const PRIVATE = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"];
const LOOPBACK = "127.0.0.0/8";

/** A network as it is written, `192.168.1.0/24` or one address; null where it is not one. */
export function parseNetwork(text: string): Network | null {
  const [address = "", length = "32", ...rest] = text.trim().split("/");
  const base = parseAddress(address);
  if (base === null || rest.length > 0 || !/^\d{1,2}$/.test(length) || Number(length) > 32) return null;
  return { base: start(base, Number(length)), bits: Number(length) };
}

/** Whether all of it is private (RFC 1918): nothing else is ever called. Loopback, where the city is on it, too. */
export function isPrivate(network: Network, { loopback }: { loopback: boolean }): boolean {
  return [...PRIVATE, ...(loopback ? [LOOPBACK] : [])].some((text) => {
    const wide = parseNetwork(text);
    return wide !== null && network.bits >= wide.bits && start(network.base, wide.bits) === wide.base;
  });
}

/** Whether a dotted address is in one of the networks. A name is not: it could point anywhere. */
export function isWithin(address: string, networks: Network[]): boolean {
  const number = parseAddress(address);
  return number !== null && networks.some(({ base, bits }) => start(number, bits) === base);
}

function start(address: number, bits: number): number {
  const size = 2 ** (32 - bits);
  return address - (address % size);
}

function parseAddress(text: string): number | null {
  const octets = text.split(".");
  const isDotted = octets.length === 4 && octets.every((one) => /^(0|[1-9]\d{0,2})$/.test(one) && Number(one) < 256);
  return isDotted ? octets.reduce((number, one) => number * 256 + Number(one), 0) : null;
}
