import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { permitSent } from "#app/routes/permits/permit-action";
import { database } from "#db/database";
import * as t from "#db/schema";
import { as, asked, at, audits, fingerprint, servicesOf } from "../support/api";
import { seedCity } from "../support/city";

const db = database(env.DB);

/** Noon of the day in Los Angeles. */
const asking = (more: object = {}) => ({
  target: { type: "device", id: "gate" },
  from: at(8),
  to: at(9.5),
  reason: "  tournament ",
  ...more,
});

beforeAll(async () => {
  await seedCity();
  await db.batch([
    db.insert(t.device_groups).values({ id: "pair", org_id: "city", area_id: "park", name: "Pair" }),
    db.insert(t.group_devices).values([
      { org_id: "city", group_id: "pair", device_id: "gate" },
      { org_id: "city", group_id: "pair", device_id: "court" },
    ]),
  ]);
});

beforeEach(async () => {
  await db.delete(t.permits);
});

const admin = as("admin");
const manager = as("manager");

test("a permit is given, listed until it is over, and taken back, with an audit entry each", async () => {
  asked.length = 0;
  const { status, json } = await manager.post("/permits", asking({ target: { type: "group", id: "pair" } }));
  expect(status).toBe(201);
  const made = {
    id: expect.any(String),
    version: 1,
    created_at: expect.any(String),
    updated_at: expect.any(String),
    target: { type: "group", id: "pair", name: "Pair", devices: 2 },
    area_id: "park",
    area_name: "Elm Park",
    from: at(8),
    to: at(9.5),
    reason: "tournament",
    created_by: "manager@parks.example",
  };
  expect(json.data).toEqual({ ...made, warnings: [expect.any(String)] });
  expect((await as("employee").get("/permits")).json.data).toEqual([made]);
  expect((await as("employee").get("/permits?area_id=field")).json.data).toEqual([]);
  expect((await as("employee").get("/permits?past=true")).json.data).toEqual([]);
  const later = as("manager", { now: () => new Date(at(9.5)) });
  expect((await later.get("/permits")).json.data).toEqual([]);
  expect((await later.get("/permits?past=true")).json.data).toEqual([made]);
  expect((await manager.remove(`/permits/${json.data.id}`)).json).toEqual({ success: true });
  expect((await manager.remove(`/permits/${json.data.id}`)).status).toBe(404);
  const told = (await audits()).filter(({ resource_type }) => resource_type === "permit");
  expect(told.map(({ action }) => action)).toEqual(["create", "delete"]);
  expect(asked.map(({ verb }) => verb)).toEqual(["sync", "sync"]);
});

test.each([
  [{ from: at(1), to: at(1 + 8 * 24) }, "A permit may last at most 7 days"],
  [{ from: at(9), to: at(8) }, "The permit must end after it begins"],
  [{ from: at(9), to: at(9) }, "The permit must end after it begins"],
  [{ from: at(24 * 366 * 11), to: at(24 * 366 * 11 + 1) }, "The permit must begin within ten years from now"],
  [{ from: at(-2), to: at(-1) }, "This permit lies wholly in the past"],
  [{ reason: " " }, "A reason is required"],
  [{ reason: "x".repeat(201) }, "Reason may have at most 200 characters"],
  [{ target: undefined }, "Choose a device, a group or an area"],
  [{ target: { type: "hub", id: "park-hub" } }, "Target type must be one of: device, group, area"],
  [{ target: { type: "device", id: "buoy" } }, "Device not found"],
  [{ target: { type: "area", id: "pier" } }, "Area not found"],
  [{ target: { type: "group", id: "nowhere" } }, "Group not found"],
  [{ to: null }, "To must be a date and time"],
])("refuses %j with a sentence and changes nothing", async (input, detail) => {
  const before = await fingerprint();
  const refused = await admin.post("/permits", asking(input));
  expect([refused.status, refused.json.detail]).toEqual([422, detail]);
  expect(await fingerprint()).toEqual(before);
});

test("each permit is taken back by itself, and those that are over are listed by their area", async () => {
  const make = async (more: object) => (await manager.post("/permits", asking(more))).json.data.id;
  const [field, gate] = [await make({ target: { type: "area", id: "field" } }), await make({})];
  const later = as("manager", { now: () => new Date(at(9.5)) });
  expect((await later.get("/permits?past=true&area_id=field")).json.data).toMatchObject([{ id: field }]);
  await manager.remove(`/permits/${field}`);
  expect((await manager.get("/permits")).json.data).toMatchObject([{ id: gate }]);
});

