import { sessions } from "#db/sessions";
import { people } from "#db/users";
import { Refusal } from "#domain/errors";
import { TOUCH_EVERY_MS } from "#domain/organization/session-rules";
import { askedBy } from "#worker/auth/asked-by";
import type { AuthSession } from "#worker/auth/auth-session";
import { beginSession } from "#worker/auth/begin-session";
import { changePassword } from "#worker/auth/change-password";
import type { AuthDeps } from "#worker/auth/deps";
import { readDevice, rememberDevice } from "#worker/auth/known-device";
import { readSession, secondsOf, sessionIn } from "#worker/auth/read-session";
import { redeem } from "#worker/auth/redeem";
import { signIn, wrongPassword } from "#worker/auth/sign-in";
import { signInEntry, type SignInAction } from "#worker/auth/sign-in-entry";
import { tellSockets } from "#worker/auth/tell-sockets";
import { signToken, verifyToken, type TokenUse } from "#worker/auth/token";
import { once } from "#worker/services/once";
import { invalid, refuseNull } from "#worker/services/refuse";

/** Starts, finds, changes and ends sessions. */
export function sessionService(deps: AuthDeps) {
  const { db, secret, now, newId } = deps;
  const table = sessions(db);

  /** Refuses with `unauthenticated` if anything is wrong with the token, its session or the membership. */
  async function find(token: string | null, use: TokenUse): Promise<AuthSession> {
    const payload = token === null ? null : await verifyToken(secret, token, use);
    return readSession(deps, payload);
  }

  /** Ends the session of the browser's previous cookie. */
  async function endReplaced(): Promise<void> {
    const replaced = deps.cookie_token && (await verifyToken(secret, deps.cookie_token, "cookie"));
    if (!replaced) return;
    await table.revoke(replaced.sid, now().toISOString());
    deps.sessionsChanged(replaced.org);
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
      const actions: [SignInAction, ...SignInAction[]] = used_recovery_code
        ? ["login", "recovery_code_used"]
        : ["login"];
      // A new password ends every session; one that has just been asked for with the old one would outlive it.
      const before = [people(db).stillHas(person.id, password_hash)];
      const session = await beginSession(deps, person, home, actions, { code_hash, before }).catch(
        refuseNull("users.password_hash", wrongPassword()),
      );
      // Last: a sign-in that fails leaves what there was, and what another tab asks meanwhile is not sent to the sign-in page.
      await endReplaced();
      const known = (await readDevice(secret, deps.device_token)) ?? { id: newId(), people: [] };
      return { session, device: await rememberDevice(secret, known, person.id, now()) };
    },

    /** Ends the session, and with it all of its tokens. */
    signOut: async ({ user, sid }: AuthSession): Promise<void> => {
      await db.batch([
        table.revoke(sid, now().toISOString()),
        signInEntry(deps, "logout", user.current_org_id, user, sid),
      ]);
      tellSockets(deps, user);
    },

    /** Clears the chosen department, which belongs to the old organization. Refuses with `forbidden`. */
    switchOrg: async (session: AuthSession, org_id: string): Promise<AuthSession> => {
      if (!session.user.org_memberships.some((membership) => membership.org_id === org_id)) {
        throw new Refusal("forbidden", "Permission denied");
      }
      const switched = await sessionIn(deps, session, org_id, null);
      await table.move(session.sid, org_id, null);
      tellSockets(deps, session.user);
      return switched;
    },

    /** Null means All Departments. Refuses with `invalid` a department that the person does not see. */
    switchDept: async (session: AuthSession, dept_id: string | null): Promise<AuthSession> => {
      const org_id = session.user.current_org_id;
      const chosen = await sessionIn(deps, session, org_id, dept_id);
      if (chosen.user.current_dept_id !== dept_id) throw invalid("dept_id", "Department not found");
      await table.move(session.sid, org_id, dept_id);
      return chosen;
    },

    /** Ends every session of the person and starts a new one. Refuses with `invalid`, `conflict` and `too_many`. */
    changePassword: (session: AuthSession, input: unknown) => changePassword(deps, session, input),

    /** Accepts an invitation's code. Refuses with `invalid`. */
    redeem: (session: AuthSession, input: unknown) => redeem(deps, session, input),

    /** The person's valid sessions on all devices. */
    list: async ({ user, sid }: AuthSession) => {
      const own = await table.list(user.id, now().toISOString());
      return own.map((session) => ({ ...session, current: session.id === sid }));
    },

    /** Ends one of the person's sessions. Refuses with `not_found`. */
    end: async (session: AuthSession, id: string): Promise<void> => {
      const { user } = session;
      const write = { call: `end of session ${id}`, input: null, again: async () => null };
      await once(askedBy(deps, session), write, async (remember) => {
        const at = now().toISOString();
        const own = await table.list(user.id, at);
        if (!own.some((each) => each.id === id)) throw new Refusal("not_found", "Session not found");
        const entry = signInEntry(deps, "session_ended", user.current_org_id, user, id);
        await db.batch([table.revoke(id, at), entry, ...remember(id)]);
        tellSockets(deps, user);
        return null;
      });
    },
  };
}
