import { sessions } from "#db/sessions";
import { people, users } from "#db/users";
import { Refusal } from "#domain/errors";
import { userChange, userInvite } from "#domain/people-schema";
import { can, roleOf } from "#domain/permissions";
import type { Colleague, Invited, Member } from "#domain/records";
import type { OrgMembershipRole } from "#domain/enums";
import { hashPassword } from "#worker/auth/password";
import { oneTimePassword } from "#worker/auth/one-time-password";
import { audited } from "#worker/services/audit";
import { commit } from "#worker/services/commit";
import { parse } from "#worker/services/parse";
import { found } from "#worker/services/refuse";
import { permit, type Scope } from "#worker/services/scope";

export function userService(scope: Scope) {
  const { user, org_id, db } = scope;
  const repository = users(db, org_id);
  const find = async (id: string) => found(await repository.find(id), "User");

  return {
    /** Everyone gets the active colleagues; an admin all, with what there is to manage. */
    list: async (): Promise<Colleague[] | Member[]> => {
      permit(user, "user.see");
      const everyone = await repository.list();
      if (can(user, "user.edit")) return everyone.map(member);
      return everyone.filter(({ active }) => active).map(({ id, email, role }) => ({ id, email, role: roleOf(role) }));
    },

    /** Decision 7: a known e-mail gets a membership only. Refuses with `forbidden`, `invalid` and `conflict`. */
    invite: async (input: unknown): Promise<Invited> => {
      permit(user, "user.edit");
      const { email, role } = parse(userInvite, input);
      if (await repository.findByEmail(email)) {
        throw new Refusal("conflict", "This person is in the organization already");
      }
      const known = await people(db).findByEmail(email);
      const id = known?.id ?? scope.newId();
      const one_time_password = known ? null : oneTimePassword();
      const joins = repository.join(id, role);
      const entry = audited(scope, "create", "user", id, { after: { email, role } });
      if (one_time_password === null) await commit(scope, "user", [joins, entry]);
      else {
        const password_hash = await hashPassword(one_time_password);
        await commit(scope, "user", [people(db).create({ id, email, password_hash }), joins, entry]);
      }
      return { ...member(await find(id)), one_time_password };
    },

    /** Changes the role, or deactivates: that ends the person's sessions here. `conflict` for the last admin. */
    save: async (id: string, input: unknown, if_match?: number): Promise<Member> => {
      permit(user, "user.edit");
      const before = await find(id);
      const { role = before.role, active = before.active } = parse(userChange, input);
      const at = scope.now().toISOString();
      await commit(scope, "user", [
        repository.save(id, { role, active }, if_match),
        ...(active ? [] : [sessions(db).revokeIn(org_id, id, at)]),
        audited(scope, "update", "user", id, { before, after: { ...before, role, active } }),
      ]).catch(tellLastAdmin);
      return member(await find(id));
    },

    /**
     * A new one-time password for somebody who has lost theirs; their sessions end (decisions 2 and 7). `conflict` for
     * oneself, and for somebody who has a membership elsewhere: nobody changes their password.
     */
    resetPassword: async (id: string): Promise<Invited> => {
      permit(user, "user.edit");
      const { email } = await find(id);
      if (id === user.id) throw new Refusal("conflict", "Change your own password in the user menu");
      const one_time_password = oneTimePassword();
      const password_hash = await hashPassword(one_time_password);
      await commit(scope, "user", [
        people(db).resetPassword(id, org_id, password_hash),
        sessions(db).revokeAll(id, scope.now().toISOString()),
        audited(scope, "reset_password", "user", id, { after: { email } }),
      ]).catch(tellElsewhere);
      return { ...member(await find(id)), one_time_password };
    },
  };
}

type Row = { id: string; email: string; role: OrgMembershipRole; active: boolean; version: number };

function member({ role, ...rest }: Row): Member {
  return { ...rest, role: roleOf(role), org_role: role === "org_admin" ? "org_admin" : "org_member" };
}

/** The repository refuses it in the statement itself, so that two admins cannot remove each other at once. */
function tellLastAdmin(caught: unknown): never {
  if (!isNullRefused(caught, "org_memberships.role")) throw caught;
  throw new Refusal("conflict", "An organization needs at least one admin");
}

function tellElsewhere(caught: unknown): never {
  if (!isNullRefused(caught, "users.password_hash")) throw caught;
  throw new Refusal(
    "conflict",
    "This person works in another organization, too, and changes their password themselves",
  );
}

function isNullRefused(caught: unknown, column: string): boolean {
  return (
    caught instanceof Error && `${caught.message} ${caught.cause}`.includes(`NOT NULL constraint failed: ${column}`)
  );
}
