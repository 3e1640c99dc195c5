import { beforeAll, expect, test } from "vitest";
import { as, audits, NOW, servicesOf } from "../support/api";
import { seedCity } from "../support/city";
import { rows } from "../support/door";
import { interruptedBy } from "../support/interrupted";

// Two people change the same at the same moment. Where the second names no version, each has changed what they named.

beforeAll(seedCity);

const admin = as("admin");
const later = new Date(NOW.getTime() + 3_600_000).toISOString();

/** What the latest entry of the activity log says of a record. */
async function latest() {
  const { before, after } = JSON.parse((await audits()).at(-1)?.details ?? "{}");
  return { before, after };
}

test("whose role is taken while they are switched off does not get it back", async () => {
  const theirs =
    "UPDATE org_memberships SET role = 'employee', version = version + 1 WHERE user_id = ? AND role = 'manager'";
  const late = as("admin", { db: interruptedBy(theirs, "manager") });
  const { status, json } = await late.put("/users/manager", { active: false });
  expect({ status, role: json.data?.role, active: json.data?.active }).toEqual({
    status: 200,
    role: "employee",
    active: false,
  });
  expect(await latest()).toMatchObject({
    before: { role: "employee", active: true },
    after: { role: "employee", active: false },
  });
});

test("a closure that is reopened keeps the reason that it is given at that moment", async () => {
  const { id } = (await admin.post("/closures", { target: { type: "area", id: "park" }, reason: "wet" })).json.data;
  const theirs = "UPDATE closures SET reason = 'dug up', version = version + 1 WHERE id = ? AND reason = 'wet'";
  const now = () => new Date(NOW.getTime() + 60_000);
  const reopened = await servicesOf("admin", { db: interruptedBy(theirs, id), now }).closures.reopen(id);
  expect(reopened).toMatchObject({ reason: "dug up", to: now().toISOString() });
  expect(await latest()).toMatchObject({ before: { reason: "dug up" }, after: { reason: "dug up" } });
});

test("a closure whose reason is changed stays open if it is reopened at that moment", async () => {
  const { id } = (await admin.post("/closures", { target: { type: "area", id: "park" }, reason: "wet" })).json.data;
  const theirs = "UPDATE closures SET to_at = ?, version = version + 1 WHERE id = ? AND to_at IS NULL";
  const late = as("admin", { db: interruptedBy(theirs, later, id) });
  expect((await late.put(`/closures/${id}`, { reason: "dug up" })).json.data).toMatchObject({
    reason: "dug up",
    to: later,
  });
});

test("a policy keeps what another admin says of something else at that moment", async () => {
  await admin.put("/admin/policies/type/river", { MAX_ON_DURATION_MIN: 60 });
  const theirs = "UPDATE policies SET HARD_CURFEW_OFF = '22:00', version = version + 1 WHERE HARD_CURFEW_OFF IS NULL";
  const late = as("admin", { db: interruptedBy(theirs) });
  const { json } = await late.put("/admin/policies/type/river", { MAX_ON_DURATION_MIN: 90 });
  expect(json.data).toMatchObject({ HARD_CURFEW_OFF: "22:00", MAX_ON_DURATION_MIN: 90 });
});

test("a person's choice of messages keeps what they say in another tab at that moment", async () => {
  await as("employee").put("/messages/mine", { phone: "+13105550142" });
  const theirs =
    "UPDATE message_choices SET phone = '+13105550143', version = version + 1 WHERE phone = '+13105550142'";
  const late = as("employee", { db: interruptedBy(theirs) });
  expect((await late.put("/messages/mine", { digest: false })).json.data).toMatchObject({
    phone: "+13105550143",
    digest: false,
  });
});

test("a schedule keeps the rule that it is given as only its title is saved", async () => {
  const hours = { start_at: later, end_at: new Date(NOW.getTime() + 7_200_000).toISOString() };
  const asked = { ...hours, title: "Game", area_id: "park", device_id: "court", rrule: "FREQ=DAILY;COUNT=3" };
  const { id } = (await admin.post("/schedules", asked)).json.data;
  const theirs =
    "UPDATE schedules SET rrule = 'FREQ=DAILY;COUNT=9', version = version + 1 WHERE id = ? AND rrule LIKE '%3'";
  const { rrule: _, ...rest } = { ...asked, title: "Final" };
  const { json } = await as("admin", { db: interruptedBy(theirs, id) }).put(`/schedules/${id}`, rest);
  expect(json.data).toMatchObject({ title: "Final", rrule: "FREQ=DAILY;COUNT=9" });
  expect(await latest()).toMatchObject({ before: { title: "Game", rrule: "FREQ=DAILY;COUNT=9" } });
  const cancel =
    "UPDATE schedules SET status = 'canceled', version = version + 1 WHERE id = ? AND status = 'scheduled'";
  expect(await as("admin", { db: interruptedBy(cancel, id) }).put(`/schedules/${id}`, rest)).toEqual({
    status: 409,
    json: { detail: "This schedule is already canceled and can't be edited" },
  });
});

