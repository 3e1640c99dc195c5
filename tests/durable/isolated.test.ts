import { expect, test } from "vitest";
import { openIncident } from "#durable/reporting/incidents";
import { explain } from "#durable/reconcile/explain";
import { forecast } from "#durable/requests/forecast";
import { transact } from "#durable/state/context";
import { assignAgent } from "#tests/support/an-agent";
import { aCity, spendAccount } from "#tests/support/a-city";
import { inWorld } from "#tests/support/engine";
import { aField, aSchedule, aScheduleEach, events, notes, sql } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;
const FAULT = "Internal fault, set aside after 5 tries: RangeError: ";

/** Nobody can plan from such a row; the front door lets none in, so this stands for a fault of ours. */
async function poison(schedule_id: string): Promise<void> {
  await sql("UPDATE schedules SET timezone = 'Nowhere/At_All' WHERE id = ?", schedule_id).run();
}

async function heal(schedule_id: string): Promise<void> {
  await sql("UPDATE schedules SET timezone = 'UTC' WHERE id = ?", schedule_id).run();
}

test("a device that can't be looked at is set aside with one event, holds up nobody, and comes back when it is mended", async () => {
  await aField("a", ["a-bad", "a-good"]);
  await aScheduleEach("a", ["a-bad", "a-good"], at("18:00:00"), at("22:00:00"));
  await poison("s-a-bad");
  await inWorld("a", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:00:01"));
    expect([world.lamp("a-bad"), world.lamp("a-good")]).toEqual(["off", "on"]);
    await world.to(at("20:30:00"));
    expect((await notes("a")).filter((note) => note.startsWith(FAULT))).toHaveLength(1);
    expect((await events("a"))[0]).toBe("17:00:30 scheduler off fail 0");
    const about = "SELECT device_id, device_name FROM scheduler_events WHERE org_id = 'a' AND note LIKE ?";
    expect(await sql(about, "Internal fault%").first()).toEqual({ device_id: "a-bad", device_name: "a-bad" });
    expect(world.alarm_at).not.toBeNull();
    await heal("s-a-bad");
    await world.sync();
    await world.to(at("20:30:01"));
    expect(world.lamp("a-bad")).toBe("on");
    await world.to(at("22:00:01"));
    expect([world.lamp("a-bad"), world.lamp("a-good")]).toEqual(["off", "off"]);
    const left = world.storage.sql.exec("SELECT key FROM timers WHERE kind = 'recheck'").toArray();
    expect(left).toEqual([]);
  });
});

test("one row that can't be planned from keeps nobody else's changes back", async () => {
  await aField("b", ["b-bad", "b-good"]);
  await aSchedule("b", "b1", at("18:00:00"), at("20:00:00"), { device: "b-bad" });
  await aSchedule("b", "b2", at("18:00:00"), at("20:00:00"), { device: "b-good" });
  await inWorld("b", at("17:00:00"), async (world) => {
    await world.sync();
    await poison("b1");
    await sql("UPDATE schedules SET status = 'canceled' WHERE id = 'b2'").run();
    await world.to(at("19:00:00"));
    expect(world.lamp("b-good")).toBe("off");
    expect((await events("b")).filter((line) => line.includes(" on "))).toEqual([]);
  });
});

test("poison in the middle of a switch holds up neither its hub nor a person's OFF", async () => {
  await aField("c", ["c-bad", "c-good"]);
  await aSchedule("c", "c1", at("18:00:00"), at("20:00:00"), { device: "c-bad" });
  await aSchedule("c", "c2", at("18:10:00"), at("20:00:00"), { device: "c-good" });
  await inWorld("c", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:00:02"));
    expect(world.lamp("c-bad")).toBe("on");
    await poison("c1"); // before the verification
    await world.sync();
    await world.to(at("18:10:01"));
    expect(world.lamp("c-good")).toBe("on");
    expect(await world.toggle("c-bad", "off")).toMatchObject({ success: true, state: "off" });
    expect(world.lamp("c-bad")).toBe("off");
  });
});

