import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { database } from "#db/database";
import { tonight } from "#db/tonight";
import type { Segment } from "#domain/forecast/forecast-segments";
import { hoursWords, verifiedWords } from "#domain/tonight/tonight-words";
import { at, NOW, refused, servicesOf, type More } from "../support/api";
import { scriptedForecast } from "../support/scripted-forecast";
import { seedCity } from "../support/city";

/** The night of November 20 in New York, from 17:00 UTC on; it is 15:00 there. */
const FROM = Date.parse("2026-11-20T17:00:00.000Z");
const TO = Date.parse("2026-11-21T17:00:00.000Z");
const SIX = Date.parse("2026-11-20T23:00:00.000Z");
const TEN = Date.parse("2026-11-21T03:00:00.000Z");

const booked: Segment = {
  from: SIX,
  to: TEN,
  state: "on",
  reason: "claim",
  sentence: "On until 10:00 PM: Practice",
  schedule_ids: ["practice"],
};
const engine = scriptedForecast({ gate: [booked], court: [{ ...booked, from: NOW.getTime() }] });

beforeAll(async () => {
  await seedCity();
  const change = (device: string, kind: string, at: string, state: string, ids: string | null) =>
    env.DB.prepare(
      `INSERT INTO state_changes (org_id, device_id, kind, at, state, reason, sentence, schedule_ids)
       VALUES ('city', ?1, ?2, ?3, ?4, ?5, ?6, ?7)`,
    ).bind(device, kind, at, state, ids && "claim", ids && "On until 10:00 PM: Practice", ids);
  await env.DB.batch([
    env.DB.prepare("INSERT INTO settings (org_id, key, value) VALUES ('city', 'APP_TIMEZONE', '\"America/New_York\"')"),
    env.DB.prepare("INSERT INTO settings (org_id, key, value) VALUES ('city', 'HARD_CURFEW_OFF', '\"22:00\"')"),
    env.DB.prepare("INSERT INTO settings (org_id, key, value) VALUES ('city', 'BLACKOUT_WINDOW', '\"23:00-05:00\"')"),
    env.DB.prepare(
      "INSERT INTO settings (org_id, key, value) VALUES ('city', 'CITY_LAT', '40.7'), ('city', 'CITY_LON', '-74')",
    ),
    env.DB.prepare(
      `INSERT INTO policies (org_id, scope, scope_id, HARD_CURFEW_OFF, BLACKOUT_WINDOW) VALUES ('city', 'type', 'field', '', '')`,
    ),
    env.DB.prepare(
      "INSERT INTO devices (id, org_id, area_id, name, problem) VALUES ('mast', 'city', 'field', 'Mast', 'still off')",
    ),
    env.DB.prepare(
      `INSERT INTO schedules (id, org_id, device_id, title, start_at, end_at, timezone, created_at)
       VALUES ('practice', 'city', 'gate', 'Practice', '2026-11-20T23:00:00.000Z', '2026-11-21T03:00:00.000Z', 'UTC', '2026-11-19T08:00:00.000Z')`,
    ),
    env.DB.prepare(
      `INSERT INTO audit_logs (id, org_id, created_at, actor_email, action, resource_type, resource_id)
       VALUES ('made', 'city', '2026-11-19T08:00:00.400Z', 'ana@parks.example', 'create', 'schedule', 'practice')`,
    ),
    change("court", "desired", "2026-11-20T19:00:00.000Z", "on", '["practice"]'),
    change("court", "reported", "2026-11-20T18:00:00.000Z", "off", null),
    change("court", "reported", "2026-11-20T19:30:00.000Z", "on", null),
    change("gate", "desired", "2026-11-18T23:00:00.000Z", "on", '["practice"]'),
    change("gate", "reported", "2026-11-18T23:00:20.000Z", "on", null),
    change("gate", "desired", "2026-11-19T03:00:00.000Z", "off", "[]"),
    change("gate", "reported", "2026-11-19T03:00:20.000Z", "off", null),
  ]);
});

const page = (query = {}, who: Parameters<typeof servicesOf>[0] = "employee", more: More = { scheduler: engine }) =>
  servicesOf(who, more).tonight.page(query);

