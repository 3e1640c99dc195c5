import { messageChoices } from "#db/message-choices";
import { oneTimeCodes } from "#db/one-time-codes";
import { sessions } from "#db/sessions";
import { people, users } from "#db/users";
import { isRefusal, Refusal } from "#domain/errors";
import { userChange, userInvite } from "#domain/organization/people-schema";
import { can, roleOf } from "#domain/organization/permissions";
import type { Colleague, Invited, Member } from "#domain/records/records";
import type { OrgMembershipRole } from "#domain/enums";
import { codeRow, oneTimeCode } from "#worker/auth/one-time-code";
import { audited } from "#worker/services/audit";
import { commit } from "#worker/services/commit";
import { once, removeOnce } from "#worker/services/once";
import { openTasks } from "#worker/services/open-tasks";
import { parse } from "#worker/services/parse";
import { readAnew } from "#worker/services/read-anew";
import { found, permitRecord, refuseNull } from "#worker/services/refuse";
import { permit, type Scope, type Statement } from "#worker/services/scope";

/** The people of one organization. Everyone sees their colleagues; admins manage them. */
export function userService(scope: Scope) {
  const { user, org_id, db } = scope;
  const repository = users(db, org_id);
  const find = async (id: string) => found(await repository.find(id), "User");
  const saved = async (id: string): Promise<Member> => member(await find(id));

  return {
    /** The active colleagues; for an admin everyone, with status and version. */
    list: async (): Promise<Colleague[] | Member[]> => {
      permit(user, "user.see");
      const everyone = await repository.list();
      if (can(user, "user.edit")) return everyone.map(member);
      const colleagues = everyone.filter(({ active, pending }) => active && !pending);
      return colleagues.map(({ id, email, role }) => ({ id, email, role: roleOf(role) }));
    },

    /**
     * Creates a pending membership and its code. A new person signs in with the code; one with an account redeems it signed
     * in. The answer does not reveal which. Refuses with `forbidden`, `invalid` and `conflict`.
     */
    invite: async (input: unknown): Promise<Invited> => {
      permit(user, "user.edit");
      return once(scope, { call: "user", input, again: invitedBefore }, async (remember) => {
        const { email, role } = parse(userInvite, input);
        permitRank(role);
        // Somebody else may invite the same e-mail at this moment, which the second lookup finds.
        return addPending(email, role, remember).catch(async (caught: unknown) => {
          if (isRefusal(caught) && caught.detail === MEMBER_ALREADY) throw caught;
          return addPending(email, role, remember);
        });
      });
    },

    /**
     * Changes the role, or deactivates, which ends the person's sessions and tasks here; who is admin no more has none of a
     * department that they are not in. Refuses with `forbidden`, `not_found`, `invalid`, and with `conflict`, also for the
     * last admin.
     */
    save: async (id: string, input: unknown, if_match?: number): Promise<Member> => {
      permit(user, "user.edit");
      return once(scope, { call: `save of user ${id}`, input, again: saved }, (remember) =>
        readAnew("user", if_match, async () => {
          const before = await find(id);
          permitRank(before.role);
          const { role = before.role, active = before.active } = parse(userChange, input);
          permitRank(role);
          const at = scope.now().toISOString();
          const isUnseeing = roleOf(before.role) === "admin" && roleOf(role) !== "admin";
          const tasks = !active || isUnseeing ? await openTasks(scope, id, active ? "elsewhere" : "all") : null;
          await commit(scope, "user", [
            repository.save(id, { role, active }, if_match ?? before.version),
            ...(active ? [] : [repository.endSessions(id, at), sessions(db).revokeIn(org_id, id, at)]),
            ...(tasks?.release ?? []),
            audited(scope, "update", "user", id, {
              before: { ...before, ...tasks?.known },
              after: { ...before, role, active },
            }),
            ...remember(id),
          ]).catch(refuseLastAdmin(before.role));
          tasks?.tell();
          return saved(id);
        }),
      );
    },

    /**
     * Removes the person from the organization. Their account and the records of what they did stay; their tasks do not.
     * Refuses with `forbidden`, `not_found`, and with `conflict` for the last admin.
     */
    remove: async (id: string): Promise<void> => {
      permit(user, "user.edit");
      return removeOnce(scope, `user ${id}`, async (remembered) => {
        const before = await find(id);
        permitRank(before.role);
        const tasks = await openTasks(scope, id, "all");
        await commit(scope, "user", [
          audited(scope, "delete", "user", id, { before: { ...before, ...tasks.known } }),
          // Fails for the last admin, like any change that would remove one.
          repository.save(id, { role: "employee", active: false }),
          repository.removeFromDepartments(id),
          messageChoices(db, org_id).remove(id),
          oneTimeCodes(db).removeOf(id, org_id),
          sessions(db).revokeIn(org_id, id, scope.now().toISOString()),
          repository.remove(id),
          ...tasks.release,
          ...remembered,
        ]).catch(refuseLastAdmin(before.role));
        tasks.tell();
      });
    },

    /**
     * Issues a new one-time code for a pending invitation or a lost password; the old password stops working and the
     * person's sessions end. Refuses with `forbidden`, `not_found`, and with `conflict` for oneself, for who is deactivated
     * and for a member of another organization.
     */
    resetPassword: async (id: string): Promise<Invited> => {
      permit(user, "user.edit");
      const { email, role, active, pending } = await find(id);
      permitRank(role);
      if (id === user.id) throw new Refusal("conflict", "Change your own password in the user menu");
      if (!active)
        throw new Refusal("conflict", "This person is deactivated, so a code would be refused. Make them active first");
      const one_time_password = oneTimeCode();
      const at = scope.now();
      const codes = oneTimeCodes(db);
      const ends = sessions(db);
      await commit(scope, "user", [
        codes.removeOf(id, org_id),
        codes.create(codeRow(one_time_password, id, org_id, at)),
        ...(pending
          ? [ends.revokeIn(org_id, id, at.toISOString())]
          : [people(db).clearPassword(id, org_id), ends.revokeAll(id, at.toISOString())]),
        audited(scope, "reset_password", "user", id, { before: { email }, after: { email } }),
      ]).catch(refuseElsewhere());
      return { ...member(await find(id)), one_time_password };
    },
  };

  /** Only an organization admin may appoint or change one. */
  function permitRank(role: OrgMembershipRole): void {
    permitRecord(role !== "org_admin" || user.org_role === "org_admin");
  }

  /** The code was in the lost first answer, so a new one is needed. */
  async function invitedBefore(): Promise<Invited> {
    throw new Refusal("conflict", `${MEMBER_ALREADY}. Make a new code if theirs was lost`);
  }

  async function addPending(
    email: string,
    role: OrgMembershipRole,
    remember: (id: string) => Statement[],
  ): Promise<Invited> {
    if (await repository.findByEmail(email)) throw new Refusal("conflict", MEMBER_ALREADY);
    const known = await people(db).findByEmail(email);
    const id = known?.id ?? scope.newId();
    const one_time_password = oneTimeCode();
    await commit(scope, "user", [
      oneTimeCodes(db).removeOf(id, org_id),
      ...(known ? [] : [people(db).create({ id, email, password_hash: "" })]),
      repository.invite(id, role),
      oneTimeCodes(db).create(codeRow(one_time_password, id, org_id, scope.now())),
      audited(scope, "create", "user", id, { after: { email, role } }),
      ...remember(id),
    ]);
    return { ...member(await find(id)), one_time_password };
  }
}

const MEMBER_ALREADY = "This person is in the organization already";

type Row = Pick<Member, "id" | "email" | "active" | "pending" | "version"> & { role: OrgMembershipRole };

function member({ role, ...rest }: Row): Member {
  return { ...rest, role: roleOf(role), org_role: role === "org_admin" ? "org_admin" : "org_member" };
}

function refuseLastAdmin(role: OrgMembershipRole) {
  const rank = role === "org_admin" ? "organization admin" : "admin";
  const refusal = new Refusal("conflict", `An organization needs at least one ${rank}`);
  return refuseNull("org_memberships.role", refusal);
}

/** Does not reveal that the person is a member of another organization. */
function refuseElsewhere() {
  const refusal = new Refusal("conflict", "Only the operator of this service can reset this password");
  return refuseNull("users.password_hash", refusal);
}
