import type { Context, MiddlewareHandler } from "hono";
import { Refusal } from "#domain/errors";
import { parseJson } from "#domain/fields/json";
import { utf8Text } from "#domain/fields/utf8";
import type { User } from "#domain/records/records";
import type { Bindings } from "#worker/wiring";
import type { Services } from "#worker/context";
import { makeServices, scopeOf, sessionsFor } from "#worker/wiring";
import { IDEMPOTENCY_KEY } from "#worker/services/once";
import { isPersons } from "#worker/auth/activity";
import type { Restriction } from "#domain/organization/session-rules";
import type { AuthSession } from "#worker/auth/auth-session";

export type ApiEnv = {
  Bindings: Bindings;
  Variables: {
    request_id: string;
    /** The nonce of this page's policy, set by hono/secure-headers. */
    secureHeadersNonce: string;
    session: AuthSession;
    user: User;
    services: Services;
  };
};

/** Accepts bearer tokens only. Sets the user and their services. */
export const signedIn = signedInDespite();

/** The same for calls that are allowed while something is due first, such as setting a password or redeeming a code. */
export function signedInDespite(...allowed: Restriction[]): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const sessions = sessionsFor(c.env, c.req.raw);
    const session = await sessions.find(bearer(c), "bearer");
    const { restriction, user } = session;
    if (restriction !== null && !allowed.includes(restriction)) throw new Refusal("forbidden", DUE[restriction]);
    if (isPersons(c.req.raw) && c.req.path !== "/api/auth/me") await sessions.touch(session);
    c.set("session", session);
    c.set("user", user);
    c.set("services", makeServices(scopeOf(c.env, c.executionCtx, user, idempotencyKey(c))));
    await next();
  };
}

/** What a person has to do first. */
export const DUE: Record<Restriction, string> = {
  password: "Change your password first",
  code: "Enter your invitation code first",
  second_factor: "Set up your second factor first",
};

/** The JSON of the request. Answers 400 when it is malformed or not in UTF-8, and 415 when it is something else. */
export async function body(c: Context<ApiEnv>): Promise<unknown> {
  const bytes = await c.req.arrayBuffer(); // text() logs a warning for other content types
  const type = c.req.header("Content-Type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json" && (type || bytes.byteLength > 0))
    throw new UnreadableBody(415, "Send the request body as JSON");
  const json = parseJson(utf8Text(bytes) ?? "");
  if (json === undefined) throw new UnreadableBody(400, "The request body is not valid JSON");
  return json;
}

/** The record version that the client read: 3, "3" or W/"3"; without one, the last write wins. */
export function ifMatch(c: Context<ApiEnv>): number | undefined {
  const header = c.req.header("If-Match")?.trim();
  if (header === undefined || header === "*") return undefined;
  const version = /^(?:W\/)?"?(\d{1,9})"?$/.exec(header)?.[1];
  if (version === undefined) throw new Refusal("invalid", "If-Match must be the record's version");
  return Number(version);
}

/** The Idempotency-Key of a create, a save or a deletion. Refuses a malformed one with `invalid`. */
function idempotencyKey(c: Context<ApiEnv>): string | null {
  const key = c.req.header("Idempotency-Key")?.trim();
  if (key === undefined) return null;
  if (!IDEMPOTENCY_KEY.test(key)) throw new Refusal("invalid", "Idempotency-Key must be 1 to 200 visible characters");
  return key;
}

/** Refusals of the HTTP layer, before any rule is checked. */
export class UnreadableBody extends Error {
  readonly status: 400 | 415;

  constructor(status: 400 | 415, detail: string) {
    super(detail);
    this.status = status;
  }
}

function bearer(c: Context<ApiEnv>): string | null {
  return /^Bearer +(\S+)$/i.exec(c.req.header("Authorization") ?? "")?.[1] ?? null;
}
