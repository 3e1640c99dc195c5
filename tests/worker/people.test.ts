import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { hashPassword, verifyPassword } from "#worker/auth/password";
import { anOrganization, aPerson, call, logIn, PASSWORD, rows, sessionOf } from "../support/door";

const token = { admin: "", second: "", manager: "", employee: "", auditor: "", stranger: "" };
type Who = keyof typeof token;

beforeAll(async () => {
  await anOrganization("city");
  await anOrganization("harbor");
  await aPerson("admin", { city: "org_admin" });
  await aPerson("second", { city: "admin" });
  await aPerson("manager", { city: "manager" });
  await aPerson("employee", { city: "employee" });
  await aPerson("auditor", { city: "employee" });
  await aPerson("stranger", { harbor: "admin" });
  await env.DB.batch([
    env.DB.prepare(
      "INSERT INTO departments (id, org_id, name) VALUES ('sports', 'city', 'Sports'), ('rivers', 'city', 'Rivers'), ('docks', 'harbor', 'Docks')",
    ),
    env.DB.prepare(
      "INSERT INTO dept_memberships (id, org_id, dept_id, user_id, role) VALUES ('es', 'city', 'sports', 'employee', 'dept_staff'), ('as', 'city', 'sports', 'auditor', 'dept_auditor')",
    ),
  ]);
});

beforeEach(async () => {
  for (const who of ["admin", "second", "manager", "employee", "auditor", "stranger"] as const) {
    token[who] = await sessionOf(who);
  }
});

const as = (who: Who) => ({
  get: (path: string) => call("GET", path, { token: token[who] }),
  post: (path: string, body: unknown) => call("POST", path, { token: token[who], body }),
  put: (path: string, body: unknown, headers = {}) => call("PUT", path, { token: token[who], body, headers }),
  remove: (path: string) => call("DELETE", path, { token: token[who] }),
});
const ids = (records: { id: string }[]) => records.map(({ id }) => id);
const admin = as("admin");

test("lists the departments of a person who is in a hundred and twenty", async () => {
  const many = JSON.stringify(Array.from({ length: 120 }, (_, n) => `many-${n}`));
  const each = (text: string) => env.DB.prepare(text).bind(many);
  await env.DB.batch([
    each("INSERT INTO departments (id, org_id, name) SELECT value, 'city', value FROM json_each(?)"),
    each(
      "INSERT INTO dept_memberships (id, org_id, dept_id, user_id, role) SELECT value, 'city', value, 'manager', 'employee' FROM json_each(?)",
    ),
  ]);
  const { status, json } = await as("manager").get("/departments");
  await each("DELETE FROM departments WHERE id IN (SELECT value FROM json_each(?))").run();
  expect(status).toBe(200);
  expect(json.data).toHaveLength(120);
});

test("lists a person's departments, for an admin all, for nobody another organization's", async () => {
  expect(ids((await admin.get("/departments")).json.data)).toEqual(["rivers", "sports"]);
  expect(ids((await as("employee").get("/departments")).json.data)).toEqual(["sports"]);
  expect((await as("manager").get("/departments")).json.data).toEqual([]);
  expect(ids((await as("stranger").get("/departments")).json.data)).toEqual(["docks"]);
});

test("lists departments by name, whatever the case of their letters", async () => {
  const { json } = await admin.post("/departments", { name: "aquatics" });
  const names = (await admin.get("/departments")).json.data.map(({ name }: { name: string }) => name);
  await admin.remove(`/departments/${json.data.id}`);
  expect(names).toEqual(["aquatics", "Rivers", "Sports"]);
});

test("creates, renames and removes a department with its memberships, and audits each step", async () => {
  const made = await admin.post("/departments", { name: "  Paths  " });
  expect(made.status).toBe(201);
  expect(made.json.data).toEqual({ id: expect.any(String), org_id: "city", name: "Paths", version: 1 });
  const { id } = made.json.data;
  expect((await admin.put(`/departments/${id}`, { name: "Paths and roads" })).json.data).toMatchObject({ version: 2 });
  await admin.post(`/departments/${id}/members`, { user_id: "manager" });
  expect((await admin.remove(`/departments/${id}`)).json).toEqual({ success: true });
  expect(await rows("SELECT * FROM dept_memberships WHERE dept_id = ?", id)).toEqual([]);
  const entries = await rows("SELECT action, details FROM audit_logs WHERE resource_id = ? ORDER BY rowid", id);
  expect(entries.map(({ action }) => action)).toEqual(["create", "update", "create", "delete"]);
  expect(JSON.parse(String(entries[1]?.["details"]))).toMatchObject({
    before: { name: "Paths" },
    after: { name: "Paths and roads" },
  });
});

