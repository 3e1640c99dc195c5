import type { User } from "./records";

/** The departments whose records the person may see whichever is chosen, besides organization-wide ones; null means every one. */
export function ownDepts(user: Pick<User, "role"> & { dept_memberships: { dept_id: string }[] }): string[] | null {
  return user.role === "admin" ? null : user.dept_memberships.map((membership) => membership.dept_id);
}

/**
 * The departments whose records the person sees now, besides organization-wide ones; null means every department. An admin
 * sees all, others their own; with a chosen department, everyone sees that one only.
 */
export function visibleDepts(
  user: Pick<User, "role" | "current_dept_id"> & { dept_memberships: { dept_id: string }[] },
): string[] | null {
  const own = ownDepts(user);
  const chosen = user.current_dept_id;
  if (chosen === null) return own;
  return own === null || own.includes(chosen) ? [chosen] : [];
}

/** Whether the person sees what is of the department now; null is organization-wide. */
export function isDeptShown(user: Parameters<typeof visibleDepts>[0], dept_id: string | null): boolean {
  const depts = visibleDepts(user);
  return dept_id === null || depts === null || depts.includes(dept_id);
}
