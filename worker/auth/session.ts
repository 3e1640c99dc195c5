import { isNullRefused } from "#db/constraint-failure";
import { oneTimeCodes } from "#db/one-time-codes";
import { sessions } from "#db/sessions";
import { people, users } from "#db/users";
import { Refusal } from "#domain/errors";
import { codeInput, WRONG_PASSWORD } from "#domain/organization/login-schema";
import { roleOf } from "#domain/organization/permissions";
import type { OrgMembership, User } from "#domain/records/records";
import { attemptLimit } from "#worker/auth/attempt-limit";
import type { AuthSession } from "#worker/auth/auth-session";
import type { AuthDeps } from "#worker/auth/deps";
import { withHashSlot } from "#worker/auth/hash-slots";
import { readDevice, rememberDevice } from "#worker/auth/known-device";
import { hashCode } from "#worker/auth/one-time-code";
import { hashPassword, verifyPassword } from "#worker/auth/password";
import { firstPassword, passwordChange } from "#worker/auth/password-policy";
import { TOUCH_EVERY_MS } from "#domain/organization/session-rules";
import { SESSION_EXPIRED } from "#domain/organization/session-expired";
import { readSession } from "#worker/auth/read-session";
import { signIn, wrongPassword, type Home } from "#worker/auth/sign-in";
import { signInEntry, type SignInAction } from "#worker/auth/sign-in-entry";
import { signToken, verifyToken, type TokenPayload, type TokenUse } from "#worker/auth/token";
import { once } from "#worker/services/once";
import { parse } from "#worker/services/parse";
import { invalid } from "#worker/services/refuse";
import type { Statement } from "#worker/services/scope";

/** 12 hours; switching the organization or department does not extend it. */
const LIFETIME_MS = 12 * 60 * 60 * 1000;

