import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { weekSentence } from "#app/week/week-words";
import type { Segment } from "#domain/forecast/forecast-segments";
import { refused, servicesOf, type More } from "../support/api";
import { scriptedForecast } from "../support/scripted-forecast";
import { seedCity } from "../support/city";

// The test's clock stands on Friday, November 20, at 15:00 in New York.
const at = (text: string) => Date.parse(text);
const SAT_SIX = at("2026-11-21T23:00:00.000Z");

beforeAll(async () => {
  await seedCity();
  const plan = (id: string, target: string, of: string, more: Record<string, string | null> = {}) => {
    const row: Record<string, string | null> = {
      id,
      org_id: "city",
      [target]: of,
      title: `The ${id}`,
      start_at: "2026-11-02T23:00:00.000Z",
      end_at: "2026-11-03T03:00:00.000Z",
      rrule: "FREQ=DAILY",
      timezone: "America/New_York",
      created_at: "2026-11-01T08:00:00.000Z",
      ...more,
    };
    const columns = Object.keys(row);
    return env.DB.prepare(
      `INSERT INTO schedules (${columns.join()}) VALUES (${columns.map((_, n) => `?${n + 1}`).join()})`,
    ).bind(...Object.values(row));
  };
  await env.DB.batch([
    env.DB.prepare("INSERT INTO settings (org_id, key, value) VALUES ('city', 'APP_TIMEZONE', '\"America/New_York\"')"),
    env.DB.prepare("INSERT INTO settings (org_id, key, value) VALUES ('city', 'HARD_CURFEW_OFF', '\"22:00\"')"),
    env.DB.prepare("INSERT INTO areas (id, org_id, name) VALUES ('annex', 'city', 'Annex')"),
    env.DB.prepare(
      "INSERT INTO device_groups (id, org_id, area_id, name) VALUES ('pitch', 'city', 'park', 'Pitch'), ('pair', 'city', 'park', NULL), ('dam', 'city', 'park', 'Dam')",
    ),
    env.DB.prepare(
      "INSERT INTO group_devices (org_id, group_id, device_id) VALUES ('city', 'pitch', 'gate'), ('city', 'pitch', 'court'), ('city', 'dam', 'weir')",
    ),
    env.DB.prepare(
      `INSERT INTO calendars (id, org_id, name, dates) VALUES ('holidays', 'city', 'Holidays', '[{"date":"2026-11-26","name":"Thanksgiving"}]')`,
    ),
    plan("league", "group_id", "pitch", {
      skips: '[{"date":"2026-11-24","reason":"rain"}]',
      calendar_id: "holidays",
      calendar_rule: "skip",
    }),
    plan("park", "area_id", "park", { rrule: "FREQ=WEEKLY;BYDAY=TU", end_at: "2026-11-03T07:00:00.000Z" }),
    plan("flood", "device_id", "weir"),
    plan("gone", "device_id", "gate", { status: "canceled" }),
    plan("old", "device_id", "gate", {
      rrule: null,
      last_end_at: "2026-11-03T03:00:00.000Z",
    }),
    env.DB.prepare(
      `INSERT INTO audit_logs (id, org_id, created_at, actor_email, action, resource_type, resource_id)
       VALUES ('made', 'city', '2026-11-01T08:00:00.400Z', 'ana@parks.example', 'create', 'schedule', 'league')`,
    ),
  ]);
});

const page = (query = {}, who: Parameters<typeof servicesOf>[0] = "employee", more: More = {}) =>
  servicesOf(who, more).week.page(query);
const titles = ({ schedules }: Awaited<ReturnType<typeof page>>) => schedules.map(({ id }) => id).toSorted();

test("without a place it is this week of the first area in which something is scheduled", async () => {
  const week = await page();
  expect(week.area).toEqual({ id: "park", name: "Elm Park", active: true });
  expect([week.frame.monday, week.frame.isCurrent, week.zone]).toEqual(["2026-11-16", true, "America/New_York"]);
  expect(week.areas.map(({ name }) => name)).toEqual(["Annex", "Elm Park", "North Field"]);
});

