import { expect, test } from "vitest";
import { openIncident } from "#durable/reporting/incidents";
import { transact } from "#durable/state/context";
import { memoryOf } from "#durable/state/device-memory";
import { readState, testSwitch } from "#durable/requests/connectivity";
import { noAnswer } from "#durable/providers/no-answer";
import { plan } from "#durable/state/plan";
import { during } from "#tests/support/a-city";
import { inWorldOfLateRows as inWorld, type World } from "#tests/support/engine";
import { aField, aSchedule, events, messages, notes, setting, sql } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;

/** Everything is served by the simulated lamps, whatever the mode is called; addresses and routes are the mode's. */
test("its hub is deleted in local mode, and no route is left: the lamp that burns gets its OFF first", async () => {
  await aField("a");
  await setting("a", "PROVIDER_MODE", "local").run();
  await aSchedule("a", "a1", at("18:00:00"), at("22:00:00"));
  await inWorld("a", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:00:00"));
    expect(world.lamp("a-lamp")).toBe("on");
    await sql("DELETE FROM hubs WHERE id = 'a-hub'").run();
    let owed_to = "";
    world.wrapProvider((real) => ({
      switch: (address, action, timeout_ms, how) => {
        if (action === "off") owed_to = `${address.hub?.id} ${address.lamp}`;
        return real.switch(address, action, timeout_ms, how);
      },
    }));
    await world.sync();
    await world.to(at("19:00:01"));
    expect(owed_to).toBe("a-hub a-lamp");
    await world.to(at("19:00:30"));
    expect(await notes("a")).toContain("Off: its hub was deleted while it was lit");
  });
});

test("the mode is left for mock while it is lit: the real lamp gets its OFF", async () => {
  await aField("b");
  await setting("b", "PROVIDER_MODE", "local").run();
  await aSchedule("b", "b1", at("18:00:00"), at("22:00:00"));
  await inWorld("b", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:00:00"));
    const sent: string[] = [];
    world.wrapProvider((real, mode) => ({
      switch: (address, action, timeout_ms, how) => {
        sent.push(`${mode} ${action}`);
        return real.switch(address, action, timeout_ms, how);
      },
    }));
    await setting("b", "PROVIDER_MODE", "mock").run();
    await world.sync();
    await world.to(at("19:01:00"));
    expect(sent.slice(0, 2)).toEqual(["local off", "mock on"]);
  });
});

test("the hub is away when its device is deleted: the OFF comes when the hub does, and one message", async () => {
  await aField("c");
  await aSchedule("c", "c1", at("18:00:00"), at("22:00:00"));
  await inWorld("c", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:00:00"));
    world.fault("hub:c-hub", { kind: "offline" });
    await sql("DELETE FROM devices WHERE id = 'c-lamp'").run();
    await world.sync();
    await world.to(at("20:00:00"));
    expect(world.lamp("c-lamp")).toBe("on");
    world.fault("hub:c-hub");
    await world.to(at("20:31:00"));
    expect(world.lamp("c-lamp")).toBe("off");
    expect((await messages("c")).filter((message) => message.startsWith("device_failed"))).toHaveLength(1);
    expect((await events("c")).at(-1)).toMatch(/off ok/);
    const left = world.storage.sql
      .exec("SELECT target_id FROM commands UNION ALL SELECT incident FROM incidents")
      .toArray();
    expect(left).toEqual([]);
  });
});

test("a hub that is back is not waited for: what an old lamp of it is owed is sent at once", async () => {
  await aField("back", ["back-gone", "back-left"]);
  await aSchedule("back", "back1", at("18:00:00"), at("22:00:00"), { device: "back-gone" });
  await inWorld("back", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:00:00"));
    world.fault("hub:back-hub", { kind: "offline" });
    await sql("DELETE FROM devices WHERE id = 'back-gone'").run();
    await world.sync();
    // The tries are half an hour apart by then.
    await world.to(at("21:05:00"));
    const tries = "SELECT due_at FROM commands WHERE target_kind = 'pending_off'";
    expect(Number(world.storage.sql.exec(tries).one().due_at)).toBeGreaterThan(world.now + 60_000);
    world.fault("hub:back-hub");
    await world.toggle("back-left", "off");
    await world.to(world.now + 5_000);
    expect(world.lamp("back-gone")).toBe("off");
  });
});

