/**
 * A dotted IPv4 address, or null if it is invalid or no hub can have it: 0/8, 127/8, 169.254/16, multicast and broadcast.
 * `loopback` allows 127/8, for the demo.
 */
export function parseHubAddress(text: string, { loopback }: { loopback: boolean }): string | null {
  const octets = text.split(".");
  if (octets.length !== 4 || !octets.every(isOctet)) return null;
  const [first, second] = octets.map(Number);
  if (first === undefined || first === 0) return null;
  if (first === 127 && !loopback) return null;
  if (first === 169 && second === 254) return null;
  if (first >= 224 && first <= 239) return null;
  return text === "255.255.255.255" ? null : text;
}

/** Whether an address is reached from its own network only (RFC 1918). */
export function isPrivateAddress(ip: string): boolean {
  const [first = 0, second = 0] = ip.split(".").map(Number);
  return first === 10 || (first === 172 && second >= 16 && second < 32) || (first === 192 && second === 168);
}

/** No leading zeros, which some parsers read as octal. */
function isOctet(text: string): boolean {
  return /^(0|[1-9]\d{0,2})$/.test(text) && Number(text) <= 255;
}