test("who is invited and has not come yet can be put into a department", async () => {
  const { id } = (await admin.post("/users", { email: "soon@city.example", role: "employee" })).json.data;
  const { status, json } = await admin.post("/departments/rivers/members", { user_id: id });
  expect(await rows("SELECT 1 FROM one_time_codes WHERE user_id = ?", id)).toHaveLength(1);
  await admin.remove(`/users/${id}`);
  // Nor is the code of an invitation that was taken back good for anything.
  expect(await rows("SELECT 1 FROM one_time_codes WHERE user_id = ?", id)).toEqual([]);
  expect({ status, json }).toMatchObject({ status: 201, json: { data: { user_id: id, email: "soon@city.example" } } });
});

test("a stale rename gets 409 and changes nothing; the ETag may be quoted or weak", async () => {
  const { id } = (await admin.post("/departments", { name: "Ponds" })).json.data;
  expect((await admin.put(`/departments/${id}`, { name: "A" }, { "If-Match": 'W/"1"' })).status).toBe(200);
  expect((await admin.put(`/departments/${id}`, { name: "B" }, { "If-Match": '"1"' })).status).toBe(409);
  expect((await admin.put(`/departments/${id}`, { name: "C" }, { "If-Match": "one" })).status).toBe(422);
  expect(await rows("SELECT name FROM departments WHERE id = ?", id)).toEqual([{ name: "A" }]);
  expect(await rows("SELECT 1 FROM audit_logs WHERE resource_id = ?", id)).toHaveLength(2);
});

test("adding a member requires a user, defaults to dept_staff and works once", async () => {
  const path = "/departments/rivers/members";
  for (const body of [{}, { user_id: "" }, { user_id: null }, { user_id: "stranger" }, { user_id: "nobody" }]) {
    const { status, json } = await admin.post(path, body);
    expect({ body, status, json }).toMatchObject({ status: 422, json: { detail: "Please select a user" } });
  }
  expect((await admin.post(path, { user_id: "manager", role: "boss" })).status).toBe(422);
  expect((await admin.post(path, { user_id: "manager", dept_id: "sports" })).status).toBe(422);
  const added = await admin.post(path, { user_id: "manager", dept_id: "rivers" });
  expect(added.status).toBe(201);
  const member = { id: expect.any(String), user_id: "manager", email: "manager@parks.example", role: "dept_staff" };
  expect(added.json.data).toEqual(member);
  expect((await admin.post(path, { user_id: "manager" })).status).toBe(409);
  expect((await admin.get(path)).json.data).toEqual([member]);
  expect((await admin.remove(`${path}/manager`)).json).toEqual({ success: true });
  expect((await admin.remove(`${path}/manager`)).status).toBe(404);
});

test("everyone sees colleagues' id, e-mail and role; an admin also what can be managed", async () => {
  const { json } = await as("employee").get("/users");
  expect(json.data).toContainEqual({ id: "admin", email: "admin@parks.example", role: "admin" });
  expect(ids(json.data)).not.toContain("stranger");
  expect((await admin.get("/users")).json.data).toContainEqual({
    id: "manager",
    email: "manager@parks.example",
    role: "manager",
    org_role: "org_member",
    active: true,
    pending: false,
    version: 1,
  });
});

test("an invited person signs in with the code that is shown once", async () => {
  const { status, json } = await admin.post("/users", { email: " New@Parks.example ", role: "manager" });
  expect(status).toBe(201);
  expect(json.data).toMatchObject({ email: "new@parks.example", role: "manager", active: true });
  expect(json.data.one_time_password).toMatch(/^(\w{4}-){3}\w{4}$/);
  expect((await logIn("new@parks.example", json.data.one_time_password)).json.user.role).toBe("manager");
  expect(JSON.stringify((await admin.get("/users")).json)).not.toContain("password");
  expect(JSON.stringify(await rows("SELECT * FROM audit_logs"))).not.toContain(json.data.one_time_password);
  expect((await admin.post("/users", { email: "new@parks.example" })).status).toBe(409);
});

