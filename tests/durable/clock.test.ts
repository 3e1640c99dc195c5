import { expect, test } from "vitest";
import { noAnswer } from "#durable/providers/no-answer";
import { knownState, memoryOf } from "#durable/state/device-memory";
import { readState } from "#durable/requests/connectivity";
import { aCity, during, vendorId } from "#tests/support/a-city";
import { inWorld } from "#tests/support/engine";
import { INSTANTS_OF_COMMANDS, OWN_INSTANTS } from "#durable/state/set-back";
import { aField, aSchedule, messages, notes, setting, sql } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;
const MINUTE = 60_000;

test("a window that was switched off stays off when the clock is put back to before it began, and the next one is lit", async () => {
  await aField("back3");
  await aSchedule("back3", "b1", at("18:00:00"), at("20:00:00"));
  await aSchedule("back3", "b2", at("20:30:00"), at("21:00:00"));
  await inWorld("back3", at("17:00:00"), async (world) => {
    await world.sync();
    world.skew_ms = 3 * MINUTE;
    await world.to(at("17:58:00"));
    await world.toggle("back3-lamp", "off");
    world.skew_ms = 0;
    await world.to(at("18:05:00"));
    expect(world.lamp("back3-lamp")).toBe("off"); // by its clock the OFF came at 18:01
    await world.to(at("20:35:00"));
    expect(world.lamp("back3-lamp")).toBe("on");
  });
});

test("the engine's time stands still while the clock is put back, also over a restart, and then goes on", async () => {
  await aField("still");
  await inWorld("still", at("17:00:00"), async (world) => {
    await world.sync();
    world.skew_ms = 5 * MINUTE;
    await world.toggle("still-lamp", "on");
    const reached = world.context.now();
    world.skew_ms = 0;
    expect(world.context.now()).toBe(reached);
    world.die();
    expect(world.context.now()).toBeGreaterThan(reached - 1_000);
    await world.to(at("17:20:00"));
    expect(world.context.now()).toBe(world.now);
  });
});

test("a process that died while its clock was ahead, and starts after that was set right, goes by the real time", async () => {
  await aField("early");
  await inWorld("early", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("17:10:00"));
    world.skew_ms = 3 * MINUTE;
    world.die();
    world.skew_ms = 0;
    await world.restart(at("17:11:00"));
    expect(world.context.now()).toBe(world.now);
    expect(world.clock).toBe(world.now);
  });
});

test("what a dead process left under way holds up nobody, though the clock stands still", async () => {
  await aField("left");
  await inWorld("left", at("17:00:00"), async (world) => {
    await world.sync();
    world.skew_ms = 3 * MINUTE;
    await world.toggle("left-lamp", "on");
    world.skew_ms = 0;
    world.fault("lamp:left-lamp", { kind: "slow", ms: 3_000 });
    void world.toggle("left-lamp", "on").catch(() => undefined);
    await world.to(at("17:00:02"));
    expect(world.storage.sql.exec("SELECT * FROM calls").toArray()).toHaveLength(1);
    world.die();
    world.fault("lamp:left-lamp");
    expect(await world.toggle("left-lamp", "off")).toMatchObject({ success: true });
    expect(world.now).toBeLessThan(Date.parse(at("17:00:04")));
    expect(world.lamp("left-lamp")).toBe("off");
  });
});

test("a clock that was wrong by hours is followed when it is set right", async () => {
  await aField("hours");
  await inWorld("hours", at("12:00:00"), async (world) => {
    world.skew_ms = 180 * MINUTE;
    await world.sync();
    world.skew_ms = 0;
    expect(world.context.now()).toBe(world.now);
  });
});

