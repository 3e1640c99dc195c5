import { expect, test } from "vitest";
import { testSwitch } from "#durable/requests/connectivity";
import { noAnswer } from "#durable/providers/no-answer";
import { during } from "#tests/support/a-city";
import { inWorld } from "#tests/support/engine";
import { aField, aScheduleEach, setting, sql } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;

/** An area of so many lamps, each on a hub of its own so that only the stagger spaces them, all booked for 6 PM. */
async function aPark(org_id: string, lamps: number, stagger_sec: number): Promise<string[]> {
  const ids = Array.from({ length: lamps }, (_, n) => `${org_id}-${String(n).padStart(3, "0")}`);
  await aField(org_id, ids);
  await sql("UPDATE areas SET stagger_sec = ? WHERE org_id = ?", stagger_sec, org_id).run();
  await sql("UPDATE devices SET hub_id = NULL WHERE org_id = ?", org_id).run();
  await sql(
    `INSERT INTO schedules (id, org_id, area_id, title, start_at, end_at, timezone, created_at)
     VALUES (?, ?, ?, 'Match', ?, ?, 'UTC', '2026-01-01')`,
    `${org_id}-s`,
    org_id,
    `${org_id}-area`,
    at("18:00:00"),
    at("22:00:00"),
  ).run();
  return ids;
}

/** When the provider was told to switch, in seconds after 6 PM, in order. */
function switchedOn(org_id: string, action: "on" | "off" = "on"): Promise<number[]> {
  return sql(
    "SELECT created_at AS t FROM device_events WHERE org_id = ? AND action = ? ORDER BY created_at",
    org_id,
    action,
  )
    .all<{ t: string }>()
    .then(({ results }) => results.map(({ t }) => (Date.parse(t) - Date.parse(at("18:00:00"))) / 1000));
}

const gaps = (times: number[]) => times.slice(1).map((time, n) => Math.round(1000 * (time - (times[n] ?? 0))) / 1000);

test("forty lamps of one area leave 7.5 seconds apart, all within five minutes", async () => {
  await aPark("a", 40, 10);
  await inWorld("a", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:10:00"));
    const times = await switchedOn("a");
    expect(times).toHaveLength(40);
    for (const gap of gaps(times)) expect(gap).toBeCloseTo(7.5, 1);
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeLessThanOrEqual(300);
    await world.to(at("22:00:30"));
    const off = await switchedOn("a", "off");
    expect((off.at(-1) ?? 0) - (off[0] ?? 0)).toBeLessThan(1);
  });
});

/** A life of two hundred lights found it (seed 2006). */
test("where D1 hangs, and each turn comes a second late, all have left within five minutes all the same", async () => {
  await aPark("late", 120, 10);
  await inWorld("late", at("17:00:00"), async (world) => {
    await world.sync();
    world.wire.state = { kind: "hung" };
    await world.to(at("18:10:00"));
    world.wire.state = { kind: "up" };
    world.wire.letGo();
    await world.to(at("18:15:00"));
    const times = await switchedOn("late");
    expect(times).toHaveLength(120);
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeLessThan(302);
  });
});

/** A life of two hundred lights found it (seed 6003): they came on within ten minutes. */
test("all leave within five minutes, also where the first one left before the others were there", async () => {
  const [first = ""] = await aPark("trickle", 64, 10);
  await sql(
    `INSERT INTO schedules (id, org_id, device_id, title, start_at, end_at, timezone, created_at)
     VALUES ('trickle-first', 'trickle', ?, 'Warm-up', ?, ?, 'UTC', '2026-01-01')`,
    first,
    at("17:59:59"),
    at("22:00:00"),
  ).run();
  await inWorld("trickle", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:10:00"));
    const times = await switchedOn("trickle");
    expect(times).toHaveLength(64);
    expect(times.at(-1)).toBeLessThanOrEqual(300);
    for (const gap of gaps(times).slice(1)) expect(gap).toBeGreaterThan(4.5);
  });
});

test("a few lamps keep the whole stagger; without one all leave at once", async () => {
  await aPark("b", 4, 10);
  await aPark("c", 4, 0);
  await inWorld("b", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:10:00"));
    expect(gaps(await switchedOn("b"))).toEqual([10, 10, 10]);
  });
  await inWorld("c", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:10:00"));
    expect(gaps(await switchedOn("c"))).toEqual([0, 0, 0]);
  });
});

