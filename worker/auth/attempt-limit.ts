import { loginAttempts } from "#db/login-attempts";
import { Refusal } from "#domain/errors";
import type { AuthDeps } from "#worker/auth/deps";
import type { Statement } from "#worker/services/scope";

/** Decision 5: 5 failures in 15 minutes for an e-mail from one address, or 50 from an address. */
const PER_EMAIL = 5;
const PER_ADDRESS = 50;
const WINDOW_MS = 15 * 60 * 1000;

/** How often a password may be guessed. Only failures count, so that people who know theirs never wait for each other. */
export function attemptLimit({ db, address, now }: AuthDeps, email: string) {
  const attempts = loginAttempts(db, address);
  const since = () => new Date(now().getTime() - WINDOW_MS).toISOString();

  /** Refuses with `too_many`, and says when the oldest failure that counts will have left the window. */
  async function check(): Promise<void> {
    const failures = await attempts.since(since(), PER_ADDRESS);
    const last = failures.filter((failure) => failure.email === email)[PER_EMAIL - 1] ?? failures[PER_ADDRESS - 1];
    if (!last) return;
    const retry_after_sec = Math.max(1, Math.ceil((Date.parse(last.at) + WINDOW_MS - now().getTime()) / 1000));
    const minutes = Math.ceil(retry_after_sec / 60);
    throw new Refusal("too_many", `Too many sign-in attempts. Try again in ${minutes} minutes.`, { retry_after_sec });
  }

  return {
    check,

    /** Records a failure and what else belongs to it. Refuses with `too_many` if others were recorded meanwhile. */
    record: async (also: Statement[]): Promise<void> => {
      const bounds = { since: since(), per_email: PER_EMAIL, per_address: PER_ADDRESS };
      const recorded = attempts.record(email, now().toISOString(), bounds);
      const [rows] = await db.batch([recorded, attempts.forget(bounds.since), ...also]);
      if (rows.length === 0) await check();
    },
  };
}
