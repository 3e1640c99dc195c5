import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { database } from "#db/database";
import * as t from "#db/schema";
import { nextStart } from "#domain/schedule/recurrence";
import { as, audits, servicesOf } from "../support/api";
import { seedCity } from "../support/city";

const db = database(env.DB);
const admin = as("admin");
const manager = as("manager");
const LA = { CITY_LAT: 34.0522, CITY_LON: -118.2437 };
const dusk = { event: "dusk", offset_min: 0, not_before: null, not_after: null };
const dawn = { ...dusk, event: "dawn" };
const path = (more: object = {}) => ({
  title: "Path",
  area_id: "field",
  device_id: "lamp",
  start_at: "2026-12-21T17:00:00-08:00",
  end_at: "2026-12-22T07:00:00-08:00",
  rrule: "FREQ=DAILY",
  timezone: "America/Los_Angeles",
  ...more,
});
const bySun = (more: object = {}) => path({ start_sun: dusk, end_sun: dawn, ...more });
const MANY = Array.from({ length: 500 }, () => "2026-12-24");
const stored = () => db.select().from(t.schedules).get();

beforeAll(async () => {
  await seedCity();
  await db.insert(t.devices).values({ id: "lamp", org_id: "city", area_id: "field", name: "Lamp" });
});
beforeEach(async () => {
  await db.delete(t.schedules);
  await db.delete(t.calendars);
  await db.update(t.areas).set({ location: null, positions: null });
  await admin.post("/admin/settings", LA);
});

test("saving stores the sun's instants of the first night, and what comes next", async () => {
  const { status, json } = await manager.post("/schedules", bySun());
  expect(status).toBe(201);
  expect(json.data).toMatchObject({
    start_sun: dusk,
    end_sun: dawn,
    exdates: [],
    calendar_id: null,
    calendar_rule: null,
  });
  expect(json.data.start_at).toMatch(/^2026-12-22T01:15:/);
  expect(json.data.end_at).toMatch(/^2026-12-22T14:27:/);
  expect(await stored()).toMatchObject({ window_start_at: json.data.start_at, window_end_at: json.data.end_at });
});

test("an edit without the sun keeps it, unless the start or the end was changed", async () => {
  const { data } = (await manager.post("/schedules", bySun())).json;
  const { title: _, ...times } = path({ start_at: data.start_at, end_at: data.end_at });
  const kept = await manager.put(`/schedules/${data.id}`, { ...times, title: "River path" });
  expect(kept.json.data).toMatchObject({
    title: "River path",
    start_sun: dusk,
    end_sun: dawn,
    start_at: data.start_at,
  });
  const byForm = { ...times, title: "Path", start_at: `${data.start_at.slice(0, 16)}:00Z` };
  expect((await manager.put(`/schedules/${data.id}`, byForm)).json.data).toMatchObject({ start_sun: dusk });
  const moved = await manager.put(`/schedules/${data.id}`, {
    ...times,
    title: "Path",
    end_at: "2026-12-22T06:00:00-08:00",
  });
  expect(moved.json.data).toMatchObject({ start_sun: dusk, end_sun: null, end_at: "2026-12-22T14:00:00.000Z" });
  const off = await manager.put(`/schedules/${data.id}`, { ...path(), start_sun: null });
  expect(off.json.data).toMatchObject({ start_sun: null, end_sun: null, start_at: "2026-12-22T01:00:00.000Z" });
});

test("a first night without light is saved if another one has some, and refused if none has", async () => {
  const july = { start_at: "2027-07-01T20:00:00-07:00", end_at: "2027-07-01T20:30:00-07:00", end_sun: null };
  const { status, json } = await manager.post("/schedules", bySun(july));
  expect(status).toBe(201);
  expect((await stored())?.window_start_at).not.toBeNull();
  expect(json.data.end_at).toBe("2027-07-02T03:30:00.000Z");
  // A client that knows nothing of the sun sends back the end of that night, which is before its dusk.
  const { start_sun: _, end_sun: __, ...known } = json.data;
  expect(known.start_at > known.end_at).toBe(true);
  const renamed = await manager.put(`/schedules/${known.id}`, { ...known, title: "Renamed" });
  expect(renamed).toMatchObject({ status: 200, json: { data: { title: "Renamed", start_sun: dusk } } });
  const detail = "End time must be after start time";
  const byClock = { ...known, start_at: "2027-07-02T04:00:00Z" };
  expect(await manager.put(`/schedules/${known.id}`, byClock)).toMatchObject({ status: 422, json: { detail } });
  const noText = { ...known, start_at: { toString: null } };
  expect((await manager.put(`/schedules/${known.id}`, noText)).status).toBe(422);
});

