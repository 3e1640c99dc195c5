import { sign, verify } from "hono/jwt";
import { z } from "zod";
import { strong } from "#worker/auth/token";

const ALGORITHM = "HS256";
const ISSUER = "lamplighter";
const AUDIENCE = "lamplighter:device";
/** How long a browser is remembered after the last sign-in. */
const LIFETIME_MS = 180 * 86_400_000;
/** A shared computer remembers the last ten people. */
const MOST_PEOPLE = 10;

const payload = z.object({ sub: z.string(), people: z.array(z.string()) });

/** A browser and the people who signed in with it; their attempts are counted separately. */
export type KnownDevice = { id: string; people: string[] };

/** The device of the cookie, or null if the cookie is not ours. */
export async function readDevice(secret: string, token: string | null): Promise<KnownDevice | null> {
  if (token === null) return null;
  const verified = await verify(token, strong(secret), { alg: ALGORITHM, iss: ISSUER, aud: AUDIENCE }).catch(
    () => null,
  );
  const parsed = payload.safeParse(verified).data;
  return parsed ? { id: parsed.sub, people: parsed.people } : null;
}

/** The cookie's new value after this person's sign-in, and when it expires. */
export async function rememberDevice(
  secret: string,
  device: KnownDevice,
  user_id: string,
  at: Date,
): Promise<{ token: string; expires_at: string }> {
  const people = [user_id, ...device.people.filter((known) => known !== user_id)].slice(0, MOST_PEOPLE);
  const expires_at = new Date(at.getTime() + LIFETIME_MS);
  const exp = Math.floor(expires_at.getTime() / 1000);
  const values = { iss: ISSUER, aud: AUDIENCE, sub: device.id, people, exp };
  return { token: await sign(values, strong(secret), ALGORITHM), expires_at: expires_at.toISOString() };
}
