import { env, runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { OrgScheduler } from "#durable/org-scheduler";
import { commandAt, commandFor } from "#durable/commands/command-table";
import { endCall } from "#durable/commands/calls";
import { migrate, READABLE_SINCE, SCHEMA_VERSION } from "#durable/state/migrate";
import { MIGRATIONS } from "#durable/state/migrations/index";
import { memoryOf } from "#durable/state/device-memory";
import { timerDueAt } from "#durable/state/timers";
import { World } from "#tests/support/engine";

/** The object's storage with no table in it, as if it had just been made. */
async function inEmptyStorage(story: (storage: DurableObjectStorage) => void | Promise<void>): Promise<void> {
  const stub = env.SCHEDULER.get(env.SCHEDULER.newUniqueId());
  await runInDurableObject(stub, async (_object, state) => {
    const { sql } = state.storage;
    const tables = sql.exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'").toArray();
    for (const { name } of tables) if (!/^(sqlite|_cf)_/.test(name)) sql.exec(`DROP TABLE ${name}`);
    await story(state.storage);
  });
}

/** Tables of before they had a version; the oldest know a claim by its schedule and start alone. */
function firstTables({ sql }: DurableObjectStorage, age: "oldest" | "unversioned"): void {
  MIGRATIONS[0]?.(sql);
  if (age === "unversioned") return;
  sql.exec(`
    DROP TABLE claims;
    CREATE TABLE claims (
      schedule_id TEXT NOT NULL, start INTEGER NOT NULL, device_id TEXT NOT NULL, end INTEGER NOT NULL, outcome TEXT,
      PRIMARY KEY (schedule_id, start)
    ) WITHOUT ROWID;
    CREATE INDEX claims_device ON claims (device_id, end);
    DROP TABLE reads; DROP TABLE spent; DROP TABLE booked; DROP TABLE resting`);
}

const ADDRESS = { mode: "mock", hub: null, lamp: "lamp", cloud_device_id: null, local_ref: null, model: null };
const NAMES = {
  device_name: "Lamp",
  dept_id: null,
  area_id: null,
  area_name: null,
  hub_name: null,
  schedule_title: null,
};

function fill({ sql }: DurableObjectStorage): void {
  const body = JSON.stringify({ address: ADDRESS, via: "mock", held_since: null, held_ms: 7, names: NAMES });
  const call = { kind: "ask_switch", device_id: "d", target: null, seq: 5, hub: "lamp:lamp", address: ADDRESS };
  const send = { kind: "send", device_id: "d", target: "owed:d:9", seq: 6, before: { lit_by: "hand", lit_since: 3 } };
  sql.exec("INSERT INTO meta VALUES ('org_id', 'city'), ('version', '12'), ('seq', '99')");
  sql.exec("INSERT INTO plan VALUES ('device', 'd', 'a', 'h', '{}')");
  sql.exec(`INSERT INTO timers VALUES ('wake:d', 1, NULL, 0), ('look:d', 2, 70, 1), ('command:d', 3, NULL, 0),
    ('command:owed:d:9', 4, NULL, 0), ('call:41', 5, NULL, 0), ('hub:h', 6, NULL, 0), ('sms:city:device:d:1:x', 7, NULL, 2),
    ('watchdog', 8, NULL, 0), ('outbox', 9, NULL, 0)`);
  sql.exec(`INSERT INTO standings VALUES ('d', 1, 2, 3, 'hand', 'on', 4, 5, 6, 'on s@100', 7, 8),
    ('dark', NULL, NULL, NULL, 'us', 'off', 1, 1, NULL, 'none', 7, NULL),
    ('new', NULL, NULL, NULL, 'us', 'unknown', NULL, NULL, NULL, '', NULL, NULL)`);
  sql.exec("INSERT INTO claims VALUES ('s', 100, 'd', 200, 'ok'), ('s', 86400300, 'd', 86400400, NULL)");
  sql.exec(
    `INSERT INTO commands VALUES ('d', 'd', 'lamp:lamp', 'on', 'scheduler', 1, 5, 'verify', 3, 'why', ?1),
      ('owed:d:9', 'd', 'lamp:old', 'off', 'watchdog', 2, 9, 'send', 4, 'deleted', ?1)`,
    body,
  );
  sql.exec(
    "INSERT INTO calls VALUES (41, 'd', 'lamp:lamp', 5, ?), (42, 'd', 'lamp:old', 6, ?)",
    JSON.stringify(call),
    JSON.stringify(send),
  );
  sql.exec("INSERT INTO checks VALUES ('read:d', 'read', 'd', 1), ('ping:h', 'ping', 'h', 2)");
  sql.exec(`INSERT INTO incidents VALUES ('device:d', 1, 2, 3, 4), ('device:owed:d:9', 5, 1, 2, NULL),
    ('hand:d', 6, 0, 0, 7), ('hub:h', 8, 0, 0, NULL)`);
  sql.exec("INSERT INTO messages VALUES ('city:device:d:1:x', '{}')");
  sql.exec("INSERT INTO hub_trouble VALUES ('hub:h', 2, 99)");
  sql.exec("INSERT INTO outbox (id, kind, key, body, set_aside) VALUES (3, 'device_event', 'k', '{}', 'constraint')");
  sql.exec("INSERT INTO lamps VALUES ('lamp', 'on', 3)");
  sql.exec("INSERT INTO faults VALUES ('lamp:lamp', '[]')");
}

function fillBudget({ sql }: DurableObjectStorage): void {
  sql.exec("INSERT INTO reads VALUES ('d', 5)");
  sql.exec("INSERT INTO spent VALUES ('uac:x', 11), ('uac:x', 12)");
  sql.exec("INSERT INTO booked VALUES ('uac:x', 'd on', 1, 13)");
  sql.exec("INSERT INTO resting VALUES ('uac:x', 14)");
}

test.each(["oldest", "unversioned"] as const)("rows in the %s tables keep their meaning", async (age) => {
  await inEmptyStorage((storage) => {
    firstTables(storage, age);
    fill(storage);
    if (age === "unversioned") fillBudget(storage);
    expect(migrate(storage)).toEqual({ ok: true });
    const { sql } = storage;
    const rows = (table: string) => [...sql.exec(`SELECT * FROM ${table}`).raw()];

    expect(rows("timers").toSorted()).toEqual(
      [
        ["wake", "d", 1, null, 0],
        ["recheck", "d", 2, 70, 1],
        ["hub_check", "h", 6, null, 0],
        ["message", "city:device:d:1:x", 7, null, 2],
        ["watchdog", "", 8, null, 0],
        ["outbox", "", 9, null, 0],
      ].toSorted(),
    );
    expect(memoryOf(sql, "d")).toEqual({
      device_id: "d",
      off_at: 1,
      on_at: 2,
      lit_since: 3,
      lit_by: "external",
      reported: "on",
      reported_at: 4,
      written_at: 5,
      sent_at: 6,
      resolved_state: "on",
      resolved_reason: "on s@100",
      reconciled_at: 7,
      test_until: 8,
      // Nobody remembers who pressed, or what was wrong.
      cut_at: null,
      cut_min: null,
      hold_action: null,
      hold_until: null,
      hold_since: null,
      hold_reason: null,
      hold_by: null,
      emergency_until: null,
      emergency_since: null,
      emergency_reason: null,
      emergency_by: null,
      asked_at: 2,
      hold_told: null,
      seen_lit: 0,
      dark_since: null,
      desired_told: null,
      reported_told: null,
      off_by: null,
      on_by: null,
      problem: null,
      problem_since: null,
    });
    expect(rows("sessions")).toEqual([]);
    expect(memoryOf(sql, "dark")).toMatchObject({ resolved_state: "none", resolved_reason: "none", lit_by: "us" });
    expect(memoryOf(sql, "new")).toMatchObject({ resolved_state: null, resolved_reason: null });
    expect(rows("claims")).toEqual([
      ["s", "1970-01-01", 100, "d", 200, "ok", null],
      ["s", "1970-01-02", 86_400_300, "d", 86_400_400, null, null],
    ]);
    sql.exec("INSERT INTO claims VALUES ('s', '1970-01-01', 100, 'another', 200, NULL, NULL)");
    expect(commandFor(sql, "d")).toMatchObject({
      target: { kind: "device", id: "d" },
      phase: "verify",
      via: "mock",
      held_ms: 7,
      names: NAMES,
    });
    expect(commandAt(sql, { kind: "pending_off", id: "d:9" })).toMatchObject({
      device_id: "d",
      hub: "lamp:old",
      seq: 9,
    });
    expect(rows("polls").toSorted()).toEqual([
      ["ping", "h", 2],
      ["read", "d", 1],
    ]);
    expect(rows("incidents")).toEqual([
      ["device:d", 1, 2, 3, 4, 0, null],
      ["external:d", 6, 0, 0, 7, 0, null],
      ["hub:h", 8, 0, 0, null, 0, null],
      ["pending_off:d:9", 5, 1, 2, null, 0, null],
    ]);
    expect(rows("meta").toSorted()).toEqual([
      ["org_id", "city"],
      ["schema_version", String(READABLE_SINCE)],
      ["seq", "99"],
      ["tables_version", String(SCHEMA_VERSION)],
      ["version", "12"],
    ]);
    const isEmpty = age === "oldest";
    expect(rows("reads")).toEqual(isEmpty ? [] : [["d", 5]]);
    expect(rows("calls_made")).toHaveLength(isEmpty ? 0 : 2);
    expect(rows("reservations")).toEqual(isEmpty ? [] : [["uac:x", "d on", 1, 13]]);
    expect(rows("cooldowns")).toEqual(isEmpty ? [] : [["uac:x", 14]]);
    for (const table of ["plan", "messages", "hub_trouble", "outbox", "lamps", "faults"])
      expect(rows(table)).toHaveLength(1);
  });
});

test("a cut by the longest time on gets an instant of its own, and a person's OFF keeps its", async () => {
  await inEmptyStorage((storage) => {
    const { sql } = storage;
    for (const up of MIGRATIONS.slice(0, 6)) up(sql);
    sql.exec("INSERT INTO meta VALUES ('schema_version', '6')");
    sql.exec(`INSERT INTO device_memory (device_id, off_at, cut_min, off_by) VALUES
      ('cut', 50, 240, 'manager@parks.example'), ('pressed', 60, NULL, 'manager@parks.example'), ('lit', NULL, NULL, NULL)`);
    sql.exec("INSERT INTO claims VALUES ('s', 100, 'cut', 200, 'cut')");
    expect(migrate(storage)).toEqual({ ok: true });
    expect(memoryOf(sql, "cut")).toMatchObject({ off_at: null, cut_at: 50, cut_min: 240 });
    expect(memoryOf(sql, "pressed")).toMatchObject({ off_at: 60, cut_at: null, off_by: "manager@parks.example" });
    expect(memoryOf(sql, "lit")).toMatchObject({
      off_at: null,
      cut_at: null,
      hold_action: null,
      emergency_until: null,
    });
    expect([...sql.exec("SELECT * FROM claims").raw()]).toEqual([["s", "1970-01-01", 100, "cut", 200, "cut", null]]);
  });
});

test("what people ask for is as it was since the newest instant that a memory tells of", async () => {
  await inEmptyStorage((storage) => {
    const { sql } = storage;
    for (const up of MIGRATIONS.slice(0, 21)) up(sql);
    sql.exec("INSERT INTO meta VALUES ('schema_version', '21')");
    sql.exec(`INSERT INTO device_memory (device_id, off_at, on_at, hold_since, emergency_since) VALUES
      ('off', 50, NULL, 40, 30), ('held', 50, NULL, 60, NULL), ('police', NULL, 20, NULL, 30), ('plain', NULL, NULL, NULL, NULL)`);
    expect(migrate(storage)).toEqual({ ok: true });
    const found = ["off", "held", "police", "plain"].map((id) => memoryOf(sql, id).asked_at);
    expect(found).toEqual([50, 60, 30, null]);
  });
});

test("a claim gets the date of its start in its schedule's zone, and of two on one date the later one stays", async () => {
  await inEmptyStorage((storage) => {
    const { sql } = storage;
    for (const up of MIGRATIONS.slice(0, 7)) up(sql);
    sql.exec("INSERT INTO meta VALUES ('schema_version', '7')");
    const body = JSON.stringify({ timezone: "America/Los_Angeles" });
    sql.exec("INSERT INTO plan (kind, id, body) VALUES ('schedule', 's', ?)", body);
    const [seven, eight, next] = ["2026-07-02T02:00Z", "2026-07-02T03:00Z", "2026-07-03T02:00Z"].map((text) =>
      Date.parse(text),
    );
    for (const [start, outcome] of [
      [eight, null],
      [seven, "cut"],
      [next, "ok"],
    ] as const) {
      sql.exec("INSERT INTO claims VALUES ('s', ?, 'd', ?, ?, NULL)", start, (start ?? 0) + 60_000, outcome);
    }
    expect(migrate(storage)).toEqual({ ok: true });
    expect([...sql.exec("SELECT date, start, outcome FROM claims ORDER BY date").raw()]).toEqual([
      ["2026-07-01", eight, null],
      ["2026-07-02", next, "ok"],
    ]);
  });
});

test("the calls that were under way keep their numbers, and none is given again", async () => {
  await inEmptyStorage((storage) => {
    firstTables(storage, "unversioned");
    fill(storage);
    migrate(storage);
    const { context } = new World("city", storage, "2026-06-10T12:00:00Z");
    expect(endCall(context, 41)).toMatchObject({ kind: "probe_switch", target: null });
    expect(endCall(context, 42)).toMatchObject({
      kind: "send",
      target: { kind: "pending_off", id: "d:9" },
      before: { lit_by: "external", lit_since: 3 },
    });
    const next = "INSERT INTO calls (hub, until, body) VALUES ('h', 0, '{}') RETURNING id";
    expect(storage.sql.exec(next).one().id).toBe(43);
    storage.sql.exec("DELETE FROM calls");
    expect(storage.sql.exec(next).one().id).toBe(44);
  });
});

test("a database is made in one go, and a second start changes nothing", async () => {
  await inEmptyStorage((storage) => {
    expect(migrate(storage)).toEqual({ ok: true });
    storage.sql.exec("INSERT INTO timers (kind, key, due_at) VALUES ('wake', 'd', 5)");
    expect(migrate(storage)).toEqual({ ok: true });
    expect(timerDueAt(storage.sql, "wake", "d")).toBe(5);
  });
});

test("a migration that fails leaves the database as it was", async () => {
  await inEmptyStorage((storage) => {
    firstTables(storage, "unversioned");
    fill(storage);
    storage.sql.exec("DROP TABLE checks");
    storage.sql.exec("CREATE VIEW checks AS SELECT 1 AS x");
    expect(() => migrate(storage)).toThrow(/no such column/);
    storage.sql.exec("DROP VIEW checks");
    expect(storage.sql.exec("SELECT id FROM timers WHERE id = 'wake:d'").toArray()).toHaveLength(1);
    expect(storage.sql.exec("SELECT * FROM meta WHERE key = 'schema_version'").toArray()).toEqual([]);
  });
});

test("a database of a newer release is answered for and not written to", async () => {
  const stub = env.SCHEDULER.get(env.SCHEDULER.newUniqueId());
  await runInDurableObject(stub, async (_object, state) => {
    const { storage } = state;
    setVersions(storage, { tables: SCHEMA_VERSION + 2, readable_since: SCHEMA_VERSION + 1 });
    await storage.deleteAlarm();
    const lines: string[] = [];
    const { error } = console;
    console.error = (line: string) => void lines.push(line);
    const object = new OrgScheduler(state, env);
    console.error = error;
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      level: "error",
      event: "database.too_new",
      version: SCHEMA_VERSION + 2,
      supported: SCHEMA_VERSION,
    });

    const before = storage.sql.exec("SELECT * FROM meta").toArray();
    const org_id = "newer";
    const actor = { id: "someone", email: "someone@parks.example" };
    await object.alarm();
    await object.sync(org_id);
    await object.ensure(org_id);
    await object.endTest({ org_id, device_id: "d" });
    const detail = "The scheduler is being updated. Try again in a few minutes.";
    expect(await object.toggle({ org_id, device_id: "d", action: "on", actor })).toMatchObject({
      success: false,
      detail,
    });
    expect((await object.pingHub({ org_id, hub_id: "h" })).result).toMatchObject({ success: false, detail });
    expect((await object.readState({ org_id, device_id: "d" })).result).toMatchObject({
      success: false,
      error: detail,
    });
    expect((await object.testSwitch({ org_id, device_id: "d", action: "on" })).success).toBe(false);
    expect(await object.explain({ org_id, device_ids: ["d"] })).toEqual([]);
    expect(storage.sql.exec("SELECT * FROM meta").toArray()).toEqual(before);
    expect(await storage.getAlarm()).toBeNull();
    setVersions(storage, { tables: SCHEMA_VERSION, readable_since: READABLE_SINCE });
  });
});

test("a database of the next release that only widened it is worked on, and stays the next release's", async () => {
  await inEmptyStorage((storage) => {
    migrate(storage);
    setVersions(storage, { tables: SCHEMA_VERSION + 1, readable_since: SCHEMA_VERSION });
    const before = storage.sql.exec("SELECT * FROM meta").toArray();
    expect(migrate(storage)).toEqual({ ok: true });
    expect(storage.sql.exec("SELECT * FROM meta").toArray()).toEqual(before);
  });
});

function setVersions({ sql }: DurableObjectStorage, versions: { tables: number; readable_since: number }): void {
  const set = "INSERT OR REPLACE INTO meta (key, value) VALUES ('tables_version', ?), ('schema_version', ?)";
  sql.exec(set, String(versions.tables), String(versions.readable_since));
}