test("a dark light that is deleted is left alone", async () => {
  await aField("dark");
  await inWorld("dark", at("17:00:00"), async (world) => {
    await world.sync();
    await sql("DELETE FROM devices WHERE id = 'dark-lamp'").run();
    await world.sync();
    await world.to(at("18:00:00"));
    expect(await events("dark")).toEqual([]);
    expect(world.storage.sql.exec("SELECT * FROM commands").toArray()).toEqual([]);
  });
});

test("of a light that is deleted nothing is left but its lamp: nothing wakes for it, and one of its id is another", async () => {
  await aField("clean", ["clean-lamp", "clean-other"]);
  await setting("clean", "WATCHDOG_ENABLED", true).run();
  await aSchedule("clean", "clean-s", at("17:30:00"), at("17:50:00"), { rrule: "FREQ=DAILY" });
  await inWorld("clean", at("17:00:00"), async (world) => {
    const { sql: tables } = world.storage;
    const left = () =>
      tables
        .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB '[a-z]*'")
        .toArray()
        .filter(({ name }) => !/^(sqlite|_cf|lamps|faults)/.test(name))
        .filter(({ name }) => JSON.stringify(tables.exec(`SELECT * FROM "${name}"`).toArray()).includes("clean-lamp"))
        .map(({ name }) => name);
    await world.sync();
    await world.to(at("18:00:00"));
    transact(world.context, () => {
      for (const kind of ["device", "external"]) openIncident(world.context, `${kind}:clean-lamp`);
    });
    expect(left().toSorted()).toEqual(["claims", "device_memory", "incidents", "plan", "reads", "timers"]);
    await sql("DELETE FROM devices WHERE id = 'clean-lamp'").run();
    await world.sync();
    expect(left()).toEqual([]);
  });
});

test("in mock mode another hub is the same lamp: it stays lit, and the longest time counts from when it was", async () => {
  await aField("same");
  await setting("same", "MAX_ON_DURATION_MIN", 60).run();
  await aSchedule("same", "same1", at("18:00:00"), at("23:00:00"));
  await inWorld("same", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:30:00"));
    await sql("INSERT INTO hubs (id, org_id, area_id, name) VALUES ('other', 'same', 'same-area', 'Other')").run();
    await sql("UPDATE devices SET hub_id = 'other' WHERE id = 'same-lamp'").run();
    await world.sync();
    await world.to(at("18:59:59"));
    expect(world.lamp("same-lamp")).toBe("on");
    await world.to(at("19:00:01"));
    expect(world.lamp("same-lamp")).toBe("off");
  });
});

test("another lamp counts its own time: its longest one begins when it is lit", async () => {
  await aField("own");
  await setting("own", "MAX_ON_DURATION_MIN", 90).run();
  await aSchedule("own", "own1", at("18:00:00"), at("23:00:00"));
  await inWorld("own", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:00:00"));
    await sql("UPDATE devices SET cloud_device_id = 'own-new' WHERE id = 'own-lamp'").run();
    await world.sync();
    await world.to(at("20:29:59"));
    expect([world.lamp("own-lamp"), world.lamp("own-new")]).toEqual(["off", "on"]);
    await world.to(at("20:30:01"));
    expect(world.lamp("own-new")).toBe("off");
  });
});

test("a hub at another address is another way: what is under way by the old one is dropped", async () => {
  await aField("way");
  await setting("way", "PROVIDER_MODE", "local").run();
  await sql("UPDATE hubs SET ip_address = '192.168.1.10' WHERE id = 'way-hub'").run();
  await aSchedule("way", "way1", at("18:00:00"), at("23:00:00"));
  await inWorld("way", at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("lamp:way-lamp", { kind: "stuck" });
    await world.to(at("18:00:15"));
    await sql("UPDATE hubs SET ip_address = '192.168.1.11' WHERE id = 'way-hub'").run();
    await world.sync();
    world.fault("lamp:way-lamp");
    await world.to(at("18:01:00"));
    expect(await notes("way")).toContainEqual(expect.stringContaining("its address changed"));
    expect(world.lamp("way-lamp")).toBe("on");
  });
});

