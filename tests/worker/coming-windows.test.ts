import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { forgetSunWindows, refreshComingWindows } from "#db/coming-windows";
import { database } from "#db/database";
import { comingWindows, type ComingWindows } from "#domain/schedule/coming-windows";
import { comingOccurrences } from "#domain/schedule/recurrence";
import type { Recurring } from "#domain/schedule/schedule";
import { NIGHTS, someSchedule } from "../domain/some-schedule";
import { as, at, NOW, servicesOf } from "../support/api";
import { CITY, seedCity } from "../support/city";
import { countedDatabase } from "../support/counted";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

beforeAll(seedCity);

/** The next start or the running end, whichever comes first; what the dashboard promises. */
function nextEvent(schedule: Recurring, now: number): string | null {
  const instants = comingOccurrences(schedule, now, 3).flatMap(({ start, end }) => [start, end]);
  const later = instants.filter((instant) => instant > now);
  return later.length === 0 ? null : new Date(Math.min(...later)).toISOString();
}

/** An area with one light and one schedule each, written as it was known at `known` (epoch ms), or not known at all. */
async function plant(id: string, schedule: Recurring, known: number | null): Promise<void> {
  const coming: ComingWindows =
    known === null ? { window_start_at: null, window_end_at: "", then_start_at: "" } : comingWindows(schedule, known);
  await env.DB.batch([
    env.DB.prepare("INSERT INTO areas (id, org_id, name) VALUES (?1, ?2, ?1)").bind(id, CITY),
    env.DB.prepare("INSERT INTO devices (id, org_id, area_id, name) VALUES (?1, ?2, ?1, ?1)").bind(id, CITY),
    env.DB.prepare(
      `INSERT INTO schedules (id, org_id, device_id, title, start_at, end_at, rrule, timezone, window_start_at, window_end_at, then_start_at)
       VALUES (?1, ?2, ?1, ?1, ?3, ?4, ?5, ?6, ?7, ?8, ?9)`,
    ).bind(
      id,
      CITY,
      schedule.start_at,
      schedule.end_at,
      schedule.rrule,
      schedule.timezone,
      coming.window_start_at,
      coming.window_end_at,
      coming.then_start_at,
    ),
  ]);
}

const stored = (id: string) =>
  env.DB.prepare("SELECT window_start_at, window_end_at, then_start_at FROM schedules WHERE id = ?")
    .bind(id)
    .first<ComingWindows>();

test("however old what is stored is, the dashboard tells the next event as the rules have it", async () => {
  const ages = fc.constantFrom(null, 0, 10 * 60_000, 5 * HOUR, 30 * HOUR, 9 * DAY);
  const cases = fc.sample(fc.tuple(someSchedule, ages, fc.integer({ min: -9, max: 9 })), { numRuns: 60, seed: 7 });
  for (const [round, night] of NIGHTS.entries()) {
    const [read] = [night + 8 * HOUR + 13 * 60_000];
    const expected = new Map<string, string | null>();
    for (const [index, [schedule, age]] of cases.entries()) {
      const id = `${round}-${index}`;
      await plant(id, schedule, age === null ? null : read - age);
      expected.set(id, nextEvent(schedule, read));
    }
    const { json } = await as("admin", { now: () => new Date(read) }).get("/dashboard");
    const told = new Map(
      json.data.map((area: { id: string; next_event: string | null }) => [area.id, area.next_event]),
    );
    for (const [id, next] of expected) expect([id, told.get(id)]).toEqual([id, next]);
    await env.DB.prepare("DELETE FROM areas WHERE id NOT IN ('park', 'field', 'pier')").run();
  }
});

test("a schedule is stored with what comes of it, and the list is right at once", async () => {
  const admin = as("admin");
  const body = { title: "Practice", area_id: "park", device_id: "gate", rrule: "FREQ=DAILY" };
  const { json } = await admin.post("/schedules", { ...body, start_at: at(-1), end_at: at(2) });
  const { id } = json.data;
  expect(await stored(id)).toEqual({ window_start_at: at(-1), window_end_at: at(2), then_start_at: at(23) });

  await admin.put(`/schedules/${id}`, { ...body, start_at: at(3), end_at: at(4), rrule: null });
  expect(await stored(id)).toEqual({ window_start_at: at(3), window_end_at: at(4), then_start_at: null });

  await admin.put(`/schedules/${id}/cancel`);
  expect(await stored(id)).toEqual({ window_start_at: null, window_end_at: null, then_start_at: null });
});

test("between two windows nothing is written: what is stored tells of the next one, too", async () => {
  const daily = { start_at: at(-2), end_at: at(1), rrule: "FREQ=DAILY", timezone: "UTC" };
  await plant("tonight", daily, NOW.getTime());
  for (const [hours, event] of [
    [0, 1],
    [1, 22],
    [21.9, 22],
  ] as const) {
    const counted = countedDatabase();
    const services = servicesOf("admin", { db: counted.db, now: () => new Date(at(hours)) });
    expect((await services.dashboard.find("tonight")).next_event).toBe(at(event));
    expect(counted.trips()).toBe(1);
  }
  expect(await stored("tonight")).toEqual(comingWindows(daily, NOW.getTime()));
});

