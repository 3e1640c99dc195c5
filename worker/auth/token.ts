import { sign, verify } from "hono/jwt";
import { z } from "zod";

/** What a token says (decision 2); `sid` is a row in `sessions`, `exp` seconds since 1970. */
export type TokenPayload = { sub: string; sid: string; org: string; dept: string | null; exp: number };

const ISSUER = "lamplighter";
/** Pinned on both sides: what the token's own header asks for is never followed. */
const ALGORITHM = "HS256";

const tokenPayload = z.object({
  sub: z.string(),
  sid: z.string(),
  org: z.string(),
  dept: z.string().nullable(),
  exp: z.number(),
});

export function signToken(secret: string, { sub, sid, org, dept, exp }: TokenPayload): Promise<string> {
  return sign({ iss: ISSUER, sub, sid, org, dept, exp }, strong(secret), ALGORITHM);
}

/** The payload, or null for a token that is forged, expired or not ours. */
export async function verifyToken(secret: string, token: string): Promise<TokenPayload | null> {
  const key = strong(secret);
  const payload = await verify(token, key, { alg: ALGORITHM, iss: ISSUER }).catch(() => null);
  return tokenPayload.safeParse(payload).data ?? null;
}

/** A deployment without its secret must not run on a guessable key. */
function strong(secret: string | undefined): string {
  if (!secret || secret.length < 32) throw new Error("SESSION_SECRET must be set and have at least 32 characters");
  return secret;
}
