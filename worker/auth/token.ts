import { sign, verify } from "hono/jwt";
import { z } from "zod";
import { problemsOf } from "#worker/configuration/problems";

/**
 * A token's payload: the person, the session (a row in `sessions`), the chosen organization and department, and when it
 * expires (`exp`, seconds since 1970).
 */
export type TokenPayload = { sub: string; sid: string; org: string; dept: string | null; exp: number };

/** A page's cookie and the API's bearer are different tokens of one session; neither works in place of the other. */
export type TokenUse = "cookie" | "bearer";

const ISSUER = "lamplighter";
const AUDIENCE = { cookie: "lamplighter:pages", bearer: "lamplighter:api" } as const;
/** Pinned for signing and verifying; the algorithm in a token's header is ignored. */
const ALGORITHM = "HS256";

const tokenPayload = z.object({
  sub: z.string(),
  sid: z.string(),
  org: z.string(),
  dept: z.string().nullable(),
  exp: z.number(),
  use: z.string(),
});

export function signToken(
  secret: string,
  { sub, sid, org, dept, exp }: TokenPayload,
  use: TokenUse = "bearer",
): Promise<string> {
  return sign({ iss: ISSUER, aud: AUDIENCE[use], use, sub, sid, org, dept, exp }, strong(secret), ALGORITHM);
}

/** The payload, or null for a token that is forged, expired, for another use or not ours. */
export async function verifyToken(
  secret: string,
  token: string,
  use: TokenUse = "bearer",
): Promise<TokenPayload | null> {
  const expected = { alg: ALGORITHM, iss: ISSUER, aud: AUDIENCE[use] } as const;
  const payload = await verify(token, strong(secret), expected).catch(() => null);
  const parsed = tokenPayload.safeParse(payload).data;
  return parsed?.use === use ? parsed : null;
}

/** A deployment without a secret must not run with a guessable key. */
export function strong(SESSION_SECRET: string): string {
  const [problem] = problemsOf({ SESSION_SECRET }, ["SESSION_SECRET"]);
  if (problem) throw new Error(problem.sentence);
  return SESSION_SECRET;
}