test("each window says how many lights it is for, who made it, and on which nights it is left out and why", async () => {
  const week = await page({ area: "park", week: "2026-11-24" });
  const league = week.schedules.find(({ id }) => id === "league");
  expect(league).toMatchObject({
    title: "The league",
    target: { type: "group", id: "pitch", name: "Pitch" },
    lights: 2,
    repeats: true,
    is_open: true,
    words: "Every day, 6:00 PM - 10:00 PM, never ends, not on the dates of Holidays",
    who: "ana@parks.example",
  });
  const windows = week.windows.filter(({ schedule_id }) => schedule_id === "league");
  expect(windows.map(({ date, skipped }) => [date.slice(-2), skipped?.by ?? null, skipped?.reason ?? null])).toEqual([
    ["23", null, null],
    ["24", "person", "rain"],
    ["25", null, null],
    ["26", "calendar", "Thanksgiving"],
    ["27", null, null],
    ["28", null, null],
    ["29", null, null],
  ]);
  expect(windows[0]).toMatchObject({
    start: at("2026-11-23T23:00:00.000Z"),
    end: at("2026-11-24T03:00:00.000Z"),
  });
});

test("what repeats by the clock of another zone names it", async () => {
  await env.DB.prepare("UPDATE schedules SET timezone = 'America/Chicago' WHERE id = 'park'").run();
  const words = (await page({ area: "park" })).schedules.map((each) => each.words);
  await env.DB.prepare("UPDATE schedules SET timezone = 'America/New_York' WHERE id = 'park'").run();
  expect(words.filter((text) => text.endsWith(" (America/Chicago)"))).toHaveLength(1);
});

test("a window that crosses midnight belongs to the night in which it began", async () => {
  const { windows } = await page({ area: "park", week: "2026-11-23" });
  const [first, ...more] = windows.filter(({ schedule_id }) => schedule_id === "park");
  expect([first?.date, more.length]).toEqual(["2026-11-24", 0]);
  expect((first?.end ?? 0) - (first?.start ?? 0)).toBe(8 * 3_600_000);
});

test("canceled schedules are not shown; those that are over are, in the week in which they were", async () => {
  expect(titles(await page({ area: "park" }))).toEqual(["league", "park"]);
  const past = await page({ area: "park", week: "2026-11-02" });
  expect(titles(past)).toEqual(["league", "old", "park"]);
  expect(past.schedules.find(({ id }) => id === "old")?.is_open).toBe(false);
});

test("one sees what is for the lights of one's departments, also of a chosen one", async () => {
  expect(titles(await page({ area: "park" }, "admin"))).toEqual(["flood", "league", "park"]);
  expect(titles(await page({ area: "park" }, "admin", { dept: "rivers" }))).toEqual(["flood", "league", "park"]);
  const { groups, lights, schedules } = await page({ area: "park" });
  expect(groups).toEqual([{ id: "pitch", name: "Pitch", lights: 2 }]);
  expect(lights).toBe(2);
  expect(schedules.find(({ id }) => id === "park")?.lights).toBe(2);
  expect(await refused(page({ area: "park", group: "dam" }))).toBe("not_found: Group not found");
  expect(await refused(page({ area: "pier" }))).toBe("not_found: Area not found");
  expect(await refused(page({ area: "park" }, "stranger"))).toBe("not_found: Area not found");
});

test("where lights of the area are hidden from the person, the week says that nothing is scheduled for the others only", async () => {
  await env.DB.batch([
    env.DB.prepare("INSERT INTO areas (id, org_id, name) VALUES ('island', 'city', 'Island')"),
    env.DB.prepare(
      "INSERT INTO devices (id, org_id, area_id, dept_id, name) VALUES ('beacon', 'city', 'island', 'rivers', 'Beacon')",
    ),
  ]);
  const sentence = async (...who: Parameters<typeof servicesOf>) =>
    weekSentence(await servicesOf(...who).week.page({ area: "island" }));
  expect(await sentence("admin")).toBe("Nothing is scheduled for Island in this week.");
  expect(await sentence("employee")).toBe("Nothing is scheduled for the lights shown here of Island in this week.");
  await env.DB.batch([
    env.DB.prepare("DELETE FROM devices WHERE id = 'beacon'"),
    env.DB.prepare("DELETE FROM areas WHERE id = 'island'"),
  ]);
});

test("of an area without lights, the week says that it has none, and not that nothing is scheduled", async () => {
  await env.DB.prepare("INSERT INTO areas (id, org_id, name) VALUES ('meadow', 'city', 'Meadow')").run();
  for (const who of ["admin", "employee"] as const) {
    const week = await servicesOf(who).week.page({ area: "meadow" });
    expect(weekSentence(week)).toBe("There are no lights in Meadow.");
  }
  await env.DB.prepare("DELETE FROM areas WHERE id = 'meadow'").run();
});

