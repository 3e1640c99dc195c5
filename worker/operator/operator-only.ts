import { createHash, timingSafeEqual } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { database, type Database } from "#db/database";
import { loginAttempts } from "#db/login-attempts";
import { Refusal } from "#domain/errors";
import type { ApiEnv } from "#worker/api/session";
import { addressOf } from "#worker/auth/address";
import { isOperatorToken } from "#worker/configuration/variables";

/** Failed tries of one address in 15 minutes. They are kept for a day. */
const MOST_FAILURES = 20;
const WINDOW_MS = 15 * 60_000;
const KEPT_MS = 24 * 60 * 60_000;
/** In the place of an e-mail: which of an address's failures are an operator's. */
const OPERATOR = "operator";

/**
 * Lets in who has OPERATOR_TOKEN in the Authorization header. Without such a secret, or with one that is too short to be
 * one, there is no door: 404. The right token is let in however many failures its address has, and without asking the
 * database, so that an operator gets in while it is away.
 */
export const operatorOnly: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const token = operatorToken(c.env.OPERATOR_TOKEN);
  if (token === null) throw new Refusal("not_found", "Not found");
  const given = /^Bearer +(\S+)$/i.exec(c.req.header("Authorization") ?? "")?.[1] ?? "";
  if (!isSame(given, token)) {
    const address = addressOf(c.req.raw, c.env.CLIENT_ADDRESS_HEADER);
    throw await failure(database(c.env.DB), address, c.env.SIGN_INS);
  }
  await next();
};

/** The secret as it counts; null where it is unset or malformed. */
export function operatorToken(secret: string | undefined): string | null {
  const token = (secret ?? "").trim();
  return isOperatorToken(token) ? token : null;
}

/** Takes the same time for a wrong one, of whatever length. */
function isSame(given: string, token: string): boolean {
  return timingSafeEqual(hashOf(given), hashOf(token));
}

function hashOf(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}

/** Counts the try: by the platform first, which costs no call of the database, then in one statement that asks and counts. */
async function failure(db: Database, address: string, platform: Pick<RateLimit, "limit">): Promise<Refusal> {
  if (!(await platform.limit({ key: `operator ${address}` })).success) return tooMany(60_000);
  const at = Date.now();
  // A count of their own: a script with an old token must not keep the people at its address from signing in.
  const tries = loginAttempts(db, `operator:${address}`);
  const account_since = isoOf(at - KEPT_MS);
  const bounds = { per_email: MOST_FAILURES, per_address: MOST_FAILURES, per_account: Number.MAX_SAFE_INTEGER };
  const [counted] = await db.batch([
    tries.record(OPERATOR, isoOf(at), { ...bounds, since: isoOf(at - WINDOW_MS), account_since }),
    tries.forgetBefore(account_since),
  ]);
  if (counted.length === 0) return tooMany(WINDOW_MS);
  return new Refusal("unauthenticated", "This is not the operator's token");
}

function tooMany(wait_ms: number): Refusal {
  const minutes = wait_ms / 60_000;
  const when = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return new Refusal("too_many", `Too many tries. Try again in ${when}.`, { retry_after_sec: wait_ms / 1000 });
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