test("a window that begins while the clock is put back is served once, and ends at its end", async () => {
  await aField("once");
  await aSchedule("once", "o1", at("18:00:00"), at("20:00:00"));
  await inWorld("once", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:01:00"));
    world.skew_ms = -3 * MINUTE;
    await world.to(at("18:02:00"));
    expect(world.lamp("once-lamp")).toBe("on");
    world.skew_ms = 0;
    await world.to(at("20:01:00"));
    expect(world.lamp("once-lamp")).toBe("off");
  });
});

test("a reading that comes while the clock stands still counts as newer than the switch before it", async () => {
  await aField("readstill");
  await inWorld("readstill", at("17:00:00"), async (world) => {
    await world.sync();
    world.skew_ms = 5 * MINUTE;
    world.wrapProvider((real) => ({
      switch: (...call) => {
        world.skew_ms = 0; // while the call is under way
        return real.switch(...call);
      },
    }));
    const pressed_at = world.context.now();
    await world.toggle("readstill-lamp", "on");
    await during(world, readState(world.context, "readstill-lamp"));
    expect(world.context.now()).toBe(pressed_at);
    const memory = memoryOf(world.storage.sql, "readstill-lamp");
    expect(memory.reported).toBe("on");
    expect(knownState(memory)).toBe("on");
  });
});

test("a booking that a clock hours ahead had taken for over is lit once the clock is right", async () => {
  await aField("ahead");
  await aSchedule("ahead", "a1", at("13:00:00"), at("14:00:00"));
  await aSchedule("ahead", "a2", at("18:00:00"), at("19:00:00"));
  await inWorld("ahead", at("12:00:00"), async (world) => {
    world.skew_ms = 180 * MINUTE;
    await world.sync();
    await world.to(at("12:10:00"));
    world.skew_ms = 0;
    world.sweepAfter(5 * MINUTE);
    await world.to(at("13:10:00"));
    expect(world.lamp("ahead-lamp")).toBe("on");
    await world.to(at("14:10:00"));
    expect(world.lamp("ahead-lamp")).toBe("off");
    await world.to(at("18:10:00"));
    expect(world.lamp("ahead-lamp")).toBe("on");
  });
});

test("what was lit before a clock jumped hours ahead is lit again once it is right, and a person's OFF stays", async () => {
  await aField("jumped");
  await aField("jumped-two");
  for (const field of ["jumped", "jumped-two"]) await aSchedule(field, `${field}-w`, at("11:30:00"), at("14:00:00"));
  for (const field of ["jumped", "jumped-two"])
    await inWorld(field, at("11:00:00"), async (world) => {
      await world.sync();
      await world.to(at("12:00:00"));
      expect(world.lamp(`${field}-lamp`)).toBe("on");
      if (field === "jumped-two") await world.toggle(`${field}-lamp`, "off");
      world.skew_ms = 180 * MINUTE;
      await world.to(at("12:20:00"));
      if (field === "jumped") await world.toggle(`${field}-lamp`, "auto");
      expect(world.lamp(`${field}-lamp`)).toBe("off");
      world.die();
      world.skew_ms = 0;
      world.sweepAfter(5 * MINUTE);
      await world.to(at("12:40:00"));
      expect(world.lamp(`${field}-lamp`)).toBe(field === "jumped" ? "on" : "off");
      await world.to(at("14:10:00"));
      expect(world.lamp(`${field}-lamp`)).toBe("off");
    });
});

/** A life found it. */
test("a booking that was lit and cut before a clock jumped ahead keeps its record once the clock is right", async () => {
  await aField("recorded");
  await setting("recorded", "MAX_ON_DURATION_MIN", 60).run();
  await aSchedule("recorded", "recorded-w", at("11:30:00"), at("16:00:00"));
  await inWorld("recorded", at("11:00:00"), async (world) => {
    await world.sync();
    await world.to(at("13:00:00"));
    world.skew_ms = 120 * MINUTE;
    await world.sync();
    await world.to(at("13:20:00"));
    world.skew_ms = 0;
    world.sweepAfter(5 * MINUTE);
    await world.to(at("16:10:00"));
    expect((await notes("recorded")).map((note) => note.split(":")[0])).toEqual(["On until 12", "cut short", "Off"]);
  });
});

