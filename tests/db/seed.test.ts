import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { database } from "#db/database";
import { seedCity } from "#db/seed/city";
import * as t from "#db/schema";
import { DEAD_HUB, DEAD_LAMP } from "#db/seed/broken";
import { lastEnd } from "#domain/schedule/recurrence";
import { everything } from "../support/everything";
import { ORGANIZATION_TABLES } from "../support/organization-tables";

const NOW = Date.parse("2026-11-20T20:00:00.000Z");
const db = database(env.DB);
const FIRST = "its screen begins with the next step, which a visitor takes";
const WORK = "it comes with the first use";
const ENGINE = "the engine writes it as soon as it runs";
/** Why the demo city has none of these. */
const NOT_SHOWN: Record<string, string> = {
  agents: FIRST,
  device_groups: FIRST,
  group_devices: FIRST,
  calendars: FIRST,
  policies: FIRST,
  permits: FIRST,
  closures: FIRST,
  webhooks: FIRST,
  imports: FIRST,
  settings: "the defaults hold",
  message_choices: "the defaults hold",
  alarms: ENGINE,
  notifications: ENGINE,
  state_changes: ENGINE,
  scheduler_health: ENGINE,
  archive_health: ENGINE,
  webhook_deliveries: WORK,
  sessions: WORK,
  one_time_codes: WORK,
  idempotency_keys: WORK,
  restores: WORK,
  restore_rows: WORK,
};
const hash = async () => "scrypt$";

test("seeds an empty database with the demo city, once", async () => {
  expect(await seedCity(db, NOW, hash)).toBe(true);
  const before = await counts();
  expect(before).toMatchObject({ organizations: 2, users: 6, departments: 3, areas: 12, hubs: 20, devices: 60 });

  expect(await seedCity(db, NOW + 60_000, hash)).toBe(false);
  expect(await counts()).toEqual(before);
});

test("shows something of every kind of record", async () => {
  const tables = await everything();
  const empty = ORGANIZATION_TABLES.filter((name) => !(name in NOT_SHOWN) && tables[name]?.length === 0);
  expect(empty, "without a row in db/seed nobody sees it in the demo city").toEqual([]);
});

test("has a schedule of every kind", async () => {
  const schedules = await db.select().from(t.schedules);
  const has = (like: (schedule: (typeof schedules)[number]) => boolean) => expect(schedules.some(like)).toBe(true);
  has((s) => s.rrule === "FREQ=DAILY");
  has((s) => s.rrule?.includes("FREQ=WEEKLY") === true);
  has((s) => s.rrule?.includes("COUNT=") === true);
  has((s) => s.rrule?.includes("UNTIL=") === true);
  has((s) => s.rrule === null);
  has((s) => s.status === "canceled");
  has((s) => s.last_end_at !== null && Date.parse(s.last_end_at) < NOW);
  has((s) => s.last_end_at === null);
  for (const { start_at, end_at, rrule, timezone, last_end_at } of schedules) {
    const last = lastEnd({ start_at, end_at, rrule, timezone });
    expect(last_end_at).toBe(last === null ? null : new Date(last).toISOString());
  }
});

test("its week of history lies before now and agrees with the devices' states", async () => {
  const events = await db.select().from(t.device_events).orderBy(t.device_events.created_at);
  expect(events.length).toBeGreaterThan(300);
  expect(events.every(({ created_at }) => Date.parse(created_at) < NOW)).toBe(true);
  for (const device of await db.select().from(t.devices)) {
    const own = events.filter((event) => event.device_id === device.id);
    const [last, confirmed] = [own.at(-1), own.findLast((event) => event.result === "success")];
    const state = last?.result === "failure" ? "unknown" : last?.action;
    if (last) expect([device.current_state, device.last_state_at]).toEqual([state, confirmed?.created_at ?? null]);
  }
});

test("its logs contain only texts that the engine writes", async () => {
  const reason =
    /^(On until \d+:\d\d [AP]M: .+|Off: (no schedule is running|curfew until 5:00 AM|240 minutes reached))$/;
  const trouble = ["not confirmed: the device did not answer", "not confirmed: not reachable"];
  for (const { note, attempts, result } of await db.select().from(t.scheduler_events)) {
    const [why = "", what, ...rest] = (note ?? "").split(" · ");
    expect(rest).toEqual([]);
    if (attempts === 0)
      expect([why, what]).toEqual([expect.stringMatching(/^cut short: /), expect.stringMatching(reason)]);
    else expect(why).toMatch(reason);
    if (attempts > 0) expect(what).toEqual(result === "ok" ? undefined : expect.toBeOneOf(trouble));
  }
  const snippets = new Set((await db.select().from(t.device_events)).map((event) => event.response_snippet));
  expect([...snippets].toSorted()).toEqual([
    "mock: 000201",
    "mock: not reachable",
    "mock: state off",
    "mock: state on",
  ]);
});

test("one hub is dead and one lamp fails, and the records say so from the start", async () => {
  const hub = await db.select().from(t.hubs).where(eq(t.hubs.id, DEAD_HUB)).get();
  const lamp = await db.select().from(t.devices).where(eq(t.devices.cloud_device_id, DEAD_LAMP)).get();
  expect([hub?.status, lamp?.current_state]).toEqual(["offline", "unknown"]);
});

async function counts() {
  const entries = Object.entries(t).map(async ([name, table]) => [name, await db.$count(table)] as const);
  return Object.fromEntries(await Promise.all(entries));
}
