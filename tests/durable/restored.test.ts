import { expect, test } from "vitest";
import { AnAgent, assignAgent } from "#tests/support/an-agent";
import { inWorld, type World } from "#tests/support/engine";
import { bringBack, dumpOf, loseAll, type Dump } from "#tests/support/backup-of";
import { aField, aSchedule, causes, deviceRow, events, setting, sql } from "#tests/support/light";

/** A restore of yesterday's backup during tonight's windows. */

type DeviceRow = Record<string, string | number | null>;

const noon = "2026-06-10T12:00:00Z";
const tonight = (clock: string) => `2026-06-11T${clock}Z`;
const DAILY = { rrule: "FREQ=DAILY" };

/** Calls to the hardware from now on. */
function switches(world: World): string[] {
  const calls: string[] = [];
  world.wrapProvider((real) => ({
    switch: (...call) => {
      calls.push(`${new Date(world.now).toISOString().slice(11, 19)} ${call[1]} ${call[0].lamp}`);
      return real.switch(...call);
    },
  }));
  return calls;
}

async function restored(world: World, dump: Dump): Promise<void> {
  await bringBack(dump, world.now);
  world.wire.changed();
  await world.sync();
}

test("a city that lives takes its plan back: what burns by it is left alone, what was deleted since is lit", async () => {
  await aField("rs-a", ["rs-a-lamp", "rs-a-gone", "rs-a-new"]);
  await aSchedule("rs-a", "rs-a-s", "2026-06-09T18:00:00Z", "2026-06-09T22:00:00Z", DAILY);
  await aSchedule("rs-a", "rs-a-t", "2026-06-09T18:00:00Z", "2026-06-09T22:00:00Z", { ...DAILY, device: "rs-a-gone" });
  await inWorld("rs-a", noon, async (world) => {
    await world.sync();
    const dump = await dumpOf(world);
    await world.to(tonight("18:10:00"));
    await sql("DELETE FROM devices WHERE id = 'rs-a-gone'").run();
    await aSchedule("rs-a", "rs-a-u", tonight("18:00:00"), tonight("22:00:00"), { device: "rs-a-new" });
    await world.sync();
    await world.to(tonight("19:00:00"));
    expect([world.lamp("rs-a-lamp"), world.lamp("rs-a-gone"), world.lamp("rs-a-new")]).toEqual(["on", "off", "on"]);
    const calls = switches(world);
    const before = await events("rs-a");
    await restored(world, dump);
    await world.to(tonight("19:05:00"));
    expect(calls.toSorted()).toEqual(["19:00:00 off rs-a-new", "19:00:00 on rs-a-gone"]);
    expect((await events("rs-a")).slice(before.length).toSorted()).toEqual([
      "19:00:08 scheduler off ok 1",
      "19:00:08 scheduler on ok 1",
    ]);
    await world.to(tonight("22:05:00"));
    expect(calls.slice(2).toSorted()).toEqual(["22:00:00 off rs-a-gone", "22:00:00 off rs-a-lamp"]);
    expect(await causes("rs-a")).not.toContain("missed");
    expect(await deviceRow("rs-a-lamp")).toMatchObject({ current_state: "off" });
  });
});

test("an object that begins anew with yesterday's memory lights tonight's windows once, and calls no night missed", async () => {
  const lamps = ["rs-b-lamp", "rs-b-held", "rs-b-off", "rs-b-burns"];
  await aField("rs-b", lamps);
  await setting("rs-b", "MAX_ON_DURATION_MIN", 240).run();
  await aSchedule("rs-b", "rs-b-s", "2026-06-09T18:00:00Z", "2026-06-09T22:00:00Z", DAILY);
  await aSchedule("rs-b", "rs-b-t", "2026-06-09T18:00:00Z", "2026-06-09T22:00:00Z", { ...DAILY, device: "rs-b-off" });
  let dump: Dump | null = null;
  await inWorld("rs-b", noon, async (world) => {
    await world.sync();
    await world.to("2026-06-10T18:30:00Z");
    await world.toggle("rs-b-held", "off", { until: tonight("20:00:00"), reason: "paint" });
    await world.toggle("rs-b-burns", "on", { until: "2026-06-10T21:00:00.000Z" });
    await world.toggle("rs-b-off", "off");
    await world.to("2026-06-10T19:00:00Z");
    dump = await dumpOf(world);
  });
  if (!dump) throw new Error("there is no backup");
  const kept: Dump = dump;
  const before = await events("rs-b");
  await loseAll("rs-b");
  await inWorld("rs-b", tonight("19:00:00"), async (world) => {
    const calls = switches(world);
    await restored(world, kept);
    await world.to(tonight("19:05:00"));
    // What burned then is put out, in case it burns still; a person's OFF was for yesterday's window only.
    expect(calls.toSorted()).toEqual(["19:00:00 off rs-b-burns", "19:00:00 on rs-b-lamp", "19:00:00 on rs-b-off"]);
    expect((await events("rs-b")).slice(before.length)).toHaveLength(3);
    await aSchedule("rs-b", "rs-b-v", tonight("18:00:00"), tonight("22:00:00"), { device: "rs-b-held" });
    await world.sync();
    await world.to(tonight("19:30:00"));
    expect(world.lamp("rs-b-held")).toBe("off");
    await world.to(tonight("23:00:00"));
    expect(lamps.map((lamp) => world.lamp(lamp))).toEqual(["off", "off", "off", "off"]);
    expect(calls.filter((call) => / on /.test(call))).toEqual([
      "19:00:00 on rs-b-lamp",
      "19:00:00 on rs-b-off",
      "20:00:00 on rs-b-held",
    ]);
    expect(await causes("rs-b")).not.toContain("missed");
  });
});

