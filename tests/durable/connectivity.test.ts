import { expect, test } from "vitest";
import { endTest, pingHub, readState, testSwitch } from "#durable/requests/connectivity";
import { during } from "#tests/support/a-city";
import { inWorld, type World } from "#tests/support/engine";
import { aField, aSchedule, deviceRow, sql } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;

test("a ping, a status and a test of a light answer to the field, and are logged", async () => {
  await aField("a");
  await inWorld("a", at("12:00:00"), async (world) => {
    await world.sync();
    expect((await during(world, pingHub(world.context, "a-hub"))).result).toEqual({
      success: true,
      rtt_ms: 120,
      detail: null,
      provider: "mock",
    });
    expect((await during(world, testSwitch(world.context, "a-lamp", "on"))).verification_result).toEqual({
      state: "on",
    });
    expect((await during(world, readState(world.context, "a-lamp"))).result.state).toBe("on");
    await world.to(at("12:00:25"));
    expect(world.lamp("a-lamp")).toBe("on");
    await world.to(at("12:01:00"));
    expect(world.lamp("a-lamp")).toBe("off");
    const { results } = await sql("SELECT action, result FROM connectivity_logs ORDER BY created_at").all();
    expect(results.map((row) => Object.values(row).join(" "))).toEqual([
      "ping_hub success",
      "on success",
      "status_check success",
    ]);
    const tests = await sql("SELECT COUNT(*) AS n FROM device_events WHERE action = 'test'").first();
    expect(tests).toEqual({ n: 1 });
  });
});

test("a status that a person asked for is told, although it is the same as just before", async () => {
  await aField("same");
  await inWorld("same", at("12:00:00"), async (world) => {
    await world.sync();
    await during(world, readState(world.context, "same-lamp"));
    await world.to(at("12:00:10"));
    await during(world, readState(world.context, "same-lamp"));
    await world.calm();
    const { last_state_at } = await deviceRow("same-lamp");
    expect(last_state_at).toMatch(/T12:00:10/);
  });
});

test("a test that is stopped leaves the lamp at once to what it should be", async () => {
  await aField("stop");
  await inWorld("stop", at("12:00:00"), async (world) => {
    await world.sync();
    await during(world, testSwitch(world.context, "stop-lamp", "on"));
    await world.to(at("12:00:02"));
    expect(world.lamp("stop-lamp")).toBe("on");
    endTest(world.context, "stop-lamp");
    await world.to(at("12:00:03"));
    expect(world.lamp("stop-lamp")).toBe("off");
  });
});

test("a light that an emergency lights in a dark time burns again after a test has put it out", async () => {
  await aField("police");
  await inWorld("police", at("00:30:00"), async (world) => {
    await world.sync();
    await world.toggle("police-lamp", "on", { until: at("03:00:00"), reason: "police", emergency: true });
    await world.to(at("00:40:00"));
    await during(world, testSwitch(world.context, "police-lamp", "off"));
    expect(world.lamp("police-lamp")).toBe("off");
    await world.to(at("00:41:00"));
    expect(world.lamp("police-lamp")).toBe("on");
  });
});

test("a test obeys the guardrails", async () => {
  await aField("b");
  await inWorld("b", at("00:30:00"), async (world) => {
    await world.sync();
    const { success, action_result } = await during(world, testSwitch(world.context, "b-lamp", "on"));
    expect({ success, error: action_result.error }).toEqual({
      success: false,
      error: "Lights may not go on during the blackout, until 5:00 AM",
    });
    expect(world.lamp("b-lamp")).toBe("off");
  });
});

test("a test in a running window leaves the light as the window wants it", async () => {
  await aField("c");
  await aSchedule("c", "c1", at("18:00:00"), at("20:00:00"));
  await inWorld("c", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:30:00"));
    await during(world, testSwitch(world.context, "c-lamp", "off"));
    expect(world.lamp("c-lamp")).toBe("off");
    await world.to(at("18:31:00"));
    expect(world.lamp("c-lamp")).toBe("on");
  });
});

test("a dead hub is answered in time, with its reason", async () => {
  await aField("d");
  await inWorld("d", at("12:00:00"), async (world) => {
    await world.sync();
    world.fault("hub:d-hub", { kind: "offline" });
    expect((await during(world, pingHub(world.context, "d-hub"))).result).toMatchObject({
      success: false,
      detail: "not reachable",
    });
  });
});

test("a person's status check is in the device's history, and the reading that ends a test is not", async () => {
  await aField("check");
  await inWorld("check", at("12:00:00"), async (world) => {
    await world.sync();
    await during(world, readState(world.context, "check-lamp"));
    await during(world, testSwitch(world.context, "check-lamp", "off"));
    await world.to(at("12:00:10"));
    const history = "SELECT action, result FROM device_events WHERE org_id = 'check' ORDER BY created_at, rowid";
    const { results } = await sql(history).all();
    expect(results).toEqual([
      { action: "status_check", result: "success" },
      { action: "test", result: "success" },
    ]);
  });
});

