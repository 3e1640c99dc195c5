import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { refreshComingWindows } from "#db/coming-windows";
import { database } from "#db/database";
import { as, at, type More, NOW, servicesOf } from "../support/api";
import { CITY, seedCity, type PersonName } from "../support/city";
import { countedDatabase } from "../support/counted";

beforeAll(seedCity);

const areaFor = async (name: PersonName, more: More = {}, id = "park") => {
  const { json } = await as(name, more).get("/dashboard");
  return json.data.find((area: { id: string }) => area.id === id);
};
const plan = (device_id: string, start: number, end: number, rrule: string | null = null) =>
  as("admin").post("/schedules", {
    title: "x",
    area_id: "park",
    device_id,
    start_at: at(start),
    end_at: at(end),
    rrule,
  });
const event = (device_id: string, dept_id: string | null, created_at: string) =>
  env.DB.prepare(
    `INSERT INTO device_events (id, org_id, device_id, dept_id, area_id, action, result, created_at)
     VALUES (?, ?, ?, ?, 'park', 'on', 'success', ?)`,
  )
    .bind(crypto.randomUUID(), CITY, device_id, dept_id, created_at)
    .run();

test("an empty area has zeros and nulls", async () => {
  const field = await areaFor("admin", {}, "field");
  expect(field).toEqual({
    id: "field",
    name: "North Field",
    type: "field",
    hubs_online: 0,
    hubs_total: 1,
    devices_on: 0,
    devices_total: 0,
    devices_hidden: 0,
    problems: 0,
    last_activity: null,
    next_event: null,
  });
});

test("areas stand by name, whatever the case, as in their own list and on the map", async () => {
  for (const name of ["alder green", "Birch green"]) {
    await env.DB.prepare("INSERT INTO areas (id, org_id, name) VALUES (?, ?, ?)").bind(name, CITY, name).run();
  }
  const names = async (path: string) =>
    (await as("admin").get(path)).json.data.map(({ name }: { name: string }) => name);
  const order = await names("/dashboard");
  expect(order.slice(0, 2)).toEqual(["alder green", "Birch green"]);
  expect(await names("/areas")).toEqual(order);
  const { areas } = await servicesOf("admin").dashboard.places({});
  expect(areas.map(({ name }) => name)).toEqual(order);
  await env.DB.prepare("DELETE FROM areas WHERE name LIKE '% green'").run();
});

test("counts hubs for everyone and devices by the person's departments", async () => {
  expect(await areaFor("admin")).toMatchObject({ hubs_online: 1, hubs_total: 1, devices_on: 2, devices_total: 3 });
  expect(await areaFor("manager")).toMatchObject({ hubs_online: 1, devices_on: 1, devices_total: 2 });
  expect(await areaFor("admin", { dept: "rivers" })).toMatchObject({ devices_on: 1, devices_total: 2 });
  expect(await areaFor("employee", { dept: "rivers" })).toMatchObject({ devices_on: 0, devices_total: 1 });
  expect(await areaFor("admin")).toMatchObject({ devices_hidden: 0 });
  expect(await areaFor("employee", { dept: "rivers" })).toMatchObject({ devices_hidden: 2 });
  expect(await areaFor("stranger")).toBeUndefined();
});

test("the cards above the areas count what the person sees of their own city, and the area what is wrong in it", async () => {
  await env.DB.batch(
    [
      "UPDATE devices SET problem = 'still on' WHERE id IN ('court', 'buoy')",
      "UPDATE devices SET current_state = 'off' WHERE id = 'gate'",
      "UPDATE devices SET current_state = 'unknown', problem = 'not confirmed' WHERE id = 'weir'",
      "UPDATE hubs SET status = 'offline' WHERE id IN ('field-hub', 'pier-hub')",
      "UPDATE areas SET active = 0 WHERE id = 'field'",
    ].map((statement) => env.DB.prepare(statement)),
  );
  const totalsFor = async (name: PersonName) => (await servicesOf(name).dashboard.page({})).totals;
  const [admins, managers] = [await totalsFor("admin"), await totalsFor("manager")];
  const park = await areaFor("admin");
  await env.DB.batch(
    [
      "UPDATE devices SET problem = NULL",
      "UPDATE devices SET current_state = 'unknown' WHERE id = 'gate'",
      "UPDATE devices SET current_state = 'on' WHERE id = 'weir'",
      "UPDATE hubs SET status = 'unknown' WHERE id IN ('field-hub', 'pier-hub')",
      "UPDATE areas SET active = 1 WHERE id = 'field'",
    ].map((statement) => env.DB.prepare(statement)),
  );
  const hubs = { areas_active: 1, hubs_online: 1, hubs_away: 1, hubs_total: 2 };
  expect(admins).toMatchObject({ ...hubs, devices_on: 1, devices_total: 3, problems: 2, unknown: 1 });
  expect(managers).toMatchObject({ ...hubs, devices_on: 1, devices_total: 2, problems: 1, unknown: 0 });
  expect(park.problems).toBe(2);
});

test("the last activity is the latest event of a visible device", async () => {
  await event("gate", null, at(-5));
  await event("court", "sports", at(-4));
  await event("weir", "rivers", at(-1));
  expect((await areaFor("admin")).last_activity).toBe(at(-1));
  expect((await areaFor("manager")).last_activity).toBe(at(-4));
});

