import { people } from "#db/users";
import { Refusal } from "#domain/errors";
import { loginInput } from "#domain/login-schema";
import { roleOf } from "#domain/permissions";
import { verifyPassword } from "#worker/auth/password";
import { attemptLimit } from "#worker/auth/attempt-limit";
import { parse } from "#worker/services/parse";
import type { AuthDeps } from "#worker/auth/deps";
import type { Home } from "#worker/auth/session";
import { NOWHERE, signInEntry } from "#worker/auth/sign-in-entry";

/**
 * Who the e-mail and the password belong to, and where they work. An unknown e-mail, a wrong password and a person
 * without an active membership cost the same and are told the same (decision 5).
 */
export async function signIn(deps: AuthDeps, input: unknown) {
  const { email, password } = parse(loginInput, input);
  const limit = attemptLimit(deps, email);
  await limit.check();

  const everyone = people(deps.db);
  const person = await everyone.findByEmail(email);
  const homes = await everyone.homes(person?.id ?? "");
  const right = await verifyPassword(password, person?.password_hash);
  // Asked again: of many guesses at once, the right one tells nothing after five wrong ones.
  await limit.check();

  const [home] = homes;
  if (person && home && right) return { person: { id: person.id, email }, home };

  await limit.record(failureEntries(deps, email, person?.id ?? null, homes));
  throw new Refusal("unauthenticated", "Incorrect email or password");
}

/** Each organization of the person learns of it. */
function failureEntries(deps: AuthDeps, email: string, id: string | null, homes: Home[]) {
  if (homes.length === 0) return [signInEntry(deps, "login_failed", NOWHERE, { id, email, role: null }, null)];
  return homes.map(({ org_id, role }) =>
    signInEntry(deps, "login_failed", org_id, { id, email, role: roleOf(role) }, null),
  );
}