test.each([
  [{ start_sun: { ...dusk, not_before: "21:00", not_after: "20:00" } }, "It can't be after 9:00 PM and before 8:00 PM"],
  [
    {
      start_sun: { ...dusk, not_before: "21:00", not_after: "21:00" },
      end_sun: null,
      end_at: "2026-12-21T21:00:00-08:00",
    },
    "With these times no night has light: its end is never after its start",
  ],
  [{ start_sun: { ...dusk, offset_min: 181 } }, "Minutes must be a whole number from -180 to 180"],
  [{ start_sun: { ...dusk, event: "noon" } }, "Sun event must be one of: sunrise, sunset, dawn, dusk"],
  [{ start_sun: { ...dusk, not_after: "25:00" } }, "Not after must be a time of day, as in 18:30"],
  [{ exdates: MANY }, "A schedule may skip at most 366 dates"],
  [{ exdates: ["tomorrow"] }, "A skipped date must be a date, as in 2026-12-24"],
  [{ calendar_id: "nowhere" }, "Choose a calendar"],
  [{ end_sun: null, end_at: "2026-12-22T18:00:00-08:00" }, "A schedule may last at most 24 hours"],
])("refuses %o: '%s'", async (more, detail) => {
  expect(await manager.post("/schedules", bySun(more))).toMatchObject({ status: 422, json: { detail } });
  expect(await stored()).toBeUndefined();
});

test("without a position of the area or the city there is no sun", async () => {
  await admin.post("/admin/settings", { CITY_LAT: null, CITY_LON: null });
  const detail = "Set the position of the area or of the city first";
  expect(await manager.post("/schedules", bySun())).toMatchObject({ status: 422, json: { detail } });
  await manager.put("/areas/field", { name: "North Field", location: { lat: 34, lon: -118 } });
  expect((await manager.post("/schedules", bySun())).status).toBe(201);
});

test.each([
  [{ CITY_LAT: 91 }, "Latitude must be a number from -90 to 90"],
  [{ CITY_LON: "west" }, "Longitude must be a number from -180 to 180"],
  [{ CITY_LAT: null }, "A position needs a latitude and a longitude"],
])("the city's position %j is refused: '%s'", async (input, detail) => {
  expect(await admin.post("/admin/settings", input)).toMatchObject({ status: 422, json: { detail } });
  expect((await admin.get("/admin/settings")).json).toMatchObject(LA);
});

test("a move of the area or the city leaves its history, and what comes next is worked out anew", async () => {
  const { data } = (await manager.post("/schedules", bySun())).json;
  await admin.post("/admin/settings", { CITY_LAT: 40, CITY_LON: -118.2437 });
  await manager.put("/areas/field", { name: "North Field", location: { lat: 45, lon: -118.2437 } });
  const area = await db.select().from(t.areas).where(eq(t.areas.id, "field")).get();
  expect(area?.positions?.map(({ lat }) => lat)).toEqual([34.0522, 40, 45]);
  await manager.get("/areas/field");
  const { rows } = await servicesOf("manager").schedules.page({});
  expect(rows).toHaveLength(1);
  const next = await stored();
  expect(next?.window_start_at).not.toBe(data.start_at);
  expect(Date.parse(next?.window_start_at ?? "")).toBeLessThan(Date.parse(data.start_at) - 20 * 60_000);
});

test.each([
  ["by itself", () => manager.put("/devices/lamp", { name: "Lamp", area_id: "park" })],
  ["with its hub", () => manager.put("/hubs/mover", { name: "Mover", area_id: "park" })],
])("a light that moves to another area %s has the sun of that area next", async (how, move) => {
  await db.insert(t.hubs).values({ id: "mover", org_id: "city", area_id: "field", name: "Mover" });
  if (how === "with its hub") await db.update(t.devices).set({ hub_id: "mover" }).where(eq(t.devices.id, "lamp"));
  await manager.put("/areas/park", { name: "Park", location: { lat: 45, lon: -118.2437 } });
  const { data } = (await manager.post("/schedules", bySun())).json;
  expect((await move()).status).toBe(200);
  await servicesOf("manager").schedules.page({});
  const next = (await stored())?.window_start_at ?? "";
  await db.delete(t.hubs).where(eq(t.hubs.id, "mover"));
  await db.update(t.devices).set({ area_id: "field" }).where(eq(t.devices.id, "lamp"));
  expect(Date.parse(next)).toBeLessThan(Date.parse(data.start_at) - 20 * 60_000);
});

