import { Secret, TOTP } from "otpauth";
import { renderSVG } from "uqr";
import { open, seal } from "#db/sealed";
import { secondFactor } from "#db/second-factors";
import { people } from "#db/users";
import { Refusal } from "#domain/errors";
import {
  secondFactorBegin,
  secondFactorCode,
  secondFactorRemove,
  WRONG_PASSWORD,
} from "#domain/organization/login-schema";
import { askedBy } from "#worker/auth/asked-by";
import { attemptLimit } from "#worker/auth/attempt-limit";
import type { AuthDeps } from "#worker/auth/deps";
import { withHashSlot } from "#worker/auth/hash-slots";
import { hashCode, recoveryCodes } from "#worker/auth/one-time-code";
import { verifyPassword } from "#worker/auth/password";
import type { AuthSession } from "#worker/auth/auth-session";
import { signInEntry } from "#worker/auth/sign-in-entry";
import { log } from "#worker/log";
import { once } from "#worker/services/once";
import { parse } from "#worker/services/parse";
import { invalid, refuseNull } from "#worker/services/refuse";

const ISSUER = "Lamplighter";
const STEP_SEC = 30;
/** Allows a phone's clock to be half a minute off either way. */
const WINDOW = 1;

/**
 * Whether the code is right for this person; 'none' if they have no confirmed authenticator app, 'unreadable' if its secret
 * was sealed with another SETTINGS_KEY, so that only a recovery code can be right.
 */
export async function checkSecondFactor(
  deps: AuthDeps,
  user_id: string,
  code: string | undefined,
): Promise<"none" | "missing" | "unreadable" | "wrong" | "right" | "recovery"> {
  const repository = secondFactor(deps.db, user_id);
  const kept = await repository.find();
  if (!kept?.confirmed_at) return "none";
  if (!code) return "missing";
  const step = await stepOf(deps, kept.sealed_secret, code);
  if (step === "unreadable") {
    log("warn", "second_factor.unreadable", { user_id });
    return step;
  }
  if (step !== null) return (await repository.take(step)).length > 0 ? "right" : "wrong";
  return (await repository.takeCode(hashCode(code))).length > 0 ? "recovery" : "wrong";
}

