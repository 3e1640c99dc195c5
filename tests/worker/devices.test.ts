import { beforeAll, expect, test } from "vitest";
import { as, asked, audits, fingerprint } from "../support/api";
import { seedCity, type PersonName } from "../support/city";

beforeAll(seedCity);

const admin = as("admin");
const manager = as("manager");
const seen = async (name: PersonName, dept?: string) => {
  const { json } = await as(name, dept ? { dept } : {}).get("/devices");
  return json.data
    .map((device: { id: string }) => device.id)
    .filter((id: string) => SEEDED.includes(id))
    .toSorted();
};
const SEEDED = ["gate", "court", "weir", "buoy"];

test("an admin sees all devices, others their departments' and the organization-wide ones", async () => {
  expect(await seen("admin")).toEqual(["court", "gate", "weir"]);
  expect(await seen("manager")).toEqual(["court", "gate"]);
  expect(await seen("employee")).toEqual(["court", "gate"]);
  expect(await seen("auditor")).toEqual(["court", "gate"]);
  expect(await seen("stranger")).toEqual(["buoy"]);
});

test("a chosen department narrows everyone to it and the organization-wide devices", async () => {
  expect(await seen("admin", "rivers")).toEqual(["gate", "weir"]);
  expect(await seen("employee", "sports")).toEqual(["court", "gate"]);
  expect(await seen("employee", "rivers")).toEqual(["gate"]);
});