test("only what has changed is planned anew", async () => {
  await aField("few", ["few-a", "few-b"]);
  await inWorld("few", at("17:00:00"), async (world) => {
    await world.sync();
    const forged = "UPDATE plan SET body = json_set(body, '$.name', 'Forged') WHERE id = 'few-b'";
    world.storage.sql.exec(forged);
    await sql("UPDATE devices SET name = 'Other' WHERE id = 'few-a'").run();
    await world.sync();
    const names = "SELECT body ->> 'name' AS name FROM plan WHERE kind = 'device' ORDER BY id";
    expect(world.storage.sql.exec(names).toArray()).toEqual([{ name: "Other" }, { name: "Forged" }]);
  });
});

test("a lamp that gets its address back in a booking is not darkened by the OFF that it was owed", async () => {
  await aField("again");
  await setting("again", "PROVIDER_MODE", "local").run();
  await aSchedule("again", "again1", at("18:00:00"), at("23:00:00"));
  await inWorld("again", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:30:00"));
    world.fault("hub:again-hub", { kind: "offline" });
    await sql("UPDATE devices SET hub_id = NULL WHERE id = 'again-lamp'").run();
    await world.sync();
    await world.to(at("19:30:00"));
    await sql("UPDATE devices SET hub_id = 'again-hub' WHERE id = 'again-lamp'").run();
    await world.sync();
    world.fault("hub:again-hub");
    const sent: string[] = [];
    world.wrapProvider((real) => ({
      switch: (address, action, timeout_ms, how) => {
        sent.push(action);
        return real.switch(address, action, timeout_ms, how);
      },
    }));
    await world.to(at("21:30:00"));
    expect(sent).not.toContain("off");
    expect(world.lamp("again-lamp")).toBe("on");
    expect(await notes("again")).toContainEqual(expect.stringContaining("its address is back"));
    expect(
      world.storage.sql.exec("SELECT target_id FROM commands UNION ALL SELECT incident FROM incidents").toArray(),
    ).toEqual([]);
  });
});

test("a lamp that is back out of any booking gets its OFF by its own command", async () => {
  await aField("idle", ["idle-lamp", "idle-other"]);
  await setting("idle", "PROVIDER_MODE", "local").run();
  await aSchedule("idle", "idle1", at("18:00:00"), at("19:00:00"));
  await inWorld("idle", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:30:00"));
    world.fault("hub:idle-hub", { kind: "offline" });
    await sql("UPDATE devices SET hub_id = NULL WHERE id = 'idle-lamp'").run();
    await world.sync();
    await world.to(at("19:30:00"));
    await sql("UPDATE devices SET hub_id = 'idle-hub' WHERE id = 'idle-lamp'").run();
    await world.sync();
    expect(world.storage.sql.exec("SELECT 1 FROM commands WHERE target_kind = 'pending_off'").toArray()).toEqual([]);
    world.fault("hub:idle-hub");
    await world.to(at("20:30:00"));
    expect(world.lamp("idle-lamp")).toBe("off");
  });
});

test("a lamp that is back gets its OFF at once, also if the other lamp meanwhile was switched on by hand", async () => {
  await aField("hand");
  await setting("hand", "WATCHDOG_ENABLED", true).run();
  await aSchedule("hand", "hand1", at("18:00:00"), at("19:00:00"));
  const move = (lamp: string) => sql(`UPDATE devices SET cloud_device_id = '${lamp}' WHERE id = 'hand-lamp'`).run();
  await inWorld("hand", at("17:00:00"), async (world) => {
    await move("hand-first");
    await world.sync();
    await world.to(at("18:30:00"));
    expect(world.lamp("hand-first")).toBe("on");
    world.fault("lamp:hand-first", { kind: "offline" });
    await move("hand-second");
    await world.sync();
    await world.to(at("19:10:00"));
    world.switchExternally("hand-second", "on");
    await world.to(at("19:20:00"));
    expect(memoryOf(world.storage.sql, "hand-lamp").lit_by).toBe("external");
    world.fault("lamp:hand-first");
    await move("hand-first");
    await world.sync();
    await world.to(at("19:20:10"));
    expect(world.lamp("hand-first")).toBe("off");
  });
});

