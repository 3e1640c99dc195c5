import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { as, asked, at, audits, fingerprint, NOW, servicesOf } from "../support/api";
import { seedCity } from "../support/city";
import { rows } from "../support/door";

const admin = as("admin");
const manager = as("manager");
const MANY = Array.from({ length: 501 }, () => "gate");

beforeAll(seedCity);
beforeEach(() => rows("DELETE FROM device_groups"));

const made = async (device_ids: string[], name = "Pitch A") => {
  const { status, json } = await admin.post("/groups", { area_id: "park", name, device_ids });
  expect(status).toBe(201);
  return json.data;
};
const membersOf = (id: string) =>
  rows("SELECT device_id, added_at FROM group_devices WHERE group_id = ? ORDER BY device_id", id);

test("a group names devices of one area, is audited and told to the engine", async () => {
  asked.length = 0;
  const group = await made(["gate", "court", "gate"]);
  expect(group).toEqual({
    id: expect.any(String),
    area_id: "park",
    area_name: "Elm Park",
    name: "Pitch A",
    device_ids: ["court", "gate"],
    version: 1,
  });
  expect((await admin.get("/groups")).json.data).toEqual([group]);
  expect((await audits()).at(-1)).toMatchObject({ action: "create", resource_type: "group" });
  expect(asked).toEqual([{ verb: "sync", org_id: "city" }]);
});

const UNFIT: [Record<string, unknown>, string][] = [
  [{ area_id: "park", device_ids: ["gate"] }, "Group name and area are required"],
  [{ name: "A", device_ids: ["gate"] }, "Group name and area are required"],
  [{ name: "A", area_id: "nowhere", device_ids: ["gate"] }, "Area not found"],
  [{ name: "A", area_id: "pier", device_ids: ["buoy"] }, "Area not found"],
  [{ name: "A", area_id: "park" }, "Choose 1 to 500 devices"],
  [{ name: "A", area_id: "park", device_ids: [] }, "Choose 1 to 500 devices"],
  [{ name: "A", area_id: "park", device_ids: MANY }, "Choose 1 to 500 devices"],
  [{ name: "A", area_id: "park", device_ids: [7] }, "Choose 1 to 500 devices"],
  [{ name: "A", area_id: "field", device_ids: ["gate"] }, "Choose devices of the chosen area"],
  [{ name: "A", area_id: "park", device_ids: ["gate", "buoy"] }, "Choose devices of the chosen area"],
];
test.each(UNFIT.map(([input, detail], at) => ({ at, input, detail })))(
  "refuses a group ($at): $detail",
  async ({ input, detail }) => {
    const { id } = await made(["gate"]);
    const before = await fingerprint();
    for (const refused of [await admin.post("/groups", input), await admin.put(`/groups/${id}`, input)]) {
      expect(refused).toMatchObject({ status: 422, json: { detail } });
    }
    expect(await fingerprint()).toEqual(before);
  },
);

test("a device that stays in a group keeps the moment at which it was added", async () => {
  const { id } = await made(["gate", "court"]);
  await rows("UPDATE group_devices SET added_at = '2026-01-01T00:00:00.000Z' WHERE group_id = ?", id);
  const { status, json } = await admin.put(`/groups/${id}`, {
    area_id: "park",
    name: "Pitch B",
    device_ids: ["weir", "gate"],
  });
  expect(status).toBe(200);
  expect(json.data).toMatchObject({ name: "Pitch B", device_ids: ["gate", "weir"], version: 2 });
  expect(await membersOf(id)).toEqual([
    { device_id: "gate", added_at: "2026-01-01T00:00:00.000Z" },
    { device_id: "weir", added_at: expect.not.stringContaining("2026-01-01") },
  ]);
});

test("a group that is saved leaves the others their lights", async () => {
  const { id } = await made(["gate", "court"]);
  const other = await made(["court", "weir"], "Pitch B");
  await admin.put(`/groups/${id}`, { area_id: "park", name: "Pitch A", device_ids: ["gate"] });
  expect((await membersOf(other.id)).map(({ device_id }) => device_id)).toEqual(["court", "weir"]);
});

test("an area has its own groups, and not another's", async () => {
  await made(["gate"], "Of the park");
  const lamp = (await admin.post("/devices", { name: "Lamp", area_id: "field" })).json.data.id;
  await admin.post("/groups", { area_id: "field", name: "Of the field", device_ids: [lamp] });
  const namesOf = async (area_id: string) =>
    (await servicesOf("admin").groups.list({ area_id })).map(({ name }) => name);
  expect(await namesOf("park")).toEqual(["Of the park"]);
  expect(await namesOf("field")).toEqual(["Of the field"]);
  await admin.remove(`/devices/${lamp}`);
});

