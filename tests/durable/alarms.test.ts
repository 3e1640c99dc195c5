import { expect, test } from "vitest";
import { alarms as repository } from "#db/alarms";
import { readState, testSwitch } from "#durable/requests/connectivity";
import { aCity, during, vendorId } from "#tests/support/a-city";
import { inWorld } from "#tests/support/engine";
import { aField, aSchedule, setting, sql } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;

type Row = {
  id: string;
  what: string;
  why: string;
  opened_at: string;
  over_at: string | null;
  acknowledged_by: string;
};

/** 'device_failed a-lamp 18:00:38: Dark, still off after 3 tries (over 18:40:10)' for each alarm, the oldest first. */
async function alarms(org_id: string): Promise<string[]> {
  const { results } = await sql("SELECT * FROM alarms WHERE org_id = ? ORDER BY opened_at, id", org_id).all<
    Row & { kind: string; device_name: string | null; hub_name: string | null }
  >();
  return results.map(({ kind, device_name, hub_name, opened_at, what, why, over_at }) =>
    [
      `${kind} ${device_name ?? hub_name ?? "city"} ${opened_at.slice(11, 16)}: ${what}, ${why}`,
      over_at === null ? "" : ` (over ${over_at.slice(11, 16)})`,
    ].join(""),
  );
}

test("a light that fails has one alarm that counts its tries, and is over once when it is lit", async () => {
  await aField("al-a");
  await setting("al-a", "WATCHDOG_ENABLED", true).run();
  await aSchedule("al-a", "al-a1", at("18:00:00"), at("22:00:00"));
  await inWorld("al-a", at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("lamp:al-a-lamp", { kind: "stuck" });
    await world.to(at("18:05:00"));
    const [first] = await alarms("al-a");
    expect(first).toMatch(/^device_failed al-a-lamp 18:0\d: Dark, still off after \d tries$/);
    await world.to(at("19:00:00"));
    const later = await alarms("al-a");
    expect(later).toHaveLength(1);
    expect(later[0]).not.toBe(first);
    world.fault("lamp:al-a-lamp");
    await world.to(at("19:40:00"));
    expect((await alarms("al-a"))[0]).toMatch(/ tries \(over 19:\d\d\)$/);
    await world.to(at("21:00:00"));
    expect(await alarms("al-a")).toHaveLength(1);
  });
});

test("where a light's old lamp burns on while the new one is dark, each alarm says since when its own lamp is so", async () => {
  await aField("al-o");
  await aSchedule("al-o", "al-o1", at("18:00:00"), at("22:00:00"));
  await inWorld("al-o", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:00:00"));
    for (const lamp of ["al-o-lamp", "al-o-new"]) world.fault(`lamp:${lamp}`, { kind: "stuck" });
    await sql("UPDATE devices SET cloud_device_id = 'al-o-new' WHERE id = 'al-o-lamp'").run();
    await world.sync();
    await world.to(at("19:30:00"));
    const { rows } = await repository(world.context.db, "al-o").page({ state: "open", page: 1 }, null);
    const told = rows.map(({ what, since, opened_at }) => `${what}, since ${since === opened_at ? "told" : "before"}`);
    expect(told.toSorted()).toEqual(["Dark, since before", "On, since told"]);
  });
});

test("an alarm ends with the test that reads its light as it should be, and with no other", async () => {
  await aField("al-t");
  await aSchedule("al-t", "al-t1", at("18:00:00"), at("22:00:00"));
  await inWorld("al-t", at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("lamp:al-t-lamp", { kind: "stuck" });
    await world.to(at("18:30:00"));
    await during(world, readState(world.context, "al-t-lamp"));
    expect(await alarms("al-t")).toEqual([expect.stringMatching(/Dark, still off after 3 tries$/)]);
    world.fault("lamp:al-t-lamp");
    await during(world, testSwitch(world.context, "al-t-lamp", "on"));
    await world.to(at("18:32:00"));
    expect(await alarms("al-t")).toEqual([expect.stringMatching(/ \(over 18:30\)$/)]);
  });
});

test("the alarm of a light that a hand lit is over where the light has another lamp by then, which is dark", async () => {
  const city = await aCity("al-u", "local", 1, 2);
  const [lamp = ""] = city.lamps;
  await setting("al-u", "WATCHDOG_ENABLED", true).run();
  await sql("DELETE FROM devices WHERE org_id = 'al-u' AND id <> ?", lamp).run();
  await inWorld(
    "al-u",
    at("12:00:00"),
    async (world) => {
      await world.sync();
      city.simulator.lamps.get(vendorId(0))?.turn(true, world.now);
      await world.to(at("12:10:00"));
      expect(await alarms("al-u")).toEqual([expect.stringMatching(/^light_on .*nobody asked for it$/)]);
      await sql("UPDATE devices SET cloud_device_id = ? WHERE id = ?", vendorId(1), lamp).run();
      await world.sync();
      await world.to(at("12:20:00"));
      expect(await alarms("al-u")).toEqual([expect.stringMatching(/^light_on .* \(over 12:1\d\)$/)]);
    },
    city.equip,
  );
});