test("the running night is told from the log until now, and from the forecast after it", async () => {
  const { frame, known, rows } = await page();
  expect([frame.from, frame.to, frame.date, frame.kind]).toEqual([FROM, TO, "2026-11-20", "running"]);
  expect(known).toBe(NOW.getTime());
  const court = rows.flatMap(({ lights }) => lights ?? []).find(({ id }) => id === "court");
  expect(court?.bars).toEqual([
    {
      from: Date.parse("2026-11-20T19:00:00.000Z"),
      to: TEN,
      why: "booked",
      reason: "claim",
      text: "Practice",
      sentence: "On until 10:00 PM: Practice",
      schedule_ids: ["practice"],
      group: null,
      series: null,
      who: "ana",
    },
  ]);
  expect(court?.seen.map(({ as }) => as)).toEqual(["failed", "lit"]);
});

test("areas with a wrong light come first, with their counts, their dark hours and the sun", async () => {
  const { rows, totals, frame, sentence } = await page();
  expect(rows.map(({ id, on, wrong, all, hidden }) => ({ id, on, wrong, all, hidden }))).toEqual([
    { id: "field", on: 0, wrong: 1, all: 1, hidden: 0 },
    { id: "park", on: 1, wrong: 0, all: 2, hidden: 1 },
  ]);
  expect(totals).toEqual({ on: 1, wrong: 1, unknown: 2, all: 3 });
  expect(rows[0]?.shade).toEqual([]);
  expect(rows[1]?.shade).toEqual([{ kind: "curfew", from: TEN, to: TEN + 7 * 3_600_000 }]);
  expect(new Date(frame.sunset ?? 0).toISOString()).toMatch(/^2026-11-20T21:3/);
  expect(new Date(frame.sunrise ?? 0).toISOString()).toMatch(/^2026-11-21T11:49/);
  expect(sentence).toBe("1 of 3 lights are on, 1 is wrong, 2 unknown. Next at 6:00 PM: Gate light goes on.");
});

test("what is wrong with a light now is told in the running night, and neither in one that is over nor to come", async () => {
  const wrongOn = async (date: string) => {
    const { lights } = await servicesOf("employee", { scheduler: engine }).tonight.lights({ area_id: "field", date });
    return lights.map(({ id, problem }) => [id, problem]);
  };
  expect(await wrongOn("2026-11-19")).toEqual([["mast", null]]);
  expect(await wrongOn("2026-11-20")).toEqual([["mast", "still off"]]);
  expect(await wrongOn("2026-11-21")).toEqual([["mast", null]]);
});

test("a past night comes from the log alone, and one to come from the forecast", async () => {
  const past = await page({ date: "2026-11-18" });
  const gate = past.rows.flatMap(({ lights }) => lights ?? []).find(({ id }) => id === "gate");
  expect(past.frame.kind).toBe("past");
  expect(gate?.bars.map(({ from, to }) => to - from)).toEqual([4 * 3_600_000]);
  expect(gate?.seen.map(({ as }) => as)).toEqual(["lit"]);
  expect(past.sentence).toBe("1 of 3 lights were lit. Before 6:00 PM it is not known.");
  expect(past.known_from).toBe(Date.parse("2026-11-18T23:00:00.000Z"));
  const unlogged = await page({ date: "2026-11-17" });
  expect(unlogged.sentence).toBe("What the lights did then is not known: it was before the log began.");
  expect(unlogged.known_from).toBe(unlogged.frame.to);
  const coming = await page({ date: "2026-11-21" }, "employee", {
    scheduler: scriptedForecast({ gate: [{ ...booked, from: SIX + 86_400_000, to: TEN + 86_400_000 }] }),
  });
  expect(coming.sentence).toBe("1 of 3 lights is planned on. First at 6:00 PM: Gate light goes on.");
});

test("what begins or ends at noon sharp is not told as reaching beyond the night", async () => {
  const [noon, next] = [FROM + 86_400_000, TO + 86_400_000];
  const dark = { state: "off", reason: "idle", sentence: "Off: nothing is scheduled" } as const;
  const spans = (...lit: [number, number][]): Segment[] => [
    { ...booked, ...dark, schedule_ids: [], from: noon - 1, to: lit[0]?.[0] ?? next },
    ...lit.map(([from, to]) => ({ ...booked, from, to })),
  ];
  const scheduler = scriptedForecast({
    gate: spans([noon, noon + 7_200_000], [next - 7_200_000, next]),
    court: [
      { ...booked, from: noon - 1, to: noon },
      { ...booked, from: next - 7_200_000, to: next + 1, reason: "manual_on" },
    ],
    mast: [{ ...booked, from: noon - 1, to: next + 1 }],
  });
  const { rows } = await page({ date: "2026-11-21" }, "employee", { scheduler });
  const lights = rows.flatMap((area) => area.lights ?? []);
  const hours = (id: string) =>
    lights.find((light) => light.id === id)?.bars.map((bar) => hoursWords(bar, "America/New_York"));
  expect(hours("gate")).toEqual(["12:00 PM to 2:00 PM", "10:00 AM to 12:00 PM"]);
  expect(hours("court")).toEqual(["10:00 AM to after noon"]);
  expect(hours("mast")).toEqual(["before noon to after noon"]);
});

