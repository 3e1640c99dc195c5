import { expect, test } from "vitest";
import { transact } from "#durable/state/context";
import { watch } from "#durable/monitoring/watchdog";
import { inWorldOfLateRows as inWorld } from "#tests/support/engine";
import { aField, aSchedule, aScheduleEach, deviceRow, events, messages, setting, sql } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;

async function watched(org_id: string): Promise<void> {
  await setting(org_id, "WATCHDOG_ENABLED", true).run();
}

test("a lamp that goes dark in its window is found and lit again by the watchdog", async () => {
  await aField("a");
  await watched("a");
  await aSchedule("a", "a1", at("18:00:00"), at("20:00:00"));
  await inWorld("a", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:30:00"));
    world.switchExternally("a-lamp", "off");
    await world.to(at("18:31:15"));
    expect(world.lamp("a-lamp")).toBe("on");
    expect((await events("a")).at(-1)).toMatch(/watchdog on ok 1/);
  });
});

test("a light that must be off is kept up with growing spacing, and reported once", async () => {
  await aField("b");
  await watched("b");
  await aSchedule("b", "b1", at("18:00:00"), at("20:00:00"));
  await inWorld("b", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:00:00"));
    world.fault("lamp:b-lamp", { kind: "stuck" });
    await world.to(at("22:00:00"));
    expect((await events("b")).map((line) => line.slice(9))).toEqual([
      "scheduler on ok 1",
      "scheduler off retry 1",
      "scheduler off retry 2",
      "scheduler off fail 3",
    ]);
    expect(await messages("b")).toEqual([
      "device_failed not_sent: Alarm: b-lamp (Field 3) could not be switched off: still on.",
    ]);
    const { results } = await sql(
      "SELECT created_at FROM device_events WHERE org_id = 'b' AND action = 'off' ORDER BY created_at",
    ).all<{ created_at: string }>();
    const minutes = results.map((row) =>
      Math.floor((Date.parse(row.created_at) - Date.parse(at("20:00:00"))) / 60_000),
    );
    expect(minutes).toEqual([0, 0, 0, 3, 6, 11, 20, 37, 68, 99]);
    world.fault("lamp:b-lamp");
    await world.to(at("22:40:00"));
    expect(world.lamp("b-lamp")).toBe("off");
    expect((await events("b")).at(-1)).toMatch(/watchdog off ok 1/);
    expect((await deviceRow("b-lamp")).current_state).toBe("off");
  });
});

test("a lamp that is found as it should be has no trouble any more: the next one is told anew", async () => {
  await aField("well");
  await watched("well");
  await aSchedule("well", "well1", at("18:00:00"), at("19:00:00"));
  await inWorld("well", at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("lamp:well-lamp", { kind: "stuck" });
    await world.to(at("18:02:00"));
    world.switchExternally("well-lamp", "on");
    await world.to(at("19:30:00"));
    expect(await messages("well")).toEqual([
      "device_failed not_sent: Alarm: well-lamp (Field 3) could not be switched on: still off.",
      "device_failed not_sent: Alarm: well-lamp (Field 3) could not be switched off: still on.",
    ]);
  });
});

test("a lamp that is read dark and should be lit is in trouble still: told once, however often it is read", async () => {
  await aField("dark");
  await watched("dark");
  await aSchedule("dark", "dark1", at("18:00:00"), at("23:00:00"));
  await inWorld("dark", at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("lamp:dark-lamp", { kind: "stuck" });
    await world.to(at("22:00:00"));
    expect(await messages("dark")).toEqual([
      "device_failed not_sent: Alarm: dark-lamp (Field 3) could not be switched on: still off.",
    ]);
    await sql("DELETE FROM devices WHERE id = 'dark-lamp'").run();
    await world.sync();
    expect(world.storage.sql.exec("SELECT incident FROM incidents").toArray()).toEqual([]);
  });
});