test("an OFF that an old lamp is owed is given up after a day: it was taken away", async () => {
  await aField("gone");
  await aSchedule("gone", "gone1", at("18:00:00"), at("22:00:00"));
  await inWorld("gone", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:00:00"));
    world.fault("lamp:gone-lamp", { kind: "offline" });
    await sql("DELETE FROM devices WHERE id = 'gone-lamp'").run();
    await world.sync();
    const owed = () => world.storage.sql.exec("SELECT action FROM commands").toArray();
    await world.to("2026-06-11T18:00:00Z");
    expect(owed()).toEqual([{ action: "off" }]);
    await world.to("2026-06-11T20:00:00Z");
    expect(owed()).toEqual([]);
  });
});

test("what is told of an old lamp's OFF is for the department that has the light by then", async () => {
  await aField("passed");
  await sql(
    "INSERT INTO departments (id, org_id, name) VALUES ('passed-a', 'passed', 'A'), ('passed-b', 'passed', 'B')",
  ).run();
  await sql("UPDATE devices SET dept_id = 'passed-a' WHERE id = 'passed-lamp'").run();
  await aSchedule("passed", "passed1", at("18:00:00"), at("22:00:00"));
  await inWorld("passed", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:00:00"));
    world.fault("lamp:passed-lamp", { kind: "offline" });
    await sql("UPDATE devices SET cloud_device_id = 'another' WHERE id = 'passed-lamp'").run();
    await world.sync();
    await world.to(at("20:00:00"));
    await sql("UPDATE devices SET dept_id = 'passed-b' WHERE id = 'passed-lamp'").run();
    await world.sync();
    await world.to(at("20:31:00"));
    world.fault("lamp:passed-lamp");
    await world.to(at("21:05:00"));
    expect(world.lamp("passed-lamp")).toBe("off");
    const told = (table: string, time: string) =>
      sql(
        `SELECT DISTINCT dept_id FROM ${table} WHERE device_id = 'passed-lamp' AND ${time} > ?`,
        at("20:01:00"),
      ).all();
    expect((await told("scheduler_events", "ts")).results).toEqual([{ dept_id: "passed-b" }]);
    expect((await told("device_events", "created_at")).results).toEqual([{ dept_id: "passed-b" }]);
  });
});

test("in a mode with a way around, a lit light whose hub is deleted is owed nothing", async () => {
  await aField("around");
  await inWorld("around", at("12:00:00"), async (world) => {
    await world.sync();
    await world.toggle("around-lamp", "on");
    await world.to(at("12:01:00"));
    await sql("UPDATE devices SET hub_id = NULL WHERE id = 'around-lamp'").run();
    await sql("DELETE FROM hubs WHERE id = 'around-hub'").run();
    await world.sync();
    await world.to(at("12:05:00"));
    expect(world.lamp("around-lamp")).toBe("on");
    expect((await events("around")).filter((line) => / off /.test(line))).toEqual([]);
  });
});

test("a plan that an older release stored is read whole, and its new columns reroute nobody", async () => {
  await aField("older");
  await aSchedule("older", "older1", at("18:00:00"), at("22:00:00"));
  await inWorld("older", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:00:00"));
    expect(world.lamp("older-lamp")).toBe("on");
    const { sql: store } = world.storage;
    const columns = ["planned_at", "model", "cloud_device_id", "local_ref", "on_payload", "off_payload"];
    const more = ["local_client_id", "local_client_secret"];
    const paths = [...columns, ...more].map((column) => `'$.${column}'`).join(", ");
    store.exec(`UPDATE plan SET body = json_remove(body, ${paths}) WHERE kind <> 'settings'`);
    world.die();
    await world.to(at("19:00:01"));
    await world.sync();
    expect(plan.device(world.context.sql, "older-lamp")).toMatchObject({
      off_payload: null,
      planned_at: Date.parse("2026-01-01"),
    });
    expect(plan.hub(world.context.sql, "older-hub")).toMatchObject({ local_client_id: null });
    const before = memoryOf(world.context.sql, "older-lamp");
    await sql("UPDATE devices SET name = 'Pole' WHERE org_id = 'older'").run();
    await sql("UPDATE hubs SET name = 'Hub 2' WHERE org_id = 'older'").run();
    await world.sync();
    await world.to(at("19:10:00"));
    expect(memoryOf(world.context.sql, "older-lamp")).toMatchObject({ reported: "on", sent_at: before.sent_at });
    expect(await notes("older")).toEqual(["On until 10:00 PM: Practice"]);
  });
});

