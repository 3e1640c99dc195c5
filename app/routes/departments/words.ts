import type { DeptRole, OrgMembershipRole } from "#domain/enums";

export const DEPT_ROLE_LABELS: Record<DeptRole, string> = {
  dept_admin: "Department admin",
  dept_staff: "Department staff",
  dept_auditor: "Department auditor (reads only)",
};

export const ORG_ROLE_LABELS: Record<OrgMembershipRole, string> = {
  org_admin: "Organization admin",
  admin: "Admin",
  manager: "Manager",
  employee: "Employee",
};

export const HEADER = { title: "Departments", text: "Who looks after what" };

/** The two views of the screen. */
export const TABS = [
  { name: "departments", label: "Departments" },
  { name: "people", label: "People" },
];
