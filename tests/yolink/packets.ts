/** What becomes of a call: an answer, or one of three ways to get none. */
export type Told = { status: number; headers: Record<string, string>; body: string } | "refused" | "silence" | "drop";

/** The faults that a lamp, a hub or `cloud` can have. */
export type Fault =
  | { kind: "offline" }
  /** The hub accepts packets and never answers. */
  | { kind: "silent" }
  /** The next `n` calls answer 000201. */
  | { kind: "flaky"; n: number }
  | { kind: "slow"; ms: number }
  /** The command runs, but the connection closes before the answer. */
  | { kind: "drop" }
  /** Answers success without switching. */
  | { kind: "stuck" }
  | { kind: "code"; code: string }
  /** An HTTP error status with JSON, for token requests, for calls, or for both. */
  | { kind: "status"; status: number; of?: "token" | "api"; retry_after_sec?: number }
  | { kind: "html" | "garbage" | "redirect" | "oversized" };

export type Packet = { method?: unknown; msgid?: unknown; targetDevice?: unknown; token?: unknown; params?: unknown };

/** The answer of a door whose fault replaces the vendor's protocol. */
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

/** The answer of a door with a `status` fault, or null if the fault does not cover the path. */
export function refusalOf(faults: Fault[], path: string): Told | null {
  const of = path.endsWith("/token") ? "token" : "api";
  const fault = faults.find((f) => f.kind === "status" && (f.of ?? of) === of);
  if (fault?.kind !== "status") return null;
  const { status, retry_after_sec } = fault;
  if (status === 429) return tooMany(retry_after_sec);
  return json(status, { state: "error", msg: `HTTP ${status}` });
}

/** HTTP 429, with a Retry-After header if given. */
export function tooMany(retry_after_sec?: number): Told {
  const told = { state: "error", msg: "Access denied due to limits reached, Please retry later" };
  const headers: Record<string, string> = { "Content-Type": "application/json" };
  if (retry_after_sec !== undefined) headers["Retry-After"] = String(retry_after_sec);
  return { status: 429, headers, body: JSON.stringify(told) };
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
