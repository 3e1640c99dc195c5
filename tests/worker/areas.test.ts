import { beforeAll, expect, test } from "vitest";
import { as, asked, audits, fingerprint } from "../support/api";
import { seedCity } from "../support/city";

beforeAll(seedCity);

const admin = as("admin");
const manager = as("manager");

test("everyone sees the areas of their own organization only", async () => {
  for (const name of ["admin", "manager", "employee", "auditor"] as const) {
    const { status, json } = await as(name).get("/areas");
    expect(status).toBe(200);
    expect(json.data.map((area: { id: string }) => area.id)).toEqual(["park", "field"]);
  }
});

test("creates an area with the defaults, audits it and informs the scheduler", async () => {
  asked.length = 0;
  const { status, json } = await manager.post("/areas", { name: "  Oak Path  ", unknown: 1 });
  expect(status).toBe(201);
  expect(json.data).toEqual({
    id: expect.any(String),
    name: "Oak Path",
    type: "park",
    location: null,
    active: true,
    stagger_sec: 0,
    version: 1,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updated_at: expect.any(String),
  });
  expect((await audits()).at(-1)).toMatchObject({ action: "create", resource_type: "area" });
  expect(asked).toEqual([{ verb: "sync", org_id: "city" }]);
});

test.each([
  [
    { address: " 1 Elm St ", lat: 47.5, lon: -122 },
    { address: "1 Elm St", lat: 47.5, lon: -122 },
  ],
  [
    { address: "", lat: "47.5", lon: "-122" },
    { lat: 47.5, lon: -122 },
  ],
  [{ address: "1 Elm St", lat: 47.5 }, { address: "1 Elm St" }],
  [{ address: " ", lat: "", lon: null }, null],
  [{}, null],
  [null, null],
])("stores the location %j as %j: coordinates only if both are given", async (location, kept) => {
  const { json } = await manager.post("/areas", { name: "Somewhere", location });
  expect(json.data.location).toEqual(kept);
});

test("an edit keeps the fields that it does not name", async () => {
  const { json } = await manager.post("/areas", { name: "Mill", type: "river", location: { address: "Dam" } });
  const { status, json: edited } = await manager.put(`/areas/${json.data.id}`, { name: "Mill River", active: false });
  expect(status).toBe(200);
  expect(edited.data).toMatchObject({ name: "Mill River", type: "river", location: { address: "Dam" }, active: false });
  expect(edited.data.version).toBe(2);
});

test("an area keeps the seconds between its ONs through an edit that does not name them", async () => {
  const { json } = await manager.post("/areas", { name: "Old wiring", stagger_sec: 10 });
  expect(json.data.stagger_sec).toBe(10);
  const { json: edited } = await manager.put(`/areas/${json.data.id}`, { name: "Older wiring" });
  expect(edited.data).toMatchObject({ name: "Older wiring", stagger_sec: 10 });
  const { json: cleared } = await manager.put(`/areas/${json.data.id}`, { name: "New wiring", stagger_sec: "" });
  expect(cleared.data.stagger_sec).toBe(0);
});

test("a stale If-Match gets 409 and changes nothing; without If-Match the last write wins", async () => {
  const { json } = await manager.post("/areas", { name: "Pond" });
  const path = `/areas/${json.data.id}`;
  expect((await manager.put(path, { name: "Pond A" }, 1)).status).toBe(200);
  const before = await fingerprint();
  const late = await admin.put(path, { name: "Pond B" }, 1);
  expect(late.status).toBe(409);
  expect(late.json.detail).toBe("This area was changed by someone else meanwhile. Reload and try again.");
  expect(await fingerprint()).toEqual(before);
  expect((await admin.put(path, { name: "Pond C" })).json.data).toMatchObject({ name: "Pond C", version: 3 });
});