test("an ON that can't be resolved again does not leave, and those behind it do", async () => {
  await aField("d", ["d-bad", "d-good"]);
  await aSchedule("d", "d1", at("18:00:00"), at("20:00:00"), { device: "d-bad" });
  await aSchedule("d", "d2", at("18:00:30"), at("20:00:00"), { device: "d-good" });
  await inWorld("d", at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("lamp:d-bad", { kind: "flaky", n: 1 });
    await world.to(at("18:00:09")); // the first attempt was in vain, the next comes in ten seconds
    world.tamper(
      "UPDATE plan SET body = json_set(body, '$.timezone', 'Nowhere/At_All') WHERE kind = 'schedule' AND id = 'd1'",
    );
    await world.to(at("18:05:00"));
    expect([world.lamp("d-bad"), world.lamp("d-good")]).toEqual(["off", "on"]);
  });
});

test.each(["no command", "null", "{}"])(
  "a command that can't be read (%s) holds up no other, and makes room for one that can",
  async (body) => {
    const org = `f-${body.length}`;
    const [bad, good] = [`${org}-bad`, `${org}-good`];
    await aField(org, [bad, good]);
    await aScheduleEach(org, [bad], at("18:00:00"), at("22:00:00"));
    await aScheduleEach(org, [good], at("18:00:15"), at("22:00:00"));
    await inWorld(org, at("17:00:00"), async (world) => {
      await world.sync();
      world.fault(`lamp:${bad}`, { kind: "flaky", n: 1 });
      await world.to(at("18:00:09")); // the first attempt was in vain, the next comes in ten seconds
      world.tamper("UPDATE commands SET body = ? WHERE target_id = ?", body, bad);
      await world.to(at("18:00:20"));
      expect([world.lamp(bad), world.lamp(good)]).toEqual(["on", "on"]);
      expect(world.lines).toMatchObject([{ event: "command.unreadable", target: "device", id: bad }]);
      await world.to(at("22:00:01"));
      expect([world.lamp(bad), world.lamp(good)]).toEqual(["off", "off"]);
    });
  },
);

test("a pending OFF that can't be read is dropped, since nobody knows its lamp any more", async () => {
  await aField("g", ["g1", "g-good"]);
  await aScheduleEach("g", ["g1", "g-good"], at("18:00:00"), at("22:00:00"));
  await inWorld("g", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:30:00"));
    world.fault("lamp:g1", { kind: "offline" });
    await sql("DELETE FROM devices WHERE id = 'g1'").run();
    await world.sync();
    await world.to(at("18:40:00"));
    expect(world.storage.sql.exec("SELECT 1 FROM commands WHERE target_kind = 'pending_off'").toArray()).toHaveLength(
      1,
    );
    world.tamper("UPDATE commands SET body = 'no command' WHERE target_kind = 'pending_off'");
    await world.to(at("22:00:01"));
    expect(world.lamp("g-good")).toBe("off");
    expect(world.lines.filter(({ event }) => event === "command.unreadable")).toMatchObject([
      { target: "pending_off" },
    ]);
    expect(
      world.storage.sql.exec("SELECT target_id FROM commands WHERE target_kind = 'pending_off'").toArray(),
    ).toEqual([]);
    // People were told of it, and nothing would end that any more.
    await world.calm();
    const alarms = await sql("SELECT kind, over_at IS NULL AS is_open FROM alarms WHERE org_id = 'g'").all();
    expect(alarms.results).toEqual([{ kind: "device_failed", is_open: 0 }]);
  });
});

test("a command that can't be handed out is tried again in a minute, and those behind it leave", async () => {
  await aField("h", ["h-bad", "h-good"]);
  await aScheduleEach("h", ["h-bad"], at("18:00:00"), at("22:00:00"));
  await aScheduleEach("h", ["h-good"], at("18:00:15"), at("22:00:00"));
  await inWorld("h", at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("lamp:h-bad", { kind: "flaky", n: 1 });
    await world.to(at("18:00:09"));
    world.tamper("UPDATE commands SET body = json_set(body, '$.address', NULL) WHERE target_id = 'h-bad'");
    await world.to(at("18:05:00"));
    expect(world.lamp("h-good")).toBe("on");
    const failed = world.lines.filter(({ event }) => event === "dispatch.failed");
    expect(failed.map(({ device_id }) => device_id)).toEqual(Array(5).fill("h-bad"));
  });
});

