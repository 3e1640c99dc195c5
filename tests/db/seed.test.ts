import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { database } from "#db/database";
import { seedCity } from "#db/seed/city";
import * as t from "#db/schema";
import { lastEnd } from "#domain/recurrence";

const NOW = Date.parse("2026-11-20T20:00:00.000Z");
const db = database(env.DB);
const hash = async () => "scrypt$";

test("an empty database becomes the demo city, once", async () => {
  expect(await seedCity(db, NOW, hash)).toBe(true);
  const before = await counts();
  expect(before).toMatchObject({ organizations: 2, users: 6, departments: 3, areas: 12, hubs: 20, devices: 60 });

  expect(await seedCity(db, NOW + 60_000, hash)).toBe(false);
  expect(await counts()).toEqual(before);
});

test("it has a schedule of every kind", async () => {
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

test("its week of history is before now, and agrees with the states", async () => {
  const events = await db.select().from(t.device_events).orderBy(t.device_events.created_at);
  expect(events.length).toBeGreaterThan(300);
  expect(events.every(({ created_at }) => Date.parse(created_at) < NOW)).toBe(true);
  for (const device of await db.select().from(t.devices)) {
    const last = events.filter((event) => event.device_id === device.id).at(-1);
    if (last) expect([device.current_state, device.last_state_at]).toEqual([last.action, last.created_at]);
  }
});

async function counts() {
  const entries = Object.entries(t).map(async ([name, table]) => [name, await db.$count(table)] as const);
  return Object.fromEntries(await Promise.all(entries));
}