const ANOTHER_OF = (org: string, id: string) =>
  sql(
    `INSERT INTO devices (id, org_id, area_id, hub_id, cloud_device_id, name, updated_at)
     VALUES (?1, ?2, ?2 || '-area', ?2 || '-hub', ?2 || '-lamp', 'Mast', '2026-01-01')`,
    id,
    org,
  );

test("a light that is deleted while it burns and made anew is not darkened by the OFF of the one before", async () => {
  await aField("anew", []);
  await ANOTHER_OF("anew", "anew-1").run();
  await aSchedule("anew", "anew1", at("18:00:00"), at("22:00:00"), { device: "anew-1" });
  await inWorld("anew", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:00:00"));
    await sql("DELETE FROM devices WHERE id = 'anew-1'").run();
    await ANOTHER_OF("anew", "anew-2").run();
    await aSchedule("anew", "anew2", at("18:00:00"), at("22:00:00"), { device: "anew-2" });
    await world.sync();
    await world.to(at("21:00:00"));
    expect(world.lamp("anew-lamp")).toBe("on");
    expect((await events("anew")).filter((line) => / off (ok|retry) /.test(line))).toEqual([]);
    await world.to(at("22:00:10"));
    expect(world.lamp("anew-lamp")).toBe("off");
  });
});

test("of two lights with one lamp one is deleted while it burns: the other keeps it lit in its booking", async () => {
  await aField("twins", []);
  await ANOTHER_OF("twins", "twins-1").run();
  await ANOTHER_OF("twins", "twins-2").run();
  await aSchedule("twins", "twins1", at("18:00:00"), at("22:00:00"), { device: "twins-1" });
  await aSchedule("twins", "twins2", at("18:00:00"), at("21:00:00"), { device: "twins-2" });
  await inWorld("twins", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:00:00"));
    await sql("DELETE FROM devices WHERE id = 'twins-1'").run();
    await world.sync();
    await world.to(at("20:59:59"));
    expect(world.lamp("twins-lamp")).toBe("on");
    expect(await notes("twins")).toContain(
      "Off: the device was deleted while it was lit · not sent, another light has its lamp",
    );
    await world.to(at("21:00:10"));
    expect(world.lamp("twins-lamp")).toBe("off");
  });
});

test("of two lights with one lamp one is deleted while both burn: the other's longest time counts from when it was lit", async () => {
  await aField("since", []);
  await ANOTHER_OF("since", "since-1").run();
  await ANOTHER_OF("since", "since-2").run();
  for (const id of ["since-1", "since-2"])
    await aSchedule("since", `s-${id}`, at("17:00:00"), at("23:00:00"), { device: id });
  await inWorld("since", at("16:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:00:00"));
    await sql("DELETE FROM devices WHERE id = 'since-1'").run();
    await world.sync();
    await world.to(at("20:59:00"));
    expect(world.lamp("since-lamp")).toBe("on");
    await world.to(at("21:00:10"));
    expect(world.lamp("since-lamp")).toBe("off");
  });
});

test.each([
  ["late", "which has not been read", false],
  ["seen", "which was read lit by then, and taken for lit by hand", true],
])(
  "of two lights with one lamp (%s) the one that burns is deleted out of the other's booking: that one, %s, puts it out",
  async (org, _, isWatched) => {
    await aField(org, []);
    await setting(org, "WATCHDOG_ENABLED", isWatched).run();
    await ANOTHER_OF(org, `${org}-1`).run();
    await ANOTHER_OF(org, `${org}-2`).run();
    await aSchedule(org, `${org}1`, at("18:00:00"), at("22:00:00"), { device: `${org}-1` });
    await inWorld(org, at("17:00:00"), async (world) => {
      await world.sync();
      await world.to(at("19:00:00"));
      expect(memoryOf(world.storage.sql, `${org}-2`).lit_since !== null).toBe(isWatched);
      await sql("DELETE FROM devices WHERE id = ?", `${org}-1`).run();
      await world.sync();
      await world.to(at("19:00:10"));
      expect(world.lamp(`${org}-lamp`)).toBe("off");
    });
  },
);