test("the form of a permit that begins now gives one, however often it is sent", async () => {
  const form = new FormData();
  const typed = { target: "gate", reason: "Game", to_date: "2026-11-20", to_time: "14:00" };
  for (const [name, value] of Object.entries(typed)) form.set(name, value);
  const send = (hours: number) => {
    const services = servicesOf("manager", { idempotency_key: "form", now: () => new Date(at(hours)) });
    return services.permits.create(permitSent(form, "America/Los_Angeles", Date.parse(at(hours))));
  };
  const made = await send(0);
  expect(made).toMatchObject({ from: at(0), to: at(2) });
  expect(await send(0.01)).toEqual(made);
  expect((await admin.get("/permits")).json.data).toHaveLength(1);
});

test("in the hour that comes again, a permit may end by the clock's next such time", async () => {
  const now = "2026-11-01T01:10:00-08:00";
  const form = new FormData();
  const typed = { target: "gate", reason: "Game", to_date: "2026-11-01", to_time: "01:45" };
  for (const [name, value] of Object.entries(typed)) form.set(name, value);
  const services = servicesOf("manager", { now: () => new Date(now) });
  const made = await services.permits.create(permitSent(form, "America/Los_Angeles", Date.parse(now)));
  expect(made).toMatchObject({ from: new Date(now).toISOString(), to: "2026-11-01T09:45:00.000Z" });
});

test("an admin may permit seven days, a manager two hours that begin today", async () => {
  expect((await admin.post("/permits", asking({ from: at(1), to: at(1 + 7 * 24) }))).status).toBe(201);
  // Ten in the evening until midnight, and from a quarter to twelve over midnight.
  expect((await manager.post("/permits", asking({ from: at(10), to: at(12) }))).status).toBe(201);
  expect((await manager.post("/permits", asking({ from: at(11.75), to: at(13.75) }))).status).toBe(201);
  const before = await fingerprint();
  const long = await manager.post("/permits", asking({ from: at(8), to: at(10.1) }));
  expect([long.status, long.json.detail]).toEqual([422, "Only an admin may permit more than 2 hours"]);
  const tomorrow = await manager.post("/permits", asking({ from: at(12), to: at(13) }));
  expect([tomorrow.status, tomorrow.json.detail]).toEqual([
    422,
    "Only an admin may give a permit for another day than today",
  ]);
  expect(await fingerprint()).toEqual(before);
});

test("a permit and its target's lights must be the person's, by membership and not by the chosen department", async () => {
  const before = await fingerprint();
  const foreign = "Some of these lights belong to departments you are not in";
  for (const target of [{ type: "area", id: "park" }]) {
    const refused = await manager.post("/permits", asking({ target }));
    expect([refused.status, refused.json.detail]).toEqual([403, foreign]);
  }
  for (const target of [
    { type: "group", id: "pair" },
    { type: "device", id: "court" },
  ]) {
    const audited = await as("auditor").post("/permits", asking({ target }));
    expect([audited.status, audited.json.detail]).toEqual([403, "Permission denied"]);
  }
  const hidden = await manager.post("/permits", asking({ target: { type: "device", id: "weir" } }));
  expect([hidden.status, hidden.json.detail]).toEqual([422, "Device not found"]);
  expect((await as("employee").post("/permits", asking())).status).toBe(403);
  expect(await fingerprint()).toEqual(before);

  const elsewhere = as("admin", { dept: "rivers" });
  const made = await elsewhere.post("/permits", asking({ target: { type: "area", id: "park" } }));
  expect(made.json.data.target).toEqual({ type: "area", id: "park", name: "All lights", devices: 3 });
  expect((await manager.remove(`/permits/${made.json.data.id}`)).json.detail).toBe(foreign);
});

test("a permit for a hidden light is hidden", async () => {
  const { json } = await admin.post("/permits", asking({ target: { type: "device", id: "weir" } }));
  expect((await manager.get("/permits")).json.data).toEqual([]);
  expect((await manager.remove(`/permits/${json.data.id}`)).status).toBe(404);
  expect((await as("stranger").get("/permits")).json.data).toEqual([]);
  expect((await as("stranger").remove(`/permits/${json.data.id}`)).status).toBe(404);
});