test("a death at any step of a restore leaves the city as it was, or as it was backed up", async () => {
  await aField("rs-c");
  await aSchedule("rs-c", "rs-c-s", "2026-06-09T18:00:00Z", "2026-06-09T22:00:00Z", DAILY);
  let dump: Dump | null = null;
  await inWorld("rs-c", noon, async (world) => {
    await world.sync();
    await world.to("2026-06-10T12:30:00Z");
    await world.toggle("rs-c-lamp", "off", { until: tonight("20:00:00") });
    dump = await dumpOf(world);
  });
  if (!dump) throw new Error("there is no backup");
  const kept: Dump = dump;
  for (let points = 1; points <= 8; points += 1) {
    await loseAll("rs-c");
    await inWorld("rs-c", tonight("19:00:00"), async (world) => {
      await bringBack(kept, world.now);
      world.dieAfter(points, 0);
      await world.sync();
      world.isAsleep = true;
      await world.ring();
      await world.to(tonight("19:59:00"));
      expect([points, world.lamp("rs-c-lamp")]).toEqual([points, "off"]);
      await world.to(tonight("20:01:00"));
      expect([points, world.lamp("rs-c-lamp")]).toEqual([points, "on"]);
      await world.to(tonight("22:01:00"));
      expect(world.lamp("rs-c-lamp")).toBe("off");
    });
  }
});

test("alarms that were open stay open, and end when the light is well", async () => {
  await aField("rs-d");
  await aSchedule("rs-d", "rs-d-s", "2026-06-09T18:00:00Z", "2026-06-09T22:00:00Z", DAILY);
  let dump: Dump | null = null;
  await inWorld("rs-d", noon, async (world) => {
    world.fault("lamp:rs-d-lamp", { kind: "offline" });
    await world.sync();
    await world.to("2026-06-10T19:00:00Z");
    dump = await dumpOf(world);
  });
  if (!dump) throw new Error("there is no backup");
  await loseAll("rs-d");
  const kept: Dump = dump;
  // Another organization's is no affair of this one's scheduler.
  const elsewhere = sql("SELECT id, over_at FROM alarms WHERE org_id = 'rs-d2'");
  await sql(
    `INSERT INTO alarms (id, org_id, kind, what, why, opened_at, seq)
     VALUES ('rs-d2:dark', 'rs-d2', 'device_failed', 'Dark', 'off', '2026-06-10T12:00:00.000Z', 1)`,
  ).run();
  const open = () =>
    sql("SELECT id, over_at FROM alarms WHERE org_id = 'rs-d'")
      .all()
      .then(({ results }) => results);
  await inWorld("rs-d", tonight("17:00:00"), async (world) => {
    world.fault("lamp:rs-d-lamp", { kind: "offline" });
    await restored(world, kept);
    await world.to(tonight("17:05:00"));
    world.fault("lamp:rs-d-lamp");
    expect(await open()).toEqual([{ id: expect.any(String), over_at: null }]);
    await world.to(tonight("18:05:00"));
    expect(await open()).toEqual([{ id: expect.any(String), over_at: expect.any(String) }]);
    expect((await elsewhere.all()).results).toEqual([{ id: "rs-d2:dark", over_at: null }]);
  });
});

