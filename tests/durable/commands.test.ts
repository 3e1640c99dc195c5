import { expect, test } from "vitest";
import { commandFor } from "#durable/commands/command-table";
import { enqueuePoll } from "#durable/commands/polls";
import { nextCalls } from "#durable/dispatch/dispatch";
import { passFollows } from "#durable/dispatch/pump";
import { reconcileDevice } from "#durable/reconcile/reconcile";
import { transact } from "#durable/state/context";
import { inWorld } from "#tests/support/engine";
import { aClosure } from "#tests/support/limits";
import { aField, aSchedule, aScheduleEach, deviceRow, events, notes, setting, sql } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;

test("a schedule turns its light on and off, once each", async () => {
  await aField("a");
  await aSchedule("a", "a1", at("18:00:00"), at("20:00:00"));
  await inWorld("a", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("17:59:59"));
    expect(world.lamp("a-lamp")).toBe("off");
    await world.to(at("18:00:01"));
    expect(world.lamp("a-lamp")).toBe("on");
    expect(await deviceRow("a-lamp")).toMatchObject({ current_state: "on", last_state_at: at("18:00:00.120") });
    await world.to(at("19:59:59"));
    expect(world.lamp("a-lamp")).toBe("on");
    await world.to(at("20:00:01"));
    expect(world.lamp("a-lamp")).toBe("off");
    await world.to(at("23:00:00"));
    expect(await events("a")).toEqual(["18:00:08 scheduler on ok 1", "20:00:08 scheduler off ok 1"]);
    expect(await notes("a")).toEqual(["On until 8:00 PM: Practice", "Off: no schedule is running"]);
    expect((await deviceRow("a-lamp")).current_state).toBe("off");
  });
});

test("a window shorter than the verification delay is verified before it ends", async () => {
  await aField("b");
  await aSchedule("b", "b1", at("18:00:00"), at("18:00:05"));
  await inWorld("b", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:01:00"));
    expect(await events("b")).toEqual(["18:00:03 scheduler on ok 1", "18:00:13 scheduler off ok 1"]);
  });
});

test("what happened while the server was down is made good: the end passed, the light goes off at once", async () => {
  await aField("c");
  await aSchedule("c", "c1", at("18:00:00"), at("20:00:00"));
  await inWorld("c", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:30:00"));
    world.die();
    expect(world.lamp("c-lamp")).toBe("on");
    await world.restart(at("21:00:00"));
    await world.to(at("21:00:20"));
    expect(world.lamp("c-lamp")).toBe("off");
    expect(await events("c")).toEqual(["18:00:08 scheduler on ok 1", "21:00:08 scheduler off ok 1"]);
  });
});

test("a restart inside a window that began while the server was down lights it", async () => {
  await aField("d");
  await aSchedule("d", "d1", at("18:00:00"), at("22:00:00"));
  await inWorld("d", at("17:00:00"), async (world) => {
    await world.sync();
    world.die();
    await world.restart(at("18:20:00"));
    await world.to(at("18:21:00"));
    expect(world.lamp("d-lamp")).toBe("on");
    expect(await events("d")).toEqual(["18:20:08 scheduler on ok 1"]);
  });
});

test("an occurrence wholly inside the down time is recorded once, as missed", async () => {
  await aField("e");
  await aSchedule("e", "e1", at("18:00:00"), at("20:00:00"));
  await inWorld("e", at("17:00:00"), async (world) => {
    await world.sync();
    world.die();
    await world.restart(at("20:30:00"));
    await world.ring();
    await world.to(at("23:00:00"));
    expect(await events("e")).toEqual(["20:30:00 scheduler on fail 0"]);
    expect(await notes("e")).toEqual(["Practice · missed: nothing ran at the time"]);
    expect(world.lamp("e-lamp")).toBe("off");
  });
});