/** A life of two hundred lights found it (seed 2008). */
test("a light that was deleted while it burned and is back by a restore is not darkened by what it was owed", async () => {
  const lamp =
    "INSERT INTO devices (id, org_id, area_id, name, updated_at) VALUES ('rst', 'rst', 'rst-area', 'Mast', '2026-01-01')";
  await aField("rst", []);
  await sql(lamp).run();
  await inWorld("rst", "2026-06-10T12:00:00Z", async (world) => {
    await world.sync();
    await world.toggle("rst", "on");
    await world.to("2026-06-10T12:01:00Z");
    world.fault("lamp:rst", { kind: "offline" });
    await sql("DELETE FROM devices WHERE id = 'rst'").run();
    await world.sync();
    await world.to("2026-06-10T13:00:00Z");
    await sql(lamp).run();
    await aSchedule("rst", "rst1", "2026-06-10T18:00:00Z", "2026-06-10T22:00:00Z", { device: "rst" });
    await sql("UPDATE organizations SET epoch = 'restored' WHERE id = 'rst'").run();
    await world.sync();
    await world.to("2026-06-10T18:00:30Z");
    world.fault("lamp:rst");
    await world.to("2026-06-10T19:30:00Z");
    expect(world.lamp("rst")).toBe("on");
    expect((await events("rst")).filter((line) => / off /.test(line) && line > "18:00:00")).toEqual([]);
  });
});

test("what was read of the old lamp says nothing of the one that has taken its place", async () => {
  await aField("old");
  await aSchedule("old", "old1", at("17:00:30"), at("22:00:00"));
  await inWorld("old", at("16:50:00"), async (world) => {
    await world.sync();
    await world.to(at("17:00:00"));
    world.switchExternally("old-lamp", "on");
    world.fault("lamp:old-lamp", { kind: "slow", ms: 5_000 });
    const read = readState(world.context, "old-lamp");
    await world.to(at("17:00:01"));
    await sql("UPDATE devices SET cloud_device_id = 'new-lamp' WHERE id = 'old-lamp'").run();
    await world.sync();
    await world.to(at("17:00:10"));
    expect(await read).toMatchObject({ result: { success: true, state: "on" } });
    expect(memoryOf(world.context.sql, "old-lamp").reported).toBe("unknown");
    await world.to(at("17:00:35"));
    expect(world.lamp("new-lamp")).toBe("on");
  });
});

test("what its old hub read before an ON by the new one is not believed after it, and the lamp goes off at its end", async () => {
  await aField("slowhub");
  await sql(
    "INSERT INTO hubs (id, org_id, area_id, name) VALUES ('slowhub-2', 'slowhub', 'slowhub-area', 'Second')",
  ).run();
  await setting("slowhub", "YOLINK_VERIFY_DELAY_SEC", 2).run();
  await aSchedule("slowhub", "slowhub1", at("18:00:02"), at("20:00:00"));
  await inWorld("slowhub", at("17:00:00"), async (world) => {
    await world.sync();
    world.wrapProvider((real) => ({
      read: async (address, ...more) => {
        const read = await real.read(address, ...more);
        if (address.hub?.id === "slowhub-hub") await new Promise<void>((done) => world.outside(8_000, done));
        return read;
      },
    }));
    await world.to(at("17:59:59"));
    const read = readState(world.context, "slowhub-lamp");
    await world.to(at("18:00:00"));
    await sql("UPDATE devices SET hub_id = 'slowhub-2' WHERE id = 'slowhub-lamp'").run();
    await world.sync();
    await world.to(at("18:00:20"));
    expect(await read).toMatchObject({ result: { success: true, state: "off" } });
    expect(memoryOf(world.context.sql, "slowhub-lamp").reported).toBe("on");
    await world.to(at("20:00:30"));
    expect(world.lamp("slowhub-lamp")).toBe("off");
  });
});

type Story = (world: World) => Promise<unknown>;