test("a light that was to burn as the backup was made, and is not to now, is told so", async () => {
  await aField("rs-f", ["rs-f-lamp", "rs-f-idle"]);
  await aSchedule("rs-f", "rs-f-s", "2026-06-10T18:00:00Z", "2026-06-10T22:00:00Z", { device: "rs-f-lamp" });
  let dump: Dump | null = null;
  await inWorld("rs-f", noon, async (world) => {
    await world.sync();
    await world.to("2026-06-10T19:00:00Z");
    dump = await dumpOf(world);
  });
  if (!dump) throw new Error("there is no backup");
  const kept: Dump = dump;
  await loseAll("rs-f");
  await inWorld("rs-f", tonight("12:00:00"), async (world) => {
    await restored(world, kept);
    await world.to(tonight("12:05:00"));
    const wanted = "SELECT device_id, state FROM state_changes WHERE org_id = 'rs-f' AND kind = 'desired' ORDER BY at";
    expect((await sql(wanted).all()).results).toEqual([
      { device_id: "rs-f-lamp", state: "on" },
      { device_id: "rs-f-lamp", state: "off" },
    ]);
  });
});

test("an object that begins anew takes up agents' plans, owed OFFs and untold facts, and nothing that was under way", async () => {
  await aField("rs-e");
  await sql(
    "INSERT INTO agents (id, org_id, name, secret_hash, hint) VALUES ('rs-e-box', 'rs-e', 'Box', 'hash', '1234')",
  ).run();
  let dump: Dump | null = null;
  await inWorld("rs-e", noon, async (world) => {
    await world.sync();
    world.fault("lamp:rs-e-lamp", { kind: "offline" });
    await world.toggle("rs-e-lamp", "off");
    world.setDatabaseDown(true);
    const body = `json_object('address', json('{"mode":"mock","hub":null,"lamp":"old"}'), 'names', json('{}'))`;
    world.tamper(`INSERT INTO commands SELECT 'pending_off', 'rs-e-old:1', 'rs-e-old', 'lamp:old', 'off', 'scheduler', 1, 7,
      'verifying', ${world.now}, 'Off: the device was deleted while it was lit', ${body}`);
    world.tamper("INSERT INTO standing_plans VALUES ('rs-e-box', 41, 1, NULL, 40, NULL, 17, 2, NULL)");
    // Three plans of parks with some hundred lamps each are more than one statement takes.
    for (const box of ["rs-e-box-2", "rs-e-box-3", "rs-e-box-4"])
      world.tamper(
        "INSERT INTO standing_plans VALUES (?, 41, 1, ?, 40, NULL, 17, 2, NULL)",
        box,
        JSON.stringify("x".repeat(900_000)),
      );
    world.tamper("INSERT INTO agent_links VALUES ('rs-e-box', 5, NULL, '1.0.0')");
    world.tamper("DELETE FROM outbox");
    const event = {
      id: "rs-e-told",
      org_id: "rs-e",
      ts: noon,
      source: "manual",
      action: "on",
      result: "ok",
      attempts: 1,
    };
    world.tamper(
      "INSERT INTO outbox (kind, key, body) VALUES ('scheduler_event', 'scheduler_event:rs-e-told', ?), ('hub_health', 'hub_health:x', '{}')",
      JSON.stringify(event),
    );
    dump = await dumpOf(world);
  });
  if (!dump) throw new Error("there is no backup");
  const kept: Dump = dump;
  await loseAll("rs-e");
  await inWorld("rs-e", tonight("12:00:00"), async (world) => {
    const calls = switches(world);
    await restored(world, kept);
    await world.to(tonight("12:00:30"));
    // A person's OFF is owed until its lamp is read dark: that is a command of its own, not the one that was under way.
    expect(calls.map((call) => call.slice("12:00:00 ".length))).toEqual(["off rs-e-lamp", "off old"]);
    const events = "SELECT source, action, result FROM scheduler_events WHERE device_id = 'rs-e-lamp' AND ts >= ?";
    expect((await sql(events, tonight("12:00:00")).all()).results).toEqual([
      { source: "scheduler", action: "off", result: "ok" },
    ]);
    expect((await sql("SELECT id FROM scheduler_events WHERE id = 'rs-e-told'").all()).results).toHaveLength(1);
    const one = (query: string) => world.storage.sql.exec(query).one();
    expect(one("SELECT rev, answered_rev, log_upto, log_run FROM standing_plans WHERE agent_id = 'rs-e-box'")).toEqual({
      rev: 41,
      answered_rev: 40,
      log_upto: 17,
      log_run: 2,
    });
    expect(one("SELECT COUNT(*) AS n FROM standing_plans WHERE length(sent) > 900000")).toEqual({ n: 3 });
    expect(one("SELECT connected_since, away_since FROM agent_links")).toEqual({
      connected_since: null,
      away_since: Date.parse(tonight("12:00:00")),
    });
  });
});