test("a group that moves to another area has the sun of that area next", async () => {
  await db.insert(t.devices).values({ id: "post", org_id: "city", area_id: "park", name: "Post" });
  await manager.put("/areas/park", { name: "Park", location: { lat: 45, lon: -118.2437 } });
  const group = { area_id: "field", name: "Path", device_ids: ["lamp"] };
  const { id } = (await manager.post("/groups", group)).json.data;
  const { data } = (await manager.post("/schedules", bySun({ device_id: undefined, target: { type: "group", id } })))
    .json;
  expect((await manager.put(`/groups/${id}`, { ...group, area_id: "park", device_ids: ["post"] })).status).toBe(200);
  await servicesOf("manager").schedules.page({});
  const next = (await stored())?.window_start_at ?? "";
  await db.delete(t.schedules);
  await db.delete(t.device_groups);
  await db.delete(t.devices).where(eq(t.devices.id, "post"));
  expect(Date.parse(next)).toBeLessThan(Date.parse(data.start_at) - 20 * 60_000);
});

test("a night is skipped with a reason and unskipped, by its date or the start of its window", async () => {
  const { data } = (await manager.post("/schedules", bySun())).json;
  const skipped = await manager.put(`/schedules/${data.id}/skip`, { start_at: data.start_at, reason: "rain" }, 1);
  expect(skipped.json.data).toMatchObject({ version: 2, exdates: ["2026-12-21"] });
  expect(await stored()).toMatchObject({ skips: [{ date: "2026-12-21", reason: "rain" }] });
  expect((await stored())?.window_start_at).toMatch(/^2026-12-23T01:1/);
  // After midnight 'tonight' is the window that runs.
  const running = await manager.put(`/schedules/${data.id}/skip`, { start_at: "2026-12-23T09:00:00Z" });
  expect(running.json.data.exdates).toEqual(["2026-12-21", "2026-12-22"]);
  expect((await manager.put(`/schedules/${data.id}/skip`, { date: "2026-12-22" })).json.data.version).toBe(3);
  const back = await manager.put(`/schedules/${data.id}/unskip`, { date: "2026-12-21" });
  expect(back.json.data.exdates).toEqual(["2026-12-22"]);
  expect((await stored())?.window_start_at).toBe(data.start_at);
  const told = (await audits()).filter(({ action }) => /skip/.test(action)).map(({ action }) => action);
  expect(told).toEqual(["skip", "skip", "unskip"]);
  expect((await manager.put(`/schedules/${data.id}/skip`, { date: "2026-12-25" }, 1)).status).toBe(409);
  expect((await as("employee").put(`/schedules/${data.id}/skip`, { date: "2026-12-25" })).status).toBe(403);
});

test("a night that is skipped again for another reason has that one, and without a reason the one before", async () => {
  const { data } = (await manager.post("/schedules", bySun())).json;
  const skip = (more: object) => manager.put(`/schedules/${data.id}/skip`, { date: "2026-12-23", ...more });
  await skip({ reason: "rain" });
  expect((await skip({ reason: "hail" })).json.data).toMatchObject({ version: 3, exdates: ["2026-12-23"] });
  expect((await skip({})).json.data.version).toBe(3);
  expect((await stored())?.skips).toEqual([{ date: "2026-12-23", reason: "hail" }]);
  expect((await skip({ reason: "" })).json.data.version).toBe(4);
  expect((await stored())?.skips).toEqual([{ date: "2026-12-23", reason: null }]);
});

test("a night can be skipped while it runs and not once it is over, but be brought back even then", async () => {
  const { data } = (await manager.post("/schedules", path())).json;
  const over = Date.parse("2026-12-22T07:00:00-08:00");
  const skipAt = (ms: number, verb = "skip") =>
    as("manager", { now: () => new Date(ms) }).put(`/schedules/${data.id}/${verb}`, { date: "2026-12-21" });
  expect(await skipAt(over)).toMatchObject({ status: 422, json: { detail: "That night is over" } });
  expect((await stored())?.skips).toBeNull();
  expect((await skipAt(over - 1)).json.data.exdates).toEqual(["2026-12-21"]);
  expect((await skipAt(over, "unskip")).json.data.exdates).toEqual([]);
});