test("resets a lost password, shown once, but not one's own or that of a member of two organizations", async () => {
  await aPerson("forgetful", { city: "employee" });
  const theirs = await sessionOf("forgetful");
  const { status, json } = await admin.post("/users/forgetful/password", undefined);
  expect(status).toBe(200);
  expect(json.data).toMatchObject({ id: "forgetful", one_time_password: expect.stringMatching(/^(\w{4}-){3}\w{4}$/) });
  expect((await call("GET", "/auth/me", { token: theirs })).status).toBe(401);
  expect((await logIn("forgetful@parks.example", PASSWORD)).status).toBe(401);
  expect((await logIn("forgetful@parks.example", json.data.one_time_password)).status).toBe(200);
  expect(JSON.stringify(await rows("SELECT * FROM audit_logs"))).not.toContain(json.data.one_time_password);

  await aPerson("everywhere", { city: "employee", harbor: "employee" });
  const before = await rows("SELECT count(*) FROM audit_logs");
  const elsewhere = await admin.post("/users/everywhere/password", undefined);
  expect(elsewhere.status).toBe(409);
  expect(elsewhere.json.detail).toBe("Only the operator of this service can reset this password");
  expect((await admin.post("/users/admin/password", undefined)).status).toBe(409);
  expect(await rows("SELECT count(*) FROM audit_logs")).toEqual(before);
  expect((await logIn("everywhere@parks.example", PASSWORD)).status).toBe(200);
});

test("who is deactivated gets no new code, which would be refused, and comes into no department", async () => {
  await aPerson("away", { city: "employee" });
  await admin.put("/users/away", { active: false });
  expect(await admin.post("/departments/rivers/members", { user_id: "away" })).toMatchObject({
    status: 422,
    json: { detail: "Please select a user" },
  });
  const before = await rows("SELECT * FROM one_time_codes");
  expect(await admin.post("/users/away/password", undefined)).toMatchObject({
    status: 409,
    json: { detail: "This person is deactivated, so a code would be refused. Make them active first" },
  });
  expect(await rows("SELECT * FROM one_time_codes")).toEqual(before);
  await admin.put("/users/away", { active: true });
  expect((await logIn("away@parks.example", PASSWORD)).status).toBe(200);
});

test("deactivation takes effect at once, in this organization only, and can be undone", async () => {
  await aPerson("out", { city: "manager", harbor: "employee" });
  const theirs = await sessionOf("out");
  expect((await admin.put("/users/out", { active: false })).json.data).toMatchObject({ active: false, version: 2 });
  expect((await call("GET", "/auth/me", { token: theirs })).status).toBe(401);
  expect(ids((await as("employee").get("/users")).json.data)).not.toContain("out");
  expect((await logIn("out@parks.example")).json.user).toMatchObject({ current_org_id: "harbor" });
  expect((await admin.put("/users/out", { active: true })).status).toBe(200);
  expect((await call("GET", "/auth/me", { token: theirs })).status).toBe(401);
  expect((await logIn("out@parks.example")).json.user.org_memberships).toHaveLength(2);
});