test("a database that is taken back to yesterday hears of each light how it stands, also where nothing changes", async () => {
  const lamps = ["rs-t-held", "rs-t-well", "rs-t-wrong"];
  await aField("rs-t", lamps);
  for (const lamp of lamps)
    await aSchedule("rs-t", `s-${lamp}`, tonight("17:00:00"), tonight("22:00:00"), { device: lamp });
  const shown = async () =>
    (
      await sql(
        "SELECT id, current_state, last_state_at, hold, problem, problem_since FROM devices WHERE org_id = 'rs-t' ORDER BY id",
      ).all()
    ).results;
  await inWorld("rs-t", tonight("16:00:00"), async (world) => {
    await world.sync();
    world.fault("lamp:rs-t-wrong", { kind: "stuck" });
    await world.toggle("rs-t-held", "off", { until: tonight("21:00:00"), reason: "paint" });
    await world.to(tonight("19:00:00"));
    const before = await shown();
    expect(before).toMatchObject([
      { hold: expect.stringContaining("paint") },
      { current_state: "on", problem: null },
      { problem: expect.stringContaining("still off") },
    ]);
    await sql(
      `UPDATE devices SET current_state = 'off', last_state_at = NULL, hold = NULL, problem = 'still on, 3 tries',
         problem_since = '2026-06-10T22:00:00.000Z', state_seq = 1, hold_seq = 1, problem_seq = 1 WHERE org_id = 'rs-t'`,
    ).run();
    await sql("UPDATE organizations SET epoch = 'back', config_version = config_version + 1 WHERE id = 'rs-t'").run();
    await world.sync();
    await world.to(tonight("19:05:00"));
    expect(await shown()).toEqual(before);
  });
});

test("a light that was deleted, and that a database taken back to before has again, is told as it stands, not as it stood", async () => {
  const lamps = ["rs-w-held", "rs-w-pressed", "rs-w-wrong"];
  await aField("rs-w", lamps);
  for (const lamp of ["rs-w-held", "rs-w-wrong"])
    await aSchedule("rs-w", `s-${lamp}`, tonight("17:00:00"), tonight("22:00:00"), { device: lamp });
  const shown = async () =>
    (await sql("SELECT id, current_state, hold, problem FROM devices WHERE org_id = 'rs-w' ORDER BY id").all()).results;
  await inWorld("rs-w", tonight("16:00:00"), async (world) => {
    await world.sync();
    world.fault("lamp:rs-w-wrong", { kind: "stuck" });
    await world.toggle("rs-w-held", "off", { until: tonight("21:00:00"), reason: "paint" });
    await world.toggle("rs-w-pressed", "on");
    await world.to(tonight("19:00:00"));
    const { results: taken } = await sql("SELECT * FROM devices WHERE org_id = 'rs-w' ORDER BY id").all<DeviceRow>();
    expect(taken).toMatchObject([
      { hold: expect.stringContaining("paint") },
      { current_state: "on" },
      { problem: expect.stringContaining("still off") },
    ]);
    const { results: booked } = await sql("SELECT * FROM schedules WHERE org_id = 'rs-w'").all<DeviceRow>();
    await sql("DELETE FROM devices WHERE org_id = 'rs-w'").run();
    await world.sync();
    world.fault("lamp:rs-w-wrong");
    await world.to(tonight("19:20:00"));
    for (const [table, rows] of [
      ["devices", taken],
      ["schedules", booked],
    ] as const)
      for (const row of rows)
        await sql(
          `INSERT INTO ${table} (${Object.keys(row).join(", ")}) VALUES (${Object.keys(row)
            .map(() => "?")
            .join(", ")})`,
          ...Object.values(row),
        ).run();
    await sql("UPDATE organizations SET epoch = 'back', config_version = config_version + 1 WHERE id = 'rs-w'").run();
    await world.sync();
    expect(await shown()).toMatchObject(lamps.map(() => ({ hold: null, problem: null })));
    await world.to(tonight("19:25:00"));
    expect(await shown()).toEqual([
      { id: "rs-w-held", current_state: "on", hold: null, problem: null },
      { id: "rs-w-pressed", current_state: "unknown", hold: null, problem: null },
      { id: "rs-w-wrong", current_state: "on", hold: null, problem: null },
    ]);
    const last = "SELECT state FROM state_changes WHERE device_id = ? AND kind = ? ORDER BY at DESC LIMIT 1";
    expect((await sql(last, "rs-w-pressed", "desired").all()).results).toEqual([{ state: "off" }]);
    expect((await sql(last, "rs-w-pressed", "reported").all()).results).toEqual([{ state: "unknown" }]);
  });
});