/** A person's second factor: an authenticator app, and recovery codes in case it is lost. */
export function secondFactorService(deps: AuthDeps) {
  const { db, now, settings_key } = deps;
  const entry = ({ user, sid }: AuthSession, action: Parameters<typeof signInEntry>[1]) =>
    signInEntry(deps, action, user.current_org_id, user, sid);

  /**
   * Checks the password again, since an unattended session must not be enough, and a code of the second factor, if one is
   * given. Refuses with `invalid` and `too_many`.
   */
  async function confirmPerson({ user }: AuthSession, current_password: string, code?: string): Promise<void> {
    const limit = await attemptLimit(deps, user.email, user.id);
    await limit.check();
    await withHashSlot(async () => {
      const attempt = await limit.record();
      const person = await people(db).find(user.id);
      if (!person || !(await verifyPassword(current_password, person.password_hash))) {
        throw invalid("current_password", WRONG_PASSWORD);
      }
      const factor = code && (await checkSecondFactor(deps, user.id, code));
      // As at a sign-in: only a wrong code stays counted.
      if (factor === "wrong") throw invalid("code", "This code is not right. Try the next one of your app");
      await limit.forget(attempt);
      if (factor === "unreadable") throw invalid("code", UNREADABLE);
    });
  }

  return {
    find: async ({ user, second_factor }: AuthSession) => {
      const repository = secondFactor(db, user.id);
      const enabled = Boolean((await repository.find())?.confirmed_at);
      const recovery_codes_left = enabled ? await repository.codesLeft() : 0;
      return { enabled, required: second_factor.required, recovery_codes_left };
    },

    /** The secret for the app as text, link and QR code. Nothing changes until a code confirms it. */
    begin: async (session: AuthSession, input: unknown) => {
      const { current_password } = parse(secondFactorBegin, input);
      await confirmPerson(session, current_password);
      const repository = secondFactor(db, session.user.id);
      if ((await repository.find())?.confirmed_at) throw new Refusal("conflict", CONFIRMED);
      const secret = new Secret({ size: 20 });
      const sealed_secret = await seal(secret.base32, settings_key);
      // The app may be confirmed at this moment, in another tab.
      await db
        .batch([repository.begin(sealed_secret), entry(session, "second_factor_begun")])
        .catch(refuseMeanwhile(CONFIRMED));
      const link = totp(secret, session.user.email).toString();
      return { secret: secret.base32, link, qr_svg: renderSVG(link, { border: 2 }) };
    },

    /**
     * Switches it on and returns the recovery codes, this once; again to whom that answer was lost on the way. Refuses with
     * `invalid`, `conflict` and `too_many`.
     */
    confirm: async (session: AuthSession, input: unknown) => {
      const { code } = parse(secondFactorCode, input);
      const { user } = session;
      const repository = secondFactor(db, user.id);
      // The code is no part of what is sent again: the app shows another one by then.
      const write = { call: "second factor", input: null, again: confirmedBefore };
      return once(askedBy(deps, session), write, async (remember) => {
        const kept = await repository.find();
        if (!kept || kept.confirmed_at) throw new Refusal("conflict", NOT_BEGUN);
        const limit = await attemptLimit(deps, user.email, user.id);
        const attempt = await limit.record();
        const step = await stepOf(deps, kept.sealed_secret, code);
        if (step === null || step === "unreadable")
          throw invalid("code", "This code is not right. Check the clock of your phone and try the next one");
        const codes = recoveryCodes();
        const confirmed = db.batch([
          repository.confirm(kept.sealed_secret, now().toISOString(), step),
          repository.removeCodes(),
          repository.addCodes(codes.map(hashCode)),
          limit.forget(attempt),
          entry(session, "second_factor_on"),
          ...remember(user.id),
        ]);
        await confirmed.catch(refuseMeanwhile(NOT_BEGUN));
        return { recovery_codes: codes };
      });
    },

    /**
     * Where the organization requires it, this takes a code, too, and the session waits until a new app is set up. Refuses with
     * `invalid`, `too_many`, and `conflict` if it is required and there is no code.
     */
    remove: async (session: AuthSession, input: unknown): Promise<void> => {
      const { current_password, code } = parse(secondFactorRemove, input);
      const { user, second_factor } = session;
      if (second_factor.required && code === undefined) {
        throw new Refusal("conflict", "Your organization requires a second factor");
      }
      await confirmPerson(session, current_password, code);
      const repository = secondFactor(db, user.id);
      await db.batch([repository.remove(), repository.removeCodes(), entry(session, "second_factor_off")]);
    },
  };
}

export const UNREADABLE =
  "Your authenticator app cannot be checked any more. Enter a recovery code, or ask whoever runs Lamplighter";
const CONFIRMED = "You have an authenticator app already";
const NOT_BEGUN = "Begin with a new authenticator app first";

/** The recovery codes were in the answer that was lost, and could not be kept for a second one. */
async function confirmedBefore(): Promise<{ recovery_codes: string[] }> {
  throw new Refusal("conflict", CONFIRMED);
}

/** The same person's other request was a moment sooner. */
function refuseMeanwhile(detail: string) {
  return refuseNull("second_factors.sealed_secret", new Refusal("conflict", detail));
}

/** The 30-second step that the six digits belong to, or null. */
async function stepOf(
  { settings_key, now }: AuthDeps,
  sealed: string,
  code: string,
): Promise<number | "unreadable" | null> {
  const token = code.replace(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return null;
  const opened = await open(sealed, settings_key).catch(() => null);
  if (opened === null) return "unreadable";
  const secret = Secret.fromBase32(opened);
  const timestamp = now().getTime();
  const delta = totp(secret, "").validate({ token, timestamp, window: WINDOW });
  return delta === null ? null : Math.floor(timestamp / 1000 / STEP_SEC) + delta;
}

function totp(secret: Secret, label: string): TOTP {
  return new TOTP({ issuer: ISSUER, label: label || ISSUER, algorithm: "SHA1", digits: 6, period: STEP_SEC, secret });
}