test("a reader who finds what is stored too old has it written anew, once", async () => {
  const daily = { start_at: at(-50), end_at: at(-49), rrule: "FREQ=DAILY", timezone: "UTC" };
  await plant("asleep", daily, NOW.getTime() - 3 * DAY);
  const first = countedDatabase();
  await servicesOf("admin", { db: first.db }).schedules.page({});
  const second = countedDatabase();
  await servicesOf("admin", { db: second.db }).schedules.page({});
  expect([first.trips(), second.trips()]).toEqual([3, 1]);
  expect(await stored("asleep")).toEqual(comingWindows(daily, NOW.getTime()));
});

test("the sweep writes what comes as soon as a window is over, and leaves what was changed meanwhile alone", async () => {
  const daily = { start_at: at(-30), end_at: at(-29), rrule: "FREQ=DAILY", timezone: "UTC" };
  await plant("swept", daily, NOW.getTime() - 7 * HOUR);
  await refreshComingWindows(database(env.DB), CITY, NOW.toISOString());
  expect(await stored("swept")).toEqual(comingWindows(daily, NOW.getTime()));

  const before = await env.DB.prepare("SELECT version, updated_at FROM schedules WHERE id = 'swept'").first();
  const bumped = await env.DB.prepare("SELECT config_version FROM organizations WHERE id = ?").bind(CITY).first();
  await refreshComingWindows(database(env.DB), CITY, at(24));
  expect(await env.DB.prepare("SELECT version, updated_at FROM schedules WHERE id = 'swept'").first()).toEqual(before);
  expect(await env.DB.prepare("SELECT config_version FROM organizations WHERE id = ?").bind(CITY).first()).toEqual(
    bumped,
  );
});

test("between two batches of the sweep others have their turn, where the database answers at once", async () => {
  // As many rows as a batch has, each with the columns that the sweep reads.
  const batch = Array.from({ length: 2_000 }, (_, n) => [
    `s${n}`,
    1,
    "canceled",
    ...Array.from({ length: 11 }, () => null),
  ]);
  const steps: string[] = [];
  let batches = 2;
  const statement = () => ({
    bind: statement,
    raw: async () => (steps.push("read"), batches-- > 0 ? batch : []),
    run: async () => (steps.push("write"), { results: [], success: true, meta: {} }),
  });
  const atOnce = new Proxy(env.DB, { get: (d1, name) => (name === "prepare" ? statement : Reflect.get(d1, name)) });
  setTimeout(() => steps.push("somebody else"));
  await refreshComingWindows(database(atOnce), CITY, NOW.toISOString());
  expect(steps).toEqual(["read", "write", "somebody else", "read", "write", "read"]);
});

test("schedules are listed by their next window, the running ones first, what is over and what was canceled last", async () => {
  await env.DB.prepare("DELETE FROM areas WHERE id NOT IN ('park', 'field', 'pier')").run();
  await env.DB.prepare("DELETE FROM schedules").run();
  const plan = (start: number, end: number, rrule: string | null = null) => ({
    start_at: at(start),
    end_at: at(end),
    rrule,
    timezone: "UTC",
  });
  await plant("canceled", plan(1, 2), null);
  await env.DB.prepare("UPDATE schedules SET status = 'canceled' WHERE id = 'canceled'").run();
  await plant("tomorrow", plan(20, 22), NOW.getTime() - 5 * DAY);
  await plant("stored long ago, tonight again", plan(-240 + 3, -240 + 5, "FREQ=DAILY"), NOW.getTime() - 5 * HOUR);
  await plant("over its window, not swept yet", plan(-3, -1, "FREQ=DAILY"), NOW.getTime() - 2 * HOUR);
  await plant("over", plan(-240, -238), NOW.getTime() - 11 * DAY);
  await env.DB.prepare("UPDATE schedules SET last_end_at = end_at WHERE id = 'over'").run();
  await plant("running", plan(-1, 1), NOW.getTime() - DAY);
  await plant("runs longer", plan(-2, 2), null);
  const { rows } = await servicesOf("admin").schedules.page({ sort: "next" });
  expect(rows.map(({ id }) => id)).toEqual([
    "running",
    "runs longer",
    "stored long ago, tonight again",
    "tomorrow",
    "over its window, not swept yet",
    "over",
    "canceled",
  ]);
});

test("a day shows the schedules with a window in it, the one from the evening before included", async () => {
  const ids = async (on: string) => (await servicesOf("admin").schedules.page({ on })).rows.map(({ id }) => id);
  // 8 PM in UTC is noon in Los Angeles, whose days these are; what was canceled is on no day.
  expect(await ids("2026-11-20")).toEqual([
    "running",
    "runs longer",
    "stored long ago, tonight again",
    "over its window, not swept yet",
  ]);
  expect(await ids("2026-11-10")).toEqual(["stored long ago, tonight again", "over"]);
});

test("another organization's windows are not forgotten as our city moves", async () => {
  const known = ["2026-11-01T03:00:00.000Z", "2026-11-01T04:00:00.000Z", "2026-11-02T03:00:00.000Z"];
  await env.DB.prepare(
    `INSERT INTO schedules (id, org_id, device_id, title, start_at, end_at, timezone, start_sun, window_start_at, window_end_at, then_start_at)
     VALUES ('dusk', 'harbor', 'buoy', 'Dusk', ?1, ?2, 'UTC', '{"event":"sunset","offset_min":0}', ?1, ?2, ?3)`,
  )
    .bind(...known)
    .run();
  await forgetSunWindows(database(env.DB), CITY);
  expect(Object.values((await stored("dusk")) ?? {})).toEqual(known);
});
