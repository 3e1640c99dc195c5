/** What the far end does with a call: answers, or one of the ways not to. */
export type Told = { status: number; headers: Record<string, string>; body: string } | "refused" | "silence" | "drop";

/** What can be made to go wrong with a lamp, a hub or, under `cloud`, with the cloud itself (yolink.md 11.8). */
export type Fault =
  | { kind: "offline" }
  /** A hub that takes packets and never answers. */
  | { kind: "silent" }
  /** The next `n` calls answer 000201. */
  | { kind: "flaky"; n: number }
  | { kind: "slow"; ms: number }
  /** Done, but the connection closes before the answer. */
  | { kind: "drop" }
  /** Answers success, and nothing happens. */
  | { kind: "stuck" }
  | { kind: "code"; code: string }
  | { kind: "html" | "garbage" | "redirect" | "oversized" };

export type Packet = { method?: unknown; msgid?: unknown; targetDevice?: unknown; token?: unknown; params?: unknown };

/** What a fault at a door makes of any call: not the vendor's words at all. */
export function oddity(faults: Fault[]): Told | null {
  const html = { "Content-Type": "text/html" };
  for (const { kind } of faults) {
    if (kind === "html") return { status: 502, headers: html, body: "<html><h1>502 Bad Gateway</h1></html>" };
    if (kind === "garbage") return { status: 200, headers: {}, body: '{"code":"0000' };
    if (kind === "redirect") return { status: 302, headers: { Location: "http://127.0.0.1:9/elsewhere" }, body: "" };
    if (kind === "oversized")
      return { status: 200, headers: {}, body: `{"code":"000000","desc":"${"x".repeat(4_000_000)}"}` };
  }
  return null;
}

export function json(status: number, body: unknown): Told {
  return { status, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
}

export function parse(body: string): Packet | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

export function paramsOf(packet: Packet | null): Record<string, unknown> {
  return fieldsOf(packet?.params);
}

export function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
