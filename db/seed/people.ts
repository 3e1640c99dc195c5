import type { dept_memberships, org_memberships, users } from "#db/schema";
import type { OrgMembershipRole } from "#domain/enums";
import { demoUserId } from "#db/demo-accounts";
import { HARBOR, PARKS, RIVERS, SPORTS } from "./places";

/** The demo accounts; `npm start` prints them. */
export const ACCOUNTS: { email: string; roles: Record<string, OrgMembershipRole>; shows: string }[] = [
  { email: "admin@parks.example", roles: { [PARKS]: "admin" }, shows: "admin" },
  { email: "manager@parks.example", roles: { [PARKS]: "manager" }, shows: "manager" },
  { email: "employee@parks.example", roles: { [PARKS]: "employee" }, shows: "employee, staff of Sports Fields" },
  { email: "auditor@parks.example", roles: { [PARKS]: "employee" }, shows: "employee, auditor of Sports Fields" },
  { email: "admin@harbor.example", roles: { [HARBOR]: "admin" }, shows: "admin of the second organization" },
  {
    email: "regional@parks.example",
    roles: { [PARKS]: "manager", [HARBOR]: "org_admin" },
    shows: "manager of the first, org_admin of the second",
  },
];

export const PASSWORD = "lamplighter-demo";

export function userRows(password_hash: string, created_at: string): (typeof users.$inferInsert)[] {
  return ACCOUNTS.map(({ email }) => ({ id: demoUserId(email), email, password_hash, created_at }));
}

export function membershipRows(created_at: string): (typeof org_memberships.$inferInsert)[] {
  return ACCOUNTS.flatMap(({ email, roles }) =>
    Object.entries(roles).map(([org_id, role]) => ({ org_id, user_id: demoUserId(email), role, created_at })),
  );
}

export function deptMembershipRows(created_at: string): (typeof dept_memberships.$inferInsert)[] {
  const of = { org_id: PARKS, created_at };
  return [
    { ...of, id: "demo-member-1", dept_id: SPORTS, user_id: demoUserId("manager@parks.example"), role: "dept_admin" },
    { ...of, id: "demo-member-2", dept_id: RIVERS, user_id: demoUserId("manager@parks.example"), role: "dept_admin" },
    { ...of, id: "demo-member-3", dept_id: SPORTS, user_id: demoUserId("employee@parks.example"), role: "dept_staff" },
    { ...of, id: "demo-member-4", dept_id: SPORTS, user_id: demoUserId("auditor@parks.example"), role: "dept_auditor" },
  ];
}
