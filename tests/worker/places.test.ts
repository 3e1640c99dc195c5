import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { database } from "#db/database";
import * as t from "#db/schema";
import { as, fingerprint, servicesOf } from "../support/api";
import { seedCity } from "../support/city";

const db = database(env.DB);
const admin = as("admin");
const manager = as("manager");
/** Imports go by the database's clock. */
const importer = as("manager", { now: () => new Date() });
const LA = { CITY_LAT: 34.0522, CITY_LON: -118.2437 };
const NOWHERE = { CITY_LAT: null, CITY_LON: null };
const dusk = { event: "dusk", offset_min: 0, not_before: null, not_after: null };
const bySun = (more: object = {}) => ({
  title: "Path",
  area_id: "field",
  device_id: "lamp",
  start_at: "2026-12-21T17:00:00-08:00",
  end_at: "2026-12-22T07:00:00-08:00",
  start_sun: dusk,
  end_sun: { ...dusk, event: "dawn" },
  rrule: "FREQ=DAILY",
  timezone: "America/Los_Angeles",
  ...more,
});
const book = async (more?: object) => (await manager.post("/schedules", bySun(more))).json.data;
const field = (location: object | null) => manager.put("/areas/field", { name: "North Field", location });
const stored = (id: string) => db.select().from(t.schedules).where(eq(t.schedules.id, id)).get();
const check = async (csv: string) => (await importer.post("/imports", { csv })).json.data;

beforeAll(async () => {
  await seedCity();
  await db.insert(t.devices).values({ id: "lamp", org_id: "city", area_id: "field", name: "Lamp" });
});
beforeEach(async () => {
  await db.delete(t.schedules);
  await db.update(t.areas).set({ location: null, positions: null });
  await admin.post("/admin/settings", LA);
});

test("an area that an import moves keeps its history, and its windows by the sun are worked out anew", async () => {
  const { id } = await book();
  const before = Date.now();
  const job = await check("Kind,Name,Latitude,Longitude\narea,North Field,45,-118.2437\narea,Elm Park,34.1,-118.2\n");
  expect((await importer.post(`/imports/${job.id}/apply`)).json.data.state).toBe("done");
  const area = await db.select().from(t.areas).where(eq(t.areas.id, "field")).get();
  expect(area).toMatchObject({ location: { lat: 45, lon: -118.2437 }, version: 2 });
  expect(area?.positions?.map(({ lat }) => lat)).toEqual([34.0522, 45]);
  expect(Date.parse(area?.positions?.at(-1)?.since ?? "")).toBeGreaterThanOrEqual(before);
  expect(await stored(id)).toMatchObject({ window_start_at: null, window_end_at: "" });
});

test("where an area moves, windows by the sun are worked out anew, be it one end alone, for a group or for all lights", async () => {
  const [start, end] = [await book({ end_sun: null }), await book({ start_sun: null })];
  const group = { area_id: "field", name: "Pitch", device_ids: ["lamp"] };
  const { id: group_id } = (await admin.post("/groups", group)).json.data;
  const ofGroup = await book({ device_id: undefined, target: { type: "group", id: group_id } });
  const ofArea = await book({ device_id: undefined, target: { type: "area", id: "field" } });
  const clock = await book({ start_sun: null, end_sun: null });
  await field({ lat: 45, lon: -118.2437 });
  for (const { id } of [start, end, ofGroup, ofArea]) expect(await stored(id)).toMatchObject({ window_start_at: null });
  expect((await stored(clock.id))?.window_start_at).toBe(clock.start_at);
});

test("an area that an import moves along its latitude, or its longitude, remembers where it was", async () => {
  for (const [column, value] of [
    ["Longitude", -100],
    ["Latitude", 45],
  ] as const) {
    await field({ lat: 34, lon: -118 });
    const [lat, lon] = column === "Latitude" ? [value, -118] : [34, value];
    const job = await check(`Kind,Name,Latitude,Longitude\narea,North Field,${lat},${lon}\n`);
    expect((await importer.post(`/imports/${job.id}/apply`)).json.data.state).toBe("done");
    const area = await db.select().from(t.areas).where(eq(t.areas.id, "field")).get();
    expect(area?.positions?.slice(-2)).toMatchObject([
      { lat: 34, lon: -118 },
      { lat, lon },
    ]);
  }
});

test("an area or a city that its form moves along its latitude, or its longitude, remembers where it was", async () => {
  for (const to of [
    { lat: 34, lon: -100 },
    { lat: 45, lon: -118 },
  ]) {
    await field({ lat: 34, lon: -118 });
    await field(to);
    const area = await db.select().from(t.areas).where(eq(t.areas.id, "field")).get();
    expect(area?.positions?.slice(-2)).toMatchObject([{ lat: 34, lon: -118 }, to]);

    await admin.post("/admin/settings", { CITY_LAT: 34, CITY_LON: -118 });
    const { id } = await book({ area_id: "park", device_id: "gate" });
    await admin.post("/admin/settings", { CITY_LAT: to.lat, CITY_LON: to.lon });
    expect(await stored(id)).toMatchObject({ window_start_at: null });
  }
});

test("where the city has a position, a file may take a light with schedules by the sun to an area without one", async () => {
  await field({ lat: 45, lon: -118 });
  await book();
  await db.update(t.devices).set({ cloud_device_id: "L-1" }).where(eq(t.devices.id, "lamp"));
  const job = await check("Kind,Name,Area,Cloud ID\ndevice,Lamp,Elm Park,L-1\n");
  expect((await importer.post(`/imports/${job.id}/apply`)).json.data.state).toBe("done");
  const light = await db.select().from(t.devices).where(eq(t.devices.id, "lamp")).get();
  await db.update(t.devices).set({ area_id: "field", cloud_device_id: null }).where(eq(t.devices.id, "lamp"));
  expect(light?.area_id).toBe("park");
});