/** A crash found it: the look after a restart began in the last millisecond of a window, and took longer than that. */
test("a look in the last moment of a window sees it open or over, and not both", async () => {
  await aField("moment");
  await aSchedule("moment", "moment1", at("18:00:00"), at("20:00:00"));
  for (const before_ms of Array.from({ length: 15 }, (_, n) => n)) {
    await sql("DELETE FROM scheduler_events WHERE org_id = 'moment'").run();
    await inWorld("moment", at("17:00:00"), async (world) => {
      await world.sync();
      world.die();
      world.reading_ms = 1;
      await world.restart(new Date(Date.parse(at("20:00:00")) - before_ms).toISOString());
      await world.to(at("20:30:00"));
      const ends = (await notes("moment")).filter((note) => /missed|skipped/.test(note));
      expect(ends, `${before_ms} ms before its end`).toHaveLength(1);
      expect(world.lamp("moment-lamp")).toBe("off");
    });
  }
});

test("what was planned when it was over already was not missed", async () => {
  await aField("late");
  await inWorld("late", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:30:00"));
    await aSchedule("late", "late1", at("18:00:00"), at("18:20:00"), { at: at("18:30:00") });
    await world.sync();
    await world.to(at("19:00:00"));
    expect(await notes("late")).toEqual([]);
  });
});

test("a call that was under way when the process died is verified, not repeated blindly", async () => {
  await aField("f");
  await aSchedule("f", "f1", at("18:00:00"), at("20:00:00"));
  await inWorld("f", at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("latency", { kind: "slow", ms: 3000 });
    await world.to(at("18:00:01"));
    world.die();
    await world.restart(at("18:00:02"));
    await world.to(at("18:10:00"));
    expect(world.lamp("f-lamp")).toBe("on");
    expect(await events("f")).toEqual(["18:00:13 scheduler on retry 1", "18:00:37 scheduler on ok 2"]);
  });
});

test("a tick that dies between taking its timers and serving them is made good at the restart", async () => {
  await aField("f2");
  await aSchedule("f2", "f21", at("18:00:00"), at("20:00:00"));
  await inWorld("f2", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("17:59:59"));
    world.dieAfter(2, 3_000); // the first transaction of the tick is committed, and nothing after it
    await world.to(at("18:00:04"));
    expect(world.lamp("f2-lamp")).toBe("on");
  });
});

test("an alarm that rings twice switches once", async () => {
  await aField("g");
  await aSchedule("g", "g1", at("18:00:00"), at("20:00:00"));
  await inWorld("g", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:00:00"));
    await Promise.all([world.ring(), world.ring()]);
    await world.to(at("18:05:00"));
    expect(await events("g")).toEqual(["18:00:08 scheduler on ok 1"]);
  });
});

test("a retry that falls due while its alarm is on its way leaves with it, whatever is written meanwhile", async () => {
  await aField("onway");
  await inWorld("onway", at("18:00:00"), async (world) => {
    await world.sync();
    world.fault("lamp:onway-lamp", { kind: "offline" });
    await world.toggle("onway-lamp", "on");
    world.fault("lamp:onway-lamp");
    await world.to(at("18:00:10.100"));
    const due_at = world.alarm_at ?? 0;
    expect(new Date(due_at).toISOString()).toBe(at("18:00:10.120"));
    world.alarm_at = due_at + 200;
    await world.to(due_at + 100);
    transact(world.context, () => undefined);
    // Each change in a busy moment would put it off again.
    expect(world.alarm_at).toBe(due_at + 200);
    await world.to(due_at + 1_000);
    expect(world.lamp("onway-lamp")).toBe("on");
  });
});

test("a canceled schedule's light goes off within seconds", async () => {
  await aField("h");
  await aSchedule("h", "h1", at("18:00:00"), at("20:00:00"));
  await inWorld("h", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:00:00"));
    await sql("UPDATE schedules SET status = 'canceled' WHERE id = 'h1'").run();
    await world.sync();
    await world.to(at("19:00:01"));
    expect(world.lamp("h-lamp")).toBe("off");
  });
});

test("a lost hint cannot light a canceled booking: the tick looks at the version first", async () => {
  await aField("i");
  await aSchedule("i", "i1", at("18:00:00"), at("20:00:00"));
  await inWorld("i", at("17:00:00"), async (world) => {
    await world.sync();
    await sql("UPDATE schedules SET status = 'canceled' WHERE id = 'i1'").run();
    await world.to(at("21:00:00"));
    expect(world.lamp("i-lamp")).toBe("off");
    expect(await events("i")).toEqual([]);
  });
});

