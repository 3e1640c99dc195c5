import type { OrgMembershipRole, Role } from "#domain/enums";

/**
 * Who may do what: one table for buttons, routes and the API. `mayToggle` and `mayDeleteWorkorder` check what depends on
 * the record (its department or creator).
 */
const EVERYONE = ["admin", "manager", "employee"] as const satisfies readonly Role[];
const STAFF = ["admin", "manager"] as const satisfies readonly Role[];
const ADMIN = ["admin"] as const satisfies readonly Role[];

export const CAPABILITIES = {
  "dashboard.see": EVERYONE,
  "alarm.see": EVERYONE,
  "area.see": EVERYONE,
  "area.save": STAFF,
  "area.delete": ADMIN,
  "hub.see": EVERYONE,
  "hub.save": STAFF,
  "hub.delete": STAFF,
  "agent.see": STAFF,
  "agent.edit": ADMIN,
  "device.see": EVERYONE,
  "device.save": STAFF,
  "device.delete": ADMIN,
  "device.toggle": EVERYONE,
  "emergency.declare": STAFF,
  "group.see": EVERYONE,
  "group.save": STAFF,
  "group.delete": ADMIN,
  "import.run": STAFF,
  "schedule.see": EVERYONE,
  "schedule.save": STAFF,
  "schedule.cancel": STAFF,
  "permit.see": EVERYONE,
  "permit.save": STAFF,
  "calendar.see": EVERYONE,
  "calendar.save": STAFF,
  "closure.see": EVERYONE,
  "closure.save": STAFF,
  "workorder.see": EVERYONE,
  "workorder.save": EVERYONE,
  "workorder.delete": EVERYONE,
  "workorder.delete_any": STAFF,
  "events.see": EVERYONE,
  "forecast.see": EVERYONE,
  "history.see": EVERYONE,
  "night.see": EVERYONE,
  "notifications.see": STAFF,
  "messages.choose": EVERYONE,
  "messages.see": STAFF,
  "audit.see": ADMIN,
  "connectivity.test": STAFF,
  "settings.edit": ADMIN,
  "guardrails.edit": ADMIN,
  "department.see": EVERYONE,
  "department.edit": ADMIN,
  "user.see": EVERYONE,
  "user.edit": ADMIN,
} as const satisfies Record<string, readonly Role[]>;

export type Capability = keyof typeof CAPABILITIES;

type Actor = { id: string; role: Role; dept_memberships: { dept_id: string; role: string }[] };

/** Whether the role may do it at all; a specific record may still be refused with 404 or 403. */
export function can(user: { role: Role }, capability: Capability): boolean {
  const roles: readonly Role[] = CAPABILITIES[capability];
  return roles.includes(user.role);
}

/** An org_admin counts and is shown as admin. */
export function roleOf(membership: OrgMembershipRole): Role {
  return membership === "org_admin" ? "admin" : membership;
}

/** Why a button that switches is gray for who may only read. */
export const MAY_ONLY_LOOK = "You may look at this department's lights, not switch them.";

/**
 * A dept_auditor may only read in that department, whatever their role. It is asked of what is set for certain lights (a
 * toggle, schedule, permit, closure, group, the policy of an area or a group, an area out of use), and not of what is said
 * of a place or of the whole city, which belongs to no department: an area's type, rules of a type or the city, calendars.
 */
export function mayWriteInDept(user: Actor, dept_id: string | null): boolean {
  return dept_id === null || !readOnlyDepts(user).includes(dept_id);
}

/** The departments that the person may only read. */
export function readOnlyDepts(user: Actor): string[] {
  return user.dept_memberships.filter((m) => m.role === "dept_auditor").map((m) => m.dept_id);
}

/**
 * Who audits a department is taken out of it by another admin, where there is one (`admins` of them can act): by their own
 * hand, what they may only read would be theirs to write.
 */
export function mayTakeOut(user: Actor, member: { user_id: string; role: string }, admins: number): boolean {
  return member.user_id !== user.id || member.role !== "dept_auditor" || admins < 2;
}

/** An admin sees every department, others their own and organization-wide records. */
export function maySeeDept(user: Actor, dept_id: string | null): boolean {
  if (dept_id === null || user.role === "admin") return true;
  return user.dept_memberships.some((m) => m.dept_id === dept_id);
}

/** Everyone may toggle what they see, except an auditor in the audited department. */
export function mayToggle(user: Actor, device: { dept_id: string | null }): boolean {
  return can(user, "device.toggle") && maySeeDept(user, device.dept_id) && mayWriteInDept(user, device.dept_id);
}

/** Roles that may delete any work order, and its creator. */
export function mayDeleteWorkorder(user: Actor, workorder: { created_by: string | null }): boolean {
  return can(user, "workorder.delete_any") || workorder.created_by === user.id;
}