test("an import that moves no area leaves the positions as they are", async () => {
  await field({ lat: 45, lon: -118.2437 });
  const before = await db.select({ positions: t.areas.positions }).from(t.areas);
  const job = await check("Kind,Name,Address,Latitude,Longitude\narea,North Field,Dam Road,45,-118.2437\n");
  expect((await importer.post(`/imports/${job.id}/apply`)).json.data.state).toBe("done");
  expect(await db.select({ positions: t.areas.positions }).from(t.areas)).toEqual(before);
});

test("an area's position stays while schedules by the sun need it", async () => {
  await admin.post("/admin/settings", NOWHERE);
  await field({ lat: 34, lon: -118 });
  const { id } = await book();
  await book({ device_id: null, target: { type: "area", id: "field" } });
  await book({ start_sun: null, end_sun: null });
  const before = await fingerprint();
  const detail =
    "2 schedules in this area go by the sun and need its position. Change or cancel them first, or set the city's position.";
  for (const location of [null, { address: "Dam Road" }]) {
    expect(await field(location)).toMatchObject({ status: 422, json: { detail, errors: { "location.lat": detail } } });
  }
  expect(await fingerprint()).toEqual(before);

  await manager.put(`/schedules/${id}/cancel`);
  const one =
    "1 schedule in this area goes by the sun and needs its position. Change or cancel it first, or set the city's position.";
  expect((await field(null)).json.detail).toBe(one);
  expect((await manager.put("/areas/field", { name: "Field" })).status).toBe(200);
  await admin.post("/admin/settings", LA);
  expect((await field(null)).status).toBe(200);
});

test("the city's position stays while schedules by the sun need it, and the areas of these are named", async () => {
  await book();
  await env.DB.prepare(
    `INSERT INTO schedules (id, org_id, device_id, title, start_at, end_at, timezone, start_sun)
     SELECT 'theirs', 'harbor', 'buoy', title, start_at, end_at, timezone, start_sun FROM schedules WHERE start_sun IS NOT NULL LIMIT 1`,
  ).run(); // in another organization, and at an area without a position
  await manager.post("/areas", { name: "Quay", location: { lat: 34, lon: -118 } });
  await book({ area_id: "park", device_id: "gate" });
  const refused = await admin.post("/admin/settings", { ...NOWHERE, PROVIDER_MODE: "local" });
  const detail =
    "2 schedules go by the sun and need this position, in Elm Park and North Field. Change or cancel them first, or give each area a position.";
  expect(refused).toMatchObject({ status: 422, json: { detail, errors: { CITY_LAT: detail } } });
  expect((await admin.get("/admin/settings")).json).toMatchObject({ ...LA, PROVIDER_MODE: "mock" });

  await field({ lat: 34, lon: -118 });
  expect((await admin.post("/admin/settings", NOWHERE)).json.detail).toBe(
    "1 schedule goes by the sun and needs this position, in Elm Park. Change or cancel it first, or give each area a position.",
  );
  await manager.put("/areas/park", { name: "Elm Park", location: { lat: 34, lon: -118 } });
  expect((await admin.post("/admin/settings", NOWHERE)).status).toBe(200);
});

test("an import may not take away a position that schedules by the sun need", async () => {
  await admin.post("/admin/settings", NOWHERE);
  await field({ lat: 34, lon: -118 });
  const csv = "Kind,Name,Latitude,Longitude\narea,North Field,,\n";
  const early = await check(csv);
  expect(early).toMatchObject({ state: "ready", counts: { area: { update: 1 } } });
  await book();
  const sentence =
    "1 schedule in this area goes by the sun and needs its position. Change or cancel it first, or set the city's position.";
  expect(await check(csv)).toMatchObject({ state: "failed", problems: [{ row: 2, column: "Latitude", sentence }] });
  const applied = (await importer.post(`/imports/${early.id}/apply`)).json.data;
  expect(applied).toMatchObject({ state: "failed", reason: expect.stringContaining("changed by someone else") });
  expect(await db.select().from(t.areas).where(eq(t.areas.id, "field")).get()).toMatchObject({
    location: { lat: 34, lon: -118 },
  });
});

test("when a schedule by the sun ends for good is worked out anew where its place moves", async () => {
  const some = { rrule: "FREQ=DAILY;COUNT=3" };
  const { id, last_end_at } = await book(some);
  await field({ lat: 45, lon: -118.2437 });
  const [listed] = (await manager.get("/schedules")).json.data;
  await servicesOf("manager").schedules.page({});
  const there = await book(some);
  expect(there.last_end_at).not.toBe(last_end_at);
  expect(await stored(id)).toMatchObject({ last_end_at: there.last_end_at });
  expect(listed.id).toBe(id);
});

test("a schedule by the sun that is over stays so where its position is gone", async () => {
  const { id, last_end_at } = await book({ rrule: "FREQ=DAILY;COUNT=3" });
  const later = { now: () => new Date("2027-02-01T12:00:00Z") };
  expect((await as("admin", later).post("/admin/settings", NOWHERE)).status).toBe(200);
  expect((await servicesOf("admin", later).schedules.page({})).rows).toMatchObject([{ id, status: "done" }]);
  expect(await stored(id)).toMatchObject({ last_end_at });
});