test("a lamp that was too busy by a clock hours ahead is told of, and lit, within minutes once the clock is right", async () => {
  const city = await aCity("busyahead", "local", 1, 1);
  const [lamp = ""] = city.lamps;
  await setting("busyahead", "WATCHDOG_ENABLED", false).run();
  await inWorld(
    "busyahead",
    at("12:00:00"),
    async (world) => {
      world.skew_ms = 180 * MINUTE;
      await world.sync();
      city.simulator.fault(vendorId(0), { kind: "code", code: "020104" });
      void world.toggle(lamp, "on", { until: at("20:00:00") }).catch(() => undefined);
      await world.to(at("12:00:30"));
      world.skew_ms = 0;
      world.sweepAfter(5 * MINUTE);
      await world.to(at("12:15:00"));
      expect(await messages("busyahead")).toEqual([expect.stringMatching("^device_failed .*the device is busy")]);
      city.simulator.fault(vendorId(0));
      await world.to(at("12:21:00"));
      expect(city.isLit(lamp)).toBe(true);
    },
    city.equip,
  );
});

test("an alarm that a clock hours ahead opened is passed on, and over with its trouble, once the clock is right", async () => {
  await aField("alarmahead");
  await setting("alarmahead", "ESCALATE_TO", "+15550000001,+15550000002").run();
  await setting("alarmahead", "ESCALATE_AFTER_MIN", 30).run();
  await aSchedule("alarmahead", "alarmahead-s", at("15:00:00"), at("22:00:00"));
  await inWorld("alarmahead", at("12:00:00"), async (world) => {
    world.skew_ms = 180 * MINUTE;
    await world.sync();
    world.fault("hub:alarmahead-hub", { kind: "offline" });
    await world.to(at("12:20:00"));
    world.skew_ms = 0;
    world.sweepAfter(5 * MINUTE);
    await world.to(at("13:10:00"));
    const passedOn = (await messages("alarmahead")).filter((message) => message.startsWith("escalation"));
    expect(passedOn).toEqual([expect.stringContaining("Nobody has acknowledged this for 30 min.")]);
    world.fault("hub:alarmahead-hub");
    await world.to(at("15:20:00"));
    expect(world.lamp("alarmahead-lamp")).toBe("on");
    const { results } = await sql("SELECT over_at FROM alarms WHERE org_id = 'alarmahead'").all();
    expect(results).toEqual([{ over_at: expect.any(String) }]);
  });
});

test("what was planned and limited by a clock hours ahead is made up for, once that is right, as anything else", async () => {
  await aField("rules");
  await inWorld("rules", at("21:00:00"), async (world) => {
    await world.sync();
    world.skew_ms = 180 * MINUTE;
    await setting("rules", "BLACKOUT_WINDOW", "23:00-23:30").run();
    await setting("rules", "HARD_CURFEW_OFF", "").run();
    await aSchedule("rules", "r1", at("22:15:00"), at("22:30:00"), { at: at("23:59:00") });
    await world.sync();
    world.skew_ms = 0;
    world.sweepAfter(MINUTE);
    await world.to(at("22:00:00"));
    await world.toggle("rules-lamp", "on");
    await world.to(at("22:10:00"));
    world.die();
    await world.restart(at("23:40:00"));
    await world.to(at("23:50:00"));
    // The booking took the light over, and the blackout would have ended it.
    expect(world.lamp("rules-lamp")).toBe("off");
    expect(await notes("rules")).toContainEqual(expect.stringContaining("missed: nothing ran at the time"));
  });
});

/** By a clock that is three hours ahead at noon. */
const MADE = "2026-06-10T15:01:00.000Z";

