import { oneTimeCodes } from "#db/one-time-codes";
import { sessions } from "#db/sessions";
import { people, users } from "#db/users";
import { Refusal } from "#domain/errors";
import { WRONG_PASSWORD } from "#domain/organization/login-schema";
import type { User } from "#domain/records/records";
import { attemptLimit } from "#worker/auth/attempt-limit";
import type { AuthSession } from "#worker/auth/auth-session";
import { beginSession } from "#worker/auth/begin-session";
import type { AuthDeps } from "#worker/auth/deps";
import { withHashSlot } from "#worker/auth/hash-slots";
import { hashCode } from "#worker/auth/one-time-code";
import { hashPassword, verifyPassword } from "#worker/auth/password";
import { firstPassword, passwordChange } from "#worker/auth/password-policy";
import type { Home } from "#worker/auth/sign-in";
import { signInEntry } from "#worker/auth/sign-in-entry";
import { tellSockets } from "#worker/auth/tell-sockets";
import { parse } from "#worker/services/parse";
import { invalid, refuseNull } from "#worker/services/refuse";

const HAS_PASSWORD = "This account has a password already. Sign in with it";
const SAME_PASSWORD = "Choose a password that differs from the present one";

/** Ends every session of the person and starts a new one. Refuses with `invalid`, `conflict` and `too_many`. */
export async function changePassword(deps: AuthDeps, session: AuthSession, input: unknown): Promise<AuthSession> {
  const { db, now } = deps;
  const { user, sid } = session;
  if (session.restriction === "password") return setFirstPassword(deps, session, input);
  const { current_password, new_password } = parse(passwordChange(namesOf(user)), input);
  if (new_password.normalize("NFKC") === current_password.normalize("NFKC")) {
    throw invalid("new_password", SAME_PASSWORD);
  }
  const limit = await attemptLimit(deps, user.email, user.id);
  await limit.check();
  const { proved, password_hash } = await withHashSlot(async () => {
    const attempt = await limit.record();
    const person = await people(db).find(user.id);
    if (!person || !(await verifyPassword(current_password, person.password_hash))) {
      await signInEntry(deps, "change_password_failed", user.current_org_id, user, sid);
      throw invalid("current_password", WRONG_PASSWORD);
    }
    await limit.forget(attempt);
    return { proved: person.password_hash, password_hash: await hashPassword(new_password) };
  });
  // An admin's reset at this moment would otherwise be undone, by whoever it was to shut out.
  const before = [
    people(db).stillHas(user.id, proved),
    people(db).setPassword(user.id, password_hash),
    sessions(db).revokeAll(user.id, now().toISOString()),
  ];
  return beginSession(deps, user, homeOf(user), ["change_password"], { before })
    .catch(refuseNull("users.password_hash", invalid("current_password", WRONG_PASSWORD)))
    .finally(() => tellSockets(deps, user));
}

/** Sets the first password after a sign-in with a code. Refuses with `invalid`, and `conflict` if the code is gone. */
async function setFirstPassword(
  deps: AuthDeps,
  { user, code_hash }: AuthSession,
  input: unknown,
): Promise<AuthSession> {
  const { db } = deps;
  const { new_password } = parse(firstPassword(namesOf(user)), input);
  if (hashCode(new_password) === code_hash) throw invalid("new_password", SAME_PASSWORD);
  const at = deps.now().toISOString();
  const code = await oneTimeCodes(db).find(user.id, code_hash ?? "", at);
  const gone = new Refusal("conflict", "This code is no longer valid. Ask for a new one");
  if (!code) throw gone;
  const password_hash = await withHashSlot(() => hashPassword(new_password));
  const before = [
    people(db).setFirstPassword(user.id, password_hash),
    ...(code.org_id === null ? [] : [users(db, code.org_id).accept(user.id, code.code_hash)]),
    oneTimeCodes(db).remove(code.code_hash),
    sessions(db).revokeAll(user.id, at),
  ];
  const session = await beginSession(deps, user, homeOf(user), ["change_password"], { before })
    // Another code has set the password; or the same one was used a moment ago.
    .catch(refuseNull("users.password_hash", new Refusal("conflict", HAS_PASSWORD)))
    .catch(refuseNull("org_memberships.pending", gone))
    .finally(() => tellSockets(deps, user));
  if (code.org_id !== null) deps.joined(code.org_id);
  return session;
}

/** The person's current organization, where the next session starts. */
function homeOf({ current_org_id: org_id, org_memberships, role }: User): Home {
  return { org_id, role: org_memberships.find((membership) => membership.org_id === org_id)?.role ?? role };
}

/** The names that the person's password must not consist of. */
function namesOf({ email, org_memberships }: User) {
  return { email, organizations: org_memberships.map(({ org_name }) => org_name) };
}