test("the next event is the next start or the running end, whichever comes first", async () => {
  await plan("court", 5, 6);
  expect((await areaFor("manager")).next_event).toBe(at(5));
  await plan("court", -22, -21, "FREQ=DAILY");
  expect((await areaFor("manager")).next_event).toBe(at(2));
  await plan("gate", -1, 1);
  expect((await areaFor("manager")).next_event).toBe(at(1));
  const { json } = await plan("weir", 0.25, 0.5);
  expect((await areaFor("manager")).next_event).toBe(at(1));
  expect((await areaFor("admin")).next_event).toBe(at(0.25));
  await as("admin").put(`/schedules/${json.data.id}/cancel`);
  expect((await areaFor("admin")).next_event).toBe(at(1));
  expect((await areaFor("admin", { now: () => new Date(at(1)) })).next_event).toBe(at(2));
});

test("the dashboard says what begins or ends at the next event, and for what", async () => {
  const next = async (name: PersonName, now = NOW) =>
    (await servicesOf(name, { now: () => now }).dashboard.page({})).next.map(nextWords);
  const nextWords = ({ title, place, begins }: { title: string; place: string; begins: boolean }) =>
    `${title} ${begins ? "begins" : "ends"} at ${place}`;
  expect(await next("manager")).toEqual(["x ends at Gate light"]);
  expect(await next("manager", new Date(at(1)))).toEqual(["x begins at Court light"]);
  await plan("gate", 2, 3);
  expect((await next("manager", new Date(at(1)))).toSorted()).toEqual([
    "x begins at Court light",
    "x begins at Gate light",
  ]);
});

test("the dashboard says what limits lights at the moment", async () => {
  const limits = async (now = NOW, name: PersonName = "admin") =>
    (await servicesOf(name, { now: () => now }).dashboard.page({})).limits;
  expect(await limits()).toEqual({ dark: "Curfew from 11:45 PM", own_hours: 0, closures: 0 });
  expect(await limits(new Date("2026-11-21T08:30:00.000Z"))).toMatchObject({ dark: "Blackout until 5:00 AM" });
  const closure = { reason: "wet ground", from: at(-1), to: at(1) };
  await as("admin").post("/closures", { ...closure, target: { type: "device", id: "weir" } });
  await as("admin").post("/closures", { ...closure, target: { type: "area", id: "park" } });
  await env.DB.prepare(
    "INSERT INTO policies (org_id, scope, scope_id, HARD_CURFEW_OFF) VALUES ('city', 'area', 'park', '22:00')",
  ).run();
  await env.DB.batch([
    env.DB.prepare("INSERT INTO device_groups (id, org_id, area_id, name) VALUES ('dam', 'city', 'park', 'Dam')"),
    env.DB.prepare("INSERT INTO group_devices (org_id, group_id, device_id) VALUES ('city', 'dam', 'weir')"),
    env.DB.prepare(
      "INSERT INTO policies (org_id, scope, scope_id, BLACKOUT_WINDOW) VALUES ('city', 'group', 'dam', '01:00-04:00')",
    ),
  ]);
  expect(await limits()).toMatchObject({ own_hours: 2, closures: 2 });
  expect(await limits(NOW, "manager")).toMatchObject({ own_hours: 1, closures: 1 });
  expect(await limits(new Date(at(2)))).toMatchObject({ closures: 0 });
  await as("admin").post("/closures", { reason: "building site", target: { type: "area", id: "field" } });
  await as("admin").post("/closures", {
    reason: "fair",
    from: at(3),
    to: at(4),
    target: { type: "area", id: "field" },
  });
  await as("stranger").post("/closures", { reason: "storm", target: { type: "area", id: "pier" } });
  expect(await limits(new Date(at(2)))).toMatchObject({ closures: 1 });
  expect(await limits(new Date(at(3)))).toMatchObject({ closures: 2 });
});

test("an inactive area has no next event", async () => {
  await as("admin").put("/areas/park", { name: "Elm Park", active: false });
  expect((await areaFor("admin")).next_event).toBeNull();
  await as("admin").put("/areas/park", { name: "Elm Park", active: true });
});

test("with 10,000 devices and schedules each list takes at most two round trips", async () => {
  await env.DB.batch([
    env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
       INSERT INTO devices (id, org_id, area_id, hub_id, dept_id, name)
       SELECT 'd' || i, 'city', 'park', 'park-hub', iif(i % 2, 'sports', null), 'Light ' || i FROM n`,
    ),
    env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
       INSERT INTO schedules (id, org_id, device_id, title, start_at, end_at, rrule, timezone)
       SELECT 's' || i, 'city', 'd' || i, 'Plan ' || i,
         strftime('%Y-%m-%dT%H:%M:%fZ', '2026-11-01T00:00:00Z', (i % 700) || ' minutes'),
         strftime('%Y-%m-%dT%H:%M:%fZ', '2026-11-01T00:00:00Z', (i % 700 + 60) || ' minutes'),
         'FREQ=DAILY', 'America/Los_Angeles' FROM n`,
    ),
  ]);
  await refreshComingWindows(database(env.DB), CITY, NOW.toISOString()); // as the sweep does
  for (const [path, rows] of [
    ["/devices", 10_003],
    ["/schedules", 10_003],
    ["/dashboard", 2],
    ["/areas", 2],
    ["/hubs", 2],
    ["/health/hubs", 2],
    ["/workorders", 0],
  ] as const) {
    const { db, trips } = countedDatabase();
    const { status, json } = await as("admin", { db }).get(path);
    expect([path, status, json.data.length >= rows, trips() <= 2]).toEqual([path, 200, true, true]);
  }
});

test("what the layout and the dashboard ask for side by side takes six round trips, the settings one of them", async () => {
  const { db, trips } = countedDatabase();
  const { departments, alarms, settings, dashboard, attention } = servicesOf("admin", { db });
  await Promise.all([departments.list(), alarms.openCount(), settings.find()]);
  await Promise.all([dashboard.page({}), attention.list(), attention.onNow()]);
  expect(trips()).toBe(6);
});
