import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { as, at } from "../support/api";
import { seedCity } from "../support/city";

beforeAll(async () => {
  await seedCity();
  await env.DB.prepare("UPDATE devices SET dept_id = 'rivers' WHERE id = 'weir'").run();
});

test("a forecast is a day from now unless somebody says from when and to when", async () => {
  const { status, json } = await as("manager").get("/forecast?device_id=gate");
  expect(status).toBe(200);
  expect(json).toEqual({
    data: [
      {
        device_id: "gate",
        segments: [
          {
            from: at(0),
            to: at(24),
            state: "off",
            reason: "idle",
            sentence: "Off: nothing is scheduled",
            schedule_ids: [],
          },
        ],
      },
    ],
    next: null,
  });
  const later = await as("manager").get(`/forecast?device_id=gate&from=${at(24)}&to=${at(48)}`);
  expect(later.json.data[0].segments[0]).toMatchObject({ from: at(24), to: at(48) });
});

test.each([
  ["", "Choose an area or a device"],
  ["area_id=park&device_id=gate", "Choose an area or a device"],
  ["area_id=park&from=tomorrow", "From must be an ISO 8601 date and time"],
  [`area_id=park&from=${at(2)}&to=${at(2)}`, "To must be after from"],
  [`area_id=park&to=${at(-1)}`, "To must be after from"],
  [`area_id=park&from=${at(0)}&to=${at(14 * 24 + 1)}`, "A forecast has at most 14 days"],
  [`area_id=park&from=${at(366 * 24)}`, "A forecast reaches at most a year ahead"],
])("'%s' is refused with a sentence", async (query, detail) => {
  const { status, json } = await as("manager").get(`/forecast?${query}`);
  expect({ status, detail: json.detail }).toEqual({ status: 422, detail });
});

test("a light of which the engine told nothing yet is on the next page, and on none after it", async () => {
  const page = async (after: string) =>
    (await as("manager").get(`/forecast?device_id=gate&after=${after}`)).json.data.length;
  expect([await page("gate"), await page("gate-2")]).toEqual([1, 0]);
});

test("a hidden light has no forecast, nor has an unknown one", async () => {
  expect((await as("employee").get("/forecast?device_id=weir")).status).toBe(404);
  expect((await as("manager").get("/forecast?device_id=nobody")).status).toBe(404);
  expect((await as("manager").get("/forecast?area_id=nowhere")).status).toBe(404);
});

test("an area's forecast comes in pages of 200 lights, without those that one may not see", async () => {
  const lights = Array.from({ length: 230 }, (_, n) => `l${String(n).padStart(3, "0")}`);
  await env.DB.batch([
    env.DB.prepare("INSERT INTO areas (id, org_id, name) VALUES ('large', 'city', 'Large')"),
    ...lights.map((id, n) =>
      env.DB.prepare(
        "INSERT INTO devices (id, org_id, area_id, name, dept_id) VALUES (?1, 'city', 'large', ?1, ?2)",
      ).bind(id, n === 0 ? "rivers" : null),
    ),
  ]);
  const ids = (answer: { json: { data: { device_id: string }[] } }) =>
    answer.json.data.map(({ device_id }) => device_id);
  const first = await as("employee").get("/forecast?area_id=large");
  expect(ids(first)).toEqual(lights.slice(1, 201));
  const second = await as("employee").get(`/forecast?area_id=large&after=${first.json.next}`);
  expect(ids(second)).toEqual(lights.slice(201));
  expect(second.json.next).toBeNull();
});
