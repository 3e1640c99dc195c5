import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { limitSent } from "#app/routes/limits/limit-sent";
import { database } from "#db/database";
import * as t from "#db/schema";
import { as, asked, at, audits, fingerprint, NOW, servicesOf } from "../support/api";
import { seedCity } from "../support/city";

const db = database(env.DB);
const asking = (more: object = {}) => ({
  target: { type: "area", id: "field" },
  from: at(1),
  to: at(48),
  reason: "wet ground",
  ...more,
});

beforeAll(seedCity);
beforeEach(async () => {
  await db.delete(t.closures);
});

const admin = as("admin");
const manager = as("manager");

test("a place is closed, listed until it is over, changed and reopened, with an audit entry each", async () => {
  asked.length = 0;
  const { status, json } = await manager.post("/closures", asking());
  expect(status).toBe(201);
  const made = json.data;
  expect(made).toEqual({
    id: expect.any(String),
    version: 1,
    created_at: expect.any(String),
    updated_at: expect.any(String),
    target: { type: "area", id: "field", name: "All lights", devices: 0 },
    area_id: "field",
    area_name: "North Field",
    from: at(1),
    to: at(48),
    reason: "wet ground",
    created_by: "manager@parks.example",
  });
  expect((await as("employee").get("/closures")).json.data).toEqual([made]);
  const changed = await manager.put(`/closures/${made.id}`, { to: null }, 1);
  expect(changed.json.data).toMatchObject({ from: at(1), to: null, reason: "wet ground", version: 2 });
  expect((await manager.put(`/closures/${made.id}`, { reason: "x" }, 1)).status).toBe(409);
  expect((await manager.remove(`/closures/${made.id}`)).json).toEqual({ success: true });
  expect((await manager.get("/closures")).json.data).toEqual([]);
  const told = (await audits()).filter(({ resource_type }) => resource_type === "closure");
  expect(told.map(({ action }) => action)).toEqual(["create", "update", "delete"]);
  expect(asked.map(({ verb }) => verb)).toEqual(["sync", "sync", "sync"]);
});

test("each closure is changed and reopened by itself, and listed with those of its area, and of its time", async () => {
  const make = async (more: object) => (await manager.post("/closures", asking(more))).json.data.id;
  const [field, gate] = [await make({}), await make({ target: { type: "device", id: "gate" }, to: at(2) })];
  const idsIn = async (query: string, hours = 0) => {
    const { json } = await as("manager", { now: () => new Date(at(hours)) }).get(`/closures${query}`);
    return json.data.map(({ id }: { id: string }) => id);
  };
  expect([await idsIn("?area_id=field"), await idsIn("?area_id=park")]).toEqual([[field], [gate]]);
  expect([await idsIn("", 2), await idsIn("?past=true", 2)]).toEqual([[field], [gate]]);
  expect(await idsIn("?past=true&area_id=field", 2)).toEqual([]);
  await manager.put(`/closures/${gate}`, { reason: "lent out" });
  expect((await manager.get("/closures?area_id=field")).json.data).toMatchObject([
    { reason: "wet ground", to: at(48) },
  ]);
  await manager.remove(`/closures/${gate}`);
  expect(await idsIn("")).toEqual([field]);
});

test("without times a closure begins now and lasts until it is reopened", async () => {
  const { json } = await manager.post("/closures", asking({ from: undefined, to: undefined }));
  expect(json.data).toMatchObject({ from: NOW.toISOString(), to: null });
});

test("the form of a closure that begins now makes one, however often it is sent", async () => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ target: "area:field", reason: "Wet ground" })) form.set(name, value);
  const send = (hours: number) => {
    const services = servicesOf("manager", { idempotency_key: "form", now: () => new Date(at(hours)) });
    return services.closures.create(limitSent(form, "America/Los_Angeles", Date.parse(at(hours))));
  };
  const made = await send(0);
  expect(made).toMatchObject({ from: at(0), to: null });
  expect(await send(0.01)).toEqual(made);
  expect((await manager.get("/closures")).json.data).toEqual([made]);
});