test("a manual OFF inside a window stays off until it ends, and the next window lights again", async () => {
  await aField("j");
  await aSchedule("j", "j1", at("18:00:00"), at("20:00:00"), { rrule: "FREQ=DAILY;COUNT=2" });
  await inWorld("j", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:00:00"));
    expect(await world.toggle("j-lamp", "off")).toMatchObject({ success: true, state: "off", provider: "mock" });
    world.die();
    await world.restart(at("19:05:00"));
    await world.to(at("23:00:00"));
    expect(world.lamp("j-lamp")).toBe("off");
    await world.to("2026-06-11T18:00:30Z");
    expect(world.lamp("j-lamp")).toBe("on");
    // The toggle was answered, but the process died before its verification; the lease-less verify goes on after it.
    expect(await events("j")).toEqual([
      "18:00:08 scheduler on ok 1",
      "19:05:00 manual off ok 1",
      "18:00:08 scheduler on ok 1",
    ]);
  });
});

test("a blackout that covers now refuses a manual ON with its reason", async () => {
  await aField("k");
  await inWorld("k", at("00:30:00"), async (world) => {
    await world.sync();
    expect(await world.toggle("k-lamp", "on")).toEqual({
      success: false,
      action: "on",
      state: "unknown",
      provider: null,
      detail: "Lights may not go on during the blackout, until 5:00 AM",
    });
    expect(world.lamp("k-lamp")).toBe("off");
    expect(await events("k")).toEqual(["00:30:00 manual on fail 0"]);
  });
});

test("an answer that switched nothing says the state that the lamp has confirmed, also before it is read", async () => {
  await aField("sa");
  await inWorld("sa", at("18:00:00"), async (world) => {
    await world.sync();
    await world.toggle("sa-lamp", "on");
    await world.to(at("18:01:00"));
    await world.toggle("sa-lamp", "off");
    await aClosure("sa", "wet", at("17:30:00"), null);
    await world.sync();
    expect(await world.toggle("sa-lamp", "on")).toMatchObject({ success: false, state: "off" });
    expect(await world.toggle("sa-lamp", "auto")).toMatchObject({ success: true, state: "off" });
  });
});

test("an answer to a lamp that cools does not say that it is lit", async () => {
  await aField("sc");
  await sql("UPDATE devices SET restrike_min = 15 WHERE org_id = 'sc'").run();
  await inWorld("sc", at("18:00:00"), async (world) => {
    await world.sync();
    await world.toggle("sc-lamp", "on");
    await world.to(at("18:01:00"));
    await world.toggle("sc-lamp", "off");
    // The ON took the place of the OFF that would have read the lamp.
    expect(await world.toggle("sc-lamp", "on")).toMatchObject({ success: false, state: "unknown" });
  });
});

test("a toggle that the lamp is out of reach for is answered at once, and says whether it is still tried", async () => {
  await aField("pr");
  await inWorld("pr", at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("lamp:pr-lamp", { kind: "offline" });
    const answer = { success: false, state: "unknown", provider: "mock" };
    expect(await world.toggle("pr-lamp", "on")).toMatchObject({ ...answer, detail: "not reachable; still trying" });
    expect(new Date(world.now).toISOString()).toBe(at("17:00:00.120"));
    await setting("pr", "RETRY_BACKOFFS_SEC", []).run();
    await world.sync();
    expect(await world.toggle("pr-lamp", "off")).toMatchObject({ ...answer, detail: "not reachable" });
    expect(new Date(world.now).toISOString()).toBe(at("17:00:00.240"));
  });
});

test("a toggle whose next try comes soon waits for it", async () => {
  await aField("soon");
  await setting("soon", "RETRY_BACKOFFS_SEC", [3]).run();
  await inWorld("soon", at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("lamp:soon-lamp", { kind: "offline" });
    world.outside(1_000, () => world.fault("lamp:soon-lamp"));
    expect(await world.toggle("soon-lamp", "on")).toMatchObject({ success: true, state: "on" });
    expect(new Date(world.now).toISOString()).toBe(at("17:00:03.240"));
  });
});