test("what people wrote of an alarm stays when the engine tells more of it, and its version, too", async () => {
  await aField("al-b");
  await setting("al-b", "WATCHDOG_ENABLED", true).run();
  await aSchedule("al-b", "al-b1", at("18:00:00"), at("22:00:00"));
  await inWorld("al-b", at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("lamp:al-b-lamp", { kind: "stuck" });
    await world.to(at("18:05:00"));
    await sql(
      "UPDATE alarms SET acknowledged_at = 'then', acknowledged_by = 'ana', version = 2 WHERE org_id = 'al-b'",
    ).run();
    world.fault("lamp:al-b-lamp");
    await world.to(at("19:00:00"));
    const row = await sql(
      "SELECT acknowledged_at, acknowledged_by, version, over_at FROM alarms WHERE org_id = 'al-b'",
    ).first();
    expect(row).toMatchObject({ acknowledged_at: "then", acknowledged_by: "ana", version: 2 });
    expect(row?.over_at).not.toBeNull();
  });
});

test("an alarm that D1 could not take is told when it is back, with its end, once", async () => {
  await aField("al-c");
  await setting("al-c", "HUB_CHECK_INTERVAL_SEC", 60).run();
  await inWorld("al-c", at("12:00:00"), async (world) => {
    await world.sync();
    await world.calm();
    world.setDatabaseDown(true);
    world.fault("hub:al-c-hub", { kind: "offline" });
    await world.to(at("12:40:00"));
    expect(await alarms("al-c")).toEqual([]);
    world.fault("hub:al-c-hub");
    await world.to(at("12:50:00"));
    world.setDatabaseDown(false);
    await world.to(at("13:00:00"));
    expect(await alarms("al-c")).toEqual([
      expect.stringMatching(/^hub_offline Hub 12:0\d: Away, the hub does not answer \(over 12:4\d\)$/),
    ]);
  });
});

test("what D1 took, but whose answer was lost, is told again and stands there once; a late opening reopens nothing", async () => {
  await aField("al-d");
  await setting("al-d", "HUB_CHECK_INTERVAL_SEC", 60).run();
  await inWorld("al-d", at("12:00:00"), async (world) => {
    await world.sync();
    world.fault("hub:al-d-hub", { kind: "offline" });
    await world.to(at("12:10:00"));
    world.wire.state = { kind: "lossy" };
    await world.to(at("12:30:00"));
    world.wire.state = { kind: "up" };
    await world.to(at("12:40:00"));
    expect(await alarms("al-d")).toHaveLength(1);
    const opening = await sql("SELECT * FROM alarms WHERE org_id = 'al-d'").first();
    world.fault("hub:al-d-hub");
    await world.to(at("12:50:00"));
    world.storage.sql.exec(
      "INSERT INTO outbox (kind, key, body) VALUES ('alarm', 'alarm:late', ?)",
      JSON.stringify(opening),
    );
    world.context.flushSoon();
    await world.to(at("12:55:00"));
    expect((await alarms("al-d"))[0]).toMatch(/\(over 12:4\d\)$/);
  });
});

test("a hub that misses one ping is no alarm", async () => {
  await aField("al-e");
  await setting("al-e", "HUB_CHECK_INTERVAL_SEC", 60).run();
  await inWorld("al-e", at("12:00:00"), async (world) => {
    await world.sync();
    world.fault("hub:al-e-hub", { kind: "offline" });
    await world.to(at("12:05:00"));
    world.fault("hub:al-e-hub");
    await world.to(at("12:30:00"));
    expect(await alarms("al-e")).toEqual([]);
  });
});

test("a light that is lit without a reason has an alarm until it is off, also one that was found before there were alarms", async () => {
  await aField("al-f");
  await setting("al-f", "WATCHDOG_ENABLED", true).run();
  await inWorld("al-f", at("12:00:00"), async (world) => {
    await world.sync();
    world.switchExternally("al-f-lamp", "on");
    await world.to(at("12:10:00"));
    expect(await alarms("al-f")).toEqual([
      expect.stringMatching(/^light_on al-f-lamp 12:\d\d: On, nobody asked for it$/),
    ]);
    await sql("DELETE FROM alarms WHERE org_id = 'al-f'").run();
    world.tamper("UPDATE incidents SET alarm = NULL");
    await world.to(at("12:30:00"));
    expect(await alarms("al-f")).toHaveLength(1);
    world.switchExternally("al-f-lamp", "off");
    await world.to(at("12:40:00"));
    expect((await alarms("al-f"))[0]).toMatch(/\(over 12:3\d\)$/);
  });
});