test.for([
  ["removed", () => admin.remove("/users/gone")],
  ["deactivated", () => admin.put("/users/gone", { active: false })],
] as const)("what is open and assigned to who is %s is nobody's; what is over stays theirs", async ([, leave]) => {
  await aPerson("gone", { city: "employee", harbor: "employee" });
  await env.DB.batch(
    [
      `INSERT INTO workorders (id, org_id, title, status, assigned_to, created_by) VALUES
        ('w-open', 'city', 'Lamp', 'open', 'gone', 'gone'), ('w-begun', 'city', 'Pole', 'in_progress', 'gone', 'gone'),
        ('w-done', 'city', 'Fuse', 'completed', 'gone', 'gone'), ('w-other', 'city', 'Box', 'open', 'second', 'gone'),
        ('w-harbor', 'harbor', 'Quay', 'open', 'gone', 'gone')`,
      `INSERT INTO alarms (id, org_id, kind, what, why, opened_at, over_at, seq, assigned_to) VALUES
        ('a-open', 'city', 'device_failed', 'Dark', 'no answer', '2026-01-01T00:00:00.000Z', NULL, 1, 'gone'),
        ('a-over', 'city', 'device_failed', 'Dark', 'no answer', '2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z', 1, 'gone')`,
    ].map((insert) => env.DB.prepare(insert)),
  );
  expect((await leave()).status).toBe(200);
  const left = await rows(
    "SELECT id, assigned_to, version FROM workorders WHERE id LIKE 'w-%' UNION SELECT id, assigned_to, version FROM alarms WHERE id LIKE 'a-%' ORDER BY id",
  );
  const [told] = await rows(
    "SELECT details FROM audit_logs WHERE resource_id = 'gone' AND org_id = 'city' ORDER BY created_at DESC, rowid DESC LIMIT 1",
  );
  await env.DB.batch(
    [
      "DELETE FROM workorders WHERE id LIKE 'w-%'",
      "DELETE FROM alarms WHERE id LIKE 'a-%'",
      "DELETE FROM users WHERE id = 'gone'",
    ].map((sweep) => env.DB.prepare(sweep)),
  );
  expect(left).toEqual([
    { id: "a-open", assigned_to: null, version: 2 },
    { id: "a-over", assigned_to: "gone", version: 1 },
    { id: "w-begun", assigned_to: null, version: 2 },
    { id: "w-done", assigned_to: "gone", version: 1 },
    { id: "w-harbor", assigned_to: "gone", version: 1 },
    { id: "w-open", assigned_to: null, version: 2 },
    { id: "w-other", assigned_to: "second", version: 1 },
  ]);
  expect(JSON.parse(String(told?.details)).before).toMatchObject({
    open_workorders: ["w-begun", "w-open"],
    open_alarms: ["a-open"],
  });
});

test.each([
  ["an alarm", "alarms", { open_workorders: [], open_alarms: ["a-only"] }],
  ["a work order", "workorders", { open_workorders: ["a-only"], open_alarms: [] }],
])("the audit log tells of %s that was all that who leaves had", async (_, table, known) => {
  await aPerson("left", { city: "employee" });
  const insert =
    table === "alarms"
      ? `INSERT INTO alarms (id, org_id, kind, what, why, opened_at, seq, assigned_to)
         VALUES ('a-only', 'city', 'device_failed', 'Dark', 'no answer', '2026-01-01T00:00:00.000Z', 1, 'left')`
      : "INSERT INTO workorders (id, org_id, title, assigned_to) VALUES ('a-only', 'city', 'Lamp', 'left')";
  await env.DB.prepare(insert).run();
  await admin.remove("/users/left");
  const [told] = await rows(
    "SELECT details FROM audit_logs WHERE resource_id = 'left' AND action = 'delete' ORDER BY rowid DESC LIMIT 1",
  );
  await env.DB.batch([
    env.DB.prepare(`DELETE FROM ${table} WHERE id = 'a-only'`),
    env.DB.prepare("DELETE FROM users WHERE id = 'left'"),
  ]);
  expect(JSON.parse(String(told?.details)).before).toMatchObject(known);
});