test("a device with a live command is left alone", async () => {
  await aField("live", ["live-a", "live-b"]);
  await watched("live");
  await aSchedule("live", "live1", at("18:00:00"), at("20:00:00"), { device: "live-a" });
  await inWorld("live", at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("lamp:live-a", { kind: "stuck" });
    await world.to(at("18:00:30"));
    transact(world.context, () => watch(world.context));
    const asked = world.storage.sql.exec<{ id: string }>("SELECT id FROM polls WHERE kind = 'read'").toArray();
    expect(asked).toEqual([{ id: "live-b" }]);
  });
});

test("a light switched on at the pole without a reason: one event, one message, off after max on", async () => {
  await aField("c");
  await watched("c");
  await inWorld("c", at("10:00:00"), async (world) => {
    await world.sync();
    await world.to(at("11:00:30"));
    world.switchExternally("c-lamp", "on");
    await world.to(at("14:59:00"));
    expect(world.lamp("c-lamp")).toBe("on");
    expect(await messages("c")).toEqual(["light_on not_sent: Alarm: c-lamp (Field 3) is on without a reason."]);
    await world.to(at("15:02:00"));
    expect(world.lamp("c-lamp")).toBe("off");
    await world.to(at("16:00:00"));
    expect((await events("c")).map((line) => line.slice(9))).toEqual(["watchdog on fail 0", "scheduler off ok 1"]);
  });
});

test("in an evening of many lit lights the dark ones are read too", async () => {
  const lamps = Array.from({ length: 60 }, (_, i) => `eve-${String(i).padStart(2, "0")}`);
  await aField("eve", lamps);
  await watched("eve");
  await aScheduleEach("eve", lamps.slice(0, 50), at("18:00:00"), at("22:00:00"));
  await inWorld("eve", at("17:59:00"), async (world) => {
    await world.sync();
    await world.to(at("18:30:00"));
    world.switchExternally("eve-55", "on");
    await world.to(at("18:35:00"));
    expect(await messages("eve")).toEqual(["light_on not_sent: Alarm: eve-55 (Field 3) is on without a reason."]);
  });
});

test("a dead hub's lights don't take every turn of the others", async () => {
  const lamps = Array.from({ length: 60 }, (_, i) => `out-${String(i).padStart(2, "0")}`);
  await aField("out", lamps);
  await watched("out");
  await sql("INSERT INTO hubs (id, org_id, area_id, name) VALUES ('out-dead', 'out', 'out-area', 'Dead')").run();
  await sql("UPDATE devices SET hub_id = 'out-dead' WHERE org_id = 'out' AND id < 'out-50'").run();
  await inWorld("out", at("12:00:00"), async (world) => {
    await world.sync();
    world.fault("hub:out-dead", { kind: "offline" });
    await world.to(at("12:30:00"));
    world.switchExternally("out-55", "on");
    await world.to(at("12:35:00"));
    expect(await messages("out")).toContain("light_on not_sent: Alarm: out-55 (Field 3) is on without a reason.");
  });
});

test("lit by hand before its claim, it goes off with the claim", async () => {
  await aField("d");
  await watched("d");
  await aSchedule("d", "d1", at("18:00:00"), at("20:00:00"));
  await inWorld("d", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("17:50:00"));
    world.switchExternally("d-lamp", "on");
    await world.to(at("20:00:10"));
    expect(world.lamp("d-lamp")).toBe("off");
  });
});

test("a hub that is back lights its window, without a watchdog", async () => {
  await aField("e");
  await setting("e", "HUB_CHECK_INTERVAL_SEC", 180).run();
  await aSchedule("e", "e1", at("18:00:00"), at("22:00:00"));
  await inWorld("e", at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("hub:e-hub", { kind: "offline" });
    await world.to(at("18:40:00"));
    expect(world.lamp("e-lamp")).toBe("off");
    world.fault("hub:e-hub");
    await world.to(at("18:44:00"));
    expect(world.lamp("e-lamp")).toBe("on");
    expect(await messages("e")).toEqual([
      "hub_offline not_sent: Alarm: Hub Hub (Field 3) has been offline for 15 minutes.",
      "device_failed not_sent: Alarm: e-lamp (Field 3) could not be switched on: not confirmed: its hub does not answer.",
      "hub_back not_sent: Hub Hub (Field 3) is back.",
    ]);
    const hub = await sql("SELECT status, last_seen, rtt_ms FROM hubs WHERE id = 'e-hub'").first();
    expect(hub).toMatchObject({ status: "online", rtt_ms: 120 });
  });
});

