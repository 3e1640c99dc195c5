import { env } from "cloudflare:workers";
import { database } from "#db/database";
import * as t from "#db/schema";
import type { DeptRole, OrgMembershipRole } from "#domain/enums";

/** Two organizations, so that every test can try to reach from one into the other's records. */
export const CITY = "city";
const HARBOR = "harbor";

type Person = { id: string; org_id: string; role: OrgMembershipRole; depts: { dept_id: string; role: DeptRole }[] };

/** A person for every case that a permission rule distinguishes. */
export const PEOPLE = {
  admin: { id: "admin", org_id: CITY, role: "admin", depts: [] },
  manager: { id: "manager", org_id: CITY, role: "manager", depts: [{ dept_id: "sports", role: "dept_staff" }] },
  employee: { id: "employee", org_id: CITY, role: "employee", depts: [{ dept_id: "sports", role: "dept_staff" }] },
  auditor: { id: "auditor", org_id: CITY, role: "manager", depts: [{ dept_id: "sports", role: "dept_auditor" }] },
  inspector: { id: "inspector", org_id: CITY, role: "admin", depts: [{ dept_id: "sports", role: "dept_auditor" }] },
  stranger: { id: "stranger", org_id: HARBOR, role: "admin", depts: [] },
} as const satisfies Record<string, Person>;

export type PersonName = keyof typeof PEOPLE;

/** One light of each visibility in the park, a second area, and another organization's records. */
export async function seedCity(): Promise<void> {
  const db = database(env.DB);
  await db.batch([
    db.insert(t.organizations).values([
      { id: CITY, name: "City Parks" },
      { id: HARBOR, name: "Harbor" },
    ]),
    db
      .insert(t.users)
      .values(Object.values(PEOPLE).map(({ id }) => ({ id, email: `${id}@parks.example`, password_hash: "none" }))),
    db
      .insert(t.org_memberships)
      .values(Object.values(PEOPLE).map(({ id, org_id, role }) => ({ user_id: id, org_id, role }))),
    db.insert(t.departments).values([
      { id: "sports", org_id: CITY, name: "Sports" },
      { id: "rivers", org_id: CITY, name: "Rivers" },
      { id: "docks", org_id: HARBOR, name: "Docks" },
    ]),
    db
      .insert(t.dept_memberships)
      .values(
        Object.values(PEOPLE).flatMap(({ id, org_id, depts }) =>
          depts.map(({ dept_id, role }) => ({ id: `${id}-${dept_id}`, org_id, dept_id, user_id: id, role })),
        ),
      ),
    db.insert(t.areas).values([
      { id: "park", org_id: CITY, name: "Elm Park" },
      { id: "field", org_id: CITY, name: "North Field", type: "field" },
      { id: "pier", org_id: HARBOR, name: "Pier" },
    ]),
    db.insert(t.hubs).values([
      { id: "park-hub", org_id: CITY, area_id: "park", name: "Park hub", status: "online", rtt_ms: 12 },
      { id: "field-hub", org_id: CITY, area_id: "field", name: "Field hub" },
      { id: "pier-hub", org_id: HARBOR, area_id: "pier", name: "Pier hub" },
    ]),
    db.insert(t.devices).values([
      { id: "gate", org_id: CITY, area_id: "park", hub_id: "park-hub", name: "Gate light" },
      { id: "court", org_id: CITY, area_id: "park", dept_id: "sports", name: "Court light", current_state: "on" },
      { id: "weir", org_id: CITY, area_id: "park", dept_id: "rivers", name: "Weir light", current_state: "on" },
      { id: "buoy", org_id: HARBOR, area_id: "pier", name: "Buoy light" },
    ]),
  ]);
}
