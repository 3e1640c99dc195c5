import { expect, test } from "vitest";
import { transact } from "#durable/state/context";
import { openIncident } from "#durable/reporting/incidents";
import { testSwitch } from "#durable/requests/connectivity";
import { inWorld } from "#tests/support/engine";
import { aField, aSchedule, causes, messages, notes, sql } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;
const setActive = (org_id: string, active: boolean) =>
  sql("UPDATE organizations SET active = ? WHERE id = ?", active ? 1 : 0, org_id).run();

test("an organization that is made inactive has its lights switched off, and none switched on", async () => {
  await aField("idle", ["idle-lit", "idle-later", "idle-hand"]);
  await aSchedule("idle", "i1", at("18:00:00"), at("22:00:00"), { device: "idle-lit" });
  await aSchedule("idle", "i2", at("20:00:00"), at("22:00:00"), { device: "idle-later" });
  await inWorld("idle", at("17:00:00"), async (world) => {
    await world.sync();
    await world.toggle("idle-hand", "on");
    await world.to(at("19:00:00"));
    expect([world.lamp("idle-lit"), world.lamp("idle-hand")]).toEqual(["on", "on"]);
    await setActive("idle", false);
    await world.sync();
    await world.to(at("20:30:00"));
    expect(["idle-lit", "idle-later", "idle-hand"].map((lamp) => world.lamp(lamp))).toEqual(["off", "off", "off"]);
    const refused = await world.toggle("idle-lit", "on");
    expect(refused).toMatchObject({ success: false, detail: "Lights may not go on: the organization is inactive" });
    const test = await testSwitch(world.context, "idle-lit", "on");
    expect(test.action_result.error).toBe("Lights may not go on: the organization is inactive");
    expect((await world.toggle("idle-lit", "off")).success).toBe(true);

    await setActive("idle", true);
    await world.sync();
    await world.to(at("21:00:00"));
    expect(world.lamp("idle-later")).toBe("on");
  });
});

test("what a connectivity test has lit goes out at once where the organization is made inactive meanwhile", async () => {
  await aField("tested");
  await inWorld("tested", at("17:00:00"), async (world) => {
    await world.sync();
    void testSwitch(world.context, "tested-lamp", "on");
    await world.to(at("17:00:05"));
    expect(world.lamp("tested-lamp")).toBe("on");
    await setActive("tested", false);
    await world.sync();
    await world.to(at("17:00:10"));
    expect(world.lamp("tested-lamp")).toBe("off");
  });
});

test("an organization is made inactive also where D1 does not tell what else has changed", async () => {
  await aField("half");
  await aSchedule("half", "half1", at("18:00:00"), at("22:00:00"));
  await inWorld("half", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:00:00"));
    expect(world.lamp("half-lamp")).toBe("on");
    await setActive("half", false);
    await sql("UPDATE schedules SET title = 'Match' WHERE id = 'half1'").run();
    const { db } = world.context;
    // Which version it has D1 still says.
    const batch = (statements: Parameters<typeof db.batch>[0]) => {
      world.setDatabaseDown(true);
      return db.batch(statements);
    };
    world.context.db = new Proxy(db, { get: (of, key) => (key === "batch" ? batch : Reflect.get(of, key)) });
    await world.sync();
    await world.to(at("19:10:00"));
    expect(world.lamp("half-lamp")).toBe("off");
    world.setDatabaseDown(false);
  });
});

test("an organization that is active again has its windows lit, whatever else has changed with it", async () => {
  await aField("both", ["both-lamp", "both-other"]);
  await aSchedule("both", "both1", at("18:00:00"), at("22:00:00"));
  await inWorld("both", at("17:00:00"), async (world) => {
    await world.sync();
    await setActive("both", false);
    await world.sync();
    await world.to(at("19:00:00"));
    await aSchedule("both", "both2", at("21:00:00"), at("22:00:00"), { device: "both-other" });
    await setActive("both", true);
    await world.sync();
    await world.to(at("19:10:00"));
    expect(world.lamp("both-lamp")).toBe("on");
  });
});

test("what an organization had planned while it was inactive was not missed, and tonight's window is lit", async () => {
  await aField("away");
  await aSchedule("away", "a1", at("18:00:00"), at("22:00:00"), { rrule: "FREQ=DAILY" });
  await inWorld("away", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("23:00:00"));
    await setActive("away", false);
    await world.sync();
    await world.to("2026-06-13T19:00:00Z");
    await setActive("away", true);
    await world.sync();
    await world.to("2026-06-13T20:00:00Z");
    expect(world.lamp("away-lamp")).toBe("on");
    // The process is down for a whole night: that one was missed.
    world.die(40 * 3_600_000);
    await world.restart("2026-06-15T12:00:00Z");
    expect(await causes("away")).toEqual(["attempt", "attempt", "attempt", "missed"]);
  });
});

test("what was canceled while an organization was inactive is not lit for a moment when it is active again", async () => {
  await aField("back");
  await aSchedule("back", "b1", at("18:00:00"), at("22:00:00"));
  await inWorld("back", at("17:00:00"), async (world) => {
    await world.sync();
    await setActive("back", false);
    await world.sync();
    const asked: string[] = [];
    world.wrapProvider((real) => ({
      switch: (address, action, ...more) => {
        asked.push(action);
        return real.switch(address, action, ...more);
      },
    }));
    await world.to(at("19:00:00"));
    await sql("UPDATE schedules SET status = 'canceled' WHERE id = 'b1'").run();
    await setActive("back", true);
    await world.sync();
    await world.to(at("19:10:00"));
    expect(asked).toEqual([]);
    expect((await world.toggle("back-lamp", "on")).success).toBe(true);
  });
});

