import { departments } from "#db/departments";
import { users } from "#db/users";
import { Refusal } from "#domain/errors";
import type { OrgMembershipRole } from "#domain/enums";
import { departmentInput, memberInput } from "#domain/organization/people-schema";
import { mayTakeOut, mayWriteInDept, roleOf } from "#domain/organization/permissions";
import type { Department, DepartmentMember } from "#domain/records/records";
import { audited } from "#worker/services/audit";
import { commit } from "#worker/services/commit";
import { once, removeOnce } from "#worker/services/once";
import { openTasks } from "#worker/services/open-tasks";
import { parse } from "#worker/services/parse";
import { found, invalid, judgeAnew, permitRecord } from "#worker/services/refuse";
import { permit, type Scope } from "#worker/services/scope";

/** Departments and their members. Everyone can list their own; everything else is for admins. */
export function departmentService(scope: Scope) {
  const { user, org_id, db } = scope;
  const repository = departments(db, org_id);
  const find = async (id: string): Promise<Department> => found(await repository.find(id), "Department");

  /** An active member of this organization; anyone else is not found. */
  async function parseMember(dept_id: string, input: unknown) {
    const values = parse(memberInput, input);
    if (values.dept_id !== undefined && values.dept_id !== dept_id) {
      throw invalid("dept_id", "Department must be the one in the address");
    }
    const person = await users(db, org_id).find(values.user_id);
    if (!person?.active) throw invalid("user_id", "Please select a user");
    return { email: person.email, ...values };
  }

  return {
    /** All departments for admins, their own for others, regardless of the chosen one. */
    list: (): Promise<Department[]> => {
      permit(user, "department.see");
      if (user.role === "admin") return repository.list();
      return repository.list(user.dept_memberships.filter((m) => m.org_id === org_id).map((m) => m.dept_id));
    },

    /** Refuses with `forbidden` and `invalid`. */
    create: async (input: unknown): Promise<Department> => {
      permit(user, "department.edit");
      return once(scope, { call: "department", input, again: find }, async (remember) => {
        const values = parse(departmentInput, input);
        const id = scope.newId();
        await commit(scope, "department", [
          repository.create(id, values.name),
          audited(scope, "create", "department", id, { after: values }),
          ...remember(id),
        ]);
        return find(id);
      });
    },

    /** Refuses with `forbidden`, `not_found`, `invalid` and `conflict`. */
    save: async (id: string, input: unknown, if_match?: number): Promise<Department> => {
      permit(user, "department.edit");
      return once(scope, { call: `save of department ${id}`, input, again: find }, async (remember) => {
        const before = await find(id);
        const values = parse(departmentInput, input);
        await commit(scope, "department", [
          repository.save(id, values.name, if_match),
          audited(scope, "update", "department", id, { before, after: { ...before, ...values } }),
          ...remember(id),
        ]);
        return find(id);
      });
    },

    /** Its devices and work orders become organization-wide. Refuses with `forbidden` and `not_found`. */
    remove: async (id: string): Promise<void> => {
      permit(user, "department.edit");
      return removeOnce(scope, `department ${id}`, async (remembered) => {
        const before = await find(id);
        permitRecord(mayWriteInDept(user, id));
        await commit(scope, "department", [
          audited(scope, "delete", "department", id, { before }),
          repository.remove(id),
          ...remembered,
        ]);
      });
    },

    /** Who is in the department, and with which role. Refuses with `forbidden` and `not_found`. */
    members: async (id: string): Promise<DepartmentMember[]> => {
      permit(user, "department.edit");
      await find(id);
      return repository.members(id);
    },

    /** Refuses with `forbidden`, `not_found`, `invalid`, and `conflict` for an existing member. */
    addMember: async (id: string, input: unknown): Promise<DepartmentMember> => {
      permit(user, "department.edit");
      await find(id);
      const again = async (user_id: string) => found(await repository.findMember(id, user_id), "Member");
      return once(scope, { call: `member of ${id}`, input, again }, async (remember) => {
        const { user_id, email, role } = await parseMember(id, input);
        if (await repository.findMember(id, user_id)) {
          throw new Refusal("conflict", "This person is a member of the department already");
        }
        const member = { id: scope.newId(), user_id, email, role };
        await commit(scope, "department member", [
          repository.addMember(member.id, id, user_id, role),
          audited(scope, "create", "department_member", id, { after: member }),
          ...remember(user_id),
        ]).catch(judgeAnew(() => parseMember(id, input)));
        return member;
      });
    },

    /**
     * Makes what is open there and the person's nobody's, unless they see every department. Refuses with `forbidden` and
     * `not_found`.
     */
    removeMember: async (id: string, user_id: string): Promise<void> => {
      permit(user, "department.edit");
      return removeOnce(scope, `member ${user_id} of department ${id}`, async (remembered) => {
        await find(id);
        const before = found(await repository.findMember(id, user_id), "Member");
        const people = await users(db, org_id).list();
        permitRecord(mayTakeOut(user, before, people.filter(isActingAdmin).length));
        const person = people.find((each) => each.id === user_id);
        const tasks =
          person && roleOf(person.role) === "admin" ? null : await openTasks(scope, user_id, { dept_id: id });
        await commit(scope, "department member", [
          audited(scope, "delete", "department_member", id, { before: { ...before, ...tasks?.known } }),
          repository.removeMember(id, user_id),
          ...(tasks?.release ?? []),
          ...remembered,
        ]);
        tasks?.tell();
      });
    },
  };
}

function isActingAdmin({ role, active, pending }: { role: OrgMembershipRole; active: boolean; pending: boolean }) {
  return roleOf(role) === "admin" && active && !pending;
}
