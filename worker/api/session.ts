import type { Context, MiddlewareHandler } from "hono";
import { Refusal } from "#domain/errors";
import type { User } from "#domain/records";
import type { Bindings, Services } from "#worker/context";
import { makeServices, scopeOf, sessionsFor } from "#worker/context";
import { isIdempotencyKey } from "#worker/services/once";
import type { AuthSession } from "#worker/auth/session";

export type ApiEnv = {
  Bindings: Bindings;
  Variables: {
    request_id: string;
    /** Set by hono/secure-headers: the nonce of this page's policy. */
    secureHeadersNonce: string;
    session: AuthSession;
    user: User;
    services: Services;
  };
};

/** Decision 1: /api takes the bearer only. Sets who asks, and the verbs they have. */
export const signedIn: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const session = await sessionsFor(c.env, c.req.raw).find(bearer(c));
  c.set("session", session);
  c.set("user", session.user);
  c.set("services", makeServices(scopeOf(c.env, c.executionCtx, session.user, idempotencyKey(c))));
  await next();
};

/** The JSON of the request. Answers 400 when it is malformed and 415 when it is something else (decision 13). */
export async function body(c: Context<ApiEnv>): Promise<unknown> {
  const bytes = await c.req.arrayBuffer(); // text() of what says it is something else puts a warning in the log
  const type = c.req.header("Content-Type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json" && (type || bytes.byteLength > 0))
    throw new UnreadableBody(415, "Send the request body as JSON");
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new UnreadableBody(400, "The request body is not valid JSON");
  }
}

/** The version of the record that the writer has seen: 3, "3" or W/"3"; without one, the last write wins. */
export function ifMatch(c: Context<ApiEnv>): number | undefined {
  const header = c.req.header("If-Match")?.trim();
  if (header === undefined || header === "*") return undefined;
  const version = /^(?:W\/)?"?(\d{1,9})"?$/.exec(header)?.[1];
  if (version === undefined) throw new Refusal("invalid", "If-Match must be the record's version");
  return Number(version);
}

/** The client's mark of a create. Refuses with `invalid` what no client would make up. */
function idempotencyKey(c: Context<ApiEnv>): string | null {
  const key = c.req.header("Idempotency-Key")?.trim();
  if (key === undefined) return null;
  if (!isIdempotencyKey(key)) throw new Refusal("invalid", "Idempotency-Key must be 1 to 200 visible characters");
  return key;
}

/** What the transport refuses before any rule is asked. */
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