test("a group keeps the hidden light that is put into it as who does not see it saves it", async () => {
  const asked = { name: "Pair", area_id: "park", device_ids: ["gate"] };
  const { id } = (await admin.post("/groups", asked)).json.data;
  await rows(
    "INSERT INTO devices (id, org_id, area_id, dept_id, name) VALUES ('bridge', 'city', 'park', 'sports', 'Bridge')",
  );
  await rows("INSERT INTO group_devices (org_id, group_id, device_id) VALUES ('city', ?, 'bridge')", id);
  await rows(`CREATE TRIGGER put_in AFTER UPDATE OF name ON device_groups WHEN NEW.name = 'Trio' BEGIN
    INSERT OR IGNORE INTO group_devices (org_id, group_id, device_id) VALUES ('city', NEW.id, 'court'); END`);
  const theirs = "UPDATE device_groups SET name = 'Trio', version = version + 1 WHERE id = ? AND name = 'Pair'";
  const late = as("admin", { db: interruptedBy(theirs, id), dept: "rivers" });
  const { status } = await late.put(`/groups/${id}`, { ...asked, name: "Gates" });
  const members = await rows("SELECT device_id FROM group_devices WHERE group_id = ? ORDER BY device_id", id);
  await rows("DROP TRIGGER put_in");
  await rows("DELETE FROM devices WHERE id = 'bridge'");
  expect({ status, members: members.map(({ device_id }) => device_id) }).toEqual({
    status: 200,
    members: ["bridge", "court", "gate"],
  });
});

test("where others change it without end, it is refused", async () => {
  const often = "UPDATE org_memberships SET version = version + 1";
  const before = await rows("SELECT * FROM audit_logs");
  expect(await as("admin", { db: interruptedBy(often) }).put("/users/employee", { role: "manager" })).toEqual({
    status: 409,
    json: { detail: "This user was changed by someone else meanwhile. Reload and try again." },
  });
  expect(await rows("SELECT * FROM audit_logs")).toEqual(before);
});

test.for([
  ["device", "devices", { name: "Ours", area_id: "park" }, "name"],
  ["workorder", "workorders", { title: "Ours" }, "title"],
] as const)("a %s is not saved over what somebody else saves at that moment", async ([noun, list, ours, field]) => {
  const { id, version } = (await admin.post(`/${list}`, ours)).json.data;
  const theirs = `UPDATE ${list} SET ${field} = 'Theirs', version = version + 1 WHERE id = ?`;
  const late = as("admin", { db: interruptedBy(theirs, id) });
  expect(await late.put(`/${list}/${id}`, ours, version)).toEqual({
    status: 409,
    json: { detail: `This ${noun} was changed by someone else meanwhile. Reload and try again.` },
  });
  expect(await rows(`SELECT ${field} AS is_now FROM ${list} WHERE id = ?`, id)).toEqual([{ is_now: "Theirs" }]);
});

const LEFT = "UPDATE org_memberships SET active = 0 WHERE user_id = 'employee'";

test.for([
  ["a new work order", "POST", () => "/workorders", { title: "Bulb", assigned_to: "employee" }],
  ["a work order", "PUT", (order: string) => `/workorders/${order}`, { title: "Bulb", assigned_to: "employee" }],
  ["an alarm", "PUT", () => "/alarms/dark/assign", { assigned_to: "employee" }],
] as const)("who leaves at that moment is not given %s", async ([, method, path, body]) => {
  await rows(`INSERT OR IGNORE INTO alarms (id, org_id, kind, what, why, opened_at, seq)
    VALUES ('dark', 'city', 'device_failed', 'Dark', 'no answer', '2026-01-01T00:00:00.000Z', 1)`);
  const order = (await admin.post("/workorders", { title: "Bulb" })).json.data;
  const before = await audits();
  const late = as("admin", { db: interruptedBy(LEFT) });
  const answer = await late.call(method, path(order.id), body);
  await rows("UPDATE org_memberships SET active = 1 WHERE user_id = 'employee'");
  expect(answer).toMatchObject({ status: 422, json: { detail: "Assignee not found" } });
  expect(await rows("SELECT id FROM workorders WHERE assigned_to = 'employee'")).toEqual([]);
  expect(await audits()).toEqual(before);
});

test("whose work order is edited as they leave has it no more", async () => {
  const { id } = (await admin.post("/workorders", { title: "Bulb", assigned_to: "employee" })).json.data;
  const theirs = `UPDATE workorders SET assigned_to = NULL, version = version + 1 WHERE id = '${id}'`;
  await rows(LEFT);
  const late = as("admin", { db: interruptedBy(theirs) });
  const { status, json } = await late.put(`/workorders/${id}`, { title: "Lens", assigned_to: "employee" });
  await rows("UPDATE org_memberships SET active = 1 WHERE user_id = 'employee'");
  expect({ status, json }).toMatchObject({ status: 409 });
  expect(await rows("SELECT assigned_to FROM workorders WHERE id = ?", id)).toEqual([{ assigned_to: null }]);
});