test("a schedule that has skipped nights for years skips the next one, and forgets those that no log tells of", async () => {
  const { data } = (
    await manager.post("/schedules", path({ start_at: "2023-01-02T01:00:00Z", end_at: "2023-01-02T09:00:00Z" }))
  ).json;
  const skips = (from: string) =>
    Array.from({ length: 366 }, (_, n) => {
      const date = new Date(Date.parse(from) + n * 86_400_000).toISOString().slice(0, 10);
      return { date, reason: "rain" };
    });
  const skipTonight = async (known: { date: string }[]) => {
    await db.update(t.schedules).set({ skips: known.map(({ date }) => ({ date, reason: "rain" })) });
    return manager.put(`/schedules/${data.id}/skip`, { date: "2026-12-23" });
  };
  const old = skips("2023-02-01");
  expect((await skipTonight(old)).json.data.exdates).toEqual([...old.slice(1).map(({ date }) => date), "2026-12-23"]);
  expect((await skipTonight(skips("2025-11-20"))).json.errors).toEqual({
    date: "A schedule may skip at most 366 dates",
  });
});

test("nights that are skipped one by one are in their order, each once, and as many as a schedule may skip at all", async () => {
  const date = (n: number) => new Date(Date.parse("2026-12-22") + n * 86_400_000).toISOString().slice(0, 10);
  const dates = Array.from({ length: 365 }, (_, n) => date(n));
  const { data } = (await manager.post("/schedules", path({ exdates: dates.slice(1) }))).json;
  const skip = async (of: string, reason: string) => {
    const { json } = await manager.put(`/schedules/${data.id}/skip`, { date: of, reason });
    return json.data ?? json.detail;
  };
  await skip(date(365), "rain");
  expect((await skip(date(0), "rain")).exdates).toEqual([...dates, date(365)]);
  const { version } = await skip(date(0), "rain");
  expect(version).toBe(3);
  expect(await skip(date(366), "rain")).toBe("A schedule may skip at most 366 dates");
  expect((await skip(date(7), "hail")).version).toBe(4);
});