test("one of two simultaneous edits of the same version wins", async () => {
  const { json } = await manager.post("/areas", { name: "Race" });
  const path = `/areas/${json.data.id}`;
  const answers = await Promise.all(["A", "B", "C"].map((name) => manager.put(path, { name }, 1)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
});

test.each([
  [{ name: "" }, "Area name is required"],
  [{ name: "   " }, "Area name is required"],
  [{}, "Area name is required"],
  [{ name: null }, "Area name is required"],
  [{ name: 7 }, "Area name is required"],
  [{ name: ["x"] }, "Area name is required"],
  [{ name: "x".repeat(121) }, "Area name may have at most 120 characters"],
  [{ name: "x", type: "lake" }, "Area type must be one of: park, field, river, path, other"],
  [{ name: "x", type: null }, "Area type must be one of: park, field, river, path, other"],
  [{ name: "x", active: "maybe" }, "Active must be true or false"],
  [{ name: "x", stagger_sec: 61 }, "Seconds between two ONs must be a whole number from 0 to 60"],
  [{ name: "x", stagger_sec: 1.5 }, "Seconds between two ONs must be a whole number from 0 to 60"],
  [{ name: "x", active: 1 }, "Active must be true or false"],
  [{ name: "x", location: "here" }, "Location must have an address, a latitude and a longitude"],
  [{ name: "x", location: { lat: 91, lon: 0 } }, "Latitude must be a number from -90 to 90"],
  [{ name: "x", location: { lat: 0, lon: "east" } }, "Longitude must be a number from -180 to 180"],
  [{ name: "x", location: { address: "x".repeat(201) } }, "Address may have at most 200 characters"],
])("refuses %j with a message and changes nothing", async (input, detail) => {
  const before = await fingerprint();
  for (const refused of [await admin.post("/areas", input), await admin.put("/areas/park", input)]) {
    expect(refused.status).toBe(422);
    expect(refused.json.detail).toBe(detail);
    expect(Object.values(refused.json.errors)).toContain(detail);
  }
  expect(await fingerprint()).toEqual(before);
});

test("answers 403 for a wrong role and 404 for another organization, and changes nothing", async () => {
  const before = await fingerprint();
  expect((await as("employee").post("/areas", { name: "x" })).status).toBe(403);
  expect((await as("employee").put("/areas/park", { name: "x" })).json).toEqual({ detail: "Permission denied" });
  expect((await as("employee").put("/areas/nowhere", "not json")).status).toBe(400);
  expect((await manager.remove("/areas/park")).status).toBe(403);
  expect((await as("stranger").put("/areas/park", { name: "x" })).json).toEqual({ detail: "Area not found" });
  expect((await as("stranger").remove("/areas/park")).status).toBe(404);
  expect((await admin.put("/areas/pier", { name: "x" })).status).toBe(404);
  expect((await admin.remove("/areas/pier")).status).toBe(404);
  expect(await fingerprint()).toEqual(before);
});

test("deleting an area deletes its hubs and devices, also from the engine's plan", async () => {
  const { json } = await admin.post("/areas", { name: "Doomed" });
  const area_id = json.data.id;
  const hub = await admin.post("/hubs", { name: "Doomed hub", area_id });
  await admin.post("/devices", { name: "Doomed light", area_id, hub_id: hub.json.data.id });
  expect((await admin.remove(`/areas/${area_id}`)).json).toEqual({ success: true });
  expect((await admin.get("/hubs")).json.data.map((row: { name: string }) => row.name)).not.toContain("Doomed hub");
  expect((await admin.get("/devices")).json.data.map((row: { name: string }) => row.name)).not.toContain(
    "Doomed light",
  );
  expect((await admin.remove(`/areas/${area_id}`)).status).toBe(404);
});

test("an auditor of a department cannot delete an area with a light of it", async () => {
  const { json } = await admin.post("/areas", { name: "Shared" });
  const area_id = json.data.id;
  await admin.post("/devices", { name: "Stand light", area_id, dept_id: "sports" });
  const before = await fingerprint();
  expect((await as("inspector").remove(`/areas/${area_id}`)).json).toEqual({ detail: "Permission denied" });
  expect(await fingerprint()).toEqual(before);
  expect((await admin.remove(`/areas/${area_id}`)).status).toBe(200);
});

test("an auditor of a department cannot take an area with a light of it out of use, nor put it back, but say what and where it is", async () => {
  const { json } = await admin.post("/areas", { name: "Shared pitch" });
  const path = `/areas/${json.data.id}`;
  await admin.post("/devices", { name: "Pitch light", area_id: json.data.id, dept_id: "sports" });
  const before = await fingerprint();
  const darkened = await as("auditor").put(path, { name: "Shared pitch", active: false });
  expect([darkened.status, darkened.json]).toEqual([403, { detail: "Permission denied" }]);
  expect(await fingerprint()).toEqual(before);
  expect((await as("auditor").put(path, { name: "Shared pitch 2", active: true })).status).toBe(200);
  // A type's rules belong to no department, as the city's do; nor does where an area is.
  const place = { type: "field", location: { lat: 34, lon: -118 }, stagger_sec: 5 };
  expect((await as("auditor").put(path, { name: "Shared pitch 2", ...place })).status).toBe(200);
  expect((await as("manager").put(path, { name: "Shared pitch 2", active: false })).status).toBe(200);
  expect((await as("auditor").put(path, { name: "Shared pitch 2", active: true })).status).toBe(403);
  expect((await admin.remove(path)).status).toBe(200);
});