test("the alarm of a light that is lit without a reason is over once it has one, and waits for no watchdog", async () => {
  await aField("al-n", ["al-n-off", "al-n-booked"]);
  await setting("al-n", "WATCHDOG_ENABLED", true).run();
  await aSchedule("al-n", "al-n1", at("13:00:00"), at("14:00:00"), { device: "al-n-booked" });
  await inWorld("al-n", at("12:00:00"), async (world) => {
    await world.sync();
    for (const id of ["al-n-off", "al-n-booked"]) world.switchExternally(id, "on");
    await world.to(at("12:10:00"));
    await setting("al-n", "WATCHDOG_ENABLED", false).run();
    await world.sync();
    await world.to(at("12:20:00"));
    await world.toggle("al-n-off", "off");
    await world.to(at("13:30:00"));
    expect((await alarms("al-n")).toSorted()).toEqual([
      expect.stringMatching(/^light_on al-n-booked 12:\d\d: .* \(over 13:00\)$/),
      expect.stringMatching(/^light_on al-n-off 12:\d\d: .* \(over 12:20\)$/),
    ]);
  });
});

test("a light that is deleted while its alarm is open ends it under the name that it had", async () => {
  await aField("al-g");
  await setting("al-g", "WATCHDOG_ENABLED", true).run();
  await aSchedule("al-g", "al-g1", at("18:00:00"), at("22:00:00"));
  await inWorld("al-g", at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("lamp:al-g-lamp", { kind: "stuck" });
    await world.to(at("18:10:00"));
    await sql("DELETE FROM devices WHERE id = 'al-g-lamp'").run();
    await world.sync();
    await world.to(at("18:15:00"));
    expect((await alarms("al-g"))[0]).toMatch(/^device_failed al-g-lamp 18:\d\d: Dark, .* \(over 18:1\d\)$/);
  });
});

test("an alarm keeps the name that its light had when it opened, whatever is told of it later", async () => {
  await aField("al-name");
  await setting("al-name", "WATCHDOG_ENABLED", true).run();
  await aSchedule("al-name", "al-name1", at("18:00:00"), at("22:00:00"));
  await inWorld("al-name", at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("lamp:al-name-lamp", { kind: "stuck" });
    await world.to(at("18:05:00"));
    const [before] = await alarms("al-name");
    await sql("UPDATE devices SET name = 'Renamed' WHERE org_id = 'al-name'").run();
    await world.sync();
    await world.to(at("19:00:00"));
    const row = "SELECT json_extract(alarm, '$.device_name') AS name FROM incidents WHERE incident LIKE 'device:%'";
    world.context.sql.kept?.write();
    expect(world.storage.sql.exec(row).one()).toEqual({ name: "al-name-lamp" });
    expect((await alarms("al-name"))[0]).not.toBe(before);
  });
});

test("an alarm that says the same as before is not told again", async () => {
  await aField("al-same");
  await setting("al-same", "HUB_CHECK_INTERVAL_SEC", 60).run();
  await setting("al-same", "HUB_OFFLINE_ALERT_MIN", 1).run();
  await inWorld("al-same", at("12:00:00"), async (world) => {
    await world.sync();
    world.fault("hub:al-same-hub", { kind: "offline" });
    await world.to(at("12:10:00"));
    const seq = () => sql("SELECT seq FROM alarms WHERE org_id = 'al-same'").first<{ seq: number }>();
    const before = await seq();
    expect(before?.seq).toBeGreaterThan(0);
    await world.to(at("12:30:00"));
    expect(await seq()).toEqual(before);
  });
});

test("a database that was restored gets the alarms that are open back, and an end for the others", async () => {
  await aField("al-h");
  await setting("al-h", "WATCHDOG_ENABLED", true).run();
  await inWorld("al-h", at("12:00:00"), async (world) => {
    await world.sync();
    world.switchExternally("al-h-lamp", "on");
    await world.to(at("12:10:00"));
    await sql("DELETE FROM alarms WHERE org_id = 'al-h'").run();
    await sql(
      `INSERT INTO alarms (id, org_id, kind, what, why, opened_at, seq)
       VALUES ('al-h:hub:x:1', 'al-h', 'hub_offline', 'Away', 'the hub does not answer', ?, 1)`,
      at("09:00:00"),
    ).run();
    await sql("UPDATE organizations SET epoch = 'restored' WHERE id = 'al-h'").run();
    await world.to(at("12:15:00"));
    expect(await alarms("al-h")).toEqual([
      expect.stringMatching(/^hub_offline city 09:00: .* \(over 12:1\d\)$/),
      expect.stringMatching(/^light_on al-h-lamp 12:\d\d: On, nobody asked for it$/),
    ]);
  });
});

test("a process that dies around the failure leaves one alarm, which is over once the light is lit", async () => {
  for (const steps of [1, 5, 9, 13, 17]) {
    const org = `al-i${steps}`;
    await aField(org);
    await setting(org, "WATCHDOG_ENABLED", true).run();
    await aSchedule(org, `${org}-s`, at("18:00:00"), at("22:00:00"));
    await inWorld(org, at("17:00:00"), async (world) => {
      await world.sync();
      world.fault(`lamp:${org}-lamp`, { kind: "stuck" });
      await world.to(at("18:00:20"));
      world.dieAfter(steps, 20_000);
      await world.to(at("18:20:00"));
      expect(await alarms(org)).toHaveLength(1);
      world.fault(`lamp:${org}-lamp`);
      await world.to(at("19:30:00"));
      expect(await alarms(org)).toEqual([expect.stringMatching(/\(over 1[89]:\d\d\)$/)]);
    });
  }
});