/** What people did by that clock, each in D1 as they would leave it; all of it is about one booking, 12:30-18:00. */
const DONE_AHEAD: [what: string, done: string[]][] = [
  ["a booking was made", ["UPDATE schedules SET created_at = ?2 WHERE org_id = ?1"]],
  ["a booking was moved to the light", ["UPDATE schedules SET target_since = ?2 WHERE org_id = ?1"]],
  [
    "the light came to a group that is booked",
    [
      "INSERT INTO device_groups (id, org_id, area_id, name) VALUES (?1 || '-group', ?1, ?1 || '-area', 'Pitch')",
      "INSERT INTO group_devices (org_id, group_id, device_id, added_at) VALUES (?1, ?1 || '-group', ?1 || '-lamp', ?2)",
      "UPDATE schedules SET device_id = NULL, group_id = ?1 || '-group' WHERE org_id = ?1",
    ],
  ],
  [
    "the light came to an area that is booked",
    [
      "UPDATE devices SET area_since = ?2, updated_at = ?2 WHERE org_id = ?1",
      "UPDATE schedules SET device_id = NULL, area_id = ?1 || '-area' WHERE org_id = ?1",
    ],
  ],
];

test.each(DONE_AHEAD.map(([what, done], n) => [what, `ahead-of-${n}`, done] as const))(
  "where %s by a clock hours ahead, a person's OFF ends the booking once that is right, also after an edit",
  async (_, org, done) => {
    await aField(org);
    await inWorld(org, at("12:00:00"), async (world) => {
      await aSchedule(org, org, at("12:30:00"), at("18:00:00"));
      world.skew_ms = 180 * MINUTE;
      for (const statement of done)
        await (statement.includes("?2") ? sql(statement, org, MADE) : sql(statement, org)).run();
      await world.sync();
      await world.to(at("12:10:00"));
      world.skew_ms = 0;
      world.sweepAfter(MINUTE);
      await world.to(at("12:40:00"));
      expect(world.lamp(`${org}-lamp`)).toBe("on");
      expect(await world.toggle(`${org}-lamp`, "off")).toMatchObject({ success: true });
      await world.to(at("13:00:00"));
      expect(world.lamp(`${org}-lamp`)).toBe("off");
      // After its hour has come by the right clock, too: D1 goes on saying that it was made then.
      for (const hour of ["13:00:00", "15:30:00"]) {
        await world.to(at(hour));
        await sql("UPDATE schedules SET title = ?2 WHERE org_id = ?1", org, hour).run();
        await sql("UPDATE devices SET name = ?2 WHERE org_id = ?1", org, hour).run();
        await sql("UPDATE device_groups SET name = ?2 WHERE org_id = ?1", org, hour).run();
        await world.sync();
        await world.to(world.now + MINUTE);
        expect(world.lamp(`${org}-lamp`), hour).toBe("off");
      }
    });
  },
);

test("the longest time on of a booking that was made by a clock hours ahead counts from its beginning", async () => {
  await aField("longest");
  await setting("longest", "MAX_ON_DURATION_MIN", 60).run();
  await inWorld("longest", at("12:00:00"), async (world) => {
    world.skew_ms = 180 * MINUTE;
    await aSchedule("longest", "longest-s", at("12:30:00"), at("18:00:00"), { at: MADE });
    await world.sync();
    await world.to(at("12:10:00"));
    world.skew_ms = 0;
    world.sweepAfter(MINUTE);
    await world.to(at("13:29:00"));
    expect(world.lamp("longest-lamp")).toBe("on");
    await world.to(at("13:31:00"));
    expect(world.lamp("longest-lamp")).toBe("off");
  });
});

test("a booking that was made by a clock two minutes ahead counts from when it was made", async () => {
  await aField("minutes");
  await setting("minutes", "MAX_ON_DURATION_MIN", 60).run();
  await inWorld("minutes", at("12:00:00"), async (world) => {
    await aSchedule("minutes", "minutes-s", at("11:00:00"), at("18:00:00"), { at: at("12:02:00") });
    await world.sync();
    await world.to(at("13:01:00"));
    expect(world.lamp("minutes-lamp")).toBe("on");
    await world.to(at("13:03:00"));
    expect(world.lamp("minutes-lamp")).toBe("off");
  });
});