test("new rules concern every light, also where something else was changed with them", async () => {
  await aField("both", ["both-a", "both-b"]);
  await aSchedule("both", "both1", at("18:00:00"), at("22:00:00"), { device: "both-a" });
  await inWorld("both", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:00:00"));
    await setting("both", "BLACKOUT_WINDOW", "18:30-20:00").run();
    await sql("UPDATE devices SET name = 'another' WHERE id = 'both-b'").run();
    await world.sync();
    await world.to(at("19:00:01"));
    expect(world.lamp("both-a")).toBe("off");
  });
});

test("an ON that was decided in the very instant in which new rules for a large city forbid it does not leave", async () => {
  const lamps = Array.from({ length: 501 }, (_, n) => `instant-${1_000 + n}`);
  const last = lamps.at(-1) ?? "";
  await aField("instant", lamps);
  await aSchedule("instant", "instant1", at("18:00:00"), at("20:00:00"), { device: last });
  await inWorld("instant", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("17:59:59"));
    world.now = Date.parse(at("18:00:00"));
    const { context } = world;
    const leaving = () => transact(context, () => nextCalls(context, 10).map(({ device_id }) => device_id));
    passFollows(context); // all lanes are taken, so that it has to wait
    transact(context, () => reconcileDevice(context, last));
    expect(commandFor(context.sql, last)).toMatchObject({ action: "on", phase: "send" });
    await setting("instant", "BLACKOUT_WINDOW", "17:30-19:00").run();
    await world.sync();
    expect(leaving()).toEqual([]);
  });
});

test("a light that does not switch off is tried again, and then reported as failed", async () => {
  await aField("l");
  await aSchedule("l", "l1", at("18:00:00"), at("20:00:00"));
  await inWorld("l", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:00:00"));
    world.fault("lamp:l-lamp", { kind: "stuck" });
    await world.to(at("20:10:00"));
    expect((await events("l")).slice(1)).toEqual([
      "20:00:08 scheduler off retry 1",
      "20:00:26 scheduler off retry 2",
      "20:01:04 scheduler off fail 3",
    ]);
    expect((await deviceRow("l-lamp")).current_state).toBe("on");
  });
});

test("a time-out although the device did switch is settled by the verification", async () => {
  await aField("m");
  await aSchedule("m", "m1", at("18:00:00"), at("20:00:00"));
  await inWorld("m", at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("lamp:m-lamp", { kind: "drop" });
    await world.to(at("18:01:00"));
    expect(await events("m")).toEqual(["18:00:16 scheduler on ok 1"]);
  });
});

test("seven quick toggles of one device settle on the last", async () => {
  await aField("n");
  await inWorld("n", at("12:00:00"), async (world) => {
    await world.sync();
    const toggles = (["on", "off", "on", "off", "on", "off", "on"] as const).map((action) =>
      world.toggle("n-lamp", action),
    );
    const results = await Promise.all(toggles);
    expect(results.at(-1)).toMatchObject({ success: true, state: "on" });
    await world.to(at("12:05:00"));
    expect(world.lamp("n-lamp")).toBe("on");
    expect((await events("n")).at(-1)).toBe("12:00:08 manual on ok 1");
  });
});

test("forty lamps due in one minute are all commanded, and a dead hub delays nobody", async () => {
  const lamps = Array.from({ length: 40 }, (_, i) => `o-${String(i).padStart(2, "0")}`);
  await aField("o", lamps);
  await sql("INSERT INTO hubs (id, org_id, area_id, name) VALUES ('o-dead', 'o', 'o-area', 'Dead')").run();
  await sql("UPDATE devices SET hub_id = 'o-dead' WHERE id IN ('o-00', 'o-01', 'o-02', 'o-03')").run();
  await aScheduleEach("o", lamps, at("18:00:00"), at("20:00:00"));
  await inWorld("o", at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("hub:o-dead", { kind: "offline" });
    await world.to(at("18:00:10"));
    expect(lamps.filter((lamp) => world.lamp(lamp) === "on")).toEqual(lamps.slice(4));
    await world.to(at("18:30:00"));
    const lines = await events("o");
    expect(lines.filter((line) => line.endsWith("on ok 1"))).toHaveLength(36);
    expect(lines.filter((line) => line.includes("fail"))).toHaveLength(4);
  });
});

