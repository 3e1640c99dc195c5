import { expect, test } from "vitest";
import { plan } from "#durable/state/plan";
import { memoryOf } from "#durable/state/device-memory";
import { inWorld, type World } from "#tests/support/engine";
import { aClosure, aPermit, aPolicy, onlyBlackout } from "#tests/support/limits";
import { aField, aSchedule, causes, events, notes, sql } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;
const LONG_AGO = "2026-01-01T00:00:00.000Z";

type For = { group?: string; area?: string; made_at?: string };

/** A booking of a group or of all lights of an area, 6 to 10 PM in UTC unless said. */
async function aBooking(org_id: string, id: string, { group, area, made_at = LONG_AGO }: For, hours = ["18", "22"]) {
  const [start, end] = hours;
  await sql(
    `INSERT INTO schedules (id, org_id, group_id, area_id, title, start_at, end_at, timezone, created_at)
     VALUES (?, ?, ?, ?, 'Match', ?, ?, 'UTC', ?)`,
    id,
    org_id,
    group ?? null,
    area ?? null,
    at(`${start}:00:00`),
    at(`${end}:00:00`),
    made_at,
  ).run();
}

async function aGroup(org_id: string, id: string, devices: string[]): Promise<void> {
  await sql(
    "INSERT INTO device_groups (id, org_id, area_id, name) VALUES (?, ?, ?, 'Pitch')",
    id,
    org_id,
    `${org_id}-area`,
  ).run();
  for (const device of devices) await join(org_id, id, device, LONG_AGO);
}

const join = (org_id: string, group: string, device: string, added_at: string) =>
  sql(
    "INSERT INTO group_devices (org_id, group_id, device_id, added_at) VALUES (?, ?, ?, ?)",
    org_id,
    group,
    device,
    added_at,
  ).run();
const leave = (group: string, device: string) =>
  sql("DELETE FROM group_devices WHERE group_id = ? AND device_id = ?", group, device).run();
const lit = (world: World, devices: string[]) => devices.filter((id) => world.lamp(id) === "on");

test("a group's booking lights its lamps and no other, with a record for each", async () => {
  const lamps = ["a1", "a2", "a3"];
  await aField("a", lamps);
  await aGroup("a", "ag", ["a1", "a2"]);
  await aBooking("a", "as", { group: "ag" });
  await inWorld("a", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:30:00"));
    expect(lit(world, lamps)).toEqual(["a1", "a2"]);
    await world.to(at("22:30:00"));
    expect(lit(world, lamps)).toEqual([]);
    expect((await events("a")).filter((event) => event.includes(" on "))).toHaveLength(2);
  });
});

test("all lights of an area: a lamp that comes to it in the evening is lit, one that goes is not", async () => {
  await aField("b", ["b1", "b2"]);
  await sql("INSERT INTO areas (id, org_id, name) VALUES ('b-other', 'b', 'Elsewhere')").run();
  await sql("UPDATE devices SET area_id = 'b-other', hub_id = NULL WHERE id = 'b2'").run();
  await aBooking("b", "bs", { area: "b-area" });
  await inWorld("b", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:00:00"));
    expect(lit(world, ["b1", "b2"])).toEqual(["b1"]);
    await sql("UPDATE devices SET area_id = 'b-area' WHERE id = 'b2'").run();
    await sql("UPDATE devices SET area_id = 'b-other', hub_id = NULL WHERE id = 'b1'").run();
    await sql("UPDATE devices SET area_since = ? WHERE org_id = 'b'", at("19:00:00.000")).run();
    await world.sync();
    await world.to(at("19:01:00"));
    expect(lit(world, ["b1", "b2"])).toEqual(["b2"]);
  });
});