test("a hub's next outage is told anew, and so is its end", async () => {
  await aField("again");
  await setting("again", "HUB_CHECK_INTERVAL_SEC", 60).run();
  await inWorld("again", at("12:00:00"), async (world) => {
    await world.sync();
    for (const hour of [12, 13]) {
      world.fault("hub:again-hub", { kind: "offline" });
      await world.to(at(`${hour}:40:00`));
      world.fault("hub:again-hub");
      await world.to(at(`${hour}:50:00`));
    }
    expect((await messages("again")).map((line) => line.split(" ")[0])).toEqual([
      "hub_offline",
      "hub_back",
      "hub_offline",
      "hub_back",
    ]);
  });
});

test("once messages are switched on people hear of the hub that is still away, and nobody only that it is back", async () => {
  await aField("muted");
  await setting("muted", "HUB_CHECK_INTERVAL_SEC", 60).run();
  await setting("muted", "NOTIFY_ON_FAIL", false).run();
  await inWorld("muted", at("12:00:00"), async (world) => {
    await world.sync();
    world.fault("hub:muted-hub", { kind: "offline" });
    await world.to(at("12:40:00"));
    world.fault("hub:muted-hub");
    await world.to(at("12:50:00"));
    world.fault("hub:muted-hub", { kind: "offline" });
    await world.to(at("13:30:00"));
    expect(await messages("muted")).toEqual([]);
    await setting("muted", "NOTIFY_ON_FAIL", true).run();
    await world.sync();
    await world.to(at("13:40:00"));
    const told = await messages("muted");
    expect(told).toEqual([
      expect.stringMatching(/^hub_offline .*: Hub Hub \(Field 3\) has been offline for \d+ minutes\.$/),
    ]);
    world.fault("hub:muted-hub");
    await world.to(at("13:50:00"));
    expect(await messages("muted")).toEqual([...told, "hub_back not_sent: Hub Hub (Field 3) is back."]);
  });
});

test("a hub that is back after the window's end lights nothing", async () => {
  await aField("f");
  await setting("f", "HUB_CHECK_INTERVAL_SEC", 180).run();
  await watched("f");
  await aSchedule("f", "f1", at("18:00:00"), at("18:30:00"));
  await inWorld("f", at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("hub:f-hub", { kind: "offline" });
    await world.to(at("18:40:00"));
    world.fault("hub:f-hub");
    await world.to(at("18:40:01"));
    let everLit = false;
    for (let minute = 41; minute < 59; minute += 1) {
      await world.to(at(`18:${minute}:00`));
      everLit ||= world.lamp("f-lamp") === "on";
    }
    expect(everLit).toBe(false);
  });
});

test("ten devices on a dead hub: the verifications of all others are on time", async () => {
  const dead = Array.from({ length: 10 }, (_, i) => `g-dead-${i}`);
  await aField("g", ["g-lamp", ...dead]);
  await sql("INSERT INTO hubs (id, org_id, area_id, name) VALUES ('g-gone', 'g', 'g-area', 'Gone')").run();
  await sql("UPDATE devices SET hub_id = 'g-gone' WHERE name LIKE 'g-dead%'").run();
  await aScheduleEach("g", ["g-lamp", ...dead], at("18:00:00"), at("20:00:00"));
  await inWorld("g", at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("hub:g-gone", { kind: "drop" }, { kind: "slow", ms: 60_000 });
    await world.to(at("18:00:30"));
    expect(await events("g")).toContain("18:00:08 scheduler on ok 1");
  });
});

