import type { User } from "#domain/records/records";

/** An admin of a city, for tests without a database. */
export const ada: User = {
  id: "ada",
  email: "ada@parks.example",
  role: "admin",
  org_role: "org_member",
  current_org_id: "city",
  current_dept_id: null,
  org_memberships: [],
  dept_memberships: [],
};
