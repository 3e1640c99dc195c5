import { beforeAll, expect, test } from "vitest";
import { as, asked, audits } from "../support/api";
import { seedCity } from "../support/city";

beforeAll(seedCity);

const admin = as("admin");
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