test("a call that can't be read frees its hub when its time is over, and its light is switched again", async () => {
  await aField("i", ["i-bad", "i-good"]);
  await aScheduleEach("i", ["i-bad"], at("18:00:00"), at("22:00:00"));
  await aScheduleEach("i", ["i-good"], at("18:00:05"), at("22:00:00"));
  await inWorld("i", at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("lamp:i-bad", { kind: "slow", ms: 5_000 }, { kind: "stuck" });
    await world.to(at("18:00:01"));
    expect(world.storage.sql.exec("SELECT device_id FROM calls").toArray()).toEqual([{ device_id: "i-bad" }]);
    world.tamper("UPDATE calls SET body = 'no call' WHERE device_id = 'i-bad'");
    world.fault("lamp:i-bad");
    await world.to(at("18:02:00"));
    expect([world.lamp("i-bad"), world.lamp("i-good")]).toEqual(["on", "on"]);
    expect(world.storage.sql.exec("SELECT 1 FROM calls").toArray()).toEqual([]);
    await world.to(at("22:00:01"));
    expect([world.lamp("i-bad"), world.lamp("i-good")]).toEqual(["off", "off"]);
  });
});

test("a call for a pending OFF that can't be read leaves it to be verified, and tried again", async () => {
  await aField("l");
  await aScheduleEach("l", ["l-lamp"], at("18:00:00"), at("22:00:00"));
  await inWorld("l", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:30:00"));
    world.fault("lamp:l-lamp", { kind: "slow", ms: 5_000 }, { kind: "stuck" });
    await sql("DELETE FROM devices WHERE id = 'l-lamp'").run();
    await world.sync();
    await world.to(at("18:30:01"));
    world.tamper("UPDATE calls SET body = 'no call' WHERE device_id = 'l-lamp'");
    world.fault("lamp:l-lamp");
    expect(world.lamp("l-lamp")).toBe("on");
    await world.to(at("18:32:00"));
    expect(world.lamp("l-lamp")).toBe("off");
    expect(world.storage.sql.exec("SELECT 1 FROM commands").toArray()).toEqual([]);
  });
});

test.each(["device", "hub"])("a %s of the copy that can't be read is trouble of its own light only", async (kind) => {
  const org = `j-${kind}`;
  const [bad, good] = [`${org}-bad`, `${org}-good`];
  await aField(org, [bad, good]);
  await sql(
    "INSERT INTO hubs (id, org_id, area_id, name) VALUES (?, ?, ?, 'Other hub')",
    `${org}-other`,
    org,
    `${org}-area`,
  ).run();
  await sql("UPDATE devices SET hub_id = ? WHERE id = ?", `${org}-other`, bad).run();
  await sql("INSERT OR REPLACE INTO settings (org_id, key, value) VALUES (?, 'WATCHDOG_ENABLED', 'true')", org).run();
  await aScheduleEach(org, [bad], at("18:00:00"), at("21:00:00"));
  await aScheduleEach(org, [good], at("18:05:00"), at("22:00:00"));
  await inWorld(org, at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:00:09"));
    const id = kind === "device" ? bad : `${org}-other`;
    world.tamper("UPDATE plan SET body = 'no row' WHERE kind = ? AND id = ?", kind, id);
    await world.to(at("18:05:01"));
    expect(world.lamp(good)).toBe("on");
    await world.to(at("22:00:09"));
    expect(world.lamp(good)).toBe("off");
    const told = "SELECT action || ' ' || result AS line FROM scheduler_events WHERE device_id = ? ORDER BY ts";
    expect((await sql(told, good).all()).results).toEqual([{ line: "on ok" }, { line: "off ok" }]);
    expect(new Set(world.lines.map(({ event }) => event))).toContain("poll.failed");
    expect((await notes(org)).filter((note) => note.startsWith("Internal fault, set aside"))).toHaveLength(1);
  });
});

test("a call whose provider is not found is answered as one that was lost, and is tried again", async () => {
  await aField("k");
  await aScheduleEach("k", ["k-lamp"], at("18:00:00"), at("22:00:00"));
  await inWorld("k", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("17:59:59"));
    const found = world.wrapProvider(() => {
      throw new Error("there is no such mode");
    });
    await world.to(at("18:00:01"));
    expect(world.lines.map(({ event }) => event)).toEqual(["provider.threw"]);
    expect(world.context.calling).toBe(0);
    found();
    await world.to(at("18:00:30"));
    expect(world.lamp("k-lamp")).toBe("on");
  });
});