test("what the log says of noon sharp is told as sharply", async () => {
  const change = (at: string, state: string, ids: string) =>
    env.DB.prepare(
      `INSERT INTO state_changes (org_id, device_id, kind, at, state, reason, sentence, schedule_ids)
       VALUES ('city', 'sharp', 'desired', ?1, ?2, 'claim', 'On: Practice', ?3)`,
    ).bind(at, state, ids);
  await env.DB.batch([
    env.DB.prepare("INSERT INTO areas (id, org_id, name) VALUES ('quay', 'city', 'Quay')"),
    env.DB.prepare("INSERT INTO devices (id, org_id, area_id, name) VALUES ('sharp', 'city', 'quay', 'Sharp')"),
    change("2026-11-18T17:00:00.000Z", "on", '["practice"]'),
    change("2026-11-18T19:00:00.000Z", "off", "[]"),
    change("2026-11-19T15:00:00.000Z", "on", '["practice"]'),
    change("2026-11-19T17:00:00.000Z", "off", "[]"),
  ]);
  const hours = async (date: string) =>
    (await page({ date })).rows
      .flatMap((area) => area.lights ?? [])
      .find(({ id }) => id === "sharp")
      ?.bars.map((bar) => hoursWords(bar, "America/New_York"));
  expect(await hours("2026-11-18")).toEqual(["12:00 PM to 2:00 PM", "10:00 AM to 12:00 PM"]);
  expect(await hours("2026-11-17")).toEqual([]);
  expect(await hours("2026-11-19")).toEqual([]);
  await env.DB.batch([
    env.DB.prepare("DELETE FROM devices WHERE id = 'sharp'"),
    env.DB.prepare("DELETE FROM areas WHERE id = 'quay'"),
    env.DB.prepare("DELETE FROM state_changes WHERE device_id = 'sharp'"),
  ]);
});

test("a night of which the log was deleted is not known, whatever is kept of older changes", async () => {
  // Four hundred days after 3 PM of November 19 in New York.
  const later = { now: () => new Date("2027-12-24T20:00:00.000Z") };
  const gone = await page({ date: "2026-11-18" }, "employee", later);
  expect(gone.known_from).toBe(gone.frame.to);
  expect(gone.sentence).toBe("What the lights did then is not known: it was before the log began.");
  const half = await page({ date: "2026-11-19" }, "employee", later);
  expect(half.sentence).toBe("0 of 3 lights were lit. Before 3:00 PM it is not known.");
  const kept = await page({ date: "2026-11-20" }, "employee", later);
  expect(kept.sentence).toBe("1 of 3 lights were lit, 1 was dark though planned on.");
});

test("of the running night, too, it is said before when nothing is known of it", async () => {
  const { sentence } = await page({}, "employee", { scheduler: engine, log_days: 1 / 24 });
  expect(sentence).toMatch(/ Next at 6:00 PM: Gate light goes on\. Before 2:00 PM it is not known\.$/);
});

test("one sees the lights of one's departments; the others are counted", async () => {
  const names = async (who: Parameters<typeof servicesOf>[0], more: More = {}) =>
    (await page({}, who, { scheduler: engine, ...more })).rows.flatMap(
      ({ lights }) => lights?.map(({ id }) => id) ?? [],
    );
  expect(await names("admin")).toEqual(["mast", "court", "gate", "weir"]);
  expect(await names("employee")).toEqual(["mast", "court", "gate"]);
  expect(await names("admin", { dept: "rivers" })).toEqual(["mast", "gate", "weir"]);
  expect(await names("stranger")).toEqual(["buoy"]);
  const auditor = (await page({}, "auditor")).rows.flatMap(({ lights }) => lights ?? []);
  expect(auditor.filter(({ may_toggle }) => !may_toggle).map(({ id }) => id)).toEqual(["court"]);
});

