import { loginAttempts, type Attempt } from "#db/login-attempts";
import { counted } from "#domain/counted";
import { Refusal } from "#domain/errors";
import { toIso } from "#domain/time/to-iso";
import type { AuthDeps } from "#worker/auth/deps";
import { readDevice } from "#worker/auth/known-device";

/** Failures in 15 minutes: for an e-mail from one address (or known device), and from an address for any e-mail. */
const PER_EMAIL = 5;
const PER_ADDRESS = 50;
const WINDOW_MS = 15 * 60_000;

/** Failures of an account in a day from unknown devices at any address; from the tenth on each one doubles the wait. */
const PER_ACCOUNT = 10;
const ACCOUNT_WINDOW_MS = 24 * 60 * 60_000;
const LONGEST_PAUSE_MS = 15 * 60_000;

/**
 * Limits password guesses. An attempt counts as a failure from before its check until it proves right, so that
 * simultaneous guesses count like consecutive ones. A device that the person used before has a count of its own, so that
 * guesses from elsewhere, or from the same network, do not lock it out.
 */
export async function attemptLimit(deps: AuthDeps, email: string, user_id: string | undefined) {
  const { db, secret, now } = deps;
  const device = await readDevice(secret, deps.device_token);
  const isKnown = device !== null && user_id !== undefined && device.people.includes(user_id);
  const bucket = isKnown ? `device:${device.id}` : deps.address;
  const attempts = loginAttempts(db, bucket);

  /** Refuses with `too_many` and the time of the next allowed attempt. Returns the counts. */
  async function check(): Promise<Attempt[]> {
    const at = now().getTime();
    const [here, ofAccount] = await attempts.since(email, toIso(at - WINDOW_MS), toIso(at - ACCOUNT_WINDOW_MS));
    const last = [here.filter((failure) => failure.email === email)[PER_EMAIL - 1], here[PER_ADDRESS - 1]];
    const waits = last.flatMap((failure) => (failure ? Date.parse(failure.at) + WINDOW_MS - at : []));
    const [latest] = ofAccount;
    const pause = isKnown || !latest ? 0 : Date.parse(latest.at) + pauseAfter(ofAccount.length) - at;
    // Of several limits the one that holds the longest: who comes back sooner would only be told another time.
    const wait = Math.max(0, pause, ...waits);
    if (wait > 0) throw tooMany(wait);
    return ofAccount;
  }

  return {
    check,

    /** Counts an attempt and returns its id, for `forget` if it proves right. Refuses with `too_many`. */
    record: async (): Promise<number> => {
      const ofAccount = await check();
      const at = now().getTime();
      const per_account = isKnown ? Number.MAX_SAFE_INTEGER : Math.max(PER_ACCOUNT, ofAccount.length + 1);
      const bounds = { per_email: PER_EMAIL, per_address: PER_ADDRESS, per_account };
      const windows = { since: toIso(at - WINDOW_MS), account_since: toIso(at - ACCOUNT_WINDOW_MS) };
      const [rows] = await db.batch([
        attempts.record(email, toIso(at), { ...bounds, ...windows }),
        attempts.forgetBefore(windows.account_since),
      ]);
      const [recorded] = rows;
      if (recorded) return recorded.id;
      // Others were counted since the check, so check again for the wait, or wait a moment.
      await check();
      throw tooMany(1_000);
    },

    forget: (id: number) => attempts.forget(id),
  };
}

/** The platform's rate limit, which costs no database call. By address alone one guest would lock the office out. */
export async function platformLimit({ sign_ins, address }: AuthDeps, email: string): Promise<void> {
  const { success } = await sign_ins.limit({ key: `${address} ${email}` });
  if (!success) throw tooMany(60_000);
}

/** 1 s after the tenth failure, then 2 s, 4 s, ... up to 15 minutes. */
function pauseAfter(failures: number): number {
  return failures < PER_ACCOUNT ? 0 : Math.min(LONGEST_PAUSE_MS, 1_000 * 2 ** Math.min(20, failures - PER_ACCOUNT));
}

function tooMany(wait_ms: number): Refusal {
  const retry_after_sec = Math.max(1, Math.ceil(wait_ms / 1000));
  const wait = counted(Math.ceil(retry_after_sec / 60), "minute");
  return new Refusal("too_many", `Too many sign-in attempts. Try again in ${wait}.`, { retry_after_sec });
}
