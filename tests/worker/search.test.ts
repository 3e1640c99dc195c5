import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { seedCity } from "../support/city";
import { as, servicesOf } from "../support/api";
import { countedDatabase } from "../support/counted";
import { INPUTS, LISTED } from "../support/listed-fields";

type List = keyof typeof LISTED;

const made: Partial<Record<List, { id: string }>> = {};

beforeAll(async () => {
  await seedCity();
  const make = async (list: List, more: object = {}) => {
    const { json } = await as("admin").post(`/${list}`, { ...INPUTS[list], ...more });
    made[list] = json.data;
    return json.data;
  };
  const area = await make("areas");
  const hub = await make("hubs", { area_id: area.id });
  const device = await make("devices", { area_id: area.id, hub_id: hub.id });
  for (const list of ["schedules", "workorders"] as const) await make(list, { area_id: area.id, device_id: device.id });
  // More than are found at once, some of them in a department that the manager does not see.
  const row = (prefix: string) => `'${prefix}' || i, org_id, id, '${prefix} of the row ' || (20 - i)`;
  const numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12)";
  const inArea = "FROM n, areas WHERE areas.id = 'park'";
  await env.DB.batch(
    [
      `${numbers} INSERT INTO areas (id, org_id, name) SELECT 'row-area' || i, org_id, 'Area of the row ' || i ${inArea}`,
      `${numbers} INSERT INTO hubs (id, org_id, area_id, name) SELECT ${row("hub")} ${inArea}`,
      `${numbers} INSERT INTO devices (id, org_id, area_id, name, dept_id)
         SELECT ${row("lamp")}, iif(i % 3, NULL, iif(i % 2, 'sports', 'rivers')) ${inArea}`,
      `${numbers} INSERT INTO schedules (id, org_id, device_id, title, start_at, end_at, timezone)
         SELECT 'plan' || i, org_id, 'lamp' || i, 'Plan of the row ' || i, '2035-01-01T18:00:00.000Z', '2035-01-01T19:00:00.000Z',
           'UTC' ${inArea}`,
    ].map((sql) => env.DB.prepare(sql)),
  );
});

/** Where the fields of the other lists are held to what they do. */
const ELSEWHERE: Record<string, string> = {
  alarms: "alarms.test.ts",
  audit: "log-pages.test.ts",
  history: "log-pages.test.ts",
  schedulerEvents: "log-pages.test.ts",
  dashboard: "dashboard.test.ts: it shows lights",
  tonight: "tonight.test.ts: it shows lights",
  week: "week.test.ts: it shows lights",
};
const LISTS = ["areas", "hubs", "devices", "schedules", "workorders"] as const;

test("each list that comes in pages says what it does with its fields, or why not", () => {
  const paged = Object.entries(servicesOf("admin")).flatMap(([service, verbs]) => ("page" in verbs ? [service] : []));
  expect(paged.toSorted()).toEqual([...LISTS, ...Object.keys(ELSEWHERE)].toSorted());
});

test.each(LISTS)("the search of %s finds by the fields that say so, and by no others", async (list) => {
  const record = made[list];
  const isFound = async (q: string) =>
    (await servicesOf("admin")[list].page({ q, sort: "" })).rows.some(({ id }) => id === record?.id);
  const wrong: string[] = [];
  for (const [field, listed] of Object.entries(LISTED[list])) {
    const value: unknown = Reflect.get(Object(record), field);
    if (listed?.found) wrong.push(...((await isFound(listed.found)) ? [] : [field]));
    else if (typeof value === "string" && (await isFound(value))) wrong.push(field);
  }
  expect(wrong).toEqual([]);
});

const KINDS = { area: "areas", hub: "hubs", device: "devices", schedule: "schedules" } as const;

test.each(["admin", "manager"] as const)("as %s, the search over everything finds what the lists find", async (who) => {
  const services = servicesOf(who);
  const counts: number[] = [];
  for (const q of ["of the row", "o", "oars", "quillwort", "mooring LAMP", "regatta", "on quillwort", "nowhere"]) {
    const hits = await services.search.hits({ q });
    for (const [kind, list] of Object.entries(KINDS)) {
      const { rows } = await services[list].page({ q });
      const first = rows.slice(0, 6).map((row) => ({
        kind,
        id: row.id,
        name: "title" in row ? row.title : row.name,
        place: "area_name" in row ? row.area_name : "type" in row ? row.type : null,
      }));
      expect(
        hits.filter((hit) => hit.kind === kind),
        `${kind} ${q}`,
      ).toEqual(first);
      counts.push(rows.length);
    }
  }
  expect(Math.max(...counts)).toBeGreaterThan(6);
  expect(await services.search.hits({ q: " " })).toEqual([]);
});

test("of many that contain the words, the search over everything finds the one that says them first", async () => {
  const numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99)";
  await env.DB.batch(
    [
      `${numbers} INSERT INTO areas (id, org_id, name) SELECT 'court' || i, org_id, 'Court ' || i FROM n, areas
         WHERE areas.id = 'park'`,
      `${numbers} INSERT INTO hubs (id, org_id, area_id, name) SELECT 'court-hub' || i, org_id, id, 'Box' FROM n, areas
         WHERE areas.id = 'court' || i`,
      `${numbers} INSERT INTO devices (id, org_id, area_id, name) SELECT 'pole' || i, org_id, id, 'North Pole ' || i FROM n, areas
         WHERE areas.id = 'park'`,
      `${numbers} INSERT INTO schedules (id, org_id, device_id, title, start_at, end_at, timezone) SELECT 'match' || i, org_id, id,
         'Match ' || i || ' final', '2035-01-01T18:00:00.000Z', '2035-01-01T19:00:00.000Z', 'UTC' FROM n, devices
         WHERE devices.id = 'pole' || i`,
    ].map((sql) => env.DB.prepare(sql)),
  );
  const first = async (kind: string, q: string) =>
    (await servicesOf("admin").search.hits({ q })).find((hit) => hit.kind === kind)?.id;
  expect(await first("area", "Court 7")).toBe("court7");
  expect(await first("hub", "box court 7")).toBe("court-hub7");
  expect(await first("device", "pole 7")).toBe("pole7");
  expect(await first("schedule", "match 7")).toBe("match7");
});

test("the search over everything takes one round trip", async () => {
  const { db, trips } = countedDatabase();
  await servicesOf("admin", { db }).search.hits({ q: "lamp" });
  expect(trips()).toBe(1);
});