test("a group's week has what is for one of its lights, be it alone, in a group or in the area", async () => {
  const week = await page({ area: "park", group: "dam" }, "admin");
  expect(titles(week)).toEqual(["flood", "park"]);
  expect([week.group?.name, week.lights]).toEqual(["Dam", 1]);
  expect((await page({ area: "field", group: "dam" }, "admin")).group).toBeNull();
});

test("an area offers its own groups that have a name, and no other's", async () => {
  await env.DB.batch([
    env.DB.prepare("INSERT INTO devices (id, org_id, area_id, name) VALUES ('shed', 'city', 'annex', 'Shed')"),
    env.DB.prepare("INSERT INTO device_groups (id, org_id, area_id, name) VALUES ('yard', 'city', 'annex', 'Yard')"),
    env.DB.prepare(
      "INSERT INTO group_devices (org_id, group_id, device_id) VALUES ('city', 'yard', 'shed'), ('city', 'pair', 'gate')",
    ),
  ]);
  const offered = async (area: string) => (await page({ area })).groups.map(({ id }) => id);
  expect([await offered("annex"), await offered("park")]).toEqual([["yard"], ["pitch"]]);
  await env.DB.batch([
    env.DB.prepare("DELETE FROM devices WHERE id = 'shed'"),
    env.DB.prepare("DELETE FROM device_groups WHERE id = 'yard'"),
    env.DB.prepare("DELETE FROM group_devices WHERE group_id = 'pair'"),
  ]);
});

const segment = (from: number, to: number, more: Partial<Segment>): Segment => ({
  from,
  to,
  state: "on",
  reason: "claim",
  sentence: "On until 10:00 PM: The league",
  schedule_ids: ["league"],
  ...more,
});
const closed: Partial<Segment> = { state: "off", reason: "closure", sentence: "Off: closed: wet ground" };

test("what limits take from a window is dark where it takes all lights, and counted where it takes some", async () => {
  const [nine, ten] = [SAT_SIX + 3 * 3_600_000, SAT_SIX + 4 * 3_600_000];
  const scheduler = scriptedForecast({
    gate: [segment(SAT_SIX, nine, {}), segment(nine, ten, { ...closed })],
    court: [segment(SAT_SIX, SAT_SIX + 3_600_000, closed), segment(SAT_SIX + 3_600_000, ten, closed)],
  });
  const { windows, foreseen } = await page({ area: "park" }, "employee", { scheduler });
  const saturday = windows.find(({ schedule_id, date }) => schedule_id === "league" && date === "2026-11-21");
  expect(foreseen).toBe("all");
  expect(saturday?.dark).toEqual([{ from: nine, to: ten }]);
  expect(saturday?.limits).toEqual([
    { from: SAT_SIX, to: ten, words: "closed: wet ground", lights: 1 },
    { from: nine, to: ten, words: "closed: wet ground", lights: 1 },
  ]);
  const sunday = windows.find(({ schedule_id, date }) => schedule_id === "league" && date === "2026-11-22");
  expect([sunday?.dark, sunday?.limits]).toEqual([[], []]);
});

test("without the engine, and where it does not look so far ahead, the plan is told and that it is no more", async () => {
  const away = await page({ area: "park" }, "employee", { scheduler: scriptedForecast(null) });
  expect([away.foreseen, away.windows.length > 0]).toEqual(["away", true]);
  expect((await page({ area: "park", week: "2027-03-01" })).foreseen).toBe("beyond");
  expect((await page({ area: "park", week: "2026-12-21" })).foreseen).toBe("beyond");
  expect((await page({ area: "park", week: "2026-12-14" })).foreseen).toBe("all");
  expect((await page({ area: "park", week: "2026-11-02" })).foreseen).toBe("all");
  expect((await page({ area: "annex" })).windows).toEqual([]);
});