test("what is open and assigned to who leaves its department is nobody's, unless they see it all the same", async () => {
  for (const who of ["far", "boss"]) {
    await aPerson(who, { city: who === "boss" ? "admin" : "employee" });
    await admin.post("/departments/rivers/members", { user_id: who });
  }
  await env.DB.batch(
    [
      "INSERT INTO areas (id, org_id, name) VALUES ('bank', 'city', 'Bank')",
      "INSERT INTO devices (id, org_id, area_id, dept_id, name) VALUES ('weir', 'city', 'bank', 'rivers', 'Weir'), ('path', 'city', 'bank', NULL, 'Path')",
      `INSERT INTO workorders (id, org_id, title, status, dept_id, assigned_to) VALUES
        ('w-open', 'city', 'Lamp', 'open', 'rivers', 'far'), ('w-done', 'city', 'Fuse', 'completed', 'rivers', 'far'),
        ('w-city', 'city', 'Pole', 'open', NULL, 'far'), ('w-boss', 'city', 'Box', 'open', 'rivers', 'boss')`,
      `INSERT INTO alarms (id, org_id, kind, what, why, opened_at, seq, device_id, dept_id, assigned_to) VALUES
        ('a-weir', 'city', 'device_failed', 'Dark', 'no answer', '2026-01-01T00:00:00.000Z', 1, 'weir', NULL, 'far'),
        ('a-path', 'city', 'device_failed', 'Dark', 'no answer', '2026-01-01T00:00:00.000Z', 1, 'path', 'rivers', 'far')`,
    ].map((insert) => env.DB.prepare(insert)),
  );
  for (const who of ["far", "boss"]) await admin.remove(`/departments/rivers/members/${who}`);
  const left = await rows(
    "SELECT id, assigned_to FROM workorders WHERE id LIKE 'w-%' UNION SELECT id, assigned_to FROM alarms WHERE id LIKE 'a-%' ORDER BY id",
  );
  const told = await rows(
    "SELECT details FROM audit_logs WHERE resource_id = 'rivers' AND action = 'delete' ORDER BY rowid DESC LIMIT 2",
  );
  await env.DB.batch(
    [
      "DELETE FROM workorders WHERE id LIKE 'w-%'",
      "DELETE FROM alarms WHERE id LIKE 'a-%'",
      "DELETE FROM areas WHERE id = 'bank'",
      "DELETE FROM users WHERE id IN ('far', 'boss')",
    ].map((sweep) => env.DB.prepare(sweep)),
  );
  expect(left).toEqual([
    { id: "a-path", assigned_to: "far" },
    { id: "a-weir", assigned_to: null },
    { id: "w-boss", assigned_to: "boss" },
    { id: "w-city", assigned_to: "far" },
    { id: "w-done", assigned_to: "far" },
    { id: "w-open", assigned_to: null },
  ]);
  const [ofBoss, ofFar] = told.map(({ details }) => JSON.parse(String(details)).before);
  expect(ofFar).toMatchObject({ user_id: "far", open_workorders: ["w-open"], open_alarms: ["a-weir"] });
  expect(ofBoss).not.toHaveProperty("open_workorders");
});

test("what is open and assigned to who is admin no more is nobody's where they no longer see it", async () => {
  await aPerson("fallen", { city: "admin" });
  await admin.post("/departments/rivers/members", { user_id: "fallen" });
  await env.DB.batch(
    [
      "INSERT INTO departments (id, org_id, name) VALUES ('ponds', 'city', 'Ponds')",
      `INSERT INTO workorders (id, org_id, title, status, dept_id, assigned_to) VALUES
        ('w-unseen', 'city', 'Lamp', 'open', 'ponds', 'fallen'), ('w-done', 'city', 'Fuse', 'completed', 'ponds', 'fallen'),
        ('w-seen', 'city', 'Box', 'open', 'rivers', 'fallen'), ('w-city', 'city', 'Pole', 'open', NULL, 'fallen'),
        ('w-other', 'city', 'Mast', 'open', 'ponds', 'second')`,
      `INSERT INTO alarms (id, org_id, kind, what, why, opened_at, seq, dept_id, assigned_to) VALUES
        ('a-unseen', 'city', 'device_failed', 'Dark', 'no answer', '2026-01-01T00:00:00.000Z', 1, 'ponds', 'fallen'),
        ('a-seen', 'city', 'device_failed', 'Dark', 'no answer', '2026-01-01T00:00:00.000Z', 1, 'rivers', 'fallen')`,
    ].map((insert) => env.DB.prepare(insert)),
  );
  const theirs = await sessionOf("fallen");
  await admin.put("/users/fallen", { role: "manager" });
  const left = await rows(
    "SELECT id, assigned_to FROM workorders WHERE id LIKE 'w-%' UNION SELECT id, assigned_to FROM alarms WHERE id LIKE 'a-%' ORDER BY id",
  );
  const [told] = await rows(
    "SELECT details FROM audit_logs WHERE resource_id = 'fallen' AND action = 'update' ORDER BY rowid DESC LIMIT 1",
  );
  const me = await call("GET", "/auth/me", { token: theirs });
  await env.DB.batch(
    [
      "DELETE FROM workorders WHERE id LIKE 'w-%'",
      "DELETE FROM alarms WHERE id LIKE 'a-%'",
      "DELETE FROM departments WHERE id = 'ponds'",
      "DELETE FROM users WHERE id = 'fallen'",
    ].map((sweep) => env.DB.prepare(sweep)),
  );
  expect(left).toEqual([
    { id: "a-seen", assigned_to: "fallen" },
    { id: "a-unseen", assigned_to: null },
    { id: "w-city", assigned_to: "fallen" },
    { id: "w-done", assigned_to: "fallen" },
    { id: "w-other", assigned_to: "second" },
    { id: "w-seen", assigned_to: "fallen" },
    { id: "w-unseen", assigned_to: null },
  ]);
  expect(JSON.parse(String(told?.details)).before).toMatchObject({
    open_workorders: ["w-unseen"],
    open_alarms: ["a-unseen"],
  });
  expect(me.status, "they stay signed in").toBe(200);
});

