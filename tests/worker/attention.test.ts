import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { countedDatabase } from "../support/counted";
import { ago, type More, servicesOf } from "../support/api";
import { seedCity, type PersonName } from "../support/city";

beforeAll(seedCity);
beforeEach(async () => {
  await env.DB.batch(
    [
      "DELETE FROM alarms",
      "UPDATE devices SET problem = NULL, problem_since = NULL, hub_id = NULL, current_state = 'off'",
      "UPDATE hubs SET status = 'online', last_seen = NULL",
      "DELETE FROM workorders",
      "DELETE FROM state_changes",
    ].map((statement) => env.DB.prepare(statement)),
  );
});

/** So many minutes before the tests' now, which is noon in Los Angeles. */
const DAY_MIN = 1440;
const run = (sql: string, ...params: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...params)
    .run();
const listFor = (name: PersonName, more: More = {}) => servicesOf(name, more).attention.list();
const kindsFor = async (name: PersonName, more: More = {}) =>
  (await listFor(name, more)).items.map(({ kind, id }) => `${kind} ${id}`);

function wrong(id: string, state: string, problem: string, minutes: number) {
  return run(
    "UPDATE devices SET current_state = ?, problem = ?, problem_since = ? WHERE id = ?",
    state,
    problem,
    ago(minutes),
    id,
  );
}
function wanted(id: string, state: string, reason: string, sentence: string, minutes: number) {
  return run(
    "INSERT INTO state_changes (org_id, device_id, kind, at, state, reason, sentence) VALUES ('city', ?, 'desired', ?, ?, ?, ?)",
    id,
    ago(minutes),
    state,
    reason,
    sentence,
  );
}
function order(id: string, priority: string, minutes: number, more: Record<string, string | null> = {}) {
  const { status = "open", dept_id = null, device_id = null, assigned_to = null } = more;
  return run(
    `INSERT INTO workorders (id, org_id, title, priority, status, dept_id, device_id, assigned_to, created_at)
     VALUES (?, 'city', ?, ?, ?, ?, ?, ?, ?)`,
    id,
    `Order ${id}`,
    priority,
    status,
    dept_id,
    device_id,
    assigned_to,
    ago(minutes),
  );
}