test("a stale If-Match changes nothing", async () => {
  const { id } = await made(["gate"]);
  const before = await fingerprint();
  const late = await admin.put(`/groups/${id}`, { area_id: "park", name: "Late", device_ids: ["weir"] }, 7);
  expect(late.status).toBe(409);
  expect(await fingerprint()).toEqual(before);
});

test("a group is shown to whom one of its lights is, with those lights only", async () => {
  await made(["weir"], "Rivers only");
  await made(["gate", "court", "weir"], "All");
  const seen = async (who: typeof admin) =>
    (await who.get("/groups")).json.data.map(({ name, device_ids }: { name: string; device_ids: string[] }) => ({
      name,
      device_ids,
    }));
  expect(await seen(manager)).toEqual([{ name: "All", device_ids: ["court", "gate"] }]);
  expect(await seen(as("admin", { dept: "rivers" }))).toEqual([
    { name: "All", device_ids: ["gate", "weir"] },
    { name: "Rivers only", device_ids: ["weir"] },
  ]);
  expect(await seen(as("stranger"))).toEqual([]);
});

test("a change needs every light's department, by membership; what the chosen one hides stays", async () => {
  const { id } = await made(["gate", "weir"]);
  const input = { area_id: "park", name: "Mine", device_ids: ["gate"] };
  const before = await fingerprint();
  expect(await manager.put(`/groups/${id}`, input)).toMatchObject({
    status: 403,
    json: { detail: "Some of these lights belong to departments you are not in" },
  });
  expect(await as("stranger").put(`/groups/${id}`, input)).toMatchObject({ status: 404 });
  expect(await fingerprint()).toEqual(before);
  const narrow = as("admin", { dept: "sports" });
  expect((await narrow.put(`/groups/${id}`, input)).json.data.device_ids).toEqual(["gate", "weir"]);
});

test("a group that moves to another area leaves its lights behind, be they hidden by the chosen department", async () => {
  const { id } = await made(["gate", "weir"]);
  const { json } = await admin.post("/devices", { name: "Pitch light", area_id: "field", dept_id: "sports" });
  const device_ids = [json.data.id];
  const narrow = as("admin", { dept: "sports" });
  expect((await narrow.put(`/groups/${id}`, { area_id: "field", name: "Mine", device_ids })).status).toBe(200);
  const { data } = (await admin.get("/groups")).json;
  expect(data.find((group: { id: string }) => group.id === id)).toMatchObject({ area_id: "field", device_ids });
});

test("somebody who only audits a department changes no group with its lights", async () => {
  const { id } = await made(["court"]);
  const refused = { status: 403, json: { detail: "Permission denied" } };
  const input = { area_id: "park", name: "Mine", device_ids: ["court"] };
  expect(await as("auditor").put(`/groups/${id}`, input)).toMatchObject(refused);
  expect(await as("auditor").post("/groups", input)).toMatchObject(refused);
  expect(await as("inspector").remove(`/groups/${id}`)).toMatchObject(refused);
});

test("a group is deleted only when nothing that is to come is for it", async () => {
  const { id } = await made(["gate"]);
  const planned = (table: string, values: string) => rows(`INSERT INTO ${table} ${values}`, id);
  await planned(
    "permits",
    `(id, org_id, group_id, from_at, to_at, reason, created_by) VALUES ('p', 'city', ?, '', '${at(1)}', '', '')`,
  );
  expect(await admin.remove(`/groups/${id}`)).toMatchObject({
    status: 409,
    json: { detail: "A schedule, closure or permit is for this group. Cancel or change it first." },
  });
  await rows("DELETE FROM permits");
  await planned("closures", "(id, org_id, group_id, from_at, reason, created_by) VALUES ('c', 'city', ?, '', '', '')");
  expect((await admin.remove(`/groups/${id}`)).status).toBe(409);
  await rows("UPDATE closures SET to_at = ?", at(-1));
  await planned(
    "schedules",
    "(id, org_id, group_id, title, start_at, end_at, timezone) VALUES ('s', 'city', ?, 'Game', '', '', 'UTC')",
  );
  expect((await admin.remove(`/groups/${id}`)).status).toBe(409);
  await rows("UPDATE schedules SET status = 'canceled'");
  expect(await admin.remove(`/groups/${id}`)).toMatchObject({ status: 200, json: { success: true } });
  expect((await audits()).at(-1)).toMatchObject({ action: "delete", resource_type: "group" });
  expect((await admin.get("/groups")).json.data).toEqual([]);
});