/** Starts, finds, changes and ends sessions. */
export function sessionService(deps: AuthDeps) {
  const { db, secret, now, newId } = deps;
  const table = sessions(db);

  /** Refuses with `unauthenticated` if anything is wrong with the token, its session or the membership. */
  async function find(token: string | null, use: TokenUse): Promise<AuthSession> {
    const payload = token === null ? null : await verifyToken(secret, token, use);
    return load(payload);
  }

  async function load(payload: TokenPayload | null): Promise<AuthSession> {
    const session = payload && (await readSession(deps, payload));
    if (!session) throw new Refusal("unauthenticated", SESSION_EXPIRED);
    return session;
  }

  const reload = ({ sid, user, expires_at }: AuthSession, org: string, dept: string | null) =>
    load({ sub: user.id, sid, org, dept, exp: secondsOf(expires_at) });

  /** Wherever the person is at home a browser may listen. */
  function tellSockets({ org_memberships }: User): void {
    for (const { org_id } of org_memberships) deps.sessionsChanged(org_id);
  }

  const askedBy = ({ user }: AuthSession) => ({ ...deps, user, org_id: user.current_org_id });

  /** A new session for somebody who has just authenticated; what comes `before` it succeeds or fails with it. */
  async function begin(
    person: { id: string; email: string },
    home: Home,
    [action, ...more]: [SignInAction, ...SignInAction[]],
    { code_hash = null, before = [] }: { code_hash?: string | null; before?: Statement[] } = {},
  ): Promise<AuthSession> {
    const sid = newId();
    const at = now();
    const expires_at = new Date(at.getTime() + LIFETIME_MS).toISOString();
    const { address, user_agent } = deps;
    const actor = { ...person, role: roleOf(home.role) };
    const row = { id: sid, user_id: person.id, org_id: home.org_id, expires_at, created_at: at.toISOString() };
    const entry = (done: SignInAction) => signInEntry(deps, done, home.org_id, actor, sid);
    await db.batch([
      entry(action),
      ...before,
      table.create({ ...row, code_hash, address, user_agent: user_agent?.slice(0, 200) ?? null }),
      ...more.map(entry),
    ]);
    return load({ sub: person.id, sid, org: home.org_id, dept: null, exp: secondsOf(expires_at) });
  }

  /** Ends the session of the browser's previous cookie. */
  async function endReplaced(): Promise<void> {
    const replaced = deps.cookie_token && (await verifyToken(secret, deps.cookie_token, "cookie"));
    if (!replaced) return;
    await table.revoke(replaced.sid, now().toISOString());
    deps.sessionsChanged(replaced.org);
  }

  /** Sets the first password after a sign-in with a code. Refuses with `invalid`, and `conflict` if the code is gone. */
  async function setFirstPassword({ user, code_hash }: AuthSession, input: unknown): Promise<AuthSession> {
    const { new_password } = parse(firstPassword(namesOf(user)), input);
    if (hashCode(new_password) === code_hash) throw invalid("new_password", SAME_PASSWORD);
    const at = now().toISOString();
    const code = await oneTimeCodes(db).find(user.id, code_hash ?? "", at);
    const gone = new Refusal("conflict", "This code is no longer valid. Ask for a new one");
    if (!code) throw gone;
    const password_hash = await withHashSlot(() => hashPassword(new_password));
    const before = [
      people(db).setFirstPassword(user.id, password_hash),
      ...(code.org_id === null ? [] : [users(db, code.org_id).accept(user.id, code.code_hash)]),
      oneTimeCodes(db).remove(code.code_hash),
      table.revokeAll(user.id, at),
    ];
    const session = await begin(user, homeOf(user), ["change_password"], { before })
      // Another code has set the password; or the same one was used a moment ago.
      .catch(refuseNull("users.password_hash", new Refusal("conflict", HAS_PASSWORD)))
      .catch(refuseNull("org_memberships.pending", gone))
      .finally(() => tellSockets(user));
    if (code.org_id !== null) deps.joined(code.org_id);
    return session;
  }

  return {
    find,

    /** The token for one use; deterministic, so that a page loaded twice has the same one. */
    tokenOf: ({ user, sid, expires_at }: AuthSession, use: TokenUse): Promise<string> => {
      const { id: sub, current_org_id: org, current_dept_id: dept } = user;
      return signToken(secret, { sub, sid, org, dept, exp: secondsOf(expires_at) }, use);
    },

    /** Records the person's activity, at most every five minutes. */
    touch: async ({ sid, last_active_at }: AuthSession): Promise<void> => {
      const at = now();
      if (at.getTime() - Date.parse(last_active_at) >= TOUCH_EVERY_MS) await table.touch(sid, at.toISOString());
    },

    /** Refuses with `invalid`, `unauthenticated`, `too_many` and `unavailable`. Also returns the known-device cookie. */
    signIn: async (input: unknown) => {
      const { person, password_hash, home, code_hash, used_recovery_code } = await signIn(deps, input);
      await endReplaced();
      const actions: [SignInAction, ...SignInAction[]] = used_recovery_code
        ? ["login", "recovery_code_used"]
        : ["login"];
      // A new password ends every session; one that has just been asked for with the old one would outlive it.
      const before = [people(db).stillHas(person.id, password_hash)];
      const session = await begin(person, home, actions, { code_hash, before }).catch(
        refuseNull("users.password_hash", wrongPassword()),
      );
      const known = (await readDevice(secret, deps.device_token)) ?? { id: newId(), people: [] };
      return { session, device: await rememberDevice(secret, known, person.id, now()) };
    },

    /** Ends the session, and with it all of its tokens. */
    signOut: async ({ user, sid }: AuthSession): Promise<void> => {
      await db.batch([
        table.revoke(sid, now().toISOString()),
        signInEntry(deps, "logout", user.current_org_id, user, sid),
      ]);
      tellSockets(user);
    },

    /** Clears the chosen department, which belongs to the old organization. Refuses with `forbidden`. */
    switchOrg: async (session: AuthSession, org_id: string): Promise<AuthSession> => {
      if (!session.user.org_memberships.some((membership) => membership.org_id === org_id)) {
        throw new Refusal("forbidden", "Permission denied");
      }
      const switched = await reload(session, org_id, null);
      await table.move(session.sid, org_id, null);
      tellSockets(session.user);
      return switched;
    },

    /** Null means All Departments. Refuses with `invalid` a department that the person does not see. */
    switchDept: async (session: AuthSession, dept_id: string | null): Promise<AuthSession> => {
      const org_id = session.user.current_org_id;
      const chosen = await reload(session, org_id, dept_id);
      if (chosen.user.current_dept_id !== dept_id) throw invalid("dept_id", "Department not found");
      await table.move(session.sid, org_id, dept_id);
      return chosen;
    },

    /** Ends every session of the person and starts a new one. Refuses with `invalid`, `conflict` and `too_many`. */
    changePassword: async (session: AuthSession, input: unknown): Promise<AuthSession> => {
      const { user, sid } = session;
      if (session.restriction === "password") return setFirstPassword(session, input);
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
        table.revokeAll(user.id, now().toISOString()),
      ];
      return begin(user, homeOf(user), ["change_password"], { before })
        .catch(refuseNull("users.password_hash", invalid("current_password", WRONG_PASSWORD)))
        .finally(() => tellSockets(user));
    },

    /**
     * Accepts the code's invitation; again for whom that answer was lost on the way. `moved` is the session in the organization
     * that was joined where it waited for a code: its tokens still name the other invitation's. Refuses with `invalid`.
     */
    redeem: async (
      session: AuthSession,
      input: unknown,
    ): Promise<{ membership: OrgMembership; moved: AuthSession | null }> => {
      const { user, sid } = session;
      const { code } = parse(codeInput, input);
      const refusal = invalid("code", "This code is not valid or has expired");
      // A new person who was invited twice may have signed in with the other invitation's code.
      const isMoved = session.restriction === "code";
      const joined = async (org_id: string): Promise<OrgMembership> => {
        const { user: after } = await reload(session, isMoved ? org_id : user.current_org_id, null);
        const membership = after.org_memberships.find((each) => each.org_id === org_id);
        if (!membership) throw refusal;
        if (isMoved) await table.move(sid, org_id, null);
        return membership;
      };
      const write = { call: "redeem", input: { code }, again: joined };
      const membership = await once(askedBy(session), write, async (remember) => {
        const found = await oneTimeCodes(db).find(user.id, hashCode(code), now().toISOString());
        if (!found || found.org_id === null) throw refusal;
        // As what they are invited: their role elsewhere is none of this organization's business.
        const invited = await users(db, found.org_id).find(user.id);
        const actor = { ...user, role: invited ? roleOf(invited.role) : null };
        await db
          .batch([
            users(db, found.org_id).accept(user.id, found.code_hash),
            oneTimeCodes(db).remove(found.code_hash),
            signInEntry(deps, "redeem", found.org_id, actor, sid),
            ...remember(found.org_id),
          ])
          .catch(refuseNull("org_memberships.pending", refusal));
        deps.joined(found.org_id);
        return joined(found.org_id);
      });
      return { membership, moved: isMoved ? await reload(session, membership.org_id, null) : null };
    },

    /** The person's valid sessions on all devices. */
    list: async ({ user, sid }: AuthSession) => {
      const own = await table.list(user.id, now().toISOString());
      return own.map((session) => ({ ...session, current: session.id === sid }));
    },

    /** Ends one of the person's sessions. Refuses with `not_found`. */
    end: async (session: AuthSession, id: string): Promise<void> => {
      const { user } = session;
      const write = { call: `end of session ${id}`, input: null, again: async () => null };
      await once(askedBy(session), write, async (remember) => {
        const at = now().toISOString();
        const own = await table.list(user.id, at);
        if (!own.some((each) => each.id === id)) throw new Refusal("not_found", "Session not found");
        const entry = signInEntry(deps, "session_ended", user.current_org_id, user, id);
        await db.batch([table.revoke(id, at), entry, ...remember(id)]);
        tellSockets(user);
        return null;
      });
    },
  };
}

const HAS_PASSWORD = "This account has a password already. Sign in with it";
const SAME_PASSWORD = "Choose a password that differs from the present one";

/** The person's current organization, where the next session starts. */
function homeOf({ current_org_id: org_id, org_memberships, role }: User): Home {
  return { org_id, role: org_memberships.find((membership) => membership.org_id === org_id)?.role ?? role };
}

/** The names that the person's password must not consist of. */
function namesOf({ email, org_memberships }: User) {
  return { email, organizations: org_memberships.map(({ org_name }) => org_name) };
}

function secondsOf(instant: string): number {
  return Math.floor(Date.parse(instant) / 1000);
}

/** For a write that fails on a NULL in `column`, since what it was judged by has changed at that moment. */
function refuseNull(column: "users.password_hash" | "org_memberships.pending", refusal: Refusal) {
  return (caught: unknown): never => {
    throw isNullRefused(caught, column) ? refusal : caught;
  };
}
