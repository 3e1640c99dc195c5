import { createHash, timingSafeEqual } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { database, type Database } from "#db/database";
import { Refusal } from "#domain/errors";
import type { ApiEnv } from "#worker/api/session";
import { addressOf } from "#worker/auth/address";
import { bearerOf, failedTry, tooManyTries } from "#worker/auth/bearer-tries";
import { isOperatorToken } from "#worker/configuration/variables";

/**
 * Lets in who has OPERATOR_TOKEN in the Authorization header. Without such a secret, or with one that is too short to be
 * one, there is no door: 404. The right token is let in however many failures its address has, and without asking the
 * database, so that an operator gets in while it is away.
 */
export const operatorOnly: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const token = operatorToken(c.env.OPERATOR_TOKEN);
  if (token === null) throw new Refusal("not_found", "Not found");
  const given = bearerOf(c.req.header("Authorization"));
  if (!isSame(given, token)) {
    const address = addressOf(c.req.raw, c.env.CLIENT_ADDRESS_HEADER);
    throw await failure(database(c.env.DB), address, c.env.SIGN_INS);
  }
  await next();
};

/** The secret as it counts; null where it is unset or malformed. */
function operatorToken(secret: string | undefined): string | null {
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

/** The platform counts first, which costs no call of the database. */
async function failure(db: Database, address: string, platform: Pick<RateLimit, "limit">): Promise<Refusal> {
  if (!(await platform.limit({ key: `operator ${address}` })).success) return tooManyTries(60_000);
  return failedTry(db, { who: "operator", address, at: Date.now(), says: "This is not the operator's token" });
}