test("a booking that is first heard of once the clock that it was made by is right is ended by an OFF as any other", async () => {
  await aField("heard");
  await inWorld("heard", at("12:00:00"), async (world) => {
    await aSchedule("heard", "heard-s", at("12:30:00"), at("18:00:00"), { at: MADE });
    await world.sync();
    await world.to(at("12:40:00"));
    await world.toggle("heard-lamp", "off");
    for (const hour of ["12:41:00", "15:30:00"]) {
      await world.to(at(hour));
      await sql("UPDATE schedules SET title = ?1 WHERE org_id = 'heard'", hour).run();
      await world.sync();
      await world.to(world.now + MINUTE);
      expect(world.lamp("heard-lamp"), hour).toBe("off");
    }
  });
});

test("lights that leave one after the other, and left by a clock hours ahead, leave in time once that is right", async () => {
  const lamps = ["in-turn-a", "in-turn-b"];
  await aField("in-turn", lamps);
  await sql("UPDATE areas SET stagger_sec = 10 WHERE org_id = 'in-turn'").run();
  for (const lamp of lamps) {
    await aSchedule("in-turn", `${lamp}-1`, at("14:00:00"), at("16:00:00"), { device: lamp });
    await aSchedule("in-turn", `${lamp}-2`, at("13:00:00"), at("13:30:00"), { device: lamp });
  }
  await inWorld("in-turn", at("12:00:00"), async (world) => {
    world.skew_ms = 180 * MINUTE;
    await world.sync();
    await world.to(at("12:05:00"));
    expect(lamps.map((lamp) => world.lamp(lamp))).toEqual(["on", "on"]);
    world.skew_ms = 0;
    world.sweepAfter(MINUTE);
    await world.to(at("12:55:00"));
    expect(lamps.map((lamp) => world.lamp(lamp))).toEqual(["off", "off"]);
    await world.to(at("13:01:00"));
    expect(lamps.map((lamp) => world.lamp(lamp))).toEqual(["on", "on"]);
  });
});

test("a booking that was lit by a clock hours ahead alone, and by nobody when it came, was missed", async () => {
  await aField("lit-ahead");
  await aSchedule("lit-ahead", "lit-ahead-s", at("14:00:00"), at("16:00:00"));
  await inWorld("lit-ahead", at("12:00:00"), async (world) => {
    world.skew_ms = 150 * MINUTE;
    await world.sync();
    await world.to(at("12:05:00"));
    expect(world.lamp("lit-ahead-lamp")).toBe("on");
    world.skew_ms = 0;
    world.sweepAfter(MINUTE);
    await world.to(at("13:50:00"));
    world.die();
    await world.restart(at("16:10:00"));
    await world.to(at("16:11:00"));
    expect(await notes("lit-ahead")).toContain("Practice · missed: nothing ran at the time");
  });
});

test("nights that were lit were not missed, though a clock months behind had to be followed for a while after a power cut", async () => {
  await aField("months");
  await aSchedule("months", "lit", "2026-06-07T18:00:00Z", "2026-06-07T19:00:00Z", { rrule: "FREQ=DAILY" });
  // While there was no power.
  await aSchedule("months", "cut", at("19:10:00"), at("19:20:00"));
  await inWorld("months", "2026-06-07T12:00:00Z", async (world) => {
    await world.sync();
    await world.to(at("19:05:00"));
    expect(await notes("months")).toHaveLength(8); // each night's ON and OFF
    world.die(20 * MINUTE);
    world.skew_ms = -90 * 24 * 60 * MINUTE;
    world.sweepAfter(20 * MINUTE);
    await world.to(at("19:30:00"));
    world.skew_ms = 0;
    world.sweepAfter(MINUTE);
    await world.to(at("19:40:00"));
    const { results } = await sql("SELECT id FROM scheduler_events WHERE org_id = 'months' AND cause = 'missed'").all();
    expect(results).toEqual([{ id: expect.stringContaining("missed:cut:") }]);
  });
});