test("a device deleted while it is lit: the lamp that burns gets its OFF", async () => {
  await aField("p");
  await aSchedule("p", "p1", at("18:00:00"), at("22:00:00"));
  await inWorld("p", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:00:00"));
    await sql("DELETE FROM areas WHERE id = 'p-area'").run();
    await world.sync();
    await world.to(at("19:00:30"));
    expect(world.lamp("p-lamp")).toBe("off");
    expect((await events("p")).at(-1)).toBe("19:00:08 scheduler off ok 1");
    expect((await notes("p")).at(-1)).toBe("Off: the device was deleted while it was lit");
  });
});

test("a corrected physical id: the old lamp goes off, the new one on", async () => {
  await aField("q");
  await aSchedule("q", "q1", at("18:00:00"), at("22:00:00"));
  await inWorld("q", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:00:00"));
    await sql("UPDATE devices SET cloud_device_id = 'new-lamp' WHERE id = 'q-lamp'").run();
    await world.sync();
    await world.to(at("19:01:00"));
    expect([world.lamp("q-lamp"), world.lamp("new-lamp")]).toEqual(["off", "on"]);
    expect(await notes("q")).toContain("Off: its address was changed while it was lit");
    await world.to(at("22:01:00"));
    expect(world.lamp("new-lamp")).toBe("off");
  });
});

test("settings changed at 21:00 apply tonight, and a claim cut short is recorded once", async () => {
  await aField("r");
  await aSchedule("r", "r1", at("18:00:00"), at("23:00:00"));
  await inWorld("r", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("21:00:00"));
    await setting("r", "BLACKOUT_WINDOW", "21:30-22:00").run();
    await world.sync();
    await world.to(at("21:29:59"));
    expect(world.lamp("r-lamp")).toBe("on");
    await world.to(at("21:31:00"));
    expect(world.lamp("r-lamp")).toBe("off");
    await world.to(at("22:01:00"));
    expect(world.lamp("r-lamp")).toBe("on");
    const cut = (await notes("r")).filter((note) => note.startsWith("cut short"));
    expect(cut).toEqual(["cut short: Practice · Off: blackout until 10:00 PM"]);
    const { results } = await sql("SELECT id FROM scheduler_events WHERE org_id = 'r' AND attempts = 0").all();
    expect(results).toEqual([{ id: `cut:r1:2026-06-10:r-lamp:${Date.parse(at("18:00:00"))}` }]);
  });
});

test("a window that is moved to another light is recorded for each, and outlives the first", async () => {
  await aField("moved", ["moved-a", "moved-b"]);
  await aSchedule("moved", "moved1", at("18:00:00"), at("23:00:00"), { device: "moved-a" });
  await inWorld("moved", at("17:00:00"), async (world) => {
    await world.sync();
    await setting("moved", "BLACKOUT_WINDOW", "18:30-18:40").run();
    await world.sync();
    await world.to(at("19:00:00"));
    await sql("UPDATE schedules SET device_id = 'moved-b' WHERE id = 'moved1'").run();
    await world.sync();
    await world.to(at("19:00:02"));
    expect([world.lamp("moved-a"), world.lamp("moved-b")]).toEqual(["off", "on"]);
    await world.to(at("19:06:00"));
    await setting("moved", "BLACKOUT_WINDOW", "19:10-19:20").run();
    await world.sync();
    await world.to(at("19:15:00"));
    await sql("DELETE FROM devices WHERE id = 'moved-a'").run();
    await world.sync();
    await world.to(at("23:30:00"));
    const { results } = await sql("SELECT id FROM scheduler_events WHERE org_id = 'moved' AND attempts = 0").all();
    expect(results).toEqual(
      ["moved-a", "moved-b"].map((id) => ({ id: `cut:moved1:2026-06-10:${id}:${Date.parse(at("18:00:00"))}` })),
    );
  });
});

test("at the curfew only what is lit is commanded", async () => {
  const lamps = Array.from({ length: 20 }, (_, i) => `t-${i}`);
  await aField("t", lamps);
  await inWorld("t", at("20:00:00"), async (world) => {
    await world.sync();
    await world.toggle("t-7", "on");
    await world.to("2026-06-11T06:00:00Z");
    expect((await events("t")).map((line) => line.slice(9))).toEqual(["manual on ok 1", "scheduler off ok 1"]);
    expect(world.lamp("t-7")).toBe("off");
  });
});