test("the entry of a deleted group has the lights that the chosen department hides, too", async () => {
  const { id } = await made(["court", "gate", "weir"]);
  expect((await as("admin", { dept: "sports" }).remove(`/groups/${id}`)).status).toBe(200);
  const { before } = JSON.parse((await audits()).at(-1)?.details ?? "{}");
  expect(before.device_ids).toEqual(["court", "gate", "weir"]);
});

test("a booking made while its group is being deleted stops the deletion", async () => {
  const { id } = await made(["gate"]);
  const { groups } = await import("#db/groups");
  const { database } = await import("#db/database");
  const db = database(env.DB);
  await rows(
    "INSERT INTO schedules (id, org_id, group_id, title, start_at, end_at, timezone) VALUES ('late', 'city', ?, 'Game', '', '', 'UTC')",
    id,
  );
  await expect(db.batch([...groups(db, "city").remove(id, NOW.toISOString())])).rejects.toThrow(
    "NOT NULL constraint failed",
  );
  expect((await admin.get("/groups")).json.data).toMatchObject([{ id }]);
});

test("a light that moves to another area leaves its groups", async () => {
  const { id } = await made(["gate", "court"]);
  await admin.put("/devices/gate", { name: "Gate light", area_id: "field", hub_id: null });
  expect(await membersOf(id)).toMatchObject([{ device_id: "court" }]);
  await admin.put("/devices/gate", { name: "Gate light", area_id: "park", hub_id: "park-hub" });
  expect(await membersOf(id)).toMatchObject([{ device_id: "court" }]);
});

test("a form that was open while a light was moved or deleted is told to load it anew", async () => {
  for (const leave of [
    (id: string) => admin.put(`/devices/${id}`, { name: "Lent light", area_id: "field" }),
    (id: string) => admin.remove(`/devices/${id}`),
  ]) {
    const lent = (await admin.post("/devices", { name: "Lent light", area_id: "park" })).json.data.id;
    const { id } = await made(["gate", lent]);
    await leave(lent);
    const late = { area_id: "park", name: "Renamed", device_ids: ["gate", lent] };
    expect(await admin.put(`/groups/${id}`, late, 1)).toMatchObject({
      status: 409,
      json: { detail: "A device of this group is in another area by now, or deleted. Reload and try again." },
    });
    expect((await admin.put(`/groups/${id}`, { ...late, device_ids: ["gate"] }, 1)).status).toBe(200);
    await admin.remove(`/groups/${id}`);
    await admin.remove(`/devices/${lent}`);
  }
});

test("a light that was never in the area is refused as such, also by who has read the group", async () => {
  const { id } = await made(["gate"]);
  const there = (await admin.post("/devices", { name: "Far light", area_id: "field" })).json.data.id;
  for (const device_id of [there, "nowhere"]) {
    const wrong = { area_id: "park", name: "Pitch A", device_ids: ["gate", device_id] };
    expect(await admin.put(`/groups/${id}`, wrong, 1)).toMatchObject({
      status: 422,
      json: { errors: { device_ids: "Choose devices of the chosen area" } },
    });
  }
  await admin.remove(`/devices/${there}`);
});

test("a form that was open while a hub took a light along is told to load it anew", async () => {
  const hub_id = (await admin.post("/hubs", { name: "Lent hub", area_id: "park" })).json.data.id;
  const lent = (await admin.post("/devices", { name: "Lent light", area_id: "park", hub_id })).json.data.id;
  const { id } = await made(["gate", lent]);
  await admin.put(`/hubs/${hub_id}`, { name: "Lent hub", area_id: "field" });
  const late = { area_id: "park", name: "Renamed", device_ids: ["gate", lent] };
  expect((await admin.put(`/groups/${id}`, late, 1)).status).toBe(409);
  await admin.remove(`/devices/${lent}`);
  await admin.remove(`/hubs/${hub_id}`);
});

test("a group without a name is in no list and cannot be edited", async () => {
  await rows("INSERT INTO device_groups (id, org_id, area_id) VALUES ('ticked', 'city', 'park')");
  expect((await admin.get("/groups")).json.data).toEqual([]);
  const input = { area_id: "park", name: "Mine", device_ids: ["gate"] };
  expect(await admin.put("/groups/ticked", input)).toMatchObject({ status: 404, json: { detail: "Group not found" } });
});
