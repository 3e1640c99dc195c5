import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import worker from "#worker/index";
import { mapTiles } from "#worker/map-tiles";
import { servicesOf, type More } from "../support/api";
import { seedCity, type PersonName } from "../support/city";
import { countedDatabase } from "../support/counted";
import { bindings, ORIGIN } from "../support/door";

beforeAll(async () => {
  await seedCity();
  await env.DB.batch([
    env.DB.prepare(`UPDATE areas SET location = '{"lat":44.5,"lon":-123.25}' WHERE id = 'park'`),
    env.DB.prepare(`UPDATE areas SET location = '{"lat":1,"lon":2}' WHERE id = 'pier'`),
    env.DB.prepare("UPDATE devices SET problem = 'still on' WHERE id = 'weir'"),
  ]);
});

const places = (name: PersonName, query = {}, more: More = {}) => servicesOf(name, more).dashboard.places(query);

test("the map shows each area of the organization with its place and counts; one without a place has none", async () => {
  expect(await places("admin")).toEqual({
    areas: [
      {
        id: "park",
        name: "Elm Park",
        type: "park",
        active: true,
        lat: 44.5,
        lon: -123.25,
        on: 2,
        unknown: 1,
        problems: 1,
        lights: 3,
      },
      {
        id: "field",
        name: "North Field",
        type: "field",
        active: true,
        lat: null,
        lon: null,
        on: 0,
        unknown: 0,
        problems: 0,
        lights: 0,
      },
    ],
    total: 2,
    all: 2,
  });
  expect((await places("stranger")).areas.map(({ id }) => id)).toEqual(["pier"]);
});

test("lights of departments that are hidden from the person are not counted", async () => {
  const park = async (name: PersonName, more: More = {}) => (await places(name, {}, more)).areas[0];
  expect(await park("manager")).toMatchObject({ on: 1, problems: 0, lights: 2 });
  expect(await park("admin", { dept: "rivers" })).toMatchObject({ on: 1, problems: 1, lights: 2 });
  expect(await park("employee", { dept: "rivers" })).toMatchObject({ on: 0, problems: 0, lights: 1 });
});

test("the list's search and filters narrow the map, too", async () => {
  expect(await places("admin", { q: "north" })).toMatchObject({ areas: [{ id: "field" }], total: 1, all: 2 });
  expect(await places("admin", { type: "park" })).toMatchObject({ areas: [{ id: "park" }], total: 1 });
});

test("a thousand areas come in one round trip of two statements and at most 200 kB", async () => {
  await env.DB.batch([
    env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
       INSERT INTO areas (id, org_id, name, location)
       SELECT 'a' || i, 'city', 'Area ' || i, json_object('lat', 44 + i / 3000.0, 'lon', -123 - i / 7000.0) FROM n`,
    ),
    env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
       INSERT INTO devices (id, org_id, area_id, name) SELECT 'd' || i, 'city', 'a' || (1 + i % 1000), 'Light ' || i FROM n`,
    ),
  ]);
  const { db, trips } = countedDatabase();
  const { areas, total } = await places("admin", {}, { db });
  expect([areas.length, total, trips()]).toEqual([1_002, 1_002, 1]);
  expect(areas.reduce((sum, { lights }) => sum + lights, 0)).toBe(10_003);
  expect(JSON.stringify(areas).length).toBeLessThan(200_000);
  await env.DB.prepare("DELETE FROM areas WHERE id GLOB 'a[0-9]*'").run();
});

test.each<[string, string | null, string | null]>([
  ["", null, null],
  [" ", null, null],
  ["https://tiles.city.example/city.pmtiles", "https://tiles.city.example/city.pmtiles", null],
  ["http://localhost:8080/city.pmtiles?v=2", "http://localhost:8080/city.pmtiles?v=2", null],
  ...[
    "tiles.city.example/city.pmtiles",
    "http://tiles.city.example/city.pmtiles",
    "https://*/city.pmtiles",
    "https://me:secret@tiles.city.example/city.pmtiles",
    "https://tiles.city.example/{z}/{x}/{y}.mvt",
    "javascript:alert(1)//.pmtiles",
  ].map((text): [string, null, string] => [text, null, "MAP_TILES_URL must be the https address of a .pmtiles file"]),
])("as MAP_TILES_URL, '%s' gives %s and says %s", (text, url, problem) => {
  expect(mapTiles(text)).toEqual({ url, problem });
});

const POLICY =
  "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; script-src 'self' 'nonce'; " +
  "style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'; " +
  "manifest-src 'self'; form-action 'self'";

test("without tiles a page may fetch from nowhere else, with them from their host only", async () => {
  const policy = async (MAP_TILES_URL: string) => {
    const request = new Request(`${ORIGIN}/areas?view=map`, { redirect: "manual" });
    const { headers } = await worker.fetch(request, bindings({ MAP_TILES_URL }), createExecutionContext());
    return headers.get("Content-Security-Policy")?.replace(/nonce-[^']+/, "nonce");
  };
  expect(await policy("")).toBe(POLICY);
  expect(await policy("http://tiles.city.example/city.pmtiles")).toBe(POLICY);
  expect(await policy("https://tiles.city.example:8443/maps/city.pmtiles")).toBe(
    POLICY.replace("connect-src 'self'", "connect-src 'self' https://tiles.city.example:8443"),
  );
});

test("the API's policy is the same with tiles", async () => {
  const MAP_TILES_URL = "https://tiles.city.example/city.pmtiles";
  const request = new Request(`${ORIGIN}/api/health`);
  const { headers } = await worker.fetch(request, bindings({ MAP_TILES_URL }), createExecutionContext());
  expect(headers.get("Content-Security-Policy")).toBe("default-src 'none'; base-uri 'none'; frame-ancestors 'none'");
});
