import { oneTimeCodes } from "#db/one-time-codes";
import { sessions } from "#db/sessions";
import { users } from "#db/users";
import { codeInput } from "#domain/organization/login-schema";
import { roleOf } from "#domain/organization/permissions";
import type { OrgMembership } from "#domain/records/records";
import { askedBy } from "#worker/auth/asked-by";
import type { AuthSession } from "#worker/auth/auth-session";
import type { AuthDeps } from "#worker/auth/deps";
import { hashCode } from "#worker/auth/one-time-code";
import { sessionIn } from "#worker/auth/read-session";
import { signInEntry } from "#worker/auth/sign-in-entry";
import { once } from "#worker/services/once";
import { parse } from "#worker/services/parse";
import { invalid, refuseNull } from "#worker/services/refuse";

/**
 * Accepts the code's invitation; again for whom that answer was lost on the way. `moved` is the session in the organization
 * that was joined where it waited for a code: its tokens still name the other invitation's. Refuses with `invalid`.
 */
export async function redeem(
  deps: AuthDeps,
  session: AuthSession,
  input: unknown,
): Promise<{ membership: OrgMembership; moved: AuthSession | null }> {
  const { db, now } = deps;
  const { user, sid } = session;
  const { code } = parse(codeInput, input);
  const refusal = invalid("code", "This code is not valid or has expired");
  // A new person who was invited twice may have signed in with the other invitation's code.
  const isMoved = session.restriction === "code";
  const joined = async (org_id: string): Promise<OrgMembership> => {
    const { user: after } = await sessionIn(deps, session, isMoved ? org_id : user.current_org_id, null);
    const membership = after.org_memberships.find((each) => each.org_id === org_id);
    if (!membership) throw refusal;
    if (isMoved) await sessions(db).move(sid, org_id, null);
    return membership;
  };
  const write = { call: "redeem", input: { code }, again: joined };
  const membership = await once(askedBy(deps, session), write, async (remember) => {
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
  return { membership, moved: isMoved ? await sessionIn(deps, session, membership.org_id, null) : null };
}