test("who leaves one city keeps what they have in another, and their colleagues what they have here", async () => {
  await aPerson("both", { city: "employee", harbor: "employee" });
  await env.DB.batch([
    env.DB.prepare(
      "INSERT INTO dept_memberships (id, org_id, dept_id, user_id, role) VALUES ('bc', 'city', 'sports', 'both', 'dept_staff'), ('bh', 'harbor', 'docks', 'both', 'dept_staff')",
    ),
    env.DB.prepare(
      `INSERT INTO workorders (id, org_id, title, assigned_to) VALUES
         ('w-here', 'city', 'Here', 'both'), ('w-there', 'harbor', 'There', 'both'), ('w-their', 'city', 'Theirs', 'employee')`,
    ),
    env.DB.prepare(
      `INSERT INTO alarms (id, org_id, kind, what, why, opened_at, seq, assigned_to) VALUES
         ('a-here', 'city', 'device_failed', 'Dark', '', '2026-01-01T00:00:00.000Z', 1, 'both'),
         ('a-there', 'harbor', 'device_failed', 'Dark', '', '2026-01-01T00:00:00.000Z', 1, 'both'),
         ('a-their', 'city', 'device_failed', 'Dark', '', '2026-01-01T00:00:00.000Z', 1, 'employee')`,
    ),
  ]);
  expect((await admin.remove("/users/both")).status).toBe(200);
  const left = await rows(
    "SELECT id, assigned_to FROM workorders WHERE id LIKE 'w-%' UNION SELECT id, assigned_to FROM alarms WHERE id LIKE 'a-%' ORDER BY id",
  );
  const members = await rows("SELECT id FROM dept_memberships ORDER BY id");
  await env.DB.batch(
    [
      "DELETE FROM workorders WHERE id LIKE 'w-%'",
      "DELETE FROM alarms WHERE id LIKE 'a-%'",
      "DELETE FROM users WHERE id = 'both'",
    ].map((sweep) => env.DB.prepare(sweep)),
  );
  expect(Object.fromEntries(left.map(({ id, assigned_to }) => [id, assigned_to]))).toEqual({
    "w-here": null,
    "w-there": "both",
    "w-their": "employee",
    "a-here": null,
    "a-there": "both",
    "a-their": "employee",
  });
  expect(members.map(({ id }) => id)).toEqual(["as", "bh", "es"]);
});

test("a new role applies from the next request; unknown roles are refused", async () => {
  await aPerson("riser", { city: "employee" });
  const theirs = await sessionOf("riser");
  expect((await admin.put("/users/riser", { role: "org_admin" })).json.data).toMatchObject({
    role: "admin",
    org_role: "org_admin",
  });
  expect((await call("GET", "/admin/audit-logs", { token: theirs })).status).toBe(200);
  expect((await admin.put("/users/riser", { role: "king" })).status).toBe(422);
  expect((await admin.put("/users/riser", { role: "employee" })).status).toBe(200);
  expect((await call("GET", "/admin/audit-logs", { token: theirs })).status).toBe(403);
});