test("a test's ON that waits behind a slow hub until the curfew is not sent", async () => {
  await aField("late", ["late-lamp", "late-slow"]);
  await inWorld("late", at("23:44:00"), async (world) => {
    await world.sync();
    world.fault("lamp:late-slow", { kind: "slow", ms: 7_000 });
    await world.to(at("23:44:56"));
    void readState(world.context, "late-slow");
    const tested = await during(world, testSwitch(world.context, "late-lamp", "on"));
    expect(tested).toMatchObject({
      success: false,
      action_result: { success: false, error: "Lights may not go on during the curfew, until 5:00 AM" },
    });
    await world.to(at("23:46:00"));
    const [row] = world.storage.sql.exec("SELECT * FROM lamps WHERE lamp = 'late-lamp' AND state = 'on'").toArray();
    expect(row).toBeUndefined();
  });
});

test("a test's light goes off when the curfew begins, although the test is not over", async () => {
  await aField("night");
  await inWorld("night", at("23:44:00"), async (world) => {
    await world.sync();
    await world.to(at("23:44:50"));
    await during(world, testSwitch(world.context, "night-lamp", "on"));
    expect(world.lamp("night-lamp")).toBe("on");
    await world.to(at("23:45:01"));
    expect(world.lamp("night-lamp")).toBe("off");
  });
});

test("back to the schedule, pressed during a test, undoes what the test switched", async () => {
  await aField("auto");
  await inWorld("auto", at("12:00:00"), async (world) => {
    await world.sync();
    await during(world, testSwitch(world.context, "auto-lamp", "on"));
    expect(world.lamp("auto-lamp")).toBe("on");
    await world.toggle("auto-lamp", "auto");
    await world.to(at("12:00:15"));
    expect(world.lamp("auto-lamp")).toBe("off");
  });
});

test("a test of a light that is deleted meanwhile is logged by the light's name, for its department", async () => {
  await aField("gone", ["gone-lamp", "gone-mast"]);
  await sql("INSERT INTO departments (id, org_id, name) VALUES ('gone-north', 'gone', 'North')").run();
  await sql("UPDATE devices SET dept_id = 'gone-north' WHERE org_id = 'gone'").run();
  await inWorld("gone", at("12:00:00"), async (world) => {
    await world.sync();
    world.fault("hub:gone-hub", { kind: "slow", ms: 3_000 });
    const read = readState(world.context, "gone-lamp");
    await world.to(at("12:00:01"));
    await sql("DELETE FROM devices WHERE id = 'gone-lamp'").run();
    await world.sync();
    expect((await during(world, read)).device_name).toBe("gone-lamp");
    const switched = testSwitch(world.context, "gone-mast", "off");
    await world.to(world.now + 1_000);
    await sql("DELETE FROM devices WHERE id = 'gone-mast'").run();
    await world.sync();
    await during(world, switched);
    const logs = "SELECT action, device_name, hub_name, dept_id FROM connectivity_logs WHERE org_id = 'gone'";
    const { results } = await sql(`${logs} ORDER BY created_at`).all();
    const of = { hub_name: "Hub", dept_id: "gone-north" };
    expect(results).toEqual([
      { action: "status_check", device_name: "gone-lamp", ...of },
      { action: "off", device_name: "gone-mast", ...of },
    ]);
  });
});

test("a test of a light that the plan does not know yet holds nothing", async () => {
  await aField("early", []);
  await inWorld("early", at("12:00:00"), async (world) => {
    await world.sync();
    await sql(
      `INSERT INTO devices (id, org_id, area_id, hub_id, name, updated_at)
       VALUES ('early-lamp', 'early', 'early-area', 'early-hub', 'Lamp', '2026-01-01')`,
    ).run();
    await aSchedule("early", "s-early", at("11:00:00"), at("13:00:00"));
    const { action_result } = await during(world, testSwitch(world.context, "early-lamp", "off"));
    expect(action_result.error).toBe("not known to the scheduler yet");
    expect(world.storage.sql.exec("SELECT device_id FROM device_memory").toArray()).toEqual([]);
    await world.sync();
    await world.to(at("12:00:05"));
    expect(world.lamp("early-lamp")).toBe("on");
  });
});

const isLit = (world: World, lamp: string) =>
  world.storage.sql.exec("SELECT 1 FROM lamps WHERE lamp = ? AND state = 'on'", lamp).toArray().length > 0;

test.each([
  ["left-d", "deleted: no lamp", "DELETE FROM devices WHERE id = ?", false],
  ["left-m", "given another lamp: that one", "UPDATE devices SET cloud_device_id = 'left-new' WHERE id = ?", true],
])("a test's ON that waits for its hub (%s) lights, where its light is %s", async (org, _what, change, isMoved) => {
  await aField(org, [`${org}-lamp`, `${org}-slow`]);
  await inWorld(org, at("12:00:00"), async (world) => {
    await world.sync();
    world.fault(`lamp:${org}-slow`, { kind: "slow", ms: 4_000 });
    void readState(world.context, `${org}-slow`);
    const tested = testSwitch(world.context, `${org}-lamp`, "on");
    await world.to(at("12:00:01"));
    await sql(change, `${org}-lamp`).run();
    await world.sync();
    const { action_result } = await during(world, tested);
    expect([isLit(world, `${org}-lamp`), isLit(world, "left-new")]).toEqual([false, isMoved]);
    expect(action_result.error).toBe(isMoved ? null : "the device was deleted");
    await world.to(at("12:02:00"));
    expect([isLit(world, `${org}-lamp`), isLit(world, "left-new")]).toEqual([false, false]);
  });
});