test("OFF at 7 PM, then the lamp joins a booked group at 7:30 PM: lit from then to the end", async () => {
  await aField("c", ["c1", "c2"]);
  await aGroup("c", "cg", ["c2"]);
  await aBooking("c", "cs", { group: "cg" }, ["18", "21"]);
  await inWorld("c", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:00:00"));
    await world.toggle("c1", "off");
    await world.to(at("19:30:00"));
    await join("c", "cg", "c1", at("19:30:00.000"));
    await world.sync();
    await world.to(at("19:31:00"));
    expect(lit(world, ["c1", "c2"])).toEqual(["c1", "c2"]);
    await world.to(at("21:01:00"));
    expect(lit(world, ["c1", "c2"])).toEqual([]);
    // The OFF was before the lamp's window began, so it was lit and not 'switched off by hand'.
    expect(await causes("c")).not.toContain("skipped");
  });
});

test("OFF at 7 PM, then the lamp is moved to a booked area at 7:30 PM: lit from then on", async () => {
  await aField("moved", ["moved1"]);
  await sql("INSERT INTO areas (id, org_id, name) VALUES ('moved-other', 'moved', 'Elsewhere')").run();
  await aBooking("moved", "moved-s", { area: "moved-other" });
  await inWorld("moved", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:30:00"));
    await world.toggle("moved1", "on");
    await world.to(at("19:00:00"));
    await world.toggle("moved1", "off");
    await world.to(at("19:30:00"));
    await sql("UPDATE devices SET area_id = 'moved-other', hub_id = NULL WHERE id = 'moved1'").run();
    await sql("UPDATE devices SET area_since = ? WHERE id = 'moved1'", at("19:30:00.000")).run();
    await world.sync();
    await world.to(at("19:31:00"));
    expect(lit(world, ["moved1"])).toEqual(["moved1"]);
  });
});

test("a lamp that leaves its group goes off; another booking of its own keeps it on", async () => {
  await aField("d", ["d1", "d2"]);
  await aGroup("d", "dg", ["d1", "d2"]);
  await aBooking("d", "ds", { group: "dg" });
  await sql(
    `INSERT INTO schedules (id, org_id, device_id, title, start_at, end_at, timezone, created_at)
     VALUES ('d-own', 'd', 'd2', 'Own', ?, ?, 'UTC', ?)`,
    at("18:00:00"),
    at("23:00:00"),
    LONG_AGO,
  ).run();
  await inWorld("d", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:00:00"));
    await leave("dg", "d1");
    await leave("dg", "d2");
    await world.sync();
    await world.to(at("19:01:00"));
    expect(lit(world, ["d1", "d2"])).toEqual(["d2"]);
  });
});

test("a group's booking that is canceled leaves a lamp on that is booked by itself, too", async () => {
  await aField("e", ["e1"]);
  await aGroup("e", "eg", ["e1"]);
  await aBooking("e", "es", { group: "eg" });
  await aBooking("e", "ea", { area: "e-area" });
  await inWorld("e", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("20:00:00"));
    await sql("UPDATE schedules SET status = 'canceled' WHERE id = 'es'").run();
    await world.sync();
    await world.to(at("21:59:00"));
    expect(world.lamp("e1")).toBe("on");
    await world.to(at("22:01:00"));
    expect(world.lamp("e1")).toBe("off");
  });
});

test("a group that changes concerns its lamps only, those that were in it and those that are", async () => {
  const lamps = Array.from({ length: 30 }, (_, n) => `f${n}`);
  await aField("f", lamps);
  await aGroup("f", "fg", ["f1", "f2"]);
  await inWorld("f", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("17:10:00"));
    await leave("fg", "f1");
    await join("f", "fg", "f3", at("17:10:00.000"));
    await world.sync();
    const looked = lamps.filter((id) => memoryOf(world.context.sql, id).reconciled_at === world.now);
    expect(looked.toSorted()).toEqual(["f1", "f2", "f3"]);
    expect(plan.membershipsOf(world.context.sql, "f3")).toEqual([{ group_id: "fg", added_at: at("17:10:00.000") }]);
    expect(plan.membershipsOf(world.context.sql, "f1")).toEqual([]);
  });
});

