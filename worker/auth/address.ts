/**
 * The client's address, for the attempt limits and the log. Only a header that the platform sets can be trusted: `header`
 * names it (CLIENT_ADDRESS_HEADER). Without one, all clients share the address 'unknown', as with a name that is none: asked
 * for it, the runtime throws, and every request would fail.
 */
export function addressOf(request: Request, header: string | undefined): string {
  const isNamed = header !== undefined && header !== "none" && isHeaderName(header);
  const address = (isNamed && request.headers.get(header)) || "unknown";
  return address.includes(":") ? networkOf(address) : address;
}

export function isHeaderName(name: string): boolean {
  return /^[A-Za-z0-9-]+$/.test(name);
}

/** One household has 2^64 IPv6 addresses, so its /64 counts as one. */
function networkOf(address: string): string {
  const [head = "", tail] = address.toLowerCase().split("::");
  const left = head.split(":").filter(Boolean);
  const right = (tail ?? "").split(":").filter(Boolean);
  const gap = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array<string>(gap).fill("0"), ...right];
  return `${groups.slice(0, 4).join(":")}::/64`;
}