test("a lamp that its light has again when its organization is active again is not put out in its booking", async () => {
  await aField("lamp");
  await aSchedule("lamp", "l1", at("18:00:00"), at("22:00:00"));
  await inWorld("lamp", at("17:00:00"), async (world) => {
    const asLamp = async (lamp: string | null, active: boolean) => {
      await sql("UPDATE devices SET cloud_device_id = ? WHERE id = 'lamp-lamp'", lamp).run();
      await setActive("lamp", active);
      await world.sync();
    };
    await world.sync();
    await world.to(at("18:30:00"));
    world.fault("lamp:lamp-lamp", { kind: "offline" });
    await asLamp("lamp-other", false);
    await world.to(at("18:40:00"));
    world.fault("lamp:lamp-lamp");
    const before = await notes("lamp");
    await asLamp(null, true);
    await world.to(at("18:41:00"));
    expect(world.lamp("lamp-lamp")).toBe("on");
    expect((await notes("lamp")).slice(before.length).toSorted()).toEqual([
      "Off: its address was changed while it was lit · not tried again, its address is back",
      "On until 10:00 PM: Practice",
    ]);
  });
});

test("of a city that is made inactive some lights are looked at at once, lit ones first, and the others by a timer each", async () => {
  const unlit = 600;
  await aField("large", ["large-z"]);
  await sql(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO devices (id, org_id, area_id, hub_id, name)
     SELECT printf('large-d-%05d', i), 'large', 'large-area', 'large-hub', 'Light ' || i FROM n`,
    unlit,
  ).run();
  await inWorld("large", at("12:00:00"), async (world) => {
    await world.sync();
    await world.to(at("12:01:00"));
    await world.toggle("large-z", "on");
    await setActive("large", false);
    await world.sync();
    const put_off = world.storage.sql.exec("SELECT key FROM timers WHERE kind = 'recheck'").toArray();
    expect(put_off).toHaveLength(unlit + 1 - 500);
    expect(put_off).not.toContainEqual({ key: "large-z" });
  });
});

test("what went wrong with a hub ends when the hub is deleted", async () => {
  await aField("less");
  await inWorld("less", at("12:00:00"), async (world) => {
    await world.sync();
    transact(world.context, () => {
      openIncident(world.context, "hub:less-hub");
      world.tamper("INSERT INTO hub_trouble (hub, failures, paused_until) VALUES ('hub:less-hub', 3, 0)");
      world.storage.sql.exec("INSERT INTO polls VALUES ('ping', 'less-hub', 0)");
    });
    await sql("UPDATE devices SET hub_id = NULL WHERE org_id = 'less'").run();
    await sql("DELETE FROM hubs WHERE id = 'less-hub'").run();
    await world.sync();
    for (const table of ["incidents", "hub_trouble", "polls"])
      expect(world.storage.sql.exec(`SELECT * FROM ${table}`).toArray(), table).toEqual([]);
  });
});

test("people are told once that the database refuses records", async () => {
  await aField("refuse");
  await inWorld("refuse", at("12:00:00"), async (world) => {
    await world.sync();
    // What another release has left is refused by nobody.
    world.tamper(
      "INSERT INTO outbox (kind, key, body, set_aside) VALUES ('of_the_future', 'left', '{}', 'for another release')",
    );
    for (const id of ["refuse-1", "refuse-2"]) {
      const insert = "INSERT INTO outbox (kind, key, body) VALUES ('scheduler_event', ?, ?)";
      world.storage.sql.exec(insert, `scheduler_event:${id}`, JSON.stringify({ id }));
      world.context.flushSoon();
      await world.to(world.now + 60_000);
    }
    expect(world.lines.filter((line) => line.event === "outbox.set_aside")).toHaveLength(2);
    const told = (await messages("refuse")).filter((line) => line.startsWith("records_refused"));
    expect(told).toEqual(["records_refused not_sent: Alarm: The database refuses 1 record: see the scheduler's log."]);
  });
});

test("that the database refuses a record is over once nothing is set aside any more", async () => {
  await aField("taken");
  await inWorld("taken", at("12:00:00"), async (world) => {
    await world.sync();
    const post = (key: string, body: object) =>
      world.storage.sql.exec(
        "INSERT OR REPLACE INTO outbox (kind, key, body) VALUES ('scheduler_event', ?, ?)",
        key,
        JSON.stringify(body),
      );
    post("state:1", { id: "taken-1" });
    world.context.flushSoon();
    await world.to(at("12:01:00"));
    const open = () => world.storage.sql.exec("SELECT incident FROM incidents").toArray();
    expect(open()).toEqual([{ incident: "outbox:set_aside" }]);
    world.storage.sql.exec("DELETE FROM outbox WHERE set_aside IS NOT NULL");
    await world.toggle("taken-lamp", "on");
    await world.to(at("12:02:00"));
    expect(open()).toEqual([]);
  });
});
