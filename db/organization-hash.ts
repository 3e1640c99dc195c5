import { createHmac } from "node:crypto";

const NAMED = "lamplighter organization ids outside";
const LENGTH = 16;

/**
 * How an organization is called where strangers, logs and metrics read of it: a keyed hash, so that nobody finds out by
 * guessing ids whose it is. The same SESSION_SECRET gives the same hash.
 */
export function organizationHash(org_id: string, session_secret: string): string {
  const key = createHmac("sha256", session_secret).update(NAMED).digest();
  return createHmac("sha256", key).update(org_id).digest("hex").slice(0, LENGTH);
}