test("two people who skip and bring back nights at the same moment both have their way", async () => {
  const { data } = (await manager.post("/schedules", bySun())).json;
  const at = `/schedules/${data.id}`;
  await manager.put(`${at}/skip`, { date: "2026-12-23" });
  const answers = await Promise.all([
    manager.put(`${at}/unskip`, { date: "2026-12-23" }),
    admin.put(`${at}/skip`, { date: "2026-12-24", reason: "rain" }),
    manager.put(`${at}/skip`, { date: "2026-12-25" }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await stored())?.skips?.map(({ date }) => date)).toEqual(["2026-12-24", "2026-12-25"]);
  const told = (await audits())
    .filter(({ action }) => /skip/.test(action))
    .slice(-4)
    .map(({ details }) => JSON.parse(details));
  expect(told).toHaveLength(4);
  for (const [n, { before }] of told.entries()) expect(before.exdates).toEqual(told[n - 1]?.after.exdates ?? []);
});

test("the list knows when a schedule by the sun, with a skipped night and a calendar, is next to run, and why not", async () => {
  const calendar = await admin.post("/calendars", { name: "Closed", dates: [{ date: "2026-12-22", name: "Closed" }] });
  const night = { calendar_id: calendar.json.data.id, calendar_rule: "skip" };
  const { data } = (await manager.post("/schedules", bySun(night))).json;
  await manager.put(`/schedules/${data.id}/skip`, { date: "2026-12-21", reason: "rain" });
  for (const query of [{}, { on: "2026-12-23" }]) {
    const { rows } = await servicesOf("manager").schedules.page(query);
    const [row] = rows;
    expect(row?.skips).toEqual([{ date: "2026-12-21", reason: "rain" }]);
    const next = row ? nextStart(row, Date.parse("2026-12-21T20:00:00Z")) : null;
    expect(new Date(next ?? 0).toISOString()).toMatch(/^2026-12-24T01:1/);
  }
  expect((await servicesOf("manager").schedules.page({ on: "2026-12-21" })).rows).toEqual([]);
});

test.each([
  [{}, "Give the date or the start of the night to skip"],
  [{ date: "2026-12-24", start_at: "2026-12-24T20:00:00Z" }, "Give the date or the start of the night to skip"],
  [{ date: "2026-12-20" }, "This schedule does not happen on that date"],
  [{ start_at: "2026-12-21T20:00:00Z" }, "This schedule has no window then"],
  [{ date: "someday" }, "The date must be a date, as in 2026-12-24"],
])("skipping %j is refused: '%s'", async (input, detail) => {
  const { data } = (await manager.post("/schedules", bySun())).json;
  expect(await manager.put(`/schedules/${data.id}/skip`, input)).toMatchObject({ status: 422, json: { detail } });
  expect((await stored())?.skips).toBeNull();
});

test("a calendar's days are left out, and its change is followed", async () => {
  const dates = [{ date: "2026-12-21", name: "Closed" }];
  const calendar = (await manager.post("/calendars", { name: "Holidays", dates })).json.data;
  const made = await manager.post("/schedules", bySun({ calendar_id: calendar.id }));
  expect(made.json.data).toMatchObject({ calendar_id: calendar.id, calendar_rule: "skip" });
  expect((await stored())?.window_start_at).toMatch(/^2026-12-23T01:1/);
  expect((await manager.remove(`/calendars/${calendar.id}`)).status).toBe(409);
  const { title: _, ...times } = path({ start_at: made.json.data.start_at, end_at: made.json.data.end_at });
  const none = await manager.put(`/schedules/${made.json.data.id}`, { ...times, title: "Path", calendar_id: null });
  expect(none.json.data).toMatchObject({ calendar_id: null, calendar_rule: null });
  expect((await stored())?.window_start_at).toBe(made.json.data.start_at);
});

test("dates to skip given with the schedule are stored in order, each once", async () => {
  const exdates = ["2026-12-25", "2026-12-24", "2026-12-25"];
  const { data } = (await manager.post("/schedules", path({ exdates }))).json;
  expect(data.exdates).toEqual(["2026-12-24", "2026-12-25"]);
  expect((await manager.put(`/schedules/${data.id}`, path())).json.data.exdates).toEqual(["2026-12-24", "2026-12-25"]);
  expect((await manager.put(`/schedules/${data.id}`, path({ exdates: [] }))).json.data.exdates).toEqual([]);
});

test("an edit that names its skipped nights again keeps why they are skipped", async () => {
  const { id } = (await manager.post("/schedules", path())).json.data;
  await manager.put(`/schedules/${id}/skip`, { date: "2026-12-22", reason: "rain" });
  const exdates = ["2026-12-22", "2026-12-23"];
  expect((await manager.put(`/schedules/${id}`, path({ exdates }))).json.data.exdates).toEqual(exdates);
  expect((await stored())?.skips).toEqual([
    { date: "2026-12-22", reason: "rain" },
    { date: "2026-12-23", reason: null },
  ]);
});

test("the activity log has the skipped nights of an edit as they were and as they are", async () => {
  const { data } = (await manager.post("/schedules", path({ exdates: ["2026-12-22"] }))).json;
  const { json } = await manager.put(`/schedules/${data.id}`, path({ exdates: ["2026-12-23"] }));
  const [made, edited] = (await audits()).slice(-2).map(({ details }) => JSON.parse(details));
  expect(made.after.exdates).toEqual(["2026-12-22"]);
  expect(edited).toEqual({ before: data, after: json.data });
});

test("a skipped night stays skipped where an edit brings another zone, in which it has another date", async () => {
  const late = path({ start_at: "2026-12-21T22:00:00-08:00", end_at: "2026-12-21T23:30:00-08:00" });
  const { id } = (await manager.post("/schedules", late)).json.data;
  await manager.put(`/schedules/${id}/skip`, { start_at: "2026-12-22T22:00:00-08:00", reason: "rain" });
  const east = { ...late, timezone: "America/New_York" };
  const { data } = (await manager.put(`/schedules/${id}`, east)).json;
  expect(data.exdates).toEqual(["2026-12-23"]);
  expect(await stored()).toMatchObject({
    skips: [{ date: "2026-12-23", reason: "rain" }],
    then_start_at: "2026-12-24T06:00:00.000Z",
  });
  const named = await manager.put(`/schedules/${id}`, { ...late, exdates: ["2026-12-25"] });
  expect(named.json.data.exdates).toEqual(["2026-12-25"]);
});