test("each hub keeps its own turn, whatever else is planned anew", async () => {
  await aField("turn");
  await setting("turn", "HUB_CHECK_INTERVAL_SEC", 180).run();
  await inWorld("turn", at("12:00:00"), async (world) => {
    await world.sync();
    const turn = () =>
      world.storage.sql.exec("SELECT due_at FROM timers WHERE kind = 'hub_check' AND key = 'turn-hub'").one().due_at;
    await world.to(at("12:01:30"));
    const before = turn();
    await sql("UPDATE devices SET name = 'Other' WHERE id = 'turn-lamp'").run();
    await world.sync();
    expect(turn()).toBe(before);
    await setting("turn", "HUB_CHECK_INTERVAL_SEC", 60).run();
    await world.sync();
    expect(Number(turn())).toBeLessThanOrEqual(world.now + 61_000);
    await sql("DELETE FROM hubs WHERE id = 'turn-hub'").run();
    await world.sync();
    expect(world.storage.sql.exec("SELECT key FROM timers WHERE kind = 'hub_check'").toArray()).toEqual([]);
  });
});

test("a light without a plan that is read dark after a failed OFF is well: the next failure is told anew", async () => {
  await aField("anew");
  await setting("anew", "WATCHDOG_ENABLED", true).run();
  await inWorld("anew", at("12:00:00"), async (world) => {
    await world.sync();
    await world.toggle("anew-lamp", "on");
    await world.to(at("12:01:00"));
    world.fault("lamp:anew-lamp", { kind: "stuck" });
    await world.toggle("anew-lamp", "off");
    await world.to(at("12:03:00"));
    world.switchExternally("anew-lamp", "off");
    await world.to(at("13:00:00"));
    world.switchExternally("anew-lamp", "on");
    await world.toggle("anew-lamp", "off");
    await world.to(at("13:02:00"));
    expect((await messages("anew")).filter((line) => line.startsWith("device_failed"))).toHaveLength(2);
  });
});

test("of a city that the engine has just come to know it knows within seconds which lights are on", async () => {
  await aField("new");
  await watched("new");
  await inWorld("new", at("12:00:00"), async (world) => {
    world.switchExternally("new-lamp", "on");
    await world.sync();
    await world.to(at("12:00:05"));
    expect((await deviceRow("new-lamp")).current_state).toBe("on");
  });
});

test("a watchdog that is to come more often comes so at once", async () => {
  await aField("often");
  await setting("often", "WATCHDOG_ENABLED", true).run();
  await setting("often", "WATCHDOG_INTERVAL_SEC", 3_600).run();
  await inWorld("often", at("12:00:00"), async (world) => {
    await world.sync();
    await world.to(at("12:00:01"));
    const due = () => {
      const { due_at } = world.storage.sql.exec("SELECT due_at FROM timers WHERE kind = 'watchdog'").one();
      return new Date(Number(due_at)).toISOString().slice(11, 19);
    };
    expect(due()).toBe("13:00:00");
    await setting("often", "WATCHDOG_INTERVAL_SEC", 7_200).run();
    await world.sync();
    expect(due()).toBe("13:00:00");
    await setting("often", "WATCHDOG_INTERVAL_SEC", 60).run();
    await world.sync();
    expect(due()).toBe("12:01:01");
  });
});

test("hubs that come together are not asked all at once, but within a minute", async () => {
  await aField("spread");
  const ids = ["0b7c", "3f1e", "5a92", "8d44", "c6e0"];
  for (const id of ids)
    await sql("INSERT INTO hubs (id, org_id, area_id, name) VALUES (?1, 'spread', 'spread-area', ?1)", id).run();
  await inWorld("spread", at("12:00:00"), async (world) => {
    await world.sync();
    const turns = world.storage.sql
      .exec<{ due_at: number }>("SELECT due_at FROM timers WHERE kind = 'hub_check' ORDER BY due_at")
      .toArray()
      .map(({ due_at }) => (due_at - world.now) / 1_000);
    const apart = turns.slice(1).map((turn, n) => turn - (turns[n] ?? 0));
    expect(turns).toHaveLength(ids.length + 1);
    expect(turns[0]).toBeGreaterThanOrEqual(1);
    expect(turns.at(-1)).toBeLessThanOrEqual(61);
    expect(Math.min(...apart)).toBeGreaterThan(0.5);
  });
});