test("a permit warns where max on cuts at its end, and not where it is dark then anyway", async () => {
  const until = async (hours: number) => (await admin.post("/permits", asking({ to: at(hours) }))).json.data.warnings;
  expect(await until(9.5)).toEqual([
    "Lights on since 5:30 PM or earlier go off when the permit ends (9:30 PM): at most 4 h",
  ]);
  expect(await until(11.75)).toEqual([]);
  await admin.put("/admin/policies/group/pair", { MAX_ON_DURATION_MIN: 90 });
  expect(await until(9.5)).toEqual([
    "Lights on since 8:00 PM or earlier go off when the permit ends (9:30 PM): at most 1 h 30 min",
  ]);
  await db.insert(t.device_groups).values({ id: "far", org_id: "city", area_id: "park", name: "Far" });
  await db.insert(t.group_devices).values({ org_id: "city", group_id: "far", device_id: "weir" });
  await admin.put("/admin/policies/group/far", { MAX_ON_DURATION_MIN: 10 });
  await admin.put("/admin/policies/group/pair", { MAX_ON_DURATION_MIN: 0 });
  expect(await until(9.5)).toEqual([]);
});

test("a permit of a group or an area warns of those of its lights that another group's policy cuts", async () => {
  await db.insert(t.device_groups).values({ id: "three", org_id: "city", area_id: "park", name: "Three" });
  for (const device_id of ["gate", "court", "weir"])
    await db.insert(t.group_devices).values({ org_id: "city", group_id: "three", device_id });
  await admin.put("/admin/policies/group/pair", { MAX_ON_DURATION_MIN: 90 });
  await admin.put("/admin/policies/group/far", { MAX_ON_DURATION_MIN: 0 });
  for (const target of [
    { type: "group", id: "three" },
    { type: "area", id: "park" },
  ]) {
    const { json } = await admin.post("/permits", asking({ target }));
    const told =
      "2 of 3 lights go off when the permit ends (9:30 PM) if on since 8:00 PM or earlier: at most 1 h 30 min";
    expect(json.data.warnings).toEqual([told]);
    // What the form warns by.
    const limits = await servicesOf("admin").permits.limits(target);
    expect(limits.map(({ rules, lights }) => [rules.MAX_ON_DURATION_MIN, lights]).toSorted()).toEqual([
      [0, 1],
      [90, 2],
    ]);
  }
  await admin.put("/admin/policies/group/pair", { MAX_ON_DURATION_MIN: 0 });
});

test("a group without a name is called by its lights", async () => {
  await db.batch([
    db.insert(t.device_groups).values({ id: "ticked", org_id: "city", area_id: "park" }),
    db.insert(t.group_devices).values([
      { org_id: "city", group_id: "ticked", device_id: "gate" },
      { org_id: "city", group_id: "ticked", device_id: "court" },
    ]),
  ]);
  const { json } = await admin.post("/permits", asking({ target: { type: "group", id: "ticked" } }));
  expect(json.data.target.name).toBe("Court light and 1 more");
});

test("a group without a name is called by no light that one may not see", async () => {
  await db.batch([
    db.insert(t.devices).values([
      { id: "annex", org_id: "city", area_id: "field", dept_id: "rivers", name: "Annex light" },
      { id: "mast", org_id: "city", area_id: "field", name: "Mast light" },
    ]),
    db.insert(t.device_groups).values({ id: "mixed", org_id: "city", area_id: "field" }),
    db.insert(t.group_devices).values([
      { org_id: "city", group_id: "mixed", device_id: "annex" },
      { org_id: "city", group_id: "mixed", device_id: "mast" },
    ]),
  ]);
  const target = { type: "group", id: "mixed" };
  expect((await admin.post("/permits", asking({ target }))).json.data.target.name).toBe("Annex light and 1 more");
  expect((await admin.post("/closures", asking({ target }))).json.data.target.name).toBe("Annex light and 1 more");
  for (const path of ["/permits", "/closures"]) {
    expect((await as("employee").get(path)).json.data).toMatchObject([{ target: { name: "Mast light and 1 more" } }]);
  }
});