test("a new device is in state unknown; empty text becomes null", async () => {
  const input = { name: " Lamp ", area_id: "park", hub_id: "park-hub", dept_id: "", model: "  ", on_payload: " open " };
  const { status, json } = await manager.post("/devices", input);
  expect(status).toBe(201);
  expect(json.data).toEqual({
    id: expect.any(String),
    name: "Lamp",
    area_id: "park",
    area_name: "Elm Park",
    hub_id: "park-hub",
    hub_name: "Park hub",
    dept_id: null,
    model: null,
    cloud_device_id: null,
    local_ref: null,
    on_payload: "open",
    off_payload: null,
    notes: null,
    restrike_min: 0,
    current_state: "unknown",
    last_state_at: null,
    problem: null,
    problem_since: null,
    hold: null,
    version: 1,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
});

test("a lamp keeps the minutes that it cools through an edit that does not name them", async () => {
  const { json } = await manager.post("/devices", { name: "Halide", area_id: "park", restrike_min: "15" });
  expect(json.data.restrike_min).toBe(15);
  const { json: edited } = await manager.put(`/devices/${json.data.id}`, { name: "Halide 2", area_id: "park" });
  expect(edited.data).toMatchObject({ name: "Halide 2", restrike_min: 15 });
});

test("ignores current_state in a write", async () => {
  const { json } = await manager.post("/devices", { name: "x", area_id: "park", current_state: "on", version: 9 });
  expect(json.data).toMatchObject({ current_state: "unknown", version: 1 });
});

test.each([
  [{}, "Device name and area are required"],
  [{ name: "x" }, "Device name and area are required"],
  [{ name: 3, area_id: "park" }, "Device name and area are required"],
  [{ name: "x", area_id: "pier" }, "Area not found"],
  [{ name: "x", area_id: "park", hub_id: "pier-hub" }, "Choose a hub of the chosen area"],
  [{ name: "x", area_id: "park", hub_id: "field-hub" }, "Choose a hub of the chosen area"],
  [{ name: "x", area_id: "park", hub_id: "nothing" }, "Choose a hub of the chosen area"],
  [{ name: "x", area_id: "park", hub_id: 5 }, "Hub must be text"],
  [{ name: "x", area_id: "park", dept_id: "docks" }, "Department not found"],
  [{ name: "x", area_id: "park", dept_id: "rivers" }, "Department not found"],
  [{ name: "x".repeat(121), area_id: "park" }, "Device name may have at most 120 characters"],
  [{ name: "x", area_id: "park", restrike_min: 31 }, "Minutes to cool must be a whole number from 0 to 30"],
  [{ name: "x", area_id: "park", restrike_min: null }, "Minutes to cool must be a whole number from 0 to 30"],
  [{ name: "x", area_id: "park", notes: "x".repeat(2001) }, "Notes may have at most 2000 characters"],
  [{ name: "x", area_id: "park", model: { a: 1 } }, "Model must be text"],
])("refuses %j with a message and changes nothing", async (input, detail) => {
  const before = await fingerprint();
  for (const refused of [await manager.post("/devices", input), await manager.put("/devices/court", input)]) {
    expect(refused.status).toBe(422);
    expect(refused.json.detail).toBe(detail);
  }
  expect(await fingerprint()).toEqual(before);
});

test("a device can move to another area only without a hub or with one there", async () => {
  const device = (await manager.post("/devices", { name: "Mover", area_id: "park", hub_id: "park-hub" })).json.data;
  const path = `/devices/${device.id}`;
  expect((await manager.put(path, { name: "Mover", area_id: "field" })).status).toBe(422);
  expect((await manager.put(path, { name: "Mover", area_id: "field", hub_id: "park-hub" })).status).toBe(422);
  const there = await manager.put(path, { name: "Mover", area_id: "field", hub_id: "field-hub" });
  expect(there.json.data).toMatchObject({ area_id: "field", hub_id: "field-hub", hub_name: "Field hub" });
  const without = await manager.put(path, { name: "Mover", area_id: "park", hub_id: null });
  expect(without.json.data).toMatchObject({ area_id: "park", hub_id: null });
});

test("an auditor reads the audited department and writes nothing in it, whatever their role", async () => {
  const auditor = as("auditor");
  const before = await fingerprint();
  expect((await auditor.put("/devices/court", { name: "x", area_id: "park" })).status).toBe(403);
  expect((await auditor.post("/devices", { name: "x", area_id: "park", dept_id: "sports" })).status).toBe(403);
  expect((await auditor.put("/devices/gate", { name: "x", area_id: "park", dept_id: "sports" })).status).toBe(403);
  expect((await auditor.post("/devices/court/toggle", { action: "off" })).status).toBe(403);
  expect(await fingerprint()).toEqual(before);
  expect((await auditor.post("/devices/gate/toggle", { action: "off" })).status).toBe(200);
});

test("answers 403 for a wrong role and 404 for what is not visible, and changes nothing", async () => {
  const before = await fingerprint();
  const input = { name: "x", area_id: "park" };
  expect((await as("employee").post("/devices", input)).status).toBe(403);
  expect((await as("employee").put("/devices/gate", input)).status).toBe(403);
  expect((await manager.remove("/devices/gate")).status).toBe(403);
  expect((await manager.put("/devices/weir", input)).json).toEqual({ detail: "Device not found" });
  expect((await manager.post("/devices/weir/toggle", { action: "on" })).status).toBe(404);
  expect((await as("admin", { dept: "sports" }).remove("/devices/weir")).status).toBe(404);
  expect((await admin.put("/devices/buoy", input)).status).toBe(404);
  expect((await admin.post("/devices/buoy/toggle", { action: "on" })).status).toBe(404);
  expect(await fingerprint()).toEqual(before);
});

test("a stale If-Match gets 409, a deleted device 404", async () => {
  const device = (await manager.post("/devices", { name: "Old", area_id: "park" })).json.data;
  const path = `/devices/${device.id}`;
  expect((await manager.put(path, { name: "New", area_id: "park" }, 1)).json.data.version).toBe(2);
  const late = await manager.put(path, { name: "Newer", area_id: "park" }, 1);
  expect(late.json.detail).toBe("This device was changed by someone else meanwhile. Reload and try again.");
  expect((await admin.remove(path)).json).toEqual({ success: true });
  expect((await manager.put(path, { name: "Newest", area_id: "park" }, 2)).status).toBe(404);
});

test("who has read a device before its hub took it along is told so, not that they chose the wrong hub", async () => {
  const hub = (await manager.post("/hubs", { name: "Mover", area_id: "park" })).json.data;
  const input = { name: "On it", area_id: "park", hub_id: hub.id };
  const device = (await manager.post("/devices", input)).json.data;
  await manager.put(`/hubs/${hub.id}`, { name: "Mover", area_id: "field" });
  const late = await manager.put(`/devices/${device.id}`, { ...input, name: "Newer" }, 1);
  expect([late.status, late.json.detail]).toEqual([
    409,
    "This device was changed by someone else meanwhile. Reload and try again.",
  ]);
  expect((await manager.put(`/devices/${device.id}`, { ...input, area_id: "field" }, 2)).status).toBe(200);
});

test("everyone may toggle what they see: calls the engine, audits the toggle and returns its answer", async () => {
  asked.length = 0;
  const { status, json } = await as("employee").post("/devices/court/toggle", { action: "off" });
  expect(status).toBe(200);
  expect(json).toEqual({ success: true, action: "off", state: "off", provider: "mock", detail: null });
  const actor = { id: "employee", email: "employee@parks.example" };
  expect(asked).toEqual([{ verb: "toggle", org_id: "city", device_id: "court", action: "off", actor }]);
  expect((await audits()).at(-1)).toMatchObject({ action: "toggle", resource_type: "device" });
});

test.each([[{}], [{ action: "toggle" }], [{ action: "ON" }], [{ action: ["on"] }], [{ action: null }]])(
  "a toggle of %j is refused and the engine not asked",
  async (input) => {
    asked.length = 0;
    const { status, json } = await manager.post("/devices/gate/toggle", input);
    expect(status).toBe(422);
    expect(json.detail).toBe("Action must be one of: on, off, auto");
    expect(asked).toEqual([]);
  },
);