test("an organization keeps its last admin, even if two admins leave at once", async () => {
  expect((await as("stranger").put("/users/stranger", { role: "manager" })).json).toEqual({
    detail: "An organization needs at least one admin",
  });
  expect((await as("stranger").put("/users/stranger", { active: false })).status).toBe(409);
  const both = await Promise.all([
    admin.put("/users/admin", { role: "employee" }),
    as("second").put("/users/second", { active: false }),
  ]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  await env.DB.prepare(
    "UPDATE org_memberships SET role = 'admin', active = 1 WHERE user_id IN ('admin', 'second')",
  ).run();
});

const WRITES = [
  ["POST", "/departments", { name: "x" }],
  ["PUT", "/departments/sports", { name: "x" }],
  ["DELETE", "/departments/sports", undefined],
  ["GET", "/departments/sports/members", undefined],
  ["POST", "/departments/sports/members", { user_id: "manager" }],
  ["DELETE", "/departments/sports/members/employee", undefined],
  ["POST", "/users", { email: "x@parks.example" }],
  ["PUT", "/users/employee", { role: "admin" }],
  ["DELETE", "/users/employee", undefined],
  ["POST", "/users/employee/password", undefined],
  ["GET", "/admin/audit-logs", undefined],
] as const;

test.each(WRITES)("%s %s is for admins of its organization only", async (method, path, body) => {
  const before = await rows(
    "SELECT (SELECT count(*) FROM audit_logs) AS audits, (SELECT count(*) FROM users) AS users",
  );
  expect((await call(method, path, { body })).status).toBe(401);
  for (const who of ["manager", "employee", "auditor"] as const) {
    const { status, json } = await call(method, path, { token: token[who], body });
    expect({ who, status, json }).toEqual({ who, status: 403, json: { detail: "Permission denied" } });
  }
  if (path.split("/").length > 2 && !path.startsWith("/admin")) {
    expect((await call(method, path, { token: token.stranger, body })).status).toBe(404);
  }
  expect(
    await rows("SELECT (SELECT count(*) FROM audit_logs) AS audits, (SELECT count(*) FROM users) AS users"),
  ).toEqual(before);
});

test("an admin of another organization reads none of these audit entries", async () => {
  await admin.post("/departments", { name: "Secretly" });
  expect(JSON.stringify((await admin.get("/admin/audit-logs")).json)).toContain("Secretly");
  expect(JSON.stringify((await as("stranger").get("/admin/audit-logs")).json)).not.toContain("Secretly");
});

test.each(["0", "1001", "x", "-1", "1.5", ""])("refuses the limit %s", async (limit) => {
  expect((await admin.get(`/admin/audit-logs?limit=${limit}`)).status).toBe(422);
});

test("the audit log returns `limit` entries, the latest first", async () => {
  await admin.post("/departments", { name: "Latest" });
  const { json } = await admin.get("/admin/audit-logs?limit=1");
  expect(json.data).toHaveLength(1);
  expect(json.data[0]).toMatchObject({
    actor_email: "admin@parks.example",
    actor_role: "admin",
    action: "create",
    resource_type: "department",
    details: { after: { name: "Latest" } },
  });
});

test.each([{ name: "" }, { name: "   " }, { name: 3 }, { name: null }, { name: "x".repeat(121) }, {}, []])(
  "the department %j is refused with a sentence",
  async (body) => {
    const { status, json } = await admin.post("/departments", body);
    expect(status).toBe(422);
    expect(json.detail).toEqual(expect.any(String));
  },
);

test("a password hash names its algorithm, differs each time and fits that password only", async () => {
  const [one, two] = [await hashPassword(PASSWORD), await hashPassword(PASSWORD)];
  expect(one).toMatch(/^scrypt\$16384\$8\$5\$[\w+/=]{24}\$[\w+/=]{44}$/);
  expect(one).not.toBe(two);
  expect(await verifyPassword(PASSWORD, one)).toBe(true);
  expect(await verifyPassword(`${PASSWORD} `, one)).toBe(false);
  expect(await verifyPassword(PASSWORD, undefined)).toBe(false);
  expect(await verifyPassword("", "none")).toBe(false);
});