test("D1 is down at the hour: the light still switches, the events appear when it is back", async () => {
  await aField("u");
  await aSchedule("u", "u1", at("18:00:00"), at("20:00:00"));
  await inWorld("u", at("17:00:00"), async (world) => {
    await world.sync();
    world.setDatabaseDown(true);
    await world.to(at("18:05:00"));
    expect(world.lamp("u-lamp")).toBe("on");
    world.setDatabaseDown(false);
    await world.to(at("18:10:00"));
    expect(await events("u")).toEqual(["18:00:08 scheduler on ok 1"]);
    expect((await deviceRow("u-lamp")).current_state).toBe("on");
  });
});

test("every window ends in one record: lit, failed, skipped by hand, and nothing for one that was canceled", async () => {
  const days = "FREQ=DAILY;COUNT=4";
  await aField("v");
  await aSchedule("v", "v1", at("18:00:00"), at("20:00:00"), { rrule: days });
  await inWorld("v", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to("2026-06-11T17:00:00Z");
    world.fault("lamp:v-lamp", { kind: "offline" });
    await world.to("2026-06-12T17:00:00Z");
    world.fault("lamp:v-lamp");
    world.fault("hub:v-hub", { kind: "slow", ms: 3000 });
    await world.to("2026-06-12T18:00:01Z");
    await world.toggle("v-lamp", "off");
    await world.to("2026-06-13T18:30:00Z");
    await sql("UPDATE schedules SET status = 'canceled' WHERE id = 'v1'").run();
    await world.sync();
    await world.to("2026-06-14T17:00:00Z");
    const ends = (await notes("v")).filter((note) => /Practice/.test(note));
    expect(ends).toEqual([
      "On until 8:00 PM: Practice",
      "On until 8:00 PM: Practice · not confirmed: not reachable",
      "On until 8:00 PM: Practice · not confirmed: not reachable",
      "On until 8:00 PM: Practice · not confirmed: not reachable",
      "On until 8:00 PM: Practice · replaced by a newer press",
      "Practice · skipped: switched off by hand",
      "On until 8:00 PM: Practice",
    ]);
  });
});

test("the last window of all has its record when it ends, although nothing has to be switched then", async () => {
  await aField("last");
  await aSchedule("last", "last1", at("18:00:00"), at("20:00:00"));
  await inWorld("last", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:00:01"));
    await world.toggle("last-lamp", "off");
    await world.to(at("19:59:59"));
    expect(await notes("last")).not.toContain("Practice · skipped: switched off by hand");
    await world.to(at("20:00:01"));
    expect(await notes("last")).toContain("Practice · skipped: switched off by hand");
  });
});

test("a light that is read lit before its ON is verified has no record yet, and gets one where nobody verifies", async () => {
  await aField("unsure");
  await aSchedule("unsure", "unsure1", at("18:00:00"), at("18:01:00"));
  await inWorld("unsure", at("17:59:00"), async (world) => {
    await world.sync();
    await world.to(at("18:00:01"));
    transact(world.context, () => enqueuePoll(world.context, "read", "unsure-lamp"));
    world.context.startRunners();
    await world.to(at("18:00:02"));
    expect((await deviceRow("unsure-lamp")).current_state).toBe("on");
    world.die();
    await world.restart(at("18:02:00"));
    await world.to(at("18:03:00"));
    expect(world.lamp("unsure-lamp")).toBe("off");
    expect(await notes("unsure")).toContain("Practice · skipped: never confirmed in its window");
  });
});

test("an OFF from before a window has nothing to do with it: it says why it has no other record", async () => {
  await aField("before");
  await aSchedule("before", "before1", at("18:00:00"), at("20:00:00"));
  await inWorld("before", at("17:00:00"), async (world) => {
    await world.sync();
    await world.toggle("before-lamp", "off");
    await world.to(at("18:00:02"));
    world.die();
    await world.restart(at("20:30:00"));
    await world.to(at("20:31:00"));
    expect(await notes("before")).toContain("Practice · skipped: never confirmed in its window");
  });
});