/** A life of two hundred lights found it (seed 8302). */
test("lamps that wait when their area gets no stagger any more leave within five minutes, too", async () => {
  const lamps = Array.from({ length: 8 }, (_, n) => `none-${n}`);
  await aField("none", lamps);
  await sql("UPDATE areas SET stagger_sec = 60 WHERE org_id = 'none'").run();
  await sql("UPDATE devices SET hub_id = NULL WHERE org_id = 'none'").run();
  await aScheduleEach("none", lamps.slice(0, 6), at("18:00:00"), at("22:00:00"));
  await aScheduleEach("none", lamps.slice(6), at("18:00:05"), at("22:00:00"));
  await inWorld("none", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:00:10"));
    await sql("UPDATE areas SET stagger_sec = 0, updated_at = ? WHERE org_id = 'none'", at("18:00:10")).run();
    await world.sync();
    await world.to(at("18:05:06"));
    expect(lamps.filter((lamp) => world.lamp(lamp) !== "on")).toEqual([]);
  });
});

test("a curfew in the middle of the lights that wait: none leaves after it, and OFFs wait for nothing", async () => {
  const lamps = await aPark("d", 40, 10);
  await setting("d", "HARD_CURFEW_OFF", "18:01").run();
  await inWorld("d", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:05:00"));
    const times = await switchedOn("d");
    expect(times.length).toBeLessThanOrEqual(9);
    expect(times.at(-1)).toBeLessThan(60);
    expect(lamps.filter((id) => world.lamp(id) === "on")).toEqual([]);
    expect((await switchedOn("d", "off")).every((time) => time >= 60 && time < 62)).toBe(true);
  });
});

test("a person's ON takes the next turn, and still keeps the distance", async () => {
  const lamps = await aPark("e", 20, 10);
  await inWorld("e", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:00:03"));
    const last = lamps.at(-1) ?? "";
    expect(world.lamp(last)).toBe("off");
    expect(await world.toggle(last, "on")).toMatchObject({ success: true });
    expect(world.lamp(last)).toBe("on");
    await world.to(at("18:10:00"));
    const times = await switchedOn("e");
    expect(times).toHaveLength(20);
    for (const gap of gaps(times)) expect(gap).toBeGreaterThan(9.9);
    expect(times.at(-1)).toBeLessThan(300);
  });
});

test("the longest time on counts from when each lamp leaves", async () => {
  const lamps = await aPark("f", 4, 60);
  await setting("f", "MAX_ON_DURATION_MIN", 10).run();
  await inWorld("f", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:10:30"));
    expect(lamps.filter((id) => world.lamp(id) === "on")).toEqual(lamps.slice(1));
    await world.to(at("18:12:30"));
    expect(lamps.filter((id) => world.lamp(id) === "on")).toEqual(lamps.slice(3));
  });
});

test("a restart keeps the distance to the light before it", async () => {
  await aPark("g", 4, 30);
  await inWorld("g", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:00:02"));
    world.die();
    await world.restart(at("18:00:05"));
    await world.to(at("18:05:00"));
    const times = await switchedOn("g");
    expect(times).toHaveLength(4);
    for (const gap of gaps(times)) expect(gap).toBeGreaterThanOrEqual(29.9);
  });
});

/** A life of ten lights found it (seed 5): those that had waited for the whole time came on in one instant. */
test("a process that was dead for five minutes lights those that waited one after the other", async () => {
  await aPark("dead", 6, 10);
  await inWorld("dead", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:00:15"));
    world.die();
    await world.restart(at("18:05:05"));
    await world.to(at("18:20:00"));
    const times = await switchedOn("dead");
    expect(times).toHaveLength(6);
    expect(Math.min(...gaps(times))).toBeGreaterThanOrEqual(9.9);
    expect((times.at(-1) ?? 0) - 305).toBeLessThan(60);
  });
});

test("a connectivity test waits for no turn, and the next light keeps its distance to it", async () => {
  const [first = "", second = ""] = await aPark("h", 2, 30);
  await inWorld("h", at("17:00:00"), async (world) => {
    await world.sync();
    await during(world, testSwitch(world.context, first, "on"));
    const tested_at = world.now;
    world.beginToggle(second, "on", () => undefined);
    await world.to(tested_at + 10_000);
    expect(world.lamp(second)).toBe("off");
    await world.to(tested_at + 31_000);
    expect(world.lamp(second)).toBe("on");
  });
});