test("a timer that only another release serves waits for it, and the others are served", async () => {
  await aField("e");
  await aSchedule("e", "e1", at("18:00:00"), at("20:00:00"));
  await inWorld("e", at("17:00:00"), async (world) => {
    await world.sync();
    const stranger = "INSERT INTO timers (kind, key, due_at) VALUES ('nobody', 'knows', ?)";
    transact(world.context, () => void world.context.sql.exec(stranger, Date.parse(at("17:59:59"))));
    await world.to(at("20:01:00"));
    expect(await events("e")).toEqual(["18:00:08 scheduler on ok 1", "20:00:08 scheduler off ok 1"]);
    const tries = "SELECT tries FROM timers WHERE kind = 'nobody' AND due_at > ?";
    expect(world.storage.sql.exec(tries, world.now).toArray()).toEqual([{ tries: 3 }]);
    expect(world.lines.map(({ event }) => event)).toEqual(["timer.unknown", "timer.unknown", "timer.unknown"]);
  });
});

test("a toggle that breaks is answered as one that broke, alone as among many", async () => {
  await aField("single", ["single-bad", "single-good"]);
  await aSchedule("single", "single1", at("18:00:00"), at("20:00:00"), { device: "single-bad" });
  await inWorld("single", at("17:00:00"), async (world) => {
    await world.sync();
    await poison("single1");
    await world.sync();
    const broken = { success: false, detail: "Internal fault; try again" };
    expect(await world.toggle("single-bad", "on")).toMatchObject(broken);
    expect(world.storage.sql.exec("SELECT 1 FROM commands").toArray()).toEqual([]);
    expect(await world.toggle("single-good", "on")).toMatchObject({ success: true });
  });
});

test("a command that can't be read once its call is over is dropped, and its light gets another one", async () => {
  await aField("ua");
  await aScheduleEach("ua", ["ua-lamp"], at("18:00:00"), at("22:00:00"));
  await inWorld("ua", at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("lamp:ua-lamp", { kind: "slow", ms: 3_000 }, { kind: "offline" });
    await world.to(at("18:00:01"));
    expect(world.storage.sql.exec("SELECT phase FROM commands").toArray()).toEqual([{ phase: "sending" }]);
    world.tamper("UPDATE commands SET body = 'no command'");
    await world.to(at("18:00:10"));
    world.fault("lamp:ua-lamp");
    await world.to(at("19:30:00"));
    expect({
      lamp: world.lamp("ua-lamp"),
      rows: world.storage.sql.exec("SELECT phase FROM commands").toArray(),
    }).toEqual({ lamp: "on", rows: [] });
  });
});

test("a call without an address leaves its light to be verified, and tried again", async () => {
  await aField("na", ["na-bad", "na-good"]);
  await aScheduleEach("na", ["na-bad"], at("18:00:00"), at("22:00:00"));
  await aScheduleEach("na", ["na-good"], at("18:00:05"), at("22:00:00"));
  await inWorld("na", at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("lamp:na-bad", { kind: "slow", ms: 5_000 }, { kind: "stuck" });
    await world.to(at("18:00:01"));
    world.tamper("UPDATE calls SET body = json_remove(body, '$.address') WHERE device_id = 'na-bad'");
    world.die();
    world.fault("lamp:na-bad");
    await world.to(at("19:30:00"));
    expect({
      bad: world.lamp("na-bad"),
      good: world.lamp("na-good"),
      commands: world.storage.sql.exec("SELECT phase FROM commands").toArray(),
    }).toEqual({ bad: "on", good: "on", commands: [] });
  });
});

test("a pending OFF that can't be read once its call is over is dropped, and rings the alarm no more", async () => {
  await aField("ri", ["ri-lamp", "ri-other"]);
  await aScheduleEach("ri", ["ri-lamp"], at("18:00:00"), at("22:00:00"));
  await inWorld("ri", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:30:00"));
    world.fault("lamp:ri-lamp", { kind: "slow", ms: 5_000 });
    await sql("DELETE FROM devices WHERE id = 'ri-lamp'").run();
    await world.sync();
    await world.to(at("18:30:01"));
    world.tamper("UPDATE commands SET body = 'no command'");
    await world.to(at("20:00:00"));
    let rung = 0;
    world.watch.served = () => (rung += 1);
    await world.to(at("21:00:00"));
    expect(rung).toBeLessThan(10);
  });
});