test("a toggle that the account's limit holds for a moment is waited for", async () => {
  await aField("held");
  await inWorld("held", at("12:00:00"), async (world) => {
    await world.sync();
    const told = { provider: "cloud", http_status: 200, snippet: "", rtt_ms: 0 } as const;
    const busy = { ok: false, reason: "throttled", detail: "busy", retry_after_ms: 2_000, limit: "account" } as const;
    const failures: [] = [];
    let n = 0;
    world.wrapProvider((real) => ({
      switch: (...call) => ((n += 1) === 1 ? Promise.resolve({ ...busy, ...told, failures }) : real.switch(...call)),
    }));
    expect(await world.toggle("held-lamp", "on")).toMatchObject({ success: true, state: "on" });
    expect(n).toBe(2);
  });
});

test("a window that lies wholly inside a guardrail is recorded once, when it begins, with the reason", async () => {
  await aField("gr");
  await setting("gr", "BLACKOUT_WINDOW", "00:00-05:00").run();
  await setting("gr", "HARD_CURFEW_OFF", "").run();
  await aSchedule("gr", "gr1", "2026-06-10T02:00:00Z", "2026-06-10T02:30:00Z");
  await inWorld("gr", "2026-06-09T20:00:00Z", async (world) => {
    await world.sync();
    await world.to("2026-06-10T01:00:00Z");
    await setting("gr", "MAX_ON_DURATION_MIN", 60).run();
    await world.sync(); // every device is looked at in the middle of the blackout
    await world.to("2026-06-10T06:00:00Z");
    expect(await events("gr")).toEqual(["02:00:00 scheduler on fail 0"]);
    expect(await notes("gr")).toEqual(["cut short: Practice · Off: blackout until 5:00 AM"]);
  });
});

test("a command that waits for its next try is dropped with the reason, and the last try keeps its event", async () => {
  await aField("dr");
  await aSchedule("dr", "dr1", at("18:00:00"), at("18:00:30"));
  await inWorld("dr", at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("lamp:dr-lamp", { kind: "stuck" });
    await world.to(at("18:00:12")); // the first check has found it dark; ten seconds to the next try
    world.fault("lamp:dr-lamp");
    await sql("UPDATE schedules SET status = 'canceled' WHERE id = 'dr1'").run();
    await world.sync();
    await world.to(at("18:10:00"));
    expect((await events("dr")).slice(0, 2)).toEqual([
      "18:00:08 scheduler on retry 1",
      "18:00:12 scheduler on retry 1",
    ]);
    expect((await notes("dr"))[1]).toContain("not tried again, no longer wanted");
  });
});

test("under new rules a big city's lit lights are seen to at once, and the others one after the other", async () => {
  const lamps = Array.from({ length: 1_000 }, (_, i) => `big-${String(i).padStart(4, "0")}`);
  await aField("big", lamps);
  await inWorld("big", at("12:00:00"), async (world) => {
    await world.sync();
    await world.to(at("12:00:10"));
    await world.toggle("big-0999", "on");
    await world.to(at("12:01:00"));
    await setting("big", "BLACKOUT_WINDOW", "12:00-13:00").run();
    await world.sync();
    const waiting = () => world.storage.sql.exec("SELECT COUNT(*) AS n FROM timers WHERE kind = 'recheck'").one().n;
    expect(waiting()).toBe(500);
    await world.to(at("12:01:01"));
    expect(world.lamp("big-0999")).toBe("off");
    expect(waiting()).toBe(0);
    const since = Date.parse(at("12:01:00"));
    const unseen = "SELECT COUNT(*) AS n FROM device_memory WHERE reconciled_at < ?";
    expect(world.storage.sql.exec(unseen, since).one().n).toBe(0);
  });
});

test("a booking made at 19:30 for 18:30 on lights a lamp that was switched off at 19:00", async () => {
  await aField("belated");
  await inWorld("belated", at("18:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:00:00"));
    await world.toggle("belated-lamp", "off");
    await world.to(at("19:30:00"));
    await aSchedule("belated", "belated1", at("18:30:00"), at("21:00:00"), { at: at("19:30:00") });
    await world.sync();
    await world.to(at("19:30:10"));
    expect(world.lamp("belated-lamp")).toBe("on");
    await world.to(at("21:00:10"));
    expect(world.lamp("belated-lamp")).toBe("off");
    expect((await events("belated")).slice(1)).toEqual(["19:30:08 scheduler on ok 1", "21:00:08 scheduler off ok 1"]);
  });
});
