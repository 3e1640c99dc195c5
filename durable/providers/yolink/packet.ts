import type { Reply } from "./wire";

export type Json = Record<string, unknown>;

/** What a reply says, whichever shape it came in. */
export type Packet =
  | { kind: "packet"; status: number; code: string; desc: string; data: Json }
  /** Not the vendor's words: a proxy's page, half an answer, something else on that address. */
  | { kind: "unrecognized"; status: number; detail: string };

/** Reads an API answer. HTTP status decides nothing where there is a code: errors come with 200 (yolink.md 0.4). */
export function readPacket({ status, text }: Reply & { ok: true }): Packet {
  const body = object(text);
  if (!body || (typeof body.code !== "string" && typeof body.code !== "number")) {
    return { kind: "unrecognized", status, detail: `it answered (${status}), but not as a YoLink hub or cloud does` };
  }
  return {
    kind: "packet",
    status,
    code: String(body.code).padStart(6, "0"),
    desc: typeof body.desc === "string" ? body.desc : "",
    data: isObject(body.data) ? body.data : {},
  };
}

export type Tokens =
  | { kind: "tokens"; access_token: string; lives_ms: number }
  | { kind: "refused"; status: number; msg: string }
  | { kind: "unrecognized"; status: number; detail: string };

/** Reads a token answer; a refusal comes with HTTP 200 too (yolink.md 2.1). */
export function readTokens({ status, text }: Reply & { ok: true }): Tokens {
  const body = object(text);
  if (body && typeof body.access_token === "string" && body.access_token !== "") {
    const sec = Number(body.expires_in);
    return { kind: "tokens", access_token: body.access_token, lives_ms: sec > 0 ? sec * 1000 : 7_200_000 };
  }
  if (body && body.state === "error") return { kind: "refused", status, msg: String(body.msg ?? "no reason given") };
  if (body && status >= 400 && status < 500) return { kind: "refused", status, msg: `HTTP ${status}` };
  return { kind: "unrecognized", status, detail: `it answered (${status}), but with no token` };
}

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function object(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