test("a closure that is made to begin now, or reopened, is so once, however often that is sent", async () => {
  const services = (key: string, hours: number) =>
    servicesOf("manager", { idempotency_key: key, now: () => new Date(at(hours)) });
  const { id } = await services("made", 0).closures.create(asking());
  const begun = await services("begun", 0.1).closures.save(id, { from: null }, 1);
  expect(begun).toMatchObject({ from: at(0.1), to: at(48) });
  expect(await services("begun", 0.2).closures.save(id, { from: null }, 1)).toEqual(begun);
  const reopened = await services("reopened", 0.3).closures.reopen(id);
  expect(reopened).toMatchObject({ from: at(0.1), to: at(0.3), version: 3 });
  expect(await services("reopened", 0.4).closures.reopen(id)).toEqual(reopened);
});

test.each([
  ["the first time", "2026-11-01T01:10:00-07:00", "2026-11-01T01:45:00-07:00"],
  ["again", "2026-11-01T01:10:00-08:00", "2026-11-01T01:45:00-08:00"],
])(
  "in the night in which clocks go back, at ten past one %s, a place can be kept closed until a quarter to two",
  async (_, now, to) => {
    const services = servicesOf("manager", { now: () => new Date(now) });
    const { id, from } = await services.closures.create(asking({ from: "2026-11-01T05:00:00Z", to: null }));
    const form = new FormData();
    const typed = { from_date: "2026-10-31", from_time: "22:00", to_date: "2026-11-01", to_time: "01:45" };
    for (const [name, value] of Object.entries({ target: "area:field", reason: "Wet ground", ...typed }))
      form.set(name, value);
    const saved = await services.closures.save(id, limitSent(form, "America/Los_Angeles", Date.parse(now)));
    expect(saved).toMatchObject({ from, to: new Date(to).toISOString() });
  },
);

test.each([
  ["only the reason", { reason: "Seeds" }],
  ["another place", { target: { type: "device", id: "gate" } }],
  ["the same place again", { target: { type: "area", id: "field" } }],
])("the entry of an edit that changes %s has the closure as it was and is", async (_, change) => {
  const before = (await manager.post("/closures", asking())).json.data;
  const { json } = await manager.put(`/closures/${before.id}`, change);
  const told = (await audits()).filter(({ action }) => action === "update").at(-1);
  expect(JSON.parse(told?.details ?? "null")).toEqual({ before, after: json.data });
});

test("a closure that is moved is told with the place that it is moved to", async () => {
  const { json } = await manager.post("/closures", asking());
  const moved = await as("admin").put(`/closures/${json.data.id}`, { target: { type: "area", id: "park" } });
  expect(moved.json.data).toMatchObject({ area_id: "park", area_name: "Elm Park" });
  const [told] = (await audits())
    .filter(({ action, resource_type }) => `${action} ${resource_type}` === "update closure")
    .slice(-1);
  const { before, after } = JSON.parse(told?.details ?? "{}");
  expect(before).toMatchObject({ area_id: "field", area_name: "North Field" });
  expect(after).toMatchObject({
    area_id: "park",
    area_name: "Elm Park",
    target: { type: "area", id: "park", name: "All lights" },
  });
});

test("an end in the past reopens a running closure now; one that is over can't be edited", async () => {
  const { json } = await manager.post("/closures", asking({ from: at(-5), to: null }));
  const path = `/closures/${json.data.id}`;
  expect((await manager.put(path, { to: at(-1) })).json.data.to).toBe(NOW.toISOString());
  const over = await manager.put(path, { to: null });
  expect([over.status, over.json.detail]).toEqual([409, "This closure is already over and can't be edited"]);
  expect((await manager.get("/closures")).json.data).toEqual([]);
  expect((await manager.get("/closures?past=true")).json.data).toHaveLength(1);
});