test("an inactive area ignores what is booked for its groups and for all its lights", async () => {
  await aField("g", ["g1"]);
  await aGroup("g", "gg", ["g1"]);
  await aBooking("g", "gs", { group: "gg" });
  await aBooking("g", "ga", { area: "g-area" });
  await sql("UPDATE areas SET active = 0 WHERE id = 'g-area'").run();
  await inWorld("g", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:30:00"));
    expect(world.lamp("g1")).toBe("off");
    expect(await world.toggle("g1", "on")).toMatchObject({ success: true });
    expect(world.lamp("g1")).toBe("on");
  });
});

test("nothing is said to be missed of a window that was over before the lamp joined", async () => {
  await aField("h", ["h1", "h2"]);
  await aGroup("h", "hg", ["h2"]);
  await aBooking("h", "hs", { group: "hg" }, ["18", "19"]);
  await inWorld("h", at("17:00:00"), async (world) => {
    await world.sync();
    world.die();
    await join("h", "hg", "h1", at("19:30:00.000"));
    await world.restart(at("20:00:00"));
    await world.sync();
    await world.to(at("20:30:00"));
    expect(await notes("h")).toEqual(["Match · missed: nothing ran at the time"]);
  });
});

test("a running booking that comes to a lamp lights it, though that was switched off after it had begun", async () => {
  await aField("i", ["i1", "i2"]);
  await aBooking("i", "is", { area: "i-area" });
  await sql("UPDATE schedules SET area_id = NULL, device_id = 'i2' WHERE id = 'is'").run();
  await inWorld("i", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:30:00"));
    await world.toggle("i1", "off");
    await world.to(at("19:00:00"));
    await sql(
      "UPDATE schedules SET device_id = 'i1', target_since = ?1, updated_at = ?1 WHERE id = 'is'",
      at("19:00:00.000"),
    ).run();
    await world.sync();
    await world.to(at("19:01:00"));
    expect([world.lamp("i1"), world.lamp("i2")]).toEqual(["on", "off"]);
  });
});

test.each([
  ["permit that lets its booking go on", "k", ["cut short: Match · Off: blackout until 11:45 PM"]],
  ["closure", "l", []],
])("a group's %s has not held for a lamp that joined it later, while nothing ran", async (what, org, cut) => {
  await aField(org, [`${org}1`]);
  await aGroup(org, `${org}g`, []);
  await aBooking(org, `${org}s`, { area: `${org}-area` }, what === "closure" ? ["18", "21"] : ["18", "23"]);
  await onlyBlackout(org, what === "closure" ? "" : "22:00-23:45");
  const limit = what === "closure" ? aClosure : aPermit;
  await limit(org, `${org}-limit`, at("19:30:00"), at("23:30:00"), { target: { type: "group", id: `${org}g` } });
  await inWorld(org, at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:00:00"));
    expect(world.lamp(`${org}1`)).toBe("on");
    world.die();
    await join(org, `${org}g`, `${org}1`, at("22:30:00.000"));
    await world.restart(at("22:40:00"));
    await world.sync();
    await world.to(at("22:50:00"));
    expect((await notes(org)).filter((note) => note.startsWith("cut short"))).toEqual(cut);
  });
});

const DARK = { BLACKOUT_WINDOW: "20:00-20:30" };
test.each([
  ["of a group that its lamp joined", "m"],
  ["made for its type of area", "n"],
])("a policy %s while nothing ran has cut nothing before", async (what, org) => {
  const isJoined = what.includes("joined");
  await aField(org, [`${org}1`]);
  await aGroup(org, `${org}g`, []);
  await onlyBlackout(org);
  if (isJoined) await aPolicy(org, "group", `${org}g`, DARK);
  await aSchedule(org, `${org}s`, at("18:00:00"), at("21:00:00"), { device: `${org}1` });
  await inWorld(org, at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:00:00"));
    expect(world.lamp(`${org}1`)).toBe("on");
    world.die();
    if (isJoined) await join(org, `${org}g`, `${org}1`, at("22:30:00.000"));
    else await aPolicy(org, "type", "field", DARK, at("22:30:00.000"));
    await world.restart(at("22:40:00"));
    await world.sync();
    await world.to(at("22:50:00"));
    expect((await notes(org)).filter((note) => note.startsWith("cut short"))).toEqual([]);
  });
});
