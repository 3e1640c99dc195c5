import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { as, NOW } from "../support/api";
import { seedCity } from "../support/city";

beforeAll(async () => {
  await seedCity();
  const change = (device: string, kind: string, at: string, state: string, ids: string | null) =>
    env.DB.prepare(
      `INSERT INTO state_changes (org_id, device_id, kind, at, state, reason, sentence, schedule_ids)
       VALUES ('city', ?1, ?2, ?3, ?4, ?5, ?6, ?7)`,
    ).bind(device, kind, at, state, ids && (state === "on" ? "claim" : "idle"), ids && `${state} then`, ids);
  await env.DB.batch([
    env.DB.prepare("UPDATE devices SET dept_id = 'rivers' WHERE id = 'weir'"),
    env.DB.prepare("INSERT INTO settings (org_id, key, value) VALUES ('city', 'APP_TIMEZONE', '\"America/New_York\"')"),
    change("gate", "desired", "2026-11-10T23:00:00.000Z", "off", "[]"),
    change("gate", "reported", "2026-11-10T23:00:05.000Z", "off", null),
    change("gate", "desired", "2026-11-18T23:00:00.000Z", "on", '["practice"]'),
    change("gate", "reported", "2026-11-18T23:00:00.000Z", "on", null),
    change("gate", "desired", "2026-11-19T01:00:00.000Z", "off", "[]"),
    change("gate", "reported", "2026-11-19T01:30:00.000Z", "off", null),
    change("buoy", "reported", "2026-11-18T23:00:00.000Z", "on", null),
  ]);
});

test("a night is told from noon to noon by the city's clock, from the log and what held before it", async () => {
  const { status, json } = await as("employee").get("/nights?device_id=gate&date=2026-11-18");
  expect(status).toBe(200);
  expect([json.from, json.to, json.next]).toEqual(["2026-11-18T17:00:00.000Z", "2026-11-19T17:00:00.000Z", null]);
  const [gate] = json.data;
  expect(gate.device_name).toBe("Gate light");
  expect(gate.planned.map(({ from, state, sentence }: Record<string, string>) => [from, state, sentence])).toEqual([
    ["2026-11-18T17:00:00.000Z", "off", "off then"],
    ["2026-11-18T23:00:00.000Z", "on", "on then"],
    ["2026-11-19T01:00:00.000Z", "off", "off then"],
  ]);
  expect(gate.minutes).toEqual({ lit: 150, lit_unwanted: 30, dark_booked: 0, dark_failed: 0 });
});

test("a night that still runs is told until now, and one to come is empty", async () => {
  const { json } = await as("employee").get("/nights?device_id=gate");
  expect([json.from, json.data[0].verified.at(-1).to]).toEqual(["2026-11-20T17:00:00.000Z", NOW.toISOString()]);
  const next = await as("employee").get("/nights?device_id=gate&date=2026-11-25");
  expect(next.json.data[0]).toMatchObject({ planned: [], verified: [] });
});

test("an answer says since when the log tells: of the nights before it began, nothing", async () => {
  const night = async (date: string) => (await as("employee").get(`/nights?device_id=gate&date=${date}`)).json;
  expect(await night("2026-11-18")).toMatchObject({ known_from: "2026-11-18T17:00:00.000Z" });
  expect(await night("2026-11-10")).toMatchObject({ known_from: "2026-11-10T23:00:00.000Z" });
  expect(await night("2026-11-09")).toMatchObject({ known_from: "2026-11-10T17:00:00.000Z" });
  expect(await night("2026-11-25")).toMatchObject({ known_from: "2026-11-25T17:00:00.000Z" });
});

test("a night shows the lights that one may see", async () => {
  const shown = async (who: "admin" | "employee" | "stranger") =>
    (await as(who).get("/nights?area_id=park&date=2026-11-18")).json.data?.map(
      ({ device_id }: { device_id: string }) => device_id,
    );
  expect(await shown("admin")).toEqual(["court", "gate", "weir"]);
  expect(await shown("employee")).toEqual(["court", "gate"]);
  expect(await shown("stranger")).toBeUndefined();
});

test.each([
  ["date=2026-11-18", "Choose an area or a device"],
  ["area_id=park&date=2026-02-30", "Date must be a day, YYYY-MM-DD"],
  ["area_id=park&date=9999-12-31", "Date must be before 9999-12-31"],
  ["area_id=park&date=tonight", "Date must be a day, YYYY-MM-DD"],
])("'%s' is no night", async (query, detail) => {
  const { status, json } = await as("manager").get(`/nights?${query}`);
  expect({ status, detail: json.detail }).toEqual({ status: 422, detail });
});
