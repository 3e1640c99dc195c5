import { isDemoAccount } from "#db/demo-accounts";
import { oneTimeCodes } from "#db/one-time-codes";
import { people } from "#db/users";
import { Refusal } from "#domain/errors";
import { APP_CODE_REQUIRED, loginInput } from "#domain/organization/login-schema";
import { roleOf } from "#domain/organization/permissions";
import { attemptLimit, platformLimit } from "#worker/auth/attempt-limit";
import type { AuthDeps } from "#worker/auth/deps";
import { withHashSlot } from "#worker/auth/hash-slots";
import { hashCode } from "#worker/auth/one-time-code";
import { verifyPassword } from "#worker/auth/password";
import { checkSecondFactor, UNREADABLE } from "#worker/auth/second-factor";
import { NOWHERE, signInEntry } from "#worker/auth/sign-in-entry";
import { parse } from "#worker/services/parse";
import type { OrgMembershipRole } from "#domain/enums";

export type Home = { org_id: string; role: OrgMembershipRole };
type Person = { id: string; password_hash: string };
/** The proof: a password, or a one-time code and its organization. */
type Proof = { code_hash: string | null; org_id: string | null };

export type SignedInPerson = {
  person: { id: string; email: string };
  /** What was proved; it may be another one by the time that the session begins. */
  password_hash: string;
  home: Home;
  code_hash: string | null;
  used_recovery_code: boolean;
};

/**
 * The person with this e-mail and password, and their organization. An unknown e-mail, a wrong password and a person
 * without an active membership take the same time and get the same answer. A person without a password signs in with a
 * one-time code instead.
 */
export async function signIn(deps: AuthDeps, input: unknown): Promise<SignedInPerson> {
  const { email, password, code } = parse(loginInput, input);
  await platformLimit(deps, email);
  const everyone = people(deps.db);
  const person = await everyone.findByEmail(email);
  const limit = await attemptLimit(deps, email, person?.id);
  await limit.check();

  const { attempt, proof } = await withHashSlot(async () => ({
    attempt: await limit.record(),
    proof: await prove(deps, person, password),
  }));
  const homes = await everyone.homes(person?.id ?? "");
  const home = proof && person && (await homeOf(deps, person.id, homes, proof));
  if (!home || (isDemoAccount(person.id) && !deps.demo)) {
    await recordFailure(deps, email, person?.id ?? null, homes);
    throw wrongPassword();
  }

  const factor = await checkSecondFactor(deps, person.id, code);
  // A second-factor code that is missing, or not looked at, is not a failed attempt; a wrong one stays counted.
  if (factor === "missing" || factor === "unreadable") await limit.forget(attempt);
  if (factor === "wrong") await recordFailure(deps, email, person.id, homes);
  if (factor === "missing" || factor === "wrong") throw codeWanted(APP_CODE_REQUIRED);
  if (factor === "unreadable") throw codeWanted(UNREADABLE);
  await limit.forget(attempt);
  const { id, password_hash } = person;
  const { code_hash } = proof;
  return { person: { id, email }, password_hash, home, code_hash, used_recovery_code: factor === "recovery" };
}

export function wrongPassword(): Refusal {
  return new Refusal("unauthenticated", "Incorrect email or password");
}

/** Only who has the right password is told of a second factor. */
function codeWanted(detail: string): Refusal {
  return new Refusal("unauthenticated", detail, { fields: { code: detail } });
}

/** One-time codes are accepted only from people without a password. The work is the same either way. */
async function prove(deps: AuthDeps, person: Person | undefined, password: string): Promise<Proof | null> {
  const isRight = await verifyPassword(password, person?.password_hash || undefined);
  if (!person) return null;
  if (person.password_hash !== "") return isRight ? { code_hash: null, org_id: null } : null;
  return (await oneTimeCodes(deps.db).find(person.id, hashCode(password), deps.now().toISOString())) ?? null;
}

/**
 * Where the session starts: in the code's organization, else in one that the person is a member of, else in one with a
 * pending invitation. The code of an invitation opens no account of a member: whoever invited them has it, too, and would
 * become them wherever they work, if their password was reset there.
 */
async function homeOf(
  { db, now }: AuthDeps,
  user_id: string,
  homes: (Home & { pending: boolean })[],
  { org_id }: Proof,
): Promise<Home | undefined> {
  const accepted = homes.find(({ pending }) => !pending);
  if (org_id !== null) return homes.find((home) => home.org_id === org_id && !(home.pending && accepted));
  if (accepted) return accepted;
  const open = await oneTimeCodes(db).openIn(user_id, now().toISOString());
  return homes.find((home) => open.some((code) => code.org_id === home.org_id));
}

/** Audits it in each of the person's organizations, but not in one that has only invited them. */
async function recordFailure(
  deps: AuthDeps,
  email: string,
  id: string | null,
  homes: (Home & { pending: boolean })[],
): Promise<void> {
  const [first, ...rest] = homes
    .filter(({ pending }) => !pending)
    .map(({ org_id, role }) => signInEntry(deps, "login_failed", org_id, { id, email, role: roleOf(role) }, null));
  const nowhere = signInEntry(deps, "login_failed", NOWHERE, { id, email, role: null }, null);
  await deps.db.batch([first ?? nowhere, ...rest]);
}
