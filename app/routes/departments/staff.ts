import type { DepartmentMember } from "#domain/records/records";
import type { Role } from "#domain/enums";
import type { Choice } from "#domain/lists/list-query";
import type { Services } from "#worker/context";

type Colleague = { id: string; email: string; role: Role };

/** A person as an admin sees them; role, active flag and version are the membership's. */
export type Person = Colleague & {
  org_role: "org_admin" | "org_member";
  active: boolean;
  pending: boolean;
  version: number;
};

/** A member of a department, and whether they can work here at all. */
export type StaffMember = DepartmentMember & Pick<Person, "active" | "pending">;

/** The members of one department, the people who could become one, and how many admins can act. */
export type Staff = { members: StaffMember[]; candidates: Choice[]; admins: number };

export async function peopleOf({ users }: Pick<Services, "users">): Promise<Person[]> {
  const everyone: (Colleague | Person)[] = await users.list();
  return everyone.filter(isManaged);
}

export async function staffOf(services: Pick<Services, "users" | "departments">, dept_id: string): Promise<Staff> {
  const [listed, people] = await Promise.all([services.departments.members(dept_id), peopleOf(services)]);
  const members = listed.map((member) => {
    const { active = true, pending = false } = people.find(({ id }) => id === member.user_id) ?? {};
    return { ...member, active, pending };
  });
  const candidates = people.filter(({ id, active }) => active && !members.some(({ user_id }) => user_id === id));
  const admins = people.filter(({ role, active, pending }) => role === "admin" && active && !pending).length;
  return { members, candidates: candidates.map(({ id, email }) => ({ id, name: email })), admins };
}

/** Only admins see this screen, and only they get more than e-mail and role. */
function isManaged(person: Colleague | Person): person is Person {
  return "active" in person;
}
