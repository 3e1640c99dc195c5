import { expect, test } from "vitest";
import {
  can,
  CAPABILITIES,
  mayDeleteWorkorder,
  maySeeDept,
  mayToggle,
  mayWriteInDept,
  roleOf,
  type Capability,
} from "#domain/organization/permissions";
import { visibleDepts } from "#domain/records/visibility";
import { ORG_MEMBERSHIP_ROLES, ROLES, type Role } from "#domain/enums";

const allowed = (role: Role) => Object.keys(CAPABILITIES).filter((name) => isCapability(name) && can({ role }, name));
const isCapability = (name: string): name is Capability => name in CAPABILITIES;

const anActor = (role: Role, dept_memberships: { dept_id: string; role: string }[] = []) => ({
  id: "ann",
  role,
  dept_memberships,
});

/** The product's table of who may do what, line by line. */
const EVERYONE_MAY = [
  "alarm.see",
  "area.see",
  "calendar.see",
  "closure.see",
  "dashboard.see",
  "department.see",
  "device.see",
  "device.toggle",
  "events.see",
  "forecast.see",
  "group.see",
  "history.see",
  "hub.see",
  "messages.choose",
  "night.see",
  "permit.see",
  "schedule.see",
  "user.see",
  "workorder.delete",
  "workorder.save",
  "workorder.see",
];
const STAFF_MAY = [
  "agent.see",
  "area.save",
  "calendar.save",
  "closure.save",
  "connectivity.test",
  "device.save",
  "emergency.declare",
  "group.save",
  "hub.delete",
  "hub.save",
  "import.run",
  "messages.see",
  "notifications.see",
  "permit.save",
  "schedule.cancel",
  "schedule.save",
  "workorder.delete_any",
];
const ADMIN_MAY = [
  "agent.edit",
  "area.delete",
  "audit.see",
  "department.edit",
  "device.delete",
  "group.delete",
  "guardrails.edit",
  "settings.edit",
  "user.edit",
];

test("each role may do what the table above says, and no more", () => {
  expect(allowed("employee").toSorted()).toEqual(EVERYONE_MAY);
  expect(allowed("manager").toSorted()).toEqual([...EVERYONE_MAY, ...STAFF_MAY].toSorted());
  expect(allowed("admin").toSorted()).toEqual([...EVERYONE_MAY, ...STAFF_MAY, ...ADMIN_MAY].toSorted());
});

test("an org_admin has an admin's permissions, everybody else their role's", () => {
  expect(ORG_MEMBERSHIP_ROLES.map(roleOf)).toEqual(["admin", ...ROLES]);
});

test("an auditor writes nothing in the audited department and keeps their role elsewhere", () => {
  for (const role of ROLES) {
    const auditor = anActor(role, [
      { dept_id: "sports", role: "dept_auditor" },
      { dept_id: "paths", role: "dept_staff" },
    ]);
    expect(mayWriteInDept(auditor, "sports")).toBe(false);
    expect(mayWriteInDept(auditor, "paths")).toBe(true);
    expect(mayWriteInDept(auditor, null)).toBe(true);
    expect(mayToggle(auditor, { dept_id: "sports" })).toBe(false);
    expect(mayToggle(auditor, { dept_id: "paths" })).toBe(true);
  }
});

test("an admin sees every department, others the organization's and their own", () => {
  const member = [{ dept_id: "sports", role: "dept_staff" }];
  expect(maySeeDept(anActor("admin"), "sports")).toBe(true);
  for (const role of ["manager", "employee"] as const) {
    expect(maySeeDept(anActor(role), null)).toBe(true);
    expect(maySeeDept(anActor(role), "sports")).toBe(false);
    expect(maySeeDept(anActor(role, member), "sports")).toBe(true);
    expect(maySeeDept(anActor(role, member), "paths")).toBe(false);
    expect(mayToggle(anActor(role), { dept_id: "sports" })).toBe(false);
    expect(mayToggle(anActor(role), { dept_id: null })).toBe(true);
  }
});

test("admins, managers and its creator may delete a work order", () => {
  expect(mayDeleteWorkorder(anActor("admin"), { created_by: "bob" })).toBe(true);
  expect(mayDeleteWorkorder(anActor("manager"), { created_by: null })).toBe(true);
  expect(mayDeleteWorkorder(anActor("employee"), { created_by: "bob" })).toBe(false);
  expect(mayDeleteWorkorder(anActor("employee"), { created_by: "ann" })).toBe(true);
});

test("a chosen department narrows everyone to it, if they may see it", () => {
  const seen = (role: Role, current_dept_id: string | null) =>
    visibleDepts({ role, current_dept_id, dept_memberships: [{ dept_id: "sports" }, { dept_id: "paths" }] });
  expect(seen("admin", null)).toBeNull();
  expect(seen("admin", "rivers")).toEqual(["rivers"]);
  expect(seen("manager", null)).toEqual(["sports", "paths"]);
  expect(seen("employee", "sports")).toEqual(["sports"]);
  expect(seen("employee", "rivers")).toEqual([]);
});
