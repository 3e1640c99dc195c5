import { beforeAll, expect, test } from "vitest";
import { as, asked, audits } from "../support/api";
import { seedCity } from "../support/city";
import { interruptedBy } from "../support/interrupted";

beforeAll(seedCity);

const admin = as("admin");
const PLACE = { type: "area", id: "field" };
const latest = async () => JSON.parse((await audits()).at(-1)?.details ?? "null");

test.each([
  ["/areas/park", { name: "Elm Park 2" }],
  ["/hubs/park-hub", { name: "Park hub", area_id: "field" }],
  ["/devices/court", { name: "Court light", area_id: "field" }],
  ["/departments/rivers", { name: "Rivers 2" }],
])(
  "the entry of an update of %s has the record before and after, as it was and is in the database",
  async (path, input) => {
    const list = path.split("/").slice(0, -1).join("/");
    const id = path.split("/").at(-1);
    const record = async () => (await admin.get(list)).json.data.find((one: { id: string }) => one.id === id);
    const before = await record();
    await admin.put(path, input);
    const after = await record();
    expect(after.version).toBe(before.version + 1);
    expect(await latest()).toEqual({ before, after });
  },
);

test.each([
  ["areas", "/areas", { name: "Brook" }],
  ["closures", "/closures", { target: { type: "area", id: "field" }, reason: "wet" }],
  ["workorders", "/workorders", { title: "Bulb" }],
  ["departments", "/departments", { name: "Brooks" }],
])(
  "a change of a record of %s that is deleted at that moment is refused and not logged",
  async (table, path, input) => {
    const { id } = (await admin.post(path, input)).json.data;
    const before = await audits();
    const late = await as("admin", { db: interruptedBy(`DELETE FROM ${table} WHERE id = ?`, id) }).put(
      `${path}/${id}`,
      input,
      1,
    );
    expect([late.status, late.json.detail]).toEqual([
      409,
      `This ${table.slice(0, -1)} was deleted by someone else meanwhile.`,
    ]);
    expect(await audits()).toEqual(before);
  },
);

test.each([
  ["areas", "area", "/areas", { name: "Brook" }],
  ["hubs", "hub", "/hubs", { name: "Brook hub", area_id: "field" }],
  ["devices", "device", "/devices", { name: "Brook light", area_id: "field" }],
  ["device_groups", "group", "/groups", { name: "Gates", area_id: "field", device_ids: ["gate"] }],
  ["permits", "permit", "/permits", { target: PLACE, to: "2026-11-21T20:00:00Z", reason: "cup" }],
  ["closures", "closure", "/closures", { target: PLACE, reason: "wet" }],
  ["calendars", "calendar", "/calendars", { name: "Days", dates: [{ date: "2026-12-24", name: "Eve" }] }],
  ["workorders", "workorder", "/workorders", { title: "Bulb" }],
  ["departments", "department", "/departments", { name: "Brooks" }],
  ["agents", "agent", "/admin/agents", { name: "Brook computer" }],
  ["webhooks", "webhook", "/admin/webhooks", { name: "Pager", url: "https://hooks.example/lights" }],
])(
  "a deletion of a record of %s that is deleted at that moment is refused and not logged",
  async (table, noun, path, input) => {
    const { id } = (await admin.post(path, input)).json.data;
    const before = await audits();
    const late = await as("admin", { db: interruptedBy(`DELETE FROM ${table} WHERE id = ?`, id) }).remove(
      `${path}/${id}`,
    );
    expect([late.status, late.json.detail]).toEqual([409, `This ${noun} was deleted by someone else meanwhile.`]);
    expect(await audits()).toEqual(before);
  },
);

test.each([
  ["department member", "/departments/sports/members/employee", "dept_memberships WHERE user_id = 'employee'"],
  ["user", "/users/auditor", "org_memberships WHERE user_id = 'auditor'"],
  ["policy", "/admin/policies/area/park", "policies WHERE scope_id = 'park'"],
])("so is that of a %s", async (noun, path, row) => {
  await admin.put("/admin/policies/area/park", { MAX_ON_DURATION_MIN: 60 });
  const before = await audits();
  const late = await as("admin", { db: interruptedBy(`DELETE FROM ${row}`) }).remove(path);
  expect([late.status, late.json.detail]).toEqual([409, `This ${noun} was deleted by someone else meanwhile.`]);
  expect(await audits()).toEqual(before);
});

test("the audit entry of a moved schedule names its new device and area", async () => {
  const lamp = async (name: string, area_id: string) => (await admin.post("/devices", { name, area_id })).json.data.id;
  const window = { title: "Game", start_at: "2026-11-21T18:00:00Z", end_at: "2026-11-21T20:00:00Z" };
  const first = { ...window, area_id: "park", device_id: await lamp("First", "park") };
  const { data } = (await admin.post("/schedules", first)).json;
  const moved = { ...window, area_id: "field", device_id: await lamp("Second", "field") };
  const { json } = await admin.put(`/schedules/${data.id}`, moved);
  expect(await latest()).toEqual({ before: data, after: json.data });
});

test("informs the engine about changes that it plans from, and no others", async () => {
  const told = async (change: () => Promise<unknown>) => {
    asked.length = 0;
    await change();
    return asked.some(({ verb }) => verb === "sync");
  };
  expect(await told(() => admin.post("/workorders", { title: "Bulb" }))).toBe(false);
  expect(await told(() => admin.put("/devices/weir", { name: "Weir light", area_id: "park" }))).toBe(true);
  expect(await told(() => admin.post("/departments", { name: "Paths" }))).toBe(false);
  expect(await told(() => admin.remove("/departments/sports"))).toBe(true);
});

test("of two people who add the same at once, one gets a message that it exists", async () => {
  const add = () => admin.post("/departments/rivers/members", { user_id: "employee" });
  const answers = await Promise.all([add(), add(), add()]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  for (const { status, json } of answers) if (status === 409) expect(json.detail).toMatch(/already|meanwhile/);
});
