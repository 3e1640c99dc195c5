import { expect, test } from "vitest";
import { callsUnderWay } from "#durable/commands/calls";
import { transact } from "#durable/state/context";
import { inWorld, type World } from "#tests/support/engine";
import { aField, aSchedule, aScheduleEach, deviceRow, events, notes, setting, sql } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;

/** What leaves for the lamps, as '18:00:00 on a-lamp', and how many calls were under way at most. */
function watching(world: World): { sent: string[]; most: () => number } {
  const sent: string[] = [];
  let now = 0;
  let most = 0;
  world.wrapProvider((real) => ({
    switch: async (address, action, timeout_ms, how) => {
      sent.push(`${new Date(world.now).toISOString().slice(11, 19)} ${action} ${address.lamp}`);
      most = Math.max(most, (now += 1));
      const answer = await real.switch(address, action, timeout_ms, how);
      now -= 1;
      return answer;
    },
  }));
  return { sent, most: () => most };
}

test("a slow runner that holds an ON when the curfew falls does not send it", async () => {
  await aField("a");
  await setting("a", "HARD_CURFEW_OFF", "18:00").run();
  await aSchedule("a", "a1", at("17:59:59"), at("20:00:00"));
  await inWorld("a", at("17:00:00"), async (world) => {
    await world.sync();
    const { sent } = watching(world);
    let isSlow = true;
    world.watch.committed = () => {
      if (isSlow && callsUnderWay(world.context.sql).some((call) => call.device_id === "a-lamp")) {
        isSlow = false;
        world.now += 3_000; // between the hand-out and the call
      }
    };
    await world.to(at("18:10:00"));
    expect(isSlow).toBe(false);
    expect(sent).toEqual([]);
    expect(world.lamp("a-lamp")).toBe("off");
  });
});

test("ONs that wait for their hub when the curfew falls do not leave", async () => {
  const lamps = ["b-0", "b-1", "b-2", "b-3"];
  await aField("b", lamps);
  await setting("b", "HARD_CURFEW_OFF", "18:00").run();
  await aScheduleEach("b", lamps, at("17:59:55"), at("20:00:00"));
  await inWorld("b", at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("hub:b-hub", { kind: "slow", ms: 4_000 });
    const { sent } = watching(world);
    await world.to(at("18:05:00"));
    const late = sent.filter((line) => line.includes(" on ") && line >= "18:00:00");
    expect(late).toEqual([]);
    expect(sent.filter((line) => line.includes(" on "))).toHaveLength(2);
    expect(lamps.map((lamp) => world.lamp(lamp))).toEqual(["off", "off", "off", "off"]);
  });
});

test("the late answer to an ON overwrites nothing of the OFF that a person pressed meanwhile", async () => {
  await aField("c");
  await aSchedule("c", "c1", at("18:00:00"), at("20:00:00"));
  await inWorld("c", at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("hub:c-hub", { kind: "slow", ms: 3_000 });
    const { sent } = watching(world);
    await world.to(at("18:00:01"));
    expect(await world.toggle("c-lamp", "off")).toMatchObject({ success: true, state: "off" });
    await world.to(at("18:05:00"));
    expect(sent).toEqual(["18:00:00 on c-lamp", "18:00:03 off c-lamp"]);
    expect([world.lamp("c-lamp"), (await deviceRow("c-lamp")).current_state]).toEqual(["off", "off"]);
    expect((await events("c")).map((line) => line.slice(9))).toEqual([
      "scheduler on retry 1",
      "manual off ok 1",
      // The booking is told as what the person made of it.
    ]);
  });
});

test("a device that answers success but did not switch is caught by the verification", async () => {
  await aField("d");
  await aSchedule("d", "d1", at("18:00:00"), at("20:00:00"));
  await inWorld("d", at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("lamp:d-lamp", { kind: "stuck" });
    await world.to(at("18:00:05"));
    expect((await deviceRow("d-lamp")).current_state).toBe("on");
    await world.to(at("18:00:09"));
    expect((await deviceRow("d-lamp")).current_state).toBe("off");
    world.fault("lamp:d-lamp");
    await world.to(at("18:01:00"));
    expect(await events("d")).toEqual(["18:00:08 scheduler on retry 1", "18:00:26 scheduler on ok 2"]);
    expect((await notes("d"))[0]).toBe("On until 8:00 PM: Practice · still off");
  });
});