test("what is missed after a clock was set right is told, though by it the organization had only been active again later", async () => {
  await aField("anew");
  const setActive = (active: number) => sql("UPDATE organizations SET active = ? WHERE id = 'anew'", active).run();
  await inWorld("anew", at("12:00:00"), async (world) => {
    await world.sync();
    await setActive(0);
    await world.sync();
    world.skew_ms = 180 * MINUTE;
    await setActive(1);
    await world.sync();
    world.skew_ms = 0;
    world.sweepAfter(MINUTE);
    await world.to(at("12:10:00"));
    await aSchedule("anew", "an1", at("13:00:00"), at("13:30:00"), { at: at("12:15:00") });
    await world.to(at("12:20:00"));
    world.die();
    await world.restart(at("14:00:00"));
    await world.to(at("14:10:00"));
    expect(await notes("anew")).toContainEqual(expect.stringContaining("missed: nothing ran at the time"));
  });
});

test("a window that was entered while the database could not be asked was missed, though a clock hours ahead read the plan last", async () => {
  await aField("blind");
  await inWorld("blind", at("12:00:00"), async (world) => {
    await world.sync();
    world.skew_ms = 180 * MINUTE;
    await aSchedule("blind", "bl1", at("17:00:00"), at("18:00:00"));
    await world.sync();
    world.skew_ms = 0;
    world.sweepAfter(MINUTE);
    await world.to(at("12:10:00"));
    world.setDatabaseDown(true);
    await aSchedule("blind", "bl2", at("12:30:00"), at("12:50:00"), { at: at("12:11:00") });
    await world.to(at("13:00:00"));
    await world.toggle("blind-lamp", "off");
    world.setDatabaseDown(false);
    await world.sync();
    await world.to(at("13:10:00"));
    expect(await notes("blind")).toContainEqual(expect.stringContaining("missed"));
  });
});

test("an OFF that waits for its turn since a clock was hours ahead does not leave once that is right", async () => {
  // The last of them comes after what one transaction looks at.
  const lamps = Array.from({ length: 200 }, (_, n) => `queued-${String(n).padStart(3, "0")}`);
  const [last = ""] = lamps.slice(-1);
  await aField("queued", lamps);
  await aSchedule("queued", "q1", at("18:00:00"), at("20:00:00"), { device: last });
  await inWorld("queued", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:29:00"));
    world.skew_ms = 180 * MINUTE;
    // By its clock the window is over, and it dies as the OFF is handed out: here to the queue, as in a storm.
    world.dieAfter(6, 0);
    await world.restart(at("18:29:30"));
    world.tamper("UPDATE commands SET phase = 'send', attempt = 0, due_at = ?", world.clock);
    world.tamper("DELETE FROM calls");
    expect(world.storage.sql.exec("SELECT action FROM commands").toArray()).toEqual([{ action: "off" }]);
    world.skew_ms = 0;
    const sent: string[] = [];
    world.wrapProvider((real) => ({
      switch: (address, action, ...how) => {
        sent.push(action);
        return real.switch(address, action, ...how);
      },
    }));
    await world.restart(at("18:31:00"));
    await world.to(at("18:32:00"));
    // Whether the OFF had left is not known.
    expect(sent).toEqual(["on"]);
  });
});