test("without the engine the night is told from the log, and says so", async () => {
  const silent = scriptedForecast(null);
  const { isForeseen, rows, sentence } = await page({}, "employee", { scheduler: silent });
  expect(isForeseen).toBe(false);
  expect(rows.flatMap(({ lights }) => lights ?? []).flatMap(({ bars }) => bars)).toHaveLength(1);
  expect(sentence).toContain("What comes next is not known right now.");
  expect((await page({ date: "2026-11-18" }, "employee", { scheduler: silent })).isForeseen).toBe(true);
});

test.each(["tonight", "2026-02-30", "2026-12-22", "2027-11-20"])("'%s' is no night to look at", async (date) => {
  const detail = "invalid: Date must be a day, YYYY-MM-DD, at most 31 days ahead";
  expect(await refused(page({ date }))).toBe(detail);
  expect(await refused(servicesOf("employee").tonight.lights({ area_id: "park", date }))).toBe(detail);
});

test("an area's lights come on demand, at most 200 and what is wrong among them", async () => {
  const lights = Array.from({ length: 230 }, (_, n) => `l${String(n).padStart(3, "0")}`);
  await env.DB.batch([
    env.DB.prepare("INSERT INTO areas (id, org_id, name) VALUES ('large', 'city', 'Large')"),
    ...lights.map((id, n) =>
      env.DB.prepare(
        "INSERT INTO devices (id, org_id, area_id, name, problem) VALUES (?1, 'city', 'large', ?1, ?2)",
      ).bind(id, n === 229 ? "still off" : null),
    ),
  ]);
  const { rows } = await page();
  expect(rows.map((area) => [area.id, area.lights?.length ?? null])).toEqual([
    ["large", null],
    ["field", 1],
    ["park", 2],
  ]);
  const demanded = await servicesOf("employee").tonight.lights({ area_id: "large" });
  expect([demanded.lights.length, demanded.more, demanded.lights.at(-1)?.id]).toEqual([200, 30, "l229"]);
  const open = await page({ open: "large" });
  expect(open.rows.find(({ id }) => id === "large")?.lights).toHaveLength(200);
  expect(await refused(servicesOf("employee").tonight.lights({ area_id: "nowhere" }))).toBe(
    "not_found: Area not found",
  );
  expect(await refused(servicesOf("employee").tonight.lights({ area_id: "pier" }))).toBe("not_found: Area not found");
});

test("what holds now is one bar, though the engine's clock is some milliseconds ahead", async () => {
  const later = NOW.getTime() + 40;
  const { light } = await servicesOf("employee", {
    scheduler: scriptedForecast({ court: [{ ...booked, from: later }] }),
  }).tonight.light("court");
  expect(light.bars.map(({ from, to }) => [from, to])).toEqual([[Date.parse("2026-11-20T19:00:00.000Z"), TEN]]);
});

test("a hold is told until it ends, and not for as long as the engine has not said so", async () => {
  const held = async (until: string) => {
    const hold = JSON.stringify({ state: "on", until });
    await env.DB.prepare("UPDATE devices SET hold = ? WHERE id = 'mast'").bind(hold).run();
    return (await servicesOf("admin", { scheduler: engine }).tonight.light("mast")).light.hold;
  };
  expect([await held(at(1)), await held(at(0))]).toEqual([{ state: "on", until: at(1) }, null]);
  await env.DB.prepare("UPDATE devices SET hold = NULL WHERE id = 'mast'").run();
});

test("one light's night is for those who may see the light", async () => {
  const { light, shade } = await servicesOf("employee", { scheduler: engine }).tonight.light("gate");
  expect(light.bars.map(({ from, to }) => [from, to])).toEqual([[SIX, TEN]]);
  expect(shade).toHaveLength(1);
  expect(await refused(servicesOf("employee").tonight.light("weir"))).toBe("not_found: Device not found");
});