test("a command that is stale before it leaves is dropped, with the reason recorded", async () => {
  await aField("e", ["e-0", "e-1"]);
  await aScheduleEach("e", ["e-0", "e-1"], at("18:00:00"), at("20:00:00"));
  await inWorld("e", at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("hub:e-hub", { kind: "slow", ms: 5_000 });
    const { sent } = watching(world);
    await world.to(at("18:00:02"));
    await sql("UPDATE schedules SET status = 'canceled' WHERE id = 's-e-1'").run();
    await world.sync();
    await world.to(at("18:01:00"));
    expect(sent).toEqual(["18:00:00 on e-0"]);
    expect(await notes("e")).toContain(
      "On until 8:00 PM: Practice · not sent, no longer wanted: Off: nothing is scheduled",
    );
  });
});

test("a toggle of one light touches nothing of another's", async () => {
  await aField("f", ["f-0", "f-1"]);
  await inWorld("f", at("12:00:00"), async (world) => {
    await world.sync();
    await world.toggle("f-0", "on");
    await world.to(at("12:30:00"));
    const before = world.storage.sql.exec("SELECT * FROM device_memory WHERE device_id = 'f-0'").one();
    await world.toggle("f-1", "on");
    await world.toggle("f-1", "off");
    await world.to(at("12:40:00"));
    expect(world.storage.sql.exec("SELECT * FROM device_memory WHERE device_id = 'f-0'").one()).toEqual(before);
    await world.to(at("15:59:59"));
    expect(world.lamp("f-0")).toBe("on");
    await world.to(at("16:00:01"));
    expect(world.lamp("f-0")).toBe("off");
  });
});

test("switched off at the pole in its window, an ON that is pressed is sent", async () => {
  await aField("g");
  await aSchedule("g", "g1", at("18:00:00"), at("20:00:00"));
  await inWorld("g", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:30:00"));
    world.switchExternally("g-lamp", "off");
    expect(await world.toggle("g-lamp", "on")).toMatchObject({ success: true, state: "on" });
    expect(world.lamp("g-lamp")).toBe("on");
    await world.to(at("20:00:01"));
    expect(world.lamp("g-lamp")).toBe("off");
  });
});

test.each([
  ["h", at("19:59:59"), "before"],
  ["i", at("20:00:00"), "in the second in which"],
  ["j", at("20:00:05"), "just after"],
])("field %s: a booking extended at %s, %s its end, is lit to the new end", async (org_id, edited_at) => {
  await aField(org_id);
  await aSchedule(org_id, `${org_id}1`, at("18:00:00"), at("20:00:00"));
  await inWorld(org_id, at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(Date.parse(edited_at) - 1);
    world.now = Date.parse(edited_at);
    await sql(
      "UPDATE schedules SET end_at = ?, updated_at = ? WHERE id = ?",
      at("21:00:00"),
      edited_at,
      `${org_id}1`,
    ).run();
    await world.sync();
    await world.to(at("20:00:30"));
    expect(world.lamp(`${org_id}-lamp`)).toBe("on");
    await world.to(at("21:00:01"));
    expect(world.lamp(`${org_id}-lamp`)).toBe("off");
    expect((await notes(org_id)).filter((note) => /missed|skipped|fail/.test(note))).toEqual([]);
  });
});

test("a blackout set at 21:30 puts out an ON pressed at 21:00, for good", async () => {
  await aField("k");
  await inWorld("k", at("21:00:00"), async (world) => {
    await world.sync();
    await world.toggle("k-lamp", "on");
    await world.to(at("21:30:00"));
    await setting("k", "BLACKOUT_WINDOW", "20:30-22:00").run();
    await world.sync();
    await world.to(at("21:30:01"));
    expect(world.lamp("k-lamp")).toBe("off");
    await world.to(at("23:00:00"));
    expect(world.lamp("k-lamp")).toBe("off");
    expect((await events("k")).map((line) => line.slice(9))).toEqual(["manual on ok 1", "scheduler off ok 1"]);
  });
});