test("a record for D1 that cannot be read holds back no other", async () => {
  await aField("out");
  await aSchedule("out", "out-s", at("18:00:00"), at("22:00:00"));
  await inWorld("out", at("17:00:00"), async (world) => {
    await world.sync();
    world.tamper("INSERT INTO outbox (kind, key, body) VALUES ('scheduler_event', 'scheduler_event:bad', 'no record')");
    await world.to(at("19:00:00"));
    expect({ lamp: world.lamp("out-lamp"), events: await events("out") }).toEqual({
      lamp: "on",
      events: ["18:00:08 scheduler on ok 1"],
    });
  });
});

test.each(["policy", "permit", "closure"])("where a %s can't be read, its own place stays dark", async (kind) => {
  const org = `own-${kind}`;
  const [bad, good] = [`${org}-bad`, `${org}-good`];
  await aField(org, [bad, good]);
  await sql("INSERT INTO areas (id, org_id, name, type) VALUES (?, ?, 'Other', 'field')", `${org}-area2`, org).run();
  await sql("UPDATE devices SET area_id = ? WHERE id = ?", `${org}-area2`, bad).run();
  await aScheduleEach(org, [bad, good], at("18:00:00"), at("22:00:00"));
  await inWorld(org, at("12:00:00"), async (world) => {
    await world.sync();
    const target = `area:${org}-area2`;
    const [id, owner] = kind === "policy" ? [target, ""] : ["unreadable", target];
    world.tamper("INSERT INTO plan (kind, id, owner, body) VALUES (?, ?, NULLIF(?, ''), 'no row')", kind, id, owner);
    await world.to(at("18:05:00"));
    expect([world.lamp(bad), world.lamp(good)]).toEqual(["off", "on"]);
  });
});

test.each(["group", "calendar", "agent"])("a %s that can't be read stops no other place", async (kind) => {
  const org = `r-${kind}`;
  const good = `${org}-good`;
  await aField(org, [good]);
  await aSchedule(org, `${org}-s2`, at("18:00:00"), at("22:00:00"), { device: good });
  await inWorld(org, at("12:00:00"), async (world) => {
    await world.sync();
    world.tamper("INSERT INTO plan (kind, id, owner, body) VALUES (?, 'area:elsewhere', 'elsewhere', 'no row')", kind);
    await world.to(at("18:05:00"));
    expect(world.lamp(good)).toBe("on");
  });
});

test.each(["schedule", "area"])("a person's OFF puts out a light whose %s can't be read", async (kind) => {
  const org = `off-${kind}`;
  const lamp = `${org}-lamp`;
  await aField(org);
  await aScheduleEach(org, [lamp], at("18:00:00"), at("20:00:00"));
  await inWorld(org, at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:30:00"));
    world.tamper("UPDATE plan SET body = 'no row' WHERE kind = ?", kind);
    const answer = await world.toggle(lamp, "off");
    await world.to(at("23:59:00"));
    expect({ detail: answer.detail, lamp: world.lamp(lamp) }).toEqual({ detail: null, lamp: "off" });
  });
});

/** A row of one light is spoiled; somebody edits that light (or its hub, area, schedule), and cancels another light's booking. */
test.each(["device", "hub", "area", "schedule"])(
  "a %s that can't be read keeps no other light's changes back, and is mended by its next one",
  async (kind) => {
    const org = `p-${kind}`;
    const [bad, good] = [`${org}-bad`, `${org}-good`];
    await aField(org, [bad, good]);
    await sql(
      "INSERT INTO areas (id, org_id, name, type, updated_at) VALUES (?, ?, 'Other', 'field', '2026-01-01')",
      `${org}-area2`,
      org,
    ).run();
    await sql(
      "INSERT INTO hubs (id, org_id, area_id, name) VALUES (?, ?, ?, 'Other hub')",
      `${org}-hub2`,
      org,
      `${org}-area2`,
    ).run();
    await sql("UPDATE devices SET hub_id = ?, area_id = ? WHERE id = ?", `${org}-hub2`, `${org}-area2`, bad).run();
    await aSchedule(org, `${org}-s1`, at("18:00:00"), at("22:00:00"), { device: bad });
    await aSchedule(org, `${org}-s2`, at("18:00:00"), at("22:00:00"), { device: good });
    await inWorld(org, at("12:00:00"), async (world) => {
      await world.sync();
      const id = { device: bad, hub: `${org}-hub2`, area: `${org}-area2`, schedule: `${org}-s1` }[kind] ?? "";
      world.tamper("UPDATE plan SET body = 'no row' WHERE kind = ? AND id = ?", kind, id);
      await sql(`UPDATE ${kind}s SET ${kind === "schedule" ? "title" : "name"} = 'Renamed' WHERE id = ?`, id).run();
      await sql("UPDATE schedules SET status = 'canceled' WHERE id = ?", `${org}-s2`).run();
      await world.to(at("18:05:00"));
      expect([world.lamp(bad), world.lamp(good)]).toEqual(["on", "off"]);
    });
  },
);