test("what a call would put back is no instant of a clock that was hours ahead when it left", async () => {
  await aField("putback");
  await setting("putback", "MAX_ON_DURATION_MIN", 60).run();
  await inWorld("putback", at("09:00:00"), async (world) => {
    world.skew_ms = 180 * MINUTE;
    await world.sync();
    await world.toggle("putback-lamp", "on");
    await world.to(at("09:10:00"));
    const restore = world.wrapProvider(() => ({
      switch: async (address) => {
        await new Promise((done) => world.outside(5_000, () => done(null)));
        return { ...noAnswer(address, "throttled", "too many calls"), retry_after_ms: 8 * 3_600_000 };
      },
    }));
    world.beginToggle(
      "putback-lamp",
      "on",
      () => undefined,
      () => undefined,
      { until: at("20:00:00") },
    );
    await world.to(at("09:10:01"));
    world.skew_ms = 0;
    await world.sync();
    await world.to(at("09:11:00"));
    restore();
    expect(memoryOf(world.storage.sql, "putback-lamp").lit_since).toBeLessThanOrEqual(world.now);
    expect(memoryOf(world.storage.sql, "putback-lamp").sent_at).toBeLessThanOrEqual(world.now);
  });
});

test("every instant that the object keeps is put right with its clock, or it is said why not", async () => {
  await aField("instants");
  await inWorld("instants", at("12:00:00"), async (world) => {
    await world.sync();
    const sql = world.storage.sql;
    const tables = sql.exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'").toArray();
    const columns = tables
      .filter(({ name }) => !/^(_cf_|sqlite_)/.test(name))
      .flatMap(({ name: table }) =>
        sql
          .exec<{ name: string; type: string }>(`SELECT name, type FROM pragma_table_info('${table}')`)
          .toArray()
          .filter(({ type }) => type === "INTEGER")
          .map(({ name }) => `${table}.${name}`),
      );
    const put = Object.entries(OWN_INSTANTS).flatMap(([table, names]) => names.map((name) => `${table}.${name}`));
    expect(put.filter((each) => !columns.includes(each))).toEqual([]);
    expect(columns.filter((each) => !put.includes(each)).toSorted()).toEqual(Object.keys(NO_OWN_INSTANT).toSorted());
  });
});

test("so is every instant in the body of a command", async () => {
  await aField("bodies");
  await inWorld("bodies", at("12:00:00"), async (world) => {
    await world.sync();
    await world.toggle("bodies-lamp", "on");
    const [row] = world.storage.sql.exec<{ body: string }>("SELECT body FROM commands").toArray();
    const said = Object.keys(JSON.parse(row?.body ?? "{}"));
    expect(said.toSorted()).toEqual([...INSTANTS_OF_COMMANDS, ...NO_INSTANT_OF_COMMANDS].toSorted());
  });
});

const NO_INSTANT_OF_COMMANDS = ["address", "via", "held_ms", "hasLeft", "names"];

/** Columns that are no instants of the object's own clock. */
const NO_OWN_INSTANT: Record<string, string> = {
  "calls.id": "a number",
  "claims.end": "the plan's; what was remembered of windows that are not over is forgotten",
  "claims.start": "the plan's",
  "commands.attempt": "a count",
  "commands.seq": "an order, which only grows",
  "device_memory.cut_min": "minutes of the day",
  "device_memory.emergency_until": "what people asked for",
  "device_memory.hold_until": "what people asked for",
  "device_memory.seen_lit": "yes or no",
  "escalations.told": "a count",
  "held_counts.n": "a count",
  "held_messages.since": "the name of its alarm",
  "hub_trouble.failures": "a count",
  "incidents.sends": "a count",
  "incidents.since": "the name of its alarm; set back where none was told",
  "incidents.tries": "a count",
  "outbox.id": "a number",
  "planned_lamps.n": "a number",
  "planned_lamps.rev": "a number",
  "reservations.rank": "a rank",
  "sessions.n": "a number",
  "standing_plans.answered_rev": "a number",
  "standing_plans.log_run": "a number",
  "standing_plans.log_upto": "a number",
  "standing_plans.rev": "a number",
  "timers.tries": "a count",
};