test("a manual ON that never worked gives up: nobody wants the park lit hours later", async () => {
  await aField("l");
  // It would make good whatever is still wanted.
  await setting("l", "WATCHDOG_ENABLED", true).run();
  await inWorld("l", at("12:00:00"), async (world) => {
    await world.sync();
    world.fault("lamp:l-lamp", { kind: "offline" });
    expect(await world.toggle("l-lamp", "on")).toMatchObject({ success: false });
    await world.to(at("12:05:00"));
    world.fault("lamp:l-lamp");
    await world.to(at("14:00:00"));
    expect(world.lamp("l-lamp")).toBe("off");
  });
});

test("a hub's pause ends by itself: the try after it goes out", async () => {
  await aField("m");
  await aSchedule("m", "m1", at("18:00:00"), at("20:00:00"));
  await inWorld("m", at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("hub:m-hub", { kind: "offline" });
    await world.to(at("18:00:20"));
    world.fault("hub:m-hub");
    await world.to(at("18:02:00"));
    expect((await events("m")).map((line) => line.slice(9))).toEqual([
      "scheduler on retry 1",
      "scheduler on retry 2",
      "scheduler on ok 3",
    ]);
  });
});

test("one call at a time is under way to a hub", async () => {
  const lamps = ["n-0", "n-1", "n-2", "n-3", "n-4"];
  await aField("n", lamps);
  await aScheduleEach("n", lamps, at("18:00:00"), at("20:00:00"));
  await inWorld("n", at("17:00:00"), async (world) => {
    await world.sync();
    const { sent, most } = watching(world);
    await world.to(at("18:01:00"));
    expect([sent.length, most()]).toEqual([5, 1]);
  });
});

test("a light that is due while its hub is busy waits, and of those that are due together an OFF leaves first", async () => {
  await aField("busy", ["busy-a", "busy-b", "busy-c"]);
  await aSchedule("busy", "s-a", at("18:00:00"), at("20:00:00"), { device: "busy-a" });
  await aSchedule("busy", "s-b", at("18:00:01"), at("21:00:00"), { device: "busy-b" });
  await aSchedule("busy", "s-c", at("17:30:00"), at("21:00:00"), { device: "busy-c" });
  await aSchedule("busy", "s-d", at("21:00:00"), at("22:00:00"), { device: "busy-a" });
  await inWorld("busy", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("17:59:00"));
    world.fault("lamp:busy-a", { kind: "slow", ms: 4_000 });
    const { sent, most } = watching(world);
    await world.to(at("18:10:00"));
    expect(sent).toEqual(["18:00:00 on busy-a", "18:00:04 on busy-b"]);
    await world.to(at("20:50:00"));
    sent.length = 0;
    await world.to(at("21:10:00"));
    expect(sent.map((line) => line.slice("21:00:00 ".length))).toEqual(["off busy-b", "off busy-c", "on busy-a"]);
    expect(most()).toBe(1);
  });
});

test("lights that are due together are switched in the order of their ids, however they were booked, and none twice", async () => {
  const lamps = Array.from({ length: 12 }, (_, i) => `due-${String(i).padStart(2, "0")}`);
  await aField("due", lamps.toReversed());
  await aScheduleEach("due", [...lamps.slice(5), ...lamps.slice(0, 5)], at("18:00:00"), at("20:00:00"));
  await inWorld("due", at("17:00:00"), async (world) => {
    await world.sync();
    const { sent } = watching(world);
    await world.to(at("21:00:00"));
    const switched = sent.map((line) => line.slice("18:00:00 ".length));
    expect(switched).toEqual([...lamps.map((lamp) => `on ${lamp}`), ...lamps.map((lamp) => `off ${lamp}`)]);
  });
});

test("an area that is made inactive claims nothing", async () => {
  await aField("o");
  await aSchedule("o", "o1", at("18:00:00"), at("20:00:00"));
  await inWorld("o", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:30:00"));
    await sql("UPDATE areas SET active = 0 WHERE id = 'o-area'").run();
    await world.sync();
    await world.to(at("18:30:01"));
    expect(world.lamp("o-lamp")).toBe("off");
  });
});

test("a transaction that is async is refused, and leaves nothing", async () => {
  await aField("p");
  await inWorld("p", at("12:00:00"), async (world) => {
    await world.sync();
    const { context } = world;
    expect(() =>
      transact(context, async () => context.sql.exec("INSERT INTO meta (key, value) VALUES ('stray', '1')")),
    ).toThrow("a transaction must not be async");
    expect(context.sql.exec("SELECT * FROM meta WHERE key = 'stray'").toArray()).toEqual([]);
  });
});
