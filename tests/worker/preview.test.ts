import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import type { Scheduler } from "#worker/services/scope";
import { as, at, fingerprint } from "../support/api";
import { seedCity } from "../support/city";

const game = { title: "Game", area_id: "park", device_id: "gate", start_at: at(2), end_at: at(4), rrule: "FREQ=DAILY" };
const never = () => Promise.reject(new Error("not asked"));

beforeAll(async () => {
  await seedCity();
  await env.DB.batch([
    env.DB.prepare("UPDATE devices SET dept_id = 'rivers' WHERE id = 'weir'"),
    ...[
      ["seen", "gate"],
      ["hidden", "weir"],
    ].map(([id, device]) =>
      env.DB.prepare(
        `INSERT INTO schedules (id, org_id, device_id, title, start_at, end_at, last_end_at, timezone)
         VALUES (?1, 'city', ?2, 'Secret ' || ?1, ?3, ?4, ?4, 'UTC')`,
      ).bind(id, device, at(3), at(5)),
    ),
  ]);
});

/** An engine that sees one window and both bookings in it. */
const engine: Scheduler = {
  sync: never,
  noteLists: () => undefined,
  checkSessions: () => undefined,
  dropAgent: () => undefined,
  toggle: never,
  toggleMany: never,
  explain: never,
  forecast: never,
  listHubAccount: never,
  pingHub: never,
  readState: never,
  testSwitch: never,
  testEmail: never,
  testMessage: never,
  sendWebhook: never,
  endTest: never,
  preview: async () => ({
    windows: [
      {
        start: Date.parse(at(2)),
        end: Date.parse(at(4)),
        lit: [{ from: Date.parse(at(2)), to: Date.parse(at(3)) }],
        limits: ["Closed: wet ground"],
      },
    ],
    conflicts: ["seen", "hidden"].map((schedule_id) => ({
      schedule_id,
      title: `Secret ${schedule_id}`,
      start: Date.parse(at(3)),
      end: Date.parse(at(5)),
    })),
    devices: 1,
    looked_at: 1,
    isActive: true,
  }),
};

test("a preview is shown without a trace, and hides the titles of bookings that one may not see", async () => {
  const before = await fingerprint();
  const { status, json } = await as("manager", { scheduler: engine }).post("/schedules/preview", game);
  expect(status).toBe(200);
  expect(json.data).toEqual({
    count: null,
    next: [{ start_at: at(2), end_at: at(4), lit: [{ from: at(2), to: at(3) }], limits: ["Closed: wet ground"] }],
    conflicts: [
      { schedule_id: "seen", title: "Secret seen", start_at: at(3), end_at: at(5) },
      { schedule_id: null, title: "Another booking", start_at: at(3), end_at: at(5) },
    ],
    warnings: [],
  });
  expect(await fingerprint()).toEqual(before);
});

test.each([
  {},
  { ...game, title: "" },
  { ...game, end_at: at(1) },
  { ...game, end_at: at(30) },
  { ...game, rrule: "FREQ=WEEKLY;BYDAY=" },
  { ...game, rrule: null, start_at: at(-5), end_at: at(-4) },
  { ...game, device_id: "buoy" },
  { ...game, device_id: "weir" },
])("refuses %o as creating it would", async (input) => {
  const people = as("manager", { scheduler: engine });
  const [shown, created] = [await people.post("/schedules/preview", input), await people.post("/schedules", input)];
  expect(shown).toEqual(created);
  expect(shown.status).toBe(422);
});

test("a preview of an edited schedule needs one that may be edited", async () => {
  const people = as("manager", { scheduler: engine });
  expect((await people.post("/schedules/preview?id=seen", game)).status).toBe(200);
  expect((await people.post("/schedules/preview?id=hidden", game)).status).toBe(404);
  expect(
    (await as("auditor", { scheduler: engine }).post("/schedules/preview", { ...game, device_id: "court" })).status,
  ).toBe(403);
  await env.DB.prepare("UPDATE schedules SET status = 'canceled' WHERE id = 'seen'").run();
  expect((await people.post("/schedules/preview?id=seen", game)).status).toBe(409);
});

test("without the engine a preview is unavailable", async () => {
  const { status } = await as("manager", { scheduler: { ...engine, preview: never } }).post("/schedules/preview", game);
  expect(status).toBe(503);
});