/** A test's ON that waits behind a slow reading at its hub, and is refused after the browser has given up on it. */
async function testRefusedLate(
  org: string,
  { before, meanwhile, then }: Record<"meanwhile" | "then", Story> & { before?: Story },
): Promise<void> {
  const lamp = `${org}-lamp`;
  await aField(org, [lamp, `${org}-slow`]);
  await sql("INSERT INTO hubs (id, org_id, area_id, name) VALUES (?1 || '-2', ?1, ?1 || '-area', 'Second')", org).run();
  await setting(org, "YOLINK_VERIFY_DELAY_SEC", 2).run();
  await inWorld(org, at("20:00:00"), async (world) => {
    await world.sync();
    const wait = (ms: number) => new Promise<void>((done) => world.outside(ms, done));
    world.wrapProvider((real) => ({
      read: async (address, ...more) => {
        if (address.lamp === `${org}-slow`) await wait(2_000);
        return real.read(address, ...more);
      },
      switch: async (address, ...more) => {
        if (address.lamp !== lamp || address.hub?.id !== `${org}-hub`) return real.switch(address, ...more);
        await wait(8_000);
        return noAnswer(address, "refused", "it refuses us");
      },
    }));
    await before?.(world);
    await world.to(at("20:05:00"));
    void readState(world.context, `${org}-slow`);
    const tested = testSwitch(world.context, lamp, "on");
    await world.to(at("20:05:03"));
    await meanwhile(world);
    await world.to(at("20:06:00"));
    expect(await tested).toMatchObject({ success: false });
    await then(world);
  });
}

/** The light of `testRefusedLate` is moved to its second hub. */
async function moved(world: World, org: string): Promise<void> {
  await sql("UPDATE devices SET hub_id = ?1 || '-2' WHERE id = ?1 || '-lamp'", org).run();
  await world.sync();
}

async function litByTheSecondHub(world: World, org: string): Promise<void> {
  await moved(world, org);
  expect(await world.toggle(`${org}-lamp`, "on")).toMatchObject({ success: true });
}

test("a test that the old hub refuses undoes no ON by the new one: the lamp goes off at the curfew", async () => {
  await testRefusedLate("refuses", {
    meanwhile: (world) => litByTheSecondHub(world, "refuses"),
    then: async (world) => {
      await world.to(at("23:44:00"));
      expect(world.lamp("refuses-lamp")).toBe("on");
      await world.to(at("23:46:00"));
      expect(world.lamp("refuses-lamp")).toBe("off");
    },
  });
});

test("a test that the old hub refuses undoes no ON by the new one that nobody can verify: it gets its OFF", async () => {
  await testRefusedLate("blind", {
    before: async (world) => {
      await setting("blind", "YOLINK_VERIFY_DELAY_SEC", 10).run();
      await setting("blind", "RETRY_BACKOFFS_SEC", []).run();
      await world.sync();
    },
    meanwhile: async (world) => {
      await litByTheSecondHub(world, "blind");
      world.wrapProvider(() => ({
        read: (address) => Promise.resolve(noAnswer(address, "device", "it does not answer")),
      }));
    },
    then: async (world) => {
      await world.to(at("20:10:00"));
      expect(world.lamp("blind-lamp")).toBe("off");
    },
  });
});

test("a test that the old hub refuses takes back nothing of what was read by the new one", async () => {
  await testRefusedLate("reads", {
    meanwhile: async (world) => {
      await moved(world, "reads");
      world.switchExternally("reads-lamp", "on");
      await during(world, readState(world.context, "reads-lamp"));
    },
    then: async (world) => {
      await world.to(at("23:46:00"));
      expect(world.lamp("reads-lamp")).toBe("off");
    },
  });
});

test("a test that is refused after its lamp was replaced does not say that the new one was lit before it", async () => {
  await testRefusedLate("lately", {
    before: async (world) => {
      world.switchExternally("lately-lamp", "on");
      await during(world, readState(world.context, "lately-lamp"));
    },
    meanwhile: async (world) => {
      await sql("UPDATE devices SET cloud_device_id = 'lately-new' WHERE id = 'lately-lamp'").run();
      await world.sync();
    },
    then: async (world) => expect(memoryOf(world.context.sql, "lately-lamp").lit_since).toBeNull(),
  });
});
