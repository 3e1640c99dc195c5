import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { database } from "#db/database";
import { packed } from "#db/packed";
import { PLANNED } from "#db/planned";
import { areas, devices, hubs, schedules } from "#db/schema";

const db = database(env.DB);
const TEXT = `"Quotes", \\ and\n\tlines, 🌙 \u2028 \ufffd {"not": ["JSON"]} O'Neil`;
const SKIPS = [
  { date: "2026-11-26", reason: TEXT },
  { date: "2026-12-03", reason: null },
];

async function twoOfEach(): Promise<void> {
  await env.DB.prepare("INSERT INTO organizations (id, name) VALUES ('elm', 'Elm City')").run();
  await db.insert(areas).values({ id: "park", org_id: "elm", name: "Elm Park" });
  const bare = { org_id: "elm", area_id: "park" };
  await db.insert(hubs).values([
    { ...bare, id: "h1", name: TEXT, ip_address: "10.0.0.1", port: 1080, local_client_secret: TEXT },
    { ...bare, id: "h2", name: "" },
  ]);
  await db.insert(devices).values([
    { ...bare, id: "d1", hub_id: "h1", name: TEXT, restrike_min: 15, on_payload: TEXT, area_since: "2026-01-01" },
    { ...bare, id: "d2", name: "" },
  ]);
  const times = { org_id: "elm", device_id: "d1", start_at: "2026-11-26T18:00:00.000Z", timezone: "UTC", title: TEXT };
  await db.insert(schedules).values([
    { ...times, id: "s1", end_at: "2026-11-26T19:00:00.000Z", rrule: "FREQ=WEEKLY", skips: SKIPS },
    { ...times, id: "s2", end_at: "2026-11-26T20:00:00.000Z" },
  ]);
}

test("a row in one column is the row that its columns make, whatever they hold", async () => {
  await twoOfEach();
  const whole = [
    await db.select(PLANNED.hub).from(hubs).orderBy(hubs.id),
    await db.select(PLANNED.device).from(devices).orderBy(devices.id),
    await db.select(PLANNED.schedule).from(schedules).orderBy(schedules.id),
  ];
  const [found, ...more] = await db.batch([
    db
      .select({ row: packed(PLANNED.hub) })
      .from(hubs)
      .orderBy(hubs.id),
    db
      .select({ row: packed(PLANNED.device) })
      .from(devices)
      .orderBy(devices.id),
    db
      .select({ row: packed(PLANNED.schedule) })
      .from(schedules)
      .orderBy(schedules.id),
  ]);
  expect([found, ...more].map((rows) => rows.map(({ row }) => row))).toEqual(whole);
  expect(whole[2]?.[0]).toMatchObject({ title: TEXT, skips: SKIPS });
});

test("no row that is pulled in one column has a number that JSON would round, or more columns than D1 takes", () => {
  for (const columns of [PLANNED.hub, PLANNED.device, PLANNED.schedule].map((of) => Object.values(of))) {
    expect(columns.filter((column) => column.getSQLType() === "real")).toEqual([]);
    expect(columns.length).toBeLessThanOrEqual(32);
  }
});