test("what is done keeps the name of who has left, also when it is edited", async () => {
  const done = { title: "Bulb", status: "completed", assigned_to: "employee" };
  const { id } = (await admin.post("/workorders", done)).json.data;
  await rows(LEFT);
  const { json } = await admin.put(`/workorders/${id}`, { ...done, title: "Lens" });
  await rows("UPDATE org_memberships SET active = 1 WHERE user_id = 'employee'");
  expect(json.data).toMatchObject({ title: "Lens", assigned_to: "employee" });
});

test("who is removed at that moment becomes no member of a department, and is none when they come back", async () => {
  const late = as("admin", { db: interruptedBy("DELETE FROM org_memberships WHERE user_id = 'employee'") });
  const answer = await late.post("/departments/rivers/members", { user_id: "employee" });
  await rows("INSERT INTO org_memberships (org_id, user_id, role) VALUES ('city', 'employee', 'employee')");
  expect(answer).toMatchObject({ status: 422, json: { detail: "Please select a user" } });
  expect((await admin.get("/departments/rivers/members")).json.data).toEqual([]);
});

test.each([
  ["area", "areas", "Area not found"],
  ["group", "device_groups", "Group not found"],
])(
  "a policy of %s that is deleted at that moment is not made: nobody could remove it",
  async (scope, table, detail) => {
    const area = (await admin.post("/areas", { name: "Oak Park" })).json.data;
    const light = (await admin.post("/devices", { name: "Oak light", area_id: area.id })).json.data;
    const group = (await admin.post("/groups", { name: "Oaks", area_id: area.id, device_ids: [light.id] })).json.data;
    const { id } = scope === "area" ? area : group;
    const late = as("admin", { db: interruptedBy(`DELETE FROM ${table} WHERE id = ?`, id) });
    expect(await late.put(`/admin/policies/${scope}/${id}`, { MAX_ON_DURATION_MIN: 60 })).toEqual({
      status: 404,
      json: { detail },
    });
    expect(await rows("SELECT scope FROM policies WHERE scope_id = ?", id)).toEqual([]);
  },
);

test("a light is not left on a hub that is moved to another area at that moment", async () => {
  const move = interruptedBy("UPDATE hubs SET area_id = 'field' WHERE id = 'park-hub'");
  const light = { name: "Path light", area_id: "park", hub_id: "park-hub" };
  const made = await as("admin", { db: move }).post("/devices", light);
  await rows("UPDATE hubs SET area_id = 'park' WHERE id = 'park-hub'");
  expect(made).toMatchObject({ status: 422, json: { detail: "Choose a hub of the chosen area" } });
  const { id } = (await admin.post("/devices", { ...light, hub_id: null })).json.data;
  const saved = await as("admin", { db: move }).put(`/devices/${id}`, light, 1);
  await rows("UPDATE hubs SET area_id = 'park' WHERE id = 'park-hub'");
  expect(saved).toEqual({
    status: 409,
    json: { detail: "This device was changed by someone else meanwhile. Reload and try again." },
  });
  expect(await rows("SELECT hub_id FROM devices WHERE name = 'Path light'")).toEqual([{ hub_id: null }]);
});

test.for([
  ["made", "POST", () => "/workorders"],
  ["put on it", "PUT", (order: string) => `/workorders/${order}`],
  ["made of its alarm", "POST", () => "/alarms/dim/workorder"],
] as const)("a work order that is %s as the light is moved goes along", async ([, method, path]) => {
  const light = { name: "Traveling light", area_id: "park" };
  const { id } = (await admin.post("/devices", light)).json.data;
  const order = (await admin.post("/workorders", { title: "Bulb" })).json.data;
  await rows(
    `INSERT INTO alarms (id, org_id, kind, what, why, opened_at, seq, device_id, area_id)
      VALUES ('dim', 'city', 'device_failed', 'Dark', 'no answer', '2026-01-01T00:00:00.000Z', 1, ?, 'park')`,
    id,
  );
  const late = as("admin", { db: interruptedBy("UPDATE devices SET area_id = 'field' WHERE id = ?", id) });
  const body = { title: "Bulb", device_id: id, area_id: "park" };
  const { json } = await late.call(method, path(order.id), body);
  await rows("DELETE FROM alarms WHERE id = 'dim'");
  expect(json.data).toMatchObject({ device_id: id, area_id: "field" });
});

test.for([{ title: "Bulb, again" }, { area_id: "park", title: "Bulb, again" }])(
  "a work order that is edited by %j as its light is moved stays with it, also where the edit names its old place",
  async (input) => {
    const { id } = (await admin.post("/devices", { name: "Traveling light", area_id: "park" })).json.data;
    const asked = { title: "Bulb", device_id: id, area_id: "park" };
    const order = (await admin.post("/workorders", asked)).json.data;
    const late = as("admin", { db: interruptedBy("UPDATE devices SET area_id = 'field' WHERE id = ?", id) });
    for (const body of [input, { ...asked, ...input }]) {
      await rows("UPDATE devices SET area_id = 'park' WHERE id = ?", id);
      const { json } = await late.put(`/workorders/${order.id}`, body);
      expect(json.data).toMatchObject({ title: "Bulb, again", device_id: id, area_id: "field" });
    }
  },
);
