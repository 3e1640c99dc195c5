import { sessions } from "#db/sessions";
import { roleOf } from "#domain/organization/permissions";
import type { AuthSession } from "#worker/auth/auth-session";
import type { AuthDeps } from "#worker/auth/deps";
import { readSession, secondsOf } from "#worker/auth/read-session";
import type { Home } from "#worker/auth/sign-in";
import { signInEntry, type SignInAction } from "#worker/auth/sign-in-entry";
import type { Statement } from "#worker/services/scope";

/** 12 hours; switching the organization or department does not extend it. */
const LIFETIME_MS = 12 * 60 * 60 * 1000;

/** A new session for somebody who has just authenticated; what comes `before` it succeeds or fails with it. */
export async function beginSession(
  deps: AuthDeps,
  person: { id: string; email: string },
  home: Home,
  [action, ...more]: [SignInAction, ...SignInAction[]],
  { code_hash = null, before = [] }: { code_hash?: string | null; before?: Statement[] } = {},
): Promise<AuthSession> {
  const { db, now, newId, address, user_agent } = deps;
  const sid = newId();
  const at = now();
  const expires_at = new Date(at.getTime() + LIFETIME_MS).toISOString();
  const actor = { ...person, role: roleOf(home.role) };
  const row = { id: sid, user_id: person.id, org_id: home.org_id, expires_at, created_at: at.toISOString() };
  const entry = (done: SignInAction) => signInEntry(deps, done, home.org_id, actor, sid);
  await db.batch([
    entry(action),
    ...before,
    sessions(db).create({ ...row, code_hash, address, user_agent: user_agent?.slice(0, 200) ?? null }),
    ...more.map(entry),
  ]);
  return readSession(deps, { sub: person.id, sid, org: home.org_id, dept: null, exp: secondsOf(expires_at) });
}