test("each booking is told with its own group and whoever made it, though others were made in the same seconds", async () => {
  const at = (second: number) => `2026-11-18T08:00:0${second}.000Z`;
  const made = (id: string, who: string, second: number, action = "create") =>
    env.DB.prepare(
      `INSERT INTO audit_logs (id, org_id, created_at, actor_email, action, resource_type, resource_id)
       VALUES (?1 || ?3 || ?4, 'city', ?2, ?3, ?4, 'schedule', ?1)`,
    ).bind(id, at(second), `${who}@parks.example`, action);
  const group = (id: string) =>
    env.DB.prepare("INSERT INTO device_groups (id, org_id, area_id, name) VALUES (?1, 'city', 'park', ?1)").bind(id);
  const plan = (id: string, group_id: string | null, suns: [string | null, string | null]) =>
    env.DB.prepare(
      `INSERT INTO schedules (id, org_id, group_id, area_id, title, start_at, end_at, timezone, created_at, start_sun, end_sun)
       VALUES (?1, 'city', ?2, ?3, ?1, '2026-11-20T23:00:00.000Z', '2026-11-21T03:00:00.000Z', 'UTC', ?4, ?5, ?6)`,
    ).bind(id, group_id, group_id === null ? "park" : null, at(1), ...suns);
  const sunset = JSON.stringify({ event: "sunset", offset_min: 0, not_before: null, not_after: null });
  await env.DB.batch([
    group("East"),
    group("West"),
    plan("one", "East", [sunset, null]),
    plan("two", "West", [null, sunset]),
    plan("three", null, [null, null]),
    made("one", "kim", 1),
    made("two", "lee", 2),
    made("three", "max", 0),
    made("one", "noa", 3, "update"),
    made("two", "pia", 0, "cancel"),
  ]);
  const told = await tonight(database(env.DB), "city").schedules(["one", "two", "three"]);
  await env.DB.prepare("DELETE FROM device_groups WHERE id IN ('East', 'West')").run();
  await env.DB.prepare("DELETE FROM schedules WHERE id IN ('one', 'two', 'three')").run();
  expect(Object.fromEntries(told.map(({ id, who, group: name, by_sun }) => [id, [who, name, by_sun]]))).toEqual({
    one: ["kim@parks.example", "East", 1],
    two: ["lee@parks.example", "West", 1],
    three: ["max@parks.example", null, 0],
  });
});