test("of more lights than are looked at the week says how many there are, and that some were looked at", async () => {
  const asked: number[] = [];
  const scripted = scriptedForecast({});
  const scheduler = {
    ...scripted,
    forecast: (of: Parameters<typeof scripted.forecast>[0]) => {
      asked.push(of.device_ids.length);
      return scripted.forecast(of);
    },
  };
  await env.DB.batch([
    env.DB.prepare("INSERT INTO areas (id, org_id, name) VALUES ('mall', 'city', 'Mall')"),
    env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 205)
       INSERT INTO devices (id, org_id, area_id, name) SELECT 'mall-' || i, 'city', 'mall', 'Mall ' || i FROM n`,
    ),
    env.DB.prepare(
      `INSERT INTO schedules (id, org_id, area_id, title, start_at, end_at, rrule, timezone)
       VALUES ('sale', 'city', 'mall', 'Sale', '2026-11-02T23:00:00.000Z', '2026-11-03T03:00:00.000Z', 'FREQ=DAILY', 'UTC')`,
    ),
  ]);
  const many = await page({ area: "mall" }, "employee", { scheduler });
  await env.DB.prepare("DELETE FROM devices WHERE id IN ('mall-1', 'mall-2', 'mall-3', 'mall-4', 'mall-5')").run();
  const all = await page({ area: "mall" }, "employee", { scheduler });
  await env.DB.prepare("DELETE FROM areas WHERE id = 'mall'").run();
  expect([many.lights, many.foreseen, all.lights, all.foreseen]).toEqual([205, "some", 200, "all"]);
  expect(asked).toEqual([200, 200]);
});

test("the curfew of the area shades its nights", async () => {
  const { shade } = await page({ area: "park" });
  expect(shade.length).toBeGreaterThanOrEqual(7);
  expect(shade.every(({ kind }) => kind === "curfew" || kind === "blackout")).toBe(true);
});

test("a week tells sixty schedules at most, and how many more there are", async () => {
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 61)
     INSERT INTO schedules (id, org_id, area_id, title, start_at, end_at, rrule, timezone)
     SELECT 'many-' || i, 'city', 'field', 'Many ' || i, '2026-11-02T23:00:00.000Z', '2026-11-03T03:00:00.000Z',
       'FREQ=DAILY', 'UTC' FROM n`,
  ).run();
  await env.DB.prepare(
    "INSERT INTO devices (id, org_id, area_id, name) VALUES ('mast', 'city', 'field', 'Mast')",
  ).run();
  const { schedules, more, windows } = await page({ area: "field" });
  expect([schedules.length, more, windows.length]).toEqual([60, 1, 420]);
});

test("where nobody chose a place, an area with lights and groups of which nothing is booked is not the first", async () => {
  await env.DB.batch([
    env.DB.prepare("INSERT INTO areas (id, org_id, name) VALUES ('abbey', 'city', 'Abbey')"),
    env.DB.prepare("INSERT INTO devices (id, org_id, area_id, name) VALUES ('nave', 'city', 'abbey', 'Nave')"),
    env.DB.prepare("INSERT INTO device_groups (id, org_id, area_id, name) VALUES ('choir', 'city', 'abbey', 'Choir')"),
    env.DB.prepare("INSERT INTO group_devices (org_id, group_id, device_id) VALUES ('city', 'choir', 'nave')"),
  ]);
  const { area } = await page();
  await env.DB.prepare("DELETE FROM areas WHERE id = 'abbey'").run();
  expect(area).toMatchObject({ id: "park" });
});

test("where nobody chose a place, what the person does not see is not scheduled anywhere", async () => {
  await env.DB.batch([
    env.DB.prepare(
      "INSERT INTO devices (id, org_id, area_id, dept_id, name) VALUES ('sluice', 'city', 'annex', 'rivers', 'Sluice')",
    ),
    env.DB.prepare("INSERT INTO device_groups (id, org_id, area_id, name) VALUES ('locks', 'city', 'annex', 'Locks')"),
    env.DB.prepare("INSERT INTO group_devices (org_id, group_id, device_id) VALUES ('city', 'locks', 'sluice')"),
  ]);
  for (const [column, target] of [
    ["device_id", "sluice"],
    ["group_id", "locks"],
    ["area_id", "annex"],
  ]) {
    await env.DB.prepare(
      `INSERT OR REPLACE INTO schedules (id, org_id, ${column}, title, start_at, end_at, rrule, timezone)
       VALUES ('works', 'city', ?, 'Works', '2026-11-02T23:00:00.000Z', '2026-11-03T03:00:00.000Z', 'FREQ=DAILY', 'UTC')`,
    )
      .bind(target)
      .run();
    expect((await page({}, "admin")).area).toMatchObject({ id: "annex" });
    expect((await page({}, "admin", { dept: "sports" })).area).toMatchObject({ id: "park" });
    expect((await page()).area).toMatchObject({ id: "park" });
  }
});