test("a hub that can't be read is trouble of who toggles its lights only", async () => {
  await aField("hb", ["hb-bad", "hb-good"]);
  await sql("INSERT INTO hubs (id, org_id, area_id, name) VALUES ('hb-hub2', 'hb', 'hb-area', 'Other hub')").run();
  await sql("UPDATE devices SET hub_id = 'hb-hub2' WHERE id = 'hb-bad'").run();
  await inWorld("hb", at("17:00:00"), async (world) => {
    await world.sync();
    world.tamper("UPDATE plan SET body = 'no row' WHERE kind = 'hub' AND id = 'hb-hub2'");
    const rows = await world.toggleMany(["hb-bad", "hb-good"], "on");
    expect(rows.map(({ success }) => success)).toEqual([false, true]);
    expect(await world.toggle("hb-good", "off")).toMatchObject({ success: true });
  });
});

test("a hub that can't be read keeps no change back while the cloud or an agent is in trouble", async () => {
  await aField("hc", ["hc-lamp"]);
  await sql("INSERT INTO hubs (id, org_id, area_id, name) VALUES ('hc-hub2', 'hc', 'hc-area', 'Other hub')").run();
  const agent_id = await assignAgent("hc");
  await aSchedule("hc", "hc-s", at("18:00:00"), at("22:00:00"));
  await inWorld("hc", at("17:00:00"), async (world) => {
    await world.sync();
    world.tamper("UPDATE plan SET body = 'no row' WHERE kind = 'hub' AND id = 'hc-hub2'");
    for (const name of ["cloud:silent", `agent:${agent_id}`])
      transact(world.context, () => openIncident(world.context, name));
    await sql("UPDATE schedules SET status = 'canceled' WHERE id = 'hc-s'").run();
    await sql("UPDATE hubs SET name = 'Renamed' WHERE id = 'hc-hub'").run();
    await world.sync();
    await world.to(at("18:01:00"));
    expect(world.lamp("hc-lamp")).toBe("off");
    expect(world.storage.sql.exec("SELECT incident FROM incidents").toArray()).toEqual([]);
  });
});

test("explain and forecast of a page leave out the light that can't be read", async () => {
  await aField("ex", ["ex-bad", "ex-good"]);
  await aScheduleEach("ex", ["ex-bad", "ex-good"], at("18:00:00"), at("22:00:00"));
  await inWorld("ex", at("17:00:00"), async (world) => {
    await world.sync();
    world.tamper("UPDATE plan SET body = 'no row' WHERE kind = 'device' AND id = 'ex-bad'");
    expect(explain(world.context, ["ex-bad", "ex-good"])).toMatchObject([{ device_id: "ex-good" }]);
    const asked = {
      device_ids: ["ex-bad", "ex-good"],
      from: Date.parse(at("17:00:00")),
      to: Date.parse(at("23:00:00")),
    };
    expect(forecast(world.context, asked)).toMatchObject({ data: [{ device_id: "ex-good" }], next: null });
  });
});

test("while the account's limit is told of, a command that cannot be read is nobody else's trouble", async () => {
  const city = await aCity("uh", "cloud", 2, 2);
  await aScheduleEach("uh", city.lamps, at("18:00:00"), at("22:00:00"));
  await inWorld(
    "uh",
    at("17:55:00"),
    async (world) => {
      await world.sync();
      await world.to(at("17:59:30"));
      spendAccount(world);
      await world.to(at("18:04:00"));
      world.tamper("UPDATE commands SET body = '{', due_at = due_at + 120000 WHERE device_id = 'uh-000'");
      await world.to(at("18:06:00"));
      expect(await events("uh")).toEqual([expect.stringMatching("ok 1")]);
    },
    city.equip,
  );
});