test("a skipped night keeps its bar, which says so and by whom, where nothing else is planned", async () => {
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO schedules (id, org_id, area_id, title, start_at, end_at, rrule, timezone, skips, updated_at)
       VALUES ('market', 'city', 'park', 'Market', '2026-11-01T22:00:00.000Z', '2026-11-02T01:00:00.000Z', 'FREQ=DAILY', 'UTC',
         '[{"date":"2026-11-20","reason":"rain"}]', '2026-11-20T12:00:00.000Z')`,
    ),
    env.DB.prepare(
      `INSERT INTO audit_logs (id, org_id, created_at, actor_email, action, resource_type, resource_id, details)
       VALUES ('skipped', 'city', '2026-11-20T12:00:00.100Z', 'joel@parks.example', 'skip', 'schedule', 'market',
         '{"before":{"exdates":[]},"after":{"exdates":["2026-11-20"]}}')`,
    ),
  ]);
  const { rows } = await page();
  const lights = rows.flatMap((area) => area.lights ?? []);
  const of = (id: string) => lights.find((light) => light.id === id)?.bars.filter((bar) => bar.isSkipped);
  const at = (hour: number) => Date.parse(`2026-11-20T${hour}:00:00.000Z`);
  const told = { text: "Skipped: Market", sentence: "Skipped: rain", who: "joel", series: null };
  expect(of("gate")).toEqual([expect.objectContaining({ ...told, from: at(22), to: SIX })]);
  expect(of("court")).toEqual([]);
  expect(of("mast")).toEqual([]);
});

test("a skipped night is told of the lights of its booking alone, and of no booking that is canceled", async () => {
  const skipped = (id: string, device_id: string, status: string) =>
    env.DB.prepare(
      `INSERT INTO schedules (id, org_id, device_id, title, start_at, end_at, rrule, timezone, skips, status)
       VALUES (?1, 'city', ?2, ?1, '2026-11-01T22:00:00.000Z', '2026-11-02T01:00:00.000Z', 'FREQ=DAILY', 'UTC',
         '[{"date":"2026-11-20","reason":null}]', ?3)`,
    ).bind(id, device_id, status);
  await env.DB.batch([
    env.DB.prepare("INSERT INTO devices (id, org_id, area_id, name) VALUES ('pole', 'city', 'field', 'Pole')"),
    skipped("called off", "pole", "canceled"),
    skipped("of the mast", "mast", "scheduled"),
  ]);
  const { rows } = await page();
  await env.DB.prepare("DELETE FROM devices WHERE id = 'pole'").run();
  await env.DB.prepare("DELETE FROM schedules WHERE id = 'of the mast'").run();
  const skippedOf = (id: string) =>
    rows
      .flatMap(({ lights }) => lights ?? [])
      .find((light) => light.id === id)
      ?.bars.flatMap(({ isSkipped, text }) => (isSkipped ? text : []));
  expect([skippedOf("pole"), skippedOf("mast")]).toEqual([[], ["Skipped: of the mast"]]);
});

test("of several nights that were skipped, whoever skipped one is named with that one, in what nothing else takes of it", async () => {
  const [three, four] = ["2026-11-20T20:00:00.000Z", "2026-11-20T21:00:00.000Z"].map(Date.parse);
  const plan = (id: string, end: string, skips: object[]) =>
    env.DB.prepare(
      `INSERT INTO schedules (id, org_id, device_id, title, start_at, end_at, rrule, timezone, skips, updated_at)
       VALUES (?1, 'city', 'pole', ?1, '2026-11-01T20:00:00.000Z', ?2, 'FREQ=DAILY', 'UTC', ?3, '2026-11-20T12:00:00.000Z')`,
    ).bind(id, end, JSON.stringify(skips));
  const skipped = (id: string, exdates: string[]) =>
    env.DB.prepare(
      `INSERT INTO audit_logs (id, org_id, created_at, actor_email, action, resource_type, resource_id, details)
       VALUES ('of ' || ?1, 'city', '2026-11-20T12:00:00.100Z', 'lee@parks.example', 'skip', 'schedule', ?1, ?2)`,
    ).bind(id, JSON.stringify({ before: { exdates } }));
  const [tonights, other] = [
    { date: "2026-11-20", reason: null },
    { date: "2026-11-25", reason: null },
  ];
  await env.DB.batch([
    env.DB.prepare("INSERT INTO devices (id, org_id, area_id, name) VALUES ('pole', 'city', 'field', 'Pole')"),
    plan("before lee", "2026-11-02T01:00:00.000Z", [tonights, other]),
    skipped("before lee", ["2026-11-20"]),
    plan("by lee", "2026-11-02T00:00:00.000Z", [tonights, other]),
    skipped("by lee", ["2026-11-25"]),
  ]);
  const scheduler = scriptedForecast({ pole: [{ ...booked, from: three ?? 0, to: four ?? 0 }] });
  const { rows } = await page({}, "employee", { scheduler });
  await env.DB.prepare("DELETE FROM devices WHERE id = 'pole'").run();
  const bars = rows.flatMap(({ lights }) => lights ?? []).find(({ id }) => id === "pole")?.bars;
  const told = bars?.flatMap(({ isSkipped, text, who, from }) => (isSkipped ? [[text, who, from]] : []));
  expect(told).toEqual([
    ["Skipped: before lee", null, four],
    ["Skipped: by lee", "lee", four],
  ]);
});

test("a curfew that begins as the blackout ends is one shade with it", async () => {
  const curfew = (clock: string) =>
    env.DB.prepare("UPDATE settings SET value = ? WHERE org_id = 'city' AND key = 'HARD_CURFEW_OFF'").bind(clock).run();
  await curfew('"05:00"');
  const { rows } = await page();
  await curfew('"22:00"');
  const [from, to] = ["2026-11-21T04:00:00.000Z", "2026-11-21T16:00:00.000Z"].map(Date.parse);
  expect(rows.find(({ id }) => id === "park")?.shade).toEqual([{ kind: "blackout", from, to }]);
});

test("an area's dark hours are its own before its type's, and not those of an area or a type called alike", async () => {
  const area = (id: string, type: string) =>
    env.DB.prepare("INSERT INTO areas (id, org_id, name, type) VALUES (?1, 'city', ?1, ?2)").bind(id, type);
  const light = (area_id: string) =>
    env.DB.prepare("INSERT INTO devices (id, org_id, area_id, name) VALUES ('in ' || ?1, 'city', ?1, 'x')").bind(
      area_id,
    );
  const policy = (scope: string, id: string, blackout: string) =>
    env.DB.prepare(
      "INSERT INTO policies (org_id, scope, scope_id, HARD_CURFEW_OFF, BLACKOUT_WINDOW) VALUES ('city', ?, ?, '', ?)",
    ).bind(scope, id, blackout);
  await env.DB.batch([
    area("quay", "river"),
    area("weir path", "river"),
    area("river", "path"),
    light("quay"),
    light("weir path"),
    light("river"),
    policy("type", "river", "01:00-02:00"),
    policy("area", "quay", "03:00-04:00"),
  ]);
  const { rows } = await page();
  await env.DB.prepare("DELETE FROM areas WHERE id IN ('quay', 'weir path', 'river')").run();
  await env.DB.prepare("DELETE FROM policies WHERE scope_id IN ('quay', 'river')").run();
  const beginOf = (id: string) =>
    rows.find((row) => row.id === id)?.shade.map(({ from }) => new Date(from).toISOString().slice(11, 16));
  expect([beginOf("quay"), beginOf("weir path"), beginOf("river")]).toEqual([["08:00"], ["06:00"], ["03:00"]]);
});

test("of a skipped night nobody says that it was dark where no reading tells", async () => {
  const at = (time: string) => Date.parse(`2026-11-20T${time}:00.000Z`);
  const skipped = (id: string, end: string) =>
    env.DB.prepare(
      `INSERT INTO schedules (id, org_id, device_id, title, start_at, end_at, rrule, timezone, skips)
       VALUES (?1, 'city', 'mast', ?1, '2026-11-01T18:00:00.000Z', ?2, 'FREQ=DAILY', 'UTC', '[{"date":"2026-11-20","reason":null}]')`,
    ).bind(id, end);
  await env.DB.batch([skipped("lesson", "2026-11-01T19:00:00.000Z"), skipped("match", "2026-11-01T19:30:00.000Z")]);
  const { rows, known, zone } = await page();
  const mast = rows.flatMap(({ lights }) => lights ?? []).find(({ id }) => id === "mast");
  expect(mast?.seen).toEqual([{ from: at("18:00"), to: at("19:30"), as: "unknown" }]);
  expect(mast?.bars.map((bar) => [bar.text, verifiedWords(bar, mast, known, zone)])).toEqual([
    ["Skipped: match", "unknown from 1:00 PM"],
    ["Skipped: lesson", "unknown from 1:00 PM"],
  ]);
});

test("of two skipped bookings that begin together the shorter comes last, so that its bar lies over the longer one's", async () => {
  const skipped = (id: string, end: string) =>
    env.DB.prepare(
      `INSERT INTO schedules (id, org_id, device_id, title, start_at, end_at, rrule, timezone, skips)
       VALUES (?1, 'city', 'mast', ?1, '2026-11-01T22:00:00.000Z', ?2, 'FREQ=DAILY', 'UTC', '[{"date":"2026-11-20","reason":null}]')`,
    ).bind(id, end);
  await env.DB.batch([skipped("first", "2026-11-02T01:00:00.000Z"), skipped("longer", "2026-11-02T02:00:00.000Z")]);
  const { rows } = await page();
  const mast = rows.flatMap(({ lights }) => lights ?? []).find(({ id }) => id === "mast");
  const texts = mast?.bars.map(({ text }) => text);
  expect(texts?.filter((text) => /longer|first/.test(text))).toEqual(["Skipped: longer", "Skipped: first"]);
});

test("an area's sentence counts all of its lights, not only those that one night shows", async () => {
  await env.DB.batch([
    env.DB.prepare("INSERT INTO areas (id, org_id, name) VALUES ('stadium', 'city', 'Stadium')"),
    env.DB.prepare(
      `INSERT INTO devices (id, org_id, area_id, name, current_state)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 240)
       SELECT 'stadium-' || i, 'city', 'stadium', printf('Lamp %03d', i), iif(i <= 20, 'off', iif(i <= 230, 'on', 'unknown')) FROM n`,
    ),
    env.DB.prepare("UPDATE devices SET dept_id = 'rivers' WHERE id = 'stadium-1'"),
  ]);
  const { lights, sentence } = await servicesOf("employee", { scheduler: engine }).tonight.area("stadium");
  expect(lights.length).toBe(200);
  expect(sentence).toBe(
    "210 of 239 lights are on, 10 unknown. Nothing changes before noon among the lights shown here.",
  );
});