/** Dark lights that should be lit. */
function many(area_id: string, count: number) {
  return run(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO devices (id, org_id, area_id, name, current_state, problem, problem_since)
     SELECT 'many-' || i, 'city', ?, 'Light ' || i, 'off', 'still off, 3 tries', '2026-11-20T01:00:00.000Z' FROM n`,
    count,
    area_id,
  );
}

const NONE = { connections: 0, cut_off: 0, lights: 0, hubs: 0, behind: 0, orders: 0 };

/** As the engine tells it: of a light, of a hub, or of what the whole city depends on. */
function alarm(kind: string, what: string, why: string, minutes: number, device_id: string | null = null) {
  return run(
    "INSERT INTO alarms (id, org_id, kind, what, why, device_id, opened_at, seq) VALUES (?1, 'city', ?2, ?3, ?4, ?5, ?6, 1)",
    `${kind} ${device_id ?? ""}`,
    kind,
    what,
    why,
    device_id,
    ago(minutes),
  );
}

test("where all is well nothing needs anybody", async () => {
  expect(await listFor("admin")).toEqual({ items: [], total: 0, counts: NONE });
});

test("a dark light says since when, after how many tries and what it should be doing, and is to be tried again", async () => {
  await wrong("gate", "off", "still off, 3 tries", 180);
  await wanted("gate", "off", "idle", "Off: nothing is scheduled", 900);
  await wanted("gate", "on", "claim", "On until 7:30 PM: Practice", 180);
  expect((await listFor("admin")).items).toEqual([
    {
      kind: "dark",
      id: "gate",
      name: "Gate light",
      area: { id: "park", name: "Elm Park" },
      sentence: "Dark since 9:00 AM: still off after 3 tries",
      facts: "Dark since Nov 20, 9:00 AM: still off after 3 tries",
      due: "Should be on until 7:30 PM",
      act: { act: "switch", to: "on" },
      order: null,
      behind: 0,
    },
  ]);
});

test("what was wanted of a light is told of that light, whatever a reading or another one says since", async () => {
  await wrong("gate", "off", "still off, 3 tries", 180);
  await wanted("gate", "on", "claim", "On until 7:30 PM: Practice", 180);
  await wanted("court", "on", "claim", "On until 9:30 PM: Final", 60);
  const reading =
    "INSERT INTO state_changes (org_id, device_id, kind, at, state) VALUES ('city', 'gate', 'reported', ?, 'off')";
  for (const minutes of [180, 120]) await run(reading, ago(minutes));
  expect((await listFor("admin")).items).toMatchObject([{ id: "gate", due: "Should be on until 7:30 PM" }]);
});

test("a light is told with its latest open work order, and with none of a department that is hidden", async () => {
  await wrong("gate", "off", "still off, 3 tries", 180);
  await order("older", "low", 60, { device_id: "gate" });
  await order("newer", "low", 50, { device_id: "gate" });
  await order("theirs", "low", 40, { device_id: "gate", dept_id: "rivers" });
  await order("done", "low", 30, { device_id: "gate", status: "completed" });
  expect((await listFor("admin")).items).toMatchObject([{ order: { id: "theirs", title: "Order theirs" } }]);
  expect((await listFor("employee")).items).toMatchObject([{ order: { id: "newer", title: "Order newer" } }]);
});

test("a light that nobody asked for says so, and is to be turned off", async () => {
  await wrong("gate", "on", "on without a reason: switched on at the lamp", 30);
  await wanted("gate", "on", "external", "Switched on at the lamp; off at 3:30 PM at the latest", 30);
  const [item] = (await listFor("admin")).items;
  expect(item).toMatchObject({
    kind: "lit",
    sentence: "On since 11:30 AM. Nobody asked for it",
    due: null,
    act: { act: "switch", to: "off" },
  });
});

test("a light that has taken the try that lights it, and is not read yet, has no button that puts it out", async () => {
  await wrong("gate", "on", "still off, 2 tries", 10);
  await wanted("gate", "on", "claim", "On until 7:30 PM: Practice", 20);
  await wrong("court", "off", "still on, 2 tries", 5);
  await wanted("court", "off", "idle", "Off: nothing is scheduled", 20);
  const told = (await listFor("admin")).items.map(({ id, kind, sentence, act }) => [id, kind, sentence, act]);
  const sentence = "It answered; its state is being read";
  expect(told.toSorted()).toEqual([
    ["court", "unconfirmed", sentence, { act: "switch", to: "off" }],
    ["gate", "unconfirmed", sentence, { act: "switch", to: "on" }],
  ]);
});

test("a light that cannot be confirmed is switched again as it was last wanted", async () => {
  await wrong("gate", "unknown", "not confirmed, 1 try", 10);
  await wanted("gate", "on", "claim", "On until 7:30 PM: Practice", 20);
  const [item] = (await listFor("admin")).items;
  expect(item).toMatchObject({
    kind: "unconfirmed",
    sentence: "Unknown since 11:50 AM: not confirmed after 1 try",
    act: { act: "switch", to: "on" },
  });
});

test("a light that cannot be confirmed and should be dark, or of which nothing was wanted, is to be turned off", async () => {
  await wrong("gate", "unknown", "not confirmed, 1 try", 20);
  await wanted("gate", "off", "idle", "Off: nothing is scheduled", 20);
  await wrong("court", "unknown", "not confirmed to be off", 10);
  const acts = (await listFor("admin")).items.map(({ id, act }) => [id, act]);
  expect(acts).toEqual([
    ["gate", { act: "switch", to: "off" }],
    ["court", { act: "switch", to: "off" }],
  ]);
});

test("a hub that is away counts its lights, which are not listed one by one, but for those that are wrong in themselves", async () => {
  await run("UPDATE hubs SET status = 'offline', last_seen = ? WHERE id = 'park-hub'", ago(21));
  await run("UPDATE devices SET hub_id = 'park-hub' WHERE org_id = 'city'");
  await wrong("gate", "unknown", "its hub is away since 11:39 AM", 21);
  await wrong("weir", "unknown", "its hub is away since 11:39 AM", 21);
  await wrong("court", "off", "still off, 3 tries", 60);
  expect(await kindsFor("admin")).toEqual(["hub park-hub", "dark court"]);
  const {
    items: [hub],
    total,
    counts,
  } = await listFor("admin");
  expect([total, counts]).toEqual([2, { ...NONE, lights: 1, hubs: 1, behind: 2 }]);
  expect(hub).toMatchObject({
    name: "Park hub",
    sentence: "Away for 21 min. 2 lights unknown, 1 not as they should be",
    facts: "Away since Nov 20, 11:39 AM. 2 lights unknown, 1 not as they should be",
    act: { act: "ping" },
  });
  const [employee] = (await listFor("employee")).items;
  expect(employee).toMatchObject({ sentence: expect.stringContaining("1 light unknown"), act: null });
});

test("a hub that refuses us says what to check", async () => {
  await run("UPDATE hubs SET status = 'needs attention' WHERE id = 'field-hub'");
  const [item] = (await listFor("admin")).items;
  expect(item).toMatchObject({
    kind: "hub",
    name: "Field hub",
    sentence: "It does not let us in: check its IP address and its local credentials",
    facts: "It does not let us in: check its IP address and its local credentials",
  });
});

test("the lights that a hub does not let us switch are told of the hub, but for one that fails by itself", async () => {
  await run("UPDATE hubs SET status = 'needs attention' WHERE id = 'field-hub'");
  await run("UPDATE devices SET hub_id = 'field-hub' WHERE org_id = 'city'");
  for (const id of ["gate", "weir", "court"]) await wrong(id, "off", "still off, 1 try", 20);
  await alarm("device_failed", "Dark", "still off after 3 tries", 20, "court");
  const { items, counts } = await listFor("admin");
  expect(items.map(({ kind, id, behind }) => [kind, id, behind])).toEqual([
    ["hub", "field-hub", 2],
    ["dark", "court", 0],
  ]);
  const sentence =
    "It does not let us in: check its IP address and its local credentials. 2 lights not as they should be";
  expect(items[0]).toMatchObject({ sentence, facts: sentence });
  expect(counts).toEqual({ ...NONE, lights: 1, hubs: 1, behind: 2 });
  expect((await listFor("employee")).counts).toEqual({ ...NONE, lights: 1, hubs: 1, behind: 1 });
});

test("a cloud that does not answer is told once and first, with how many lights it fails, and apart from what fails by itself", async () => {
  await run("INSERT INTO settings (org_id, key, value) VALUES ('city', 'PROVIDER_MODE', '\"cloud\"')");
  await many("field", 300);
  await wrong("court", "off", "still off, 3 tries", 200);
  await alarm("cloud_offline", "Silent", "the YoLink cloud does not answer", 60);
  await alarm("device_failed", "Dark", "still off after 3 tries", 200, "court");
  const { items, total, counts } = await listFor("admin");
  expect(items.map(({ kind, name, sentence, act }) => [kind, name, sentence, act])).toEqual([
    [
      "connection",
      "YoLink cloud",
      "Silent since 11:00 AM: the YoLink cloud does not answer. 300 lights not as they should be",
      { act: "open" },
    ],
    ["dark", "Court light", "Dark since 8:40 AM: still off after 3 tries", { act: "switch", to: "on" }],
  ]);
  expect([total, counts]).toEqual([2, { ...NONE, connections: 1, cut_off: 300, lights: 1 }]);
  await run("UPDATE alarms SET over_at = ? WHERE kind = 'cloud_offline'", ago(1));
  expect((await listFor("admin")).counts).toEqual({ ...NONE, lights: 301 });
  await run("DELETE FROM devices WHERE id LIKE 'many-%'");
  await run("DELETE FROM settings WHERE org_id = 'city' AND key = 'PROVIDER_MODE'");
});

test("a cloud that refuses the account explains no light of a hub that does without, where each hub has its own way", async () => {
  await run("INSERT INTO settings (org_id, key, value) VALUES ('city', 'PROVIDER_MODE', '\"hybrid\"')");
  await run("UPDATE hubs SET connection_mode = 'local' WHERE id = 'park-hub'");
  await run("UPDATE devices SET hub_id = 'park-hub' WHERE id IN ('gate', 'court')");
  for (const id of ["gate", "weir", "court"]) await wrong(id, "off", "still off, 1 try", 20);
  await alarm("cloud_refused", "Account refused", "check the UAC key and the cloud base URL in Settings", 20);
  expect((await kindsFor("admin")).toSorted()).toEqual(["connection cloud_refused ", "dark court", "dark gate"]);
  await run("UPDATE hubs SET connection_mode = 'hybrid' WHERE id = 'park-hub'");
  expect((await listFor("admin")).counts).toEqual({ ...NONE, connections: 1, cut_off: 3 });
  expect((await listFor("manager")).counts).toMatchObject({ cut_off: 2 });
  await run("DELETE FROM settings WHERE org_id = 'city' AND key = 'PROVIDER_MODE'");
});

test("a cloud that is in trouble explains no light of a city that is local by now, while an OFF is still owed by it", async () => {
  await run("INSERT INTO settings (org_id, key, value) VALUES ('city', 'PROVIDER_MODE', '\"local\"')");
  await run("UPDATE devices SET hub_id = 'park-hub' WHERE id = 'gate'");
  for (const id of ["gate", "weir"]) await wrong(id, "off", "still off, 2 tries", 20);
  await alarm("cloud_offline", "Silent", "the YoLink cloud does not answer", 60);
  expect((await kindsFor("admin")).toSorted()).toEqual(["connection cloud_offline ", "dark gate", "dark weir"]);
  await run("DELETE FROM settings WHERE org_id = 'city' AND key = 'PROVIDER_MODE'");
});

test("a light that somebody lit at the lamp is told by itself, whatever else is in trouble", async () => {
  await run("INSERT INTO settings (org_id, key, value) VALUES ('city', 'PROVIDER_MODE', '\"cloud\"')");
  await run("UPDATE hubs SET status = 'needs attention' WHERE id = 'field-hub'");
  await run("UPDATE devices SET hub_id = 'field-hub' WHERE id = 'gate'");
  for (const id of ["gate", "weir"]) await wrong(id, "on", "on without a reason: switched on at the lamp", 20);
  await alarm("cloud_offline", "Silent", "the YoLink cloud does not answer", 60);
  const { items, counts } = await listFor("admin");
  expect(items.map(({ kind, behind }) => `${kind} ${behind}`)).toEqual(["connection 0", "hub 0", "lit 0", "lit 0"]);
  expect(counts).toEqual({ ...NONE, connections: 1, lights: 2, hubs: 1 });
  await run("DELETE FROM settings WHERE org_id = 'city' AND key = 'PROVIDER_MODE'");
});

test("an agent that is away is told before the hubs behind it", async () => {
  await run("UPDATE hubs SET status = 'offline', last_seen = ? WHERE id = 'park-hub'", ago(21));
  await run("UPDATE devices SET hub_id = 'park-hub' WHERE id = 'gate'");
  await wrong("gate", "unknown", "its hub is away since 11:39 AM", 21);
  await alarm("agent_offline", "Away", "agent North does not answer", 6);
  const { items, counts } = await listFor("auditor");
  expect(items.map(({ name, sentence }) => `${name}: ${sentence}`)).toEqual([
    "On-site agent: Away since 11:54 AM: agent North does not answer",
    "Park hub: Away for 21 min. 1 light unknown",
  ]);
  expect(counts).toEqual({ ...NONE, connections: 1, hubs: 1, behind: 1 });
});

test("work orders are due by their priority and age, and not once they are done", async () => {
  await order("fresh", "medium", 13 * DAY_MIN);
  await order("today", "medium", 14 * DAY_MIN, { assigned_to: "manager" });
  await order("late", "high", 5 * DAY_MIN);
  await order("now", "urgent", DAY_MIN);
  await order("done", "urgent", 9 * DAY_MIN, { status: "completed" });
  const { items } = await listFor("admin");
  expect(items.map(({ name, sentence }) => `${name}: ${sentence}`)).toEqual([
    "Order now: Urgent and due today, open for 1 day. Nobody has it",
    "Order late: Overdue by 2 days, open for 5 days. Nobody has it",
    "Order today: Due today, open for 14 days (manager)",
  ]);
});

test("a work order is told with the area of its light where the person sees that light", async () => {
  await order("lamp", "urgent", 2 * DAY_MIN, { device_id: "weir" });
  expect((await listFor("admin")).items[0]?.area).toEqual({ id: "park", name: "Elm Park" });
  expect((await listFor("manager")).items[0]).toMatchObject({ name: "Order lamp", area: null });
  expect((await listFor("admin", { dept: "sports" })).items[0]?.area).toBeNull();
});

test("the worst comes first, and of the same kind what is wrong longest", async () => {
  await order("late", "high", 5 * DAY_MIN);
  await wrong("weir", "on", "still on, 2 tries", 5);
  await wrong("court", "off", "still off, 3 tries", 20);
  await wrong("gate", "off", "still off, 3 tries", 40);
  await run("UPDATE hubs SET status = 'offline' WHERE id = 'park-hub'");
  expect(await kindsFor("admin")).toEqual(["dark gate", "dark court", "hub park-hub", "lit weir", "workorder late"]);
});

test("people see what needs attention in their departments only, and an auditor may not act on it", async () => {
  await wrong("gate", "off", "still off, 3 tries", 40);
  await wrong("court", "off", "still off, 3 tries", 30);
  await wrong("weir", "off", "still off, 3 tries", 20);
  await order("river", "urgent", 3 * DAY_MIN, { dept_id: "rivers" });
  await order("sport", "urgent", 2 * DAY_MIN, { dept_id: "sports", device_id: "court" });
  expect(await kindsFor("admin")).toEqual([
    "dark gate",
    "dark court",
    "dark weir",
    "workorder river",
    "workorder sport",
  ]);
  expect(await kindsFor("manager")).toEqual(["dark gate", "dark court", "workorder sport"]);
  expect(await kindsFor("admin", { dept: "rivers" })).toEqual(["dark gate", "dark weir", "workorder river"]);
  expect(await kindsFor("stranger")).toEqual([]);

  const { items } = await listFor("auditor");
  expect(items.map(({ id, act }) => [id, act?.act ?? null])).toEqual([
    ["gate", "switch"],
    ["court", null],
    ["sport", "open"],
  ]);
  expect(items[1]?.order).toEqual({ id: "sport", title: "Order sport" });
  expect(items[0]?.order).toBeNull();
});

test("at most twenty are listed, all are counted, and it takes two round trips", async () => {
  await many("field", 300);
  await order("late", "high", 5 * DAY_MIN);
  const { db, trips } = countedDatabase();
  const { items, total } = await listFor("admin", { db });
  expect([items.length, total, trips()]).toEqual([20, 301, 2]);
  await run("DELETE FROM devices WHERE id LIKE 'many-%'");
});

test("what is on now is told by area, with what it is lit for and until when", async () => {
  await run("UPDATE devices SET current_state = 'on' WHERE id IN ('gate', 'court', 'weir')");
  await wanted("gate", "on", "claim", "On until 8:00 PM: Winter market", 60);
  await wanted("court", "on", "claim", "On until 8:00 PM: Winter market", 60);
  await wanted("weir", "on", "hold_on", "On until 9:00 PM: switched on by a person", 60);
  expect(await servicesOf("admin").attention.onNow()).toEqual({
    areas: [
      {
        id: "park",
        name: "Elm Park",
        on: 3,
        all: 3,
        why: "Winter market until 8:00 PM, 1 more",
      },
    ],
    on: 3,
    in_areas: 1,
  });
  expect(await servicesOf("manager").attention.onNow()).toMatchObject({
    areas: [{ on: 2, all: 2, why: "Winter market until 8:00 PM" }],
    on: 2,
  });
  expect(await servicesOf("stranger").attention.onNow()).toEqual({ areas: [], on: 0, in_areas: 0 });
});

test("what nobody asked for is told as such, and a light of which nothing is logged, too", async () => {
  await run("UPDATE devices SET current_state = 'on' WHERE id = 'gate'");
  expect((await servicesOf("admin").attention.onNow()).areas).toMatchObject([{ on: 1, why: "Nobody asked for it" }]);
  await wanted("gate", "off", "idle", "Off: nothing is scheduled", 60);
  expect((await servicesOf("admin").attention.onNow()).areas).toMatchObject([{ on: 1, why: "Nobody asked for it" }]);
});

test("the areas with the most lit lights come first, and dark ones are not told", async () => {
  const place = (id: string) => run("INSERT INTO areas (id, org_id, name) VALUES (?1, 'city', ?1)", id);
  const light = (id: string, area_id: string, state: string) =>
    run(
      "INSERT INTO devices (id, org_id, area_id, name, current_state) VALUES (?1, 'city', ?2, ?1, ?3)",
      id,
      area_id,
      state,
    );
  await run("UPDATE devices SET current_state = 'on' WHERE id = 'gate'");
  for (let n = 0; n < 8; n += 1) {
    await place(`a${n}`);
    await light(`a${n} dark`, `a${n}`, "off");
    if (n > 0) for (const which of ["first", "second"]) await light(`a${n} ${which}`, `a${n}`, "on");
  }
  await light("a7 third", "a7", "on");
  const { areas, on, in_areas } = await servicesOf("admin").attention.onNow();
  await run("DELETE FROM areas WHERE id LIKE 'a_'");
  expect(areas.map(({ id, on: lit, all }) => [id, lit, all])).toEqual([
    ["a7", 3, 4],
    ...["a1", "a2", "a3", "a4", "a5", "a6"].map((id) => [id, 2, 3]),
    ["park", 1, 3],
  ]);
  expect([on, in_areas]).toEqual([16, 8]);
});
