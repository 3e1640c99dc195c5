import { people } from "#db/users";
import { sessions } from "#db/sessions";
import type { Database } from "#db/database";
import { Refusal } from "#domain/errors";
import { passwordChange } from "#domain/login-schema";
import { maySeeDept, roleOf } from "#domain/permissions";
import type { User } from "#domain/records";
import { hashPassword, verifyPassword } from "#worker/auth/password";
import { signToken, verifyToken, type TokenPayload } from "#worker/auth/token";
import { parse } from "#worker/services/parse";
import { invalid } from "#worker/services/refuse";
import { attemptLimit } from "#worker/auth/attempt-limit";
import type { AuthDeps } from "#worker/auth/deps";
import { signInEntry, type SignInAction } from "#worker/auth/sign-in-entry";
import { signIn } from "#worker/auth/sign-in";

/** A person, where they work now, and the token that says so; both carriers hold the same one (decision 1). */
export type AuthSession = { user: User; token: string; sid: string; expires_at: string };

/** 12 hours (decision 2); switching organization or department does not prolong it. */
const LIFETIME_MS = 12 * 60 * 60 * 1000;

/** Decisions 1 to 5 and 27: beginning, finding, changing and ending a session. */
export function sessionService(deps: AuthDeps) {
  const { db, secret, now, newId } = deps;

  /** Refuses with `unauthenticated` whatever is wrong with the token, its session or the membership. */
  async function find(token: string | null): Promise<AuthSession> {
    const payload = token === null ? null : await verifyToken(secret, token);
    const user = payload && (await userOf(db, payload, now()));
    if (!token || !payload || !user) throw new Refusal("unauthenticated", "Session expired. Please login again.");
    return { user, token, sid: payload.sid, expires_at: new Date(payload.exp * 1000).toISOString() };
  }

  async function issue(sid: string, user_id: string, org: string, dept: string | null, expires_at: string) {
    const exp = Math.floor(Date.parse(expires_at) / 1000);
    return find(await signToken(secret, { sub: user_id, sid, org, dept, exp }));
  }

  /** A new session for somebody who has just shown their password. */
  async function begin(person: { id: string; email: string }, home: Home, action: SignInAction): Promise<AuthSession> {
    const sid = newId();
    const at = now();
    const expires_at = new Date(at.getTime() + LIFETIME_MS).toISOString();
    await db.batch([
      sessions(db).create({
        id: sid,
        user_id: person.id,
        org_id: home.org_id,
        expires_at,
        created_at: at.toISOString(),
      }),
      sessions(db).forget(at.toISOString()),
      signInEntry(deps, action, home.org_id, { ...person, role: roleOf(home.role) }, sid),
    ]);
    return issue(sid, person.id, home.org_id, null, expires_at);
  }

  return {
    find,

    /** Refuses with `invalid`, `unauthenticated` and `too_many`. */
    signIn: async (input: unknown): Promise<AuthSession> => {
      const { person, home } = await signIn(deps, input);
      return begin(person, home, "login");
    },

    /** Ends the session for every token that was issued in it. */
    signOut: async ({ user, sid }: AuthSession): Promise<void> => {
      await db.batch([
        sessions(db).revoke(sid, now().toISOString()),
        signInEntry(deps, "logout", user.current_org_id, user, sid),
      ]);
    },

    /** Decision 4. The department chosen before belongs to the other organization. Refuses with `forbidden`. */
    switchOrg: async ({ user, sid, expires_at }: AuthSession, org_id: string): Promise<AuthSession> => {
      if (!user.org_memberships.some((membership) => membership.org_id === org_id)) {
        throw new Refusal("forbidden", "Permission denied");
      }
      await sessions(db).move(sid, org_id, null);
      return issue(sid, user.id, org_id, null, expires_at);
    },

    /** Null means All Departments. Refuses with `invalid` for a department the person does not see (decision 10). */
    switchDept: async ({ user, sid, expires_at }: AuthSession, dept_id: string | null): Promise<AuthSession> => {
      const chosen = await issue(sid, user.id, user.current_org_id, dept_id, expires_at);
      if (chosen.user.current_dept_id !== dept_id) throw invalid("dept_id", "Department not found");
      await sessions(db).move(sid, user.current_org_id, dept_id);
      return chosen;
    },

    /** Ends every session of the person and begins a new one (decisions 2, 27). Refuses with `invalid`, `too_many`. */
    changePassword: async ({ user }: AuthSession, input: unknown): Promise<AuthSession> => {
      const { current_password, new_password } = parse(passwordChange, input);
      const limit = attemptLimit(deps, user.email);
      await limit.check();
      const person = await people(db).find(user.id);
      if (!person || !(await verifyPassword(current_password, person.password_hash))) {
        await limit.record([]);
        throw invalid("current_password", "The current password is not correct");
      }
      const password_hash = await hashPassword(new_password);
      await db.batch([
        people(db).setPassword(user.id, password_hash),
        sessions(db).revokeAll(user.id, now().toISOString()),
      ]);
      const role =
        user.org_memberships.find((membership) => membership.org_id === user.current_org_id)?.role ?? user.role;
      return begin(person, { org_id: user.current_org_id, role }, "change_password");
    },
  };
}

export type Home = Pick<User["org_memberships"][number], "org_id" | "role">;

/** Who the payload speak of, as they are now: everything is asked again on each request (decision 2). */
async function userOf(db: Database, { sub, sid, org, dept }: TokenPayload, at: Date): Promise<User | null> {
  const [[session], org_memberships, dept_memberships, [department]] = await sessions(db).open(sid, org, dept);
  const membership = org_memberships.find((candidate) => candidate.org_id === org);
  if (!session || !membership || session.user_id !== sub) return null;
  if (session.revoked_at !== null || session.expires_at <= at.toISOString()) return null;

  const role = roleOf(membership.role);
  const visible = department !== undefined && maySeeDept({ id: sub, role, dept_memberships }, department.id);
  return {
    id: sub,
    email: session.email,
    role,
    org_role: membership.role === "org_admin" ? "org_admin" : "org_member",
    current_org_id: org,
    current_dept_id: visible ? department.id : null,
    org_memberships,
    dept_memberships,
  };
}
