import type { Database } from "#db/database";
import { loginAttempts } from "#db/login-attempts";
import { Refusal } from "#domain/errors";
import { toIso } from "#domain/time/to-iso";

/** Failed tries of one address in 15 minutes. They are kept for a day. */
const MOST_FAILURES = 20;
const WINDOW_MS = 15 * 60_000;
const KEPT_MS = 24 * 60 * 60_000;

/** Whose secret the Authorization header carries, beside people's. */
type Bearer = "agent" | "operator";

/** The secret in an Authorization header; empty where there is none. */
export function bearerOf(authorization: string | undefined): string {
  return /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1] ?? "";
}

/**
 * Counts a try with a wrong secret at `at` (epoch ms): one statement asks and counts, so that simultaneous tries count like
 * consecutive ones. Answers how to refuse it: as `unauthenticated` in the given words, or as `too_many`.
 */
export async function failedTry(
  db: Database,
  { who, address, at, says }: { who: Bearer; address: string; at: number; says: string },
): Promise<Refusal> {
  // A count of their own: whoever has an old secret must not keep the people at its address from signing in.
  const tries = loginAttempts(db, `${who}:${address}`);
  const account_since = toIso(at - KEPT_MS);
  const bounds = { per_email: MOST_FAILURES, per_address: MOST_FAILURES, per_account: Number.MAX_SAFE_INTEGER };
  const [counted] = await db.batch([
    tries.record(who, toIso(at), { ...bounds, since: toIso(at - WINDOW_MS), account_since }),
    tries.forgetBefore(account_since),
  ]);
  return counted.length === 0 ? tooManyTries(WINDOW_MS) : new Refusal("unauthenticated", says);
}

/** Refuses for so long. */
export function tooManyTries(wait_ms: number): Refusal {
  const minutes = wait_ms / 60_000;
  const when = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return new Refusal("too_many", `Too many tries. Try again in ${when}.`, { retry_after_sec: wait_ms / 1000 });
}