test.each([
  [{ from: at(3), to: at(2) }, "The closure must end after it begins"],
  [{ from: at(3), to: at(3) }, "The closure must end after it begins"],
  [{ from: at(-3), to: at(-2) }, "This closure lies wholly in the past"],
  [{ from: at(24 * 366 * 11) }, "The closure must begin within ten years from now"],
  [{ from: "soon" }, "From must be a date and time"],
  [{ to: "soon" }, "To must be a date and time, or none until it is reopened"],
  // In UTC that is the year 10000, and the list would not show what keeps the place dark.
  [{ to: "9999-12-31T23:59:00-08:00" }, "To must be a date and time, or none until it is reopened"],
  [{ reason: undefined }, "A reason is required"],
  [{ reason: "x".repeat(201) }, "Reason may have at most 200 characters"],
  [{ target: { type: "area", id: "pier" } }, "Area not found"],
])("refuses %j with a sentence and changes nothing", async (input, detail) => {
  const before = await fingerprint();
  const refused = await admin.post("/closures", asking(input));
  expect([refused.status, refused.json.detail]).toEqual([422, detail]);
  expect(await fingerprint()).toEqual(before);
});

test("a change is refused as a new closure is, and changes nothing", async () => {
  const { json } = await admin.post("/closures", asking());
  const path = `/closures/${json.data.id}`;
  const before = await fingerprint();
  const refusals = [
    [{ to: at(0.5) }, "The closure must end after it begins"],
    [{ reason: "" }, "A reason is required"],
    [{ target: { type: "group", id: "nowhere" } }, "Group not found"],
  ] as const;
  for (const [input, detail] of refusals) {
    const refused = await manager.put(path, input);
    expect([refused.status, refused.json.detail]).toEqual([422, detail]);
  }
  const foreign = await manager.put(path, { target: { type: "area", id: "park" } });
  expect([foreign.status, foreign.json.detail]).toEqual([
    403,
    "Some of these lights belong to departments you are not in",
  ]);
  expect((await as("employee").put(path, { to: null })).status).toBe(403);
  expect((await as("stranger").put(path, { to: null })).status).toBe(404);
  expect(await fingerprint()).toEqual(before);
});

test("who may not write all lights of a closed place neither changes nor reopens it", async () => {
  const make = async (target: object) => (await admin.post("/closures", asking({ target }))).json.data.id;
  const [ofPark, ofCourt] = [await make({ type: "area", id: "park" }), await make({ type: "device", id: "court" })];
  const before = await fingerprint();
  for (const [who, id] of [
    ["manager", ofPark],
    ["auditor", ofPark],
    ["auditor", ofCourt],
  ] as const) {
    const elsewhere = { target: { type: "device", id: "gate" } };
    for (const refused of [
      await as(who).put(`/closures/${id}`, { to: at(2) }),
      await as(who).put(`/closures/${id}`, elsewhere),
      await as(who).remove(`/closures/${id}`),
    ])
      expect(refused.status).toBe(403);
    await expect(servicesOf(who).closures.reopen(id)).rejects.toMatchObject({ code: "forbidden" });
  }
  expect(await fingerprint()).toEqual(before);
  expect((await manager.remove(`/closures/${ofCourt}`)).status).toBe(200);
});

test("everyone sees a closed area, and a closed light only who sees the light", async () => {
  await admin.post("/closures", asking({ target: { type: "area", id: "park" } }));
  await admin.post("/closures", asking({ target: { type: "device", id: "weir" } }));
  const dam = { name: "Dam light", area_id: "field", dept_id: "rivers" };
  const { id } = (await admin.post("/devices", dam)).json.data;
  await admin.post("/closures", asking({ target: { type: "area", id: "field" } }));
  const seen = async (who: "employee" | "admin") =>
    (await as(who).get("/closures")).json.data.map((row: { target: { id: string } }) => row.target.id).toSorted();
  expect(await seen("employee")).toEqual(["field", "park"]);
  expect(await seen("admin")).toEqual(["field", "park", "weir"]);
  await admin.remove(`/devices/${id}`);
});
