import type { Reply } from "#durable/providers/http-post";
import { isObject, parseObject, type Json } from "#domain/fields/json";

/** What a reply says, whichever shape it came in. */
export type Packet =
  | { kind: "packet"; status: number; code: string; data: Json }
  /** Not the vendor's words: a proxy's page, half an answer, something else on that address. */
  | { kind: "unrecognized"; status: number };

/**
 * Reads an answer of the API. The HTTP status decides nothing where there is a code: errors come with 200. A code is six
 * digits; the description is not read at all, since it could carry whatever the far end chooses.
 */
export function readPacket({ status, text }: Reply & { ok: true }): Packet {
  const body = parseObject(text);
  if (!body || (typeof body.code !== "string" && typeof body.code !== "number"))
    return { kind: "unrecognized", status };
  const code = String(body.code).padStart(6, "0");
  if (!/^\d{6}$/.test(code)) return { kind: "unrecognized", status };
  return { kind: "packet", status, code, data: isObject(body.data) ? body.data : {} };
}

export type Tokens =
  | { kind: "tokens"; access_token: string; lives_ms: number }
  /** The credentials are not accepted. */
  | { kind: "refused" }
  /** Too many requests, or out of order for now: the credentials may well be right. */
  | { kind: "throttled" }
  | { kind: "unavailable" }
  | { kind: "unrecognized" };

const NOT_FOUND = 404;
const REQUEST_TIMEOUT = 408;
const TOO_MANY_REQUESTS = 429;

/** The code of the account's limit of calls. */
export const LIMIT_REACHED = "010301";

/** Reads an answer of the token endpoint, where a refusal comes with HTTP 200, too. */
export function readTokens({ status, text }: Reply & { ok: true }): Tokens {
  if (status === TOO_MANY_REQUESTS) return { kind: "throttled" };
  if (status === REQUEST_TIMEOUT || status >= 500) return { kind: "unavailable" };
  const body = parseObject(text);
  // Where the tokens are issued it may speak of its limit as it does everywhere else.
  if (body?.code === LIMIT_REACHED) return { kind: "throttled" };
  // Who does not know the path has not looked at the credentials: a gateway whose service is being replaced.
  if (status === NOT_FOUND) return { kind: "unrecognized" };
  if (body && typeof body.access_token === "string" && body.access_token !== "") {
    const sec = Number(body.expires_in);
    return { kind: "tokens", access_token: body.access_token, lives_ms: sec > 0 ? sec * 1000 : 7_200_000 };
  }
  if (status === 401 || status === 403) return { kind: "refused" };
  if (body && (body.state === "error" || status >= 400)) return { kind: "refused" };
  return { kind: "unrecognized" };
}

/**
 * Whether a code that is not known may be no word of the vendor's: a gateway before its service says in JSON, too, that it
 * is out of order, has had too many calls or lets nobody in, or puts its HTTP status where a code would be.
 */
export function isGateways({ status, code }: { status: number; code: string }): boolean {
  const isItsOwn = status >= 500 || [401, 403, REQUEST_TIMEOUT, TOO_MANY_REQUESTS].includes(status);
  return isItsOwn || Number(code) === status;
}

/** Whether whoever answered has had too many calls (HTTP 429). */
export function isTooMany({ status }: { status: number }): boolean {
  return status === TOO_MANY_REQUESTS;
}