test("an agent that is away is told so to a database that is taken back to when it was there", async () => {
  await aField("rs-x");
  const id = await assignAgent("rs-x");
  const read = () => sql("SELECT status, connected_since, last_seen FROM agents WHERE id = ?", id).first<DeviceRow>();
  await inWorld("rs-x", tonight("16:00:00"), async (world) => {
    await setting("rs-x", "PROVIDER_MODE", "local").run();
    await world.sync();
    const agent = new AnAgent(world, id);
    await agent.connect();
    await world.to(tonight("16:10:00"));
    const taken = (await read()) ?? {};
    expect(taken).toMatchObject({ status: "online" });
    await world.to(tonight("17:00:00"));
    await agent.cut();
    await world.to(tonight("18:00:00"));
    const { status = null, connected_since = null, last_seen = null } = taken;
    await sql(
      "UPDATE agents SET status = ?, connected_since = ?, last_seen = ?, health_seq = 1 WHERE id = ?",
      status,
      connected_since,
      last_seen,
      id,
    ).run();
    await sql("UPDATE organizations SET epoch = 'back', config_version = config_version + 1 WHERE id = 'rs-x'").run();
    await world.sync();
    await world.to(tonight("18:10:00"));
    expect(await read()).toEqual({ status: "offline", connected_since: null, last_seen: "2026-06-11T17:00:00.000Z" });
  });
});

test("a log that was taken back with its database has again what is wanted of a light that goes on burning, and that it burns", async () => {
  await aField("rs-y");
  await setting("rs-y", "WATCHDOG_ENABLED", true).run();
  await aSchedule("rs-y", "rs-y-s", tonight("17:00:00"), tonight("22:00:00"));
  const log = async (since: string) =>
    (
      await sql(
        "SELECT kind, state FROM state_changes WHERE org_id = 'rs-y' AND at >= ? ORDER BY kind, at",
        since,
      ).all()
    ).results;
  const burns = [
    { kind: "desired", state: "on" },
    { kind: "reported", state: "on" },
  ];
  await inWorld("rs-y", tonight("16:00:00"), async (world) => {
    await world.sync();
    await world.to(tonight("19:00:00"));
    expect(await log(tonight("16:59:59"))).toEqual(burns);
    await sql("DELETE FROM state_changes WHERE org_id = 'rs-y' AND at >= ?", tonight("16:30:00")).run();
    await sql("UPDATE organizations SET epoch = 'back', config_version = config_version + 1 WHERE id = 'rs-y'").run();
    await world.sync();
    await world.to(tonight("19:20:00"));
    expect(await log(tonight("16:59:59"))).toEqual(burns);
  });
});

test("a log that was taken back to when a light burned says that nobody knows of it any more, where nobody does", async () => {
  await aField("rs-z");
  await aSchedule("rs-z", "rs-z-s", tonight("17:00:00"), tonight("18:00:00"));
  const last = async () =>
    (
      await sql(
        "SELECT state FROM state_changes WHERE org_id = 'rs-z' AND kind = 'reported' ORDER BY at DESC LIMIT 1",
      ).all()
    ).results;
  await inWorld("rs-z", tonight("16:00:00"), async (world) => {
    await world.sync();
    await world.to(tonight("17:30:00"));
    expect(await last()).toEqual([{ state: "on" }]);
    world.fault("hub:rs-z-hub", { kind: "offline" });
    await world.to(tonight("18:30:00"));
    expect(await last()).toEqual([{ state: "unknown" }]);
    await sql("DELETE FROM state_changes WHERE org_id = 'rs-z' AND at >= ?", tonight("17:30:00")).run();
    await sql("UPDATE organizations SET epoch = 'back', config_version = config_version + 1 WHERE id = 'rs-z'").run();
    await world.sync();
    await world.to(tonight("19:30:00"));
    expect(await last()).toEqual([{ state: "unknown" }]);
  });
});