/** A life of two hundred lights found it (seed 6048): what a pause had held up left in one instant. */
test("lamps that a silent hub has held up are tried one after the other", async () => {
  const lamps = await aPark("sh", 40, 10);
  await sql("UPDATE devices SET hub_id = 'sh-hub' WHERE org_id = 'sh'").run();
  await inWorld("sh", at("17:00:00"), async (world) => {
    await world.sync();
    const left: number[] = [];
    let isThere = false;
    world.wrapProvider((real) => ({
      switch: async (address, action, ...how) => {
        left.push((world.now - Date.parse(at("18:00:00"))) / 1_000);
        if (isThere) return real.switch(address, action, ...how);
        return noAnswer(address, "unreachable", "its hub does not answer", "no answer", "hub");
      },
    }));
    await world.to(at("18:04:50"));
    isThere = true;
    await world.to(at("18:12:00"));
    expect(Math.min(...gaps(left))).toBeGreaterThan(7);
    expect(lamps.filter((id) => world.lamp(id) === "on")).toEqual(lamps);
  });
});

/** A life of two hundred lights found it (seed 6004), where each light that was held back began the five minutes anew. */
test("lamps that are not held back leave within five minutes, whatever holds back others of their area", async () => {
  const lamps = await aPark("mix", 40, 10);
  await inWorld("mix", at("17:00:00"), async (world) => {
    await world.sync();
    const isHeldBack = (lamp: string) => lamps.findIndex((id) => lamp.endsWith(id.slice(-3))) % 4 === 0;
    let held = 0;
    world.wrapProvider((real) => ({
      switch: async (address, action, ...how) => {
        if (!isHeldBack(address.lamp)) return real.switch(address, action, ...how);
        held += 1;
        const told = noAnswer(address, "throttled", "the account's limit of calls is reached", "too many", "cloud");
        return { ...told, limit: "account", retry_after_ms: 30_000 };
      },
    }));
    await world.to(at("18:05:01"));
    expect(held).toBeGreaterThan(10);
    expect(lamps.filter((id) => world.lamp(id) === "on")).toEqual(lamps.filter((_, n) => n % 4 !== 0));
  });
});

/** A life of two hundred lights found it (seed 6056): after five minutes of limits all that still waited left in one instant. */
test("lamps that the account's limit of calls holds back are tried one after the other", async () => {
  const lamps = await aPark("th", 40, 10);
  await inWorld("th", at("17:00:00"), async (world) => {
    await world.sync();
    const left: number[] = [];
    let isThere = false;
    world.wrapProvider((real) => ({
      switch: async (address, action, ...how) => {
        left.push((world.now - Date.parse(at("18:00:00"))) / 1_000);
        if (isThere) return real.switch(address, action, ...how);
        const told = noAnswer(address, "throttled", "the account's limit of calls is reached", "too many", "cloud");
        return { ...told, limit: "account", retry_after_ms: 60_000 };
      },
    }));
    await world.to(at("18:05:30"));
    isThere = true;
    await world.to(at("18:12:00"));
    expect(Math.min(...gaps(left))).toBeGreaterThan(7);
    expect(lamps.filter((id) => world.lamp(id) === "on")).toEqual(lamps);
  });
});

/** A life of two hundred lights found it (seed 6036). */
test("ONs that replace OFFs which have not left yet leave one after the other", async () => {
  const [a = "", b = "", c = "", d = ""] = await aPark("turned", 4, 60);
  await sql("UPDATE devices SET hub_id = 'turned-hub' WHERE id IN (?, ?)", a, c).run();
  await sql(
    "INSERT INTO hubs (id, org_id, area_id, name) VALUES ('turned-hub-2', 'turned', 'turned-area', 'Hub 2')",
  ).run();
  await sql("UPDATE devices SET hub_id = 'turned-hub-2' WHERE id IN (?, ?)", b, d).run();
  await sql(
    `INSERT INTO schedules (id, org_id, area_id, title, start_at, end_at, timezone, created_at)
     VALUES ('turned-again', 'turned', 'turned-area', 'Training', ?, ?, 'UTC', '2026-01-01')`,
    at("22:00:03"),
    at("23:00:00"),
  ).run();
  await inWorld("turned", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("21:59:59"));
    for (const hub of ["hub:turned-hub", "hub:turned-hub-2"]) world.fault(hub, { kind: "slow", ms: 5_000 });
    await world.to(at("22:00:01"));
    world.alarm_at = Date.parse(at("22:02:00")); // late
    await world.to(at("22:20:00"));
    const again = (await switchedOn("turned")).slice(4);
    expect(again).toHaveLength(4);
    for (const gap of gaps(again)) expect(gap).toBeGreaterThanOrEqual(60);
  });
});
