import { expect, test } from "vitest";
import type { ProviderResult } from "#durable/providers/provider";
import { commandFor } from "#durable/commands/command-table";
import { reconcileDevice } from "#durable/reconcile/reconcile";
import { transact } from "#durable/state/context";
import { timerDueAt } from "#durable/state/timers";
import { inWorld, type World } from "#tests/support/engine";
import { aField, aSchedule, deviceRow, events, messages, notes, setting, sql } from "#tests/support/light";
import { aClosure } from "#tests/support/limits";

/** What is written down of a window, a call and a state: each thing once, and as it was. */

const at = (clock: string) => `2026-06-10T${clock}Z`;

const told = { provider: "cloud", http_status: 200, snippet: "cloud: so", rtt_ms: 5 } as const;
const fails = (reason: (ProviderResult & { ok: false })["reason"], more = {}): ProviderResult & { ok: false } => ({
  ok: false,
  reason,
  detail: "so",
  failures: [{ where: "device", reason }],
  ...told,
  ...more,
});

/** Answers reads as they are told in turn, and then as the lamps are. */
function reading(world: World, ...answers: ProviderResult[]): number[] {
  const asked: number[] = [];
  world.wrapProvider((real) => ({
    read: (...of) => {
      asked.push(world.now);
      const answer = answers.shift();
      return answer ? Promise.resolve(answer) : real.read(...of);
    },
  }));
  return asked;
}

async function history(org_id: string): Promise<string[]> {
  const { results } = await sql(
    "SELECT action, result, response_snippet FROM device_events WHERE org_id = ? ORDER BY created_at, rowid",
    org_id,
  ).all<{ action: string; result: string; response_snippet: string }>();
  return results.map((row) => `${row.action} ${row.result}: ${row.response_snippet}`);
}

test.each([
  ["HARD_CURFEW_OFF", "20:00", "cut short: Practice · Off: curfew until 5:00 AM"],
  ["MAX_ON_DURATION_MIN", 120, "cut short: Practice · Off: 120 minutes reached"],
])("a window that %s %s cuts short says so, once", async (key, value, note) => {
  const org = `cut-${key.toLowerCase()}`;
  await aField(org);
  await setting(org, key, value).run();
  await aSchedule(org, `${org}1`, at("18:00:00"), at("23:00:00"));
  await inWorld(org, at("17:00:00"), async (world) => {
    await world.sync();
    await world.to("2026-06-11T03:00:00Z");
    expect((await notes(org)).filter((line) => /cut short|skipped|missed/.test(line))).toEqual([note]);
  });
});

test("a window that ends at the very moment of the return was missed", async () => {
  await aField("edge");
  await aSchedule("edge", "edge1", at("18:00:00"), at("20:00:00"));
  await inWorld("edge", at("17:00:00"), async (world) => {
    await world.sync();
    world.die();
    await world.restart(at("20:00:00"));
    await world.to(at("21:00:00"));
    expect(await notes("edge")).toEqual(["Practice · missed: nothing ran at the time"]);
  });
});

/** A life of two hundred lights found it (seed 234). */
test.each([
  ["in", "21:30:00"],
  ["after", "22:05:00"],
])("a window that nobody could know of, looked at %s it without knowing, was missed: once", async (what, looked) => {
  const org = `unknown-${what}`;
  await aField(org);
  await sql("UPDATE areas SET active = 0 WHERE org_id = ?", org).run();
  await aSchedule(org, `${org}1`, at("21:00:00"), at("22:00:00"), { rrule: "FREQ=DAILY;COUNT=3" });
  await inWorld(org, at("12:00:00"), async (world) => {
    await world.sync();
    world.setDatabaseDown(true);
    await sql("UPDATE areas SET active = 1, updated_at = ? WHERE org_id = ?", at("19:57:00"), org).run();
    await world.to(at(looked));
    transact(world.context, () => reconcileDevice(world.context, `${org}-lamp`));
    await world.to(at("22:16:00"));
    world.setDatabaseDown(false);
    await world.sync();
    await world.to(at("22:20:00"));
    const missed = ["Practice · missed: nothing ran at the time"];
    expect(await notes(org)).toEqual(missed);
    // Another change of the plan brings nothing of it up again, nor of what was served since.
    for (const day of ["2026-06-11", "2026-06-12"]) {
      await world.to(`${day}T22:10:00Z`);
      await sql("UPDATE devices SET name = ? WHERE org_id = ?", day, org).run();
      await world.sync();
    }
    await world.to("2026-06-13T12:00:00Z");
    expect((await notes(org)).filter((note) => /missed|skipped|cut/.test(note))).toEqual(missed);
    expect((await events(org)).filter((line) => / on ok /.test(line))).toHaveLength(2);
  });
});

/** A life of two hundred lights found it (seed 2006). */
test("a window of a light that was entered while the database could not be asked was missed, and says so once", async () => {
  await aField("entered");
  await inWorld("entered", at("12:00:00"), async (world) => {
    await world.sync();
    world.setDatabaseDown(true);
    await world.to(at("13:00:00"));
    await sql(
      "INSERT INTO devices (id, org_id, area_id, name, updated_at) VALUES ('new', 'entered', 'entered-area', 'Mast', ?)",
      at("13:00:00"),
    ).run();
    // From before the light was there, as a whole area's may be.
    await aSchedule("entered", "entered1", at("12:30:00"), at("12:50:00"), { device: "new", at: at("12:00:00") });
    await aSchedule("entered", "entered2", at("18:00:00"), at("20:00:00"), { device: "new", at: at("13:00:00") });
    await world.to(at("21:00:00"));
    world.setDatabaseDown(false);
    await world.sync();
    await world.to("2026-06-11T12:00:00Z");
    expect(await notes("entered")).toEqual(["Practice · missed: nothing ran at the time"]);
  });
});

test.each([
  ["has failed", at("21:05:00"), /^On until 9:00 PM: Practice · /],
  ["was never confirmed", at("19:30:06"), /^Practice · skipped: never confirmed in its window$/],
])("a booking made after an OFF that %s is not said to be switched off by hand", async (what, end, note) => {
  const org = `begun-${what.slice(0, 3)}`;
  await aField(org);
  await setting(org, "RETRY_BACKOFFS_SEC", []).run();
  await inWorld(org, at("18:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:00:00"));
    await world.toggle(`${org}-lamp`, "off");
    await world.to(at("19:30:00"));
    world.fault(`lamp:${org}-lamp`, { kind: what === "has failed" ? "offline" : "slow", ms: 3_000 });
    const start = at("18:30:00");
    await aSchedule(org, `${org}1`, start, what === "has failed" ? at("21:00:00") : end, { at: at("19:30:00") });
    await world.sync();
    await world.to(at("19:30:02"));
    if (what !== "has failed") world.die();
    await world.restart(at("19:40:00"));
    world.fault(`lamp:${org}-lamp`);
    await world.to(at("21:05:00"));
    const told = (await notes(org)).filter((line) => /Practice/.test(line));
    expect(told).toContainEqual(expect.stringMatching(note));
    expect(told.filter((line) => /by hand/.test(line))).toEqual([]);
  });
});

/** A life of two hundred lights found it (seed 6048). */
test("a window that begins while its hub's pause keeps an ON back has a record, also where that one fails", async () => {
  const lamps = Array.from({ length: 8 }, (_, n) => `kept-${n}`);
  await aField("kept", lamps);
  for (const device of lamps) {
    await aSchedule("kept", `${device}-long`, at("18:00:00"), at("18:40:00"), { device });
    await aSchedule("kept", `${device}-short`, at("18:01:30"), at("18:20:00"), { device });
  }
  await inWorld("kept", at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("hub:kept-hub", { kind: "offline" });
    await world.to(at("18:20:05"));
    const ends = await sql("SELECT device_id FROM scheduler_events WHERE org_id = 'kept' AND result = 'fail'").all();
    const recorded = lamps.map((id) => ends.results.filter(({ device_id }) => device_id === id).length);
    expect(recorded).toEqual(lamps.map(() => 2));
  });
});

test("a window that begins while the watchdog's ON is under way has a record, though nobody is told of that try", async () => {
  await aField("under");
  await setting("under", "WATCHDOG_ENABLED", true).run();
  await aSchedule("under", "under1", at("18:00:00"), at("22:00:00"));
  await inWorld("under", at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("lamp:under-lamp", { kind: "stuck" });
    await world.to(at("18:01:00"));
    const isUnderWay = () => {
      const live = commandFor(world.storage.sql, "under-lamp");
      return live?.source === "watchdog" && live.phase === "verify";
    };
    for (let n = 0; n < 3_600 && !isUnderWay(); n += 1) await world.to(world.now + 1_000);
    const start = new Date(world.now + 1_000).toISOString();
    const end = new Date(world.now + 60_000).toISOString();
    await aSchedule("under", "under2", start, end, { title: "Finals" });
    await world.sync();
    await world.to(world.now + 120_000);
    expect((await notes("under")).filter((note) => note.includes("Finals"))).toEqual([
      "Finals · skipped: never confirmed in its window",
    ]);
  });
});

/** A life of two hundred lights found it (seed 6063). */
test("a night that is moved to later on its day, after it was over, has another record", async () => {
  await aField("later");
  await aSchedule("later", "later1", at("18:00:00"), at("19:00:00"));
  await inWorld("later", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:30:00"));
    await world.toggle("later-lamp", "off", { until: at("22:00:00") });
    await sql(
      "UPDATE schedules SET start_at = ?, end_at = ?, updated_at = ? WHERE id = 'later1'",
      at("20:00:00"),
      at("21:00:00"),
      at("19:30:00"),
    ).run();
    await world.sync();
    await world.to(at("21:01:00"));
    expect((await notes("later")).filter((note) => note.startsWith("Practice · off until "))).toHaveLength(1);
  });
});

test("a night that is moved to begin when it had ended has another record", async () => {
  await aField("onward");
  await aSchedule("onward", "onward1", at("18:00:00"), at("19:00:00"));
  await inWorld("onward", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:30:00"));
    await world.toggle("onward-lamp", "off", { until: at("22:00:00") });
    await sql(
      "UPDATE schedules SET start_at = ?, end_at = ?, updated_at = ? WHERE id = 'onward1'",
      at("19:00:00"),
      at("21:00:00"),
      at("19:30:00"),
    ).run();
    await world.sync();
    await world.to(at("21:01:00"));
    expect((await notes("onward")).filter((note) => note.startsWith("Practice · off until "))).toHaveLength(1);
  });
});

test("an OFF in the instant in which a window begins is why it was skipped", async () => {
  await aField("instant");
  await aSchedule("instant", "instant1", at("18:00:00"), at("19:00:00"));
  await inWorld("instant", at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("lamp:instant-lamp", { kind: "offline" });
    await world.to(at("18:00:00"));
    world.beginToggle("instant-lamp", "off", () => undefined);
    await world.to(at("19:01:00"));
    const skipped = (await notes("instant")).filter((note) => note.startsWith("Practice"));
    expect(skipped).toEqual(["Practice · skipped: switched off by hand"]);
  });
});

/** A life of two hundred lights found it (seed 6007). */
test("a night that was cut, and is moved to later on its day and cut again, has both records", async () => {
  await aField("again");
  await aSchedule("again", "again1", at("18:00:00"), at("19:00:00"));
  await inWorld("again", at("17:00:00"), async (world) => {
    await setting("again", "BLACKOUT_WINDOW", "18:30-20:30").run();
    await world.sync();
    await world.to(at("19:30:00"));
    await sql(
      "UPDATE schedules SET start_at = ?, end_at = ?, updated_at = ? WHERE id = 'again1'",
      at("20:00:00"),
      at("21:00:00"),
      at("19:30:00"),
    ).run();
    await world.sync();
    await world.to(at("21:01:00"));
    expect((await notes("again")).filter((note) => note.startsWith("cut short"))).toHaveLength(2);
  });
});

test("a night that is moved to later before its end while it is kept dark has one record, at its new end", async () => {
  await aField("put-off");
  await aSchedule("put-off", "put-off1", at("18:00:00"), at("19:00:00"));
  await aClosure("put-off", "put-off-wet", at("17:30:00"), at("22:00:00"));
  await inWorld("put-off", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:59:00"));
    await sql(
      "UPDATE schedules SET start_at = ?, end_at = ?, updated_at = ? WHERE id = 'put-off1'",
      at("20:00:00"),
      at("21:00:00"),
      at("18:59:00"),
    ).run();
    await world.sync();
    await world.to(at("19:00:30"));
    expect(timerDueAt(world.context.sql, "wake", "put-off-lamp")).toBe(Date.parse(at("20:00:00")));
    await world.to(at("20:59:59"));
    expect(await notes("put-off")).toEqual([]);
    await world.to(at("21:01:00"));
    expect(await notes("put-off")).toEqual(["Practice · closed: wet ground"]);
  });
});

test("of windows that are over and have their record, those of two days are remembered", async () => {
  await aField("nightly");
  await aSchedule("nightly", "nightly1", at("18:00:00"), at("19:00:00"), { rrule: "FREQ=DAILY" });
  await inWorld("nightly", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to("2026-06-15T18:30:00Z");
    const dates = world.storage.sql.exec("SELECT date FROM claims ORDER BY date").toArray();
    expect(dates).toEqual([{ date: "2026-06-13" }, { date: "2026-06-14" }, { date: "2026-06-15" }]);
    expect((await notes("nightly")).filter((note) => /missed|skipped/.test(note))).toEqual([]);
  });
});

test("a window of a light that burns already, and is read so, was not skipped", async () => {
  await aField("burns");
  await aSchedule("burns", "burns1", at("18:00:00"), at("19:00:00"));
  await inWorld("burns", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("17:30:00"));
    await world.toggle("burns-lamp", "on");
    await world.to(at("19:01:00"));
    expect(await notes("burns")).toEqual(["Pressed by someone@parks.example", "Off: no schedule is running"]);
  });
});

test("a window that is lengthened in its last seconds ends when it ends now", async () => {
  await aField("longer");
  await aSchedule("longer", "longer1", at("18:00:00"), at("18:00:10"));
  await inWorld("longer", at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("hub:longer-hub", { kind: "slow", ms: 6_000 });
    await world.to(at("18:00:08"));
    await sql(
      "UPDATE schedules SET end_at = ?, updated_at = ? WHERE id = 'longer1'",
      at("19:00:00"),
      at("18:00:08"),
    ).run();
    await world.sync();
    await world.to(at("18:30:00"));
    expect(world.lamp("longer-lamp")).toBe("on");
    expect(await notes("longer")).toEqual(["On until 6:00 PM: Practice"]);
    await world.to(at("19:01:00"));
    expect(world.lamp("longer-lamp")).toBe("off");
    expect((await notes("longer")).filter((note) => /skipped|missed|cut/.test(note))).toEqual([]);
  });
});

test("a window that is shortened while it is dark has its record at its new end", async () => {
  await aField("shorter");
  await aSchedule("shorter", "shorter1", at("18:00:00"), at("20:00:00"));
  await aClosure("shorter", "shorter-wet", at("17:30:00"), at("21:00:00"));
  await inWorld("shorter", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:30:00"));
    await sql(
      "UPDATE schedules SET end_at = ?, updated_at = ? WHERE id = 'shorter1'",
      at("19:00:00"),
      at("18:30:00"),
    ).run();
    await world.sync();
    await world.to(at("18:59:59"));
    expect(await notes("shorter")).toEqual([]);
    await world.to(at("19:00:30"));
    expect(await notes("shorter")).toEqual(["Practice · closed: wet ground"]);
  });
});

test("every event of a light carries its department", async () => {
  await aField("dept");
  await sql("INSERT INTO departments (id, org_id, name) VALUES ('dept-parks', 'dept', 'Parks')").run();
  await sql("UPDATE devices SET dept_id = 'dept-parks' WHERE org_id = 'dept'").run();
  await setting("dept", "HARD_CURFEW_OFF", "22:00").run();
  await aSchedule("dept", "dept1", at("18:00:00"), at("19:00:00"), { title: "Missed" });
  await aSchedule("dept", "dept2", at("20:00:00"), at("21:00:00"), { title: "Skipped" });
  await aSchedule("dept", "dept3", at("21:30:00"), at("23:00:00"), { title: "Cut" });
  await inWorld("dept", at("17:00:00"), async (world) => {
    await world.sync();
    world.die();
    await world.restart(at("19:30:00"));
    await world.to(at("19:59:59"));
    world.fault("hub:dept-hub", { kind: "slow", ms: 3_000 });
    await world.to(at("20:00:01"));
    await world.toggle("dept-lamp", "off");
    world.fault("hub:dept-hub");
    await world.to(at("22:30:00"));
    await world.toggle("dept-lamp", "on");
    await world.to(at("22:31:00"));
    const told = "SELECT note, dept_id FROM scheduler_events WHERE org_id = 'dept'";
    const { results } = await sql(told).all<{ note: string; dept_id: string | null }>();
    for (const kind of [/missed/, /skipped/, /cut short/, /refused/, /^On until/, /^Off/, /^Pressed/])
      expect(
        results.filter(({ note }) => kind.test(note)),
        String(kind),
      ).not.toEqual([]);
    expect(results.filter(({ dept_id }) => dept_id !== "dept-parks")).toEqual([]);
    const history = "SELECT action, dept_id FROM device_events WHERE org_id = 'dept'";
    const calls = await sql(history).all<{ action: string; dept_id: string | null }>();
    expect(calls.results.length).toBeGreaterThan(3);
    expect(calls.results.filter(({ dept_id }) => dept_id !== "dept-parks")).toEqual([]);
  });
});

test("an object that was lost and began anew still moves the state that D1 has forward", async () => {
  await aField("anew");
  await inWorld("anew", at("17:00:00"), async (world) => {
    await world.sync();
    for (const action of ["on", "off", "on", "off", "on"] as const) {
      await world.toggle("anew-lamp", action);
      await world.to(world.now + 60_000);
    }
    expect(await deviceRow("anew-lamp")).toMatchObject({ current_state: "on" });
  });
  await inWorld("anew", at("18:00:00"), async (world) => {
    await world.sync();
    await world.toggle("anew-lamp", "off");
    expect(await deviceRow("anew-lamp")).toMatchObject({ current_state: "off" });
  });
});

test("a window that was missed while its title was changed was missed all the same", async () => {
  await aField("retitled");
  await aSchedule("retitled", "retitled1", at("18:00:00"), at("20:00:00"));
  await inWorld("retitled", at("17:00:00"), async (world) => {
    await world.sync();
    world.die();
    const change = "UPDATE schedules SET title = 'League', updated_at = ? WHERE id = 'retitled1'";
    await sql(change, at("19:00:00")).run();
    await sql("UPDATE areas SET name = 'Field 4', updated_at = ? WHERE org_id = 'retitled'", at("19:00:00")).run();
    await sql("UPDATE devices SET name = 'Pole', updated_at = ? WHERE org_id = 'retitled'", at("19:00:00")).run();
    await world.restart(at("20:30:00"));
    await world.to(at("21:00:00"));
    expect(await notes("retitled")).toEqual(["League · missed: nothing ran at the time"]);
  });
});

/** A crash found it (seed 9002): the answer came after the window's end, and before anybody had looked at that. */
test.each([
  ["lit", [] as const, ["On until 6:00 PM: Practice"]],
  ["stuck", [{ kind: "stuck" }] as const, ["On until 6:00 PM: Practice · still off"]],
])("a light that is found %s as its window ends has that record alone", async (what, faults, ends) => {
  const org = `ends-${what}`;
  await aField(org);
  await setting(org, "RETRY_BACKOFFS_SEC", []).run();
  await aSchedule(org, `${org}1`, at("18:00:00"), at("18:00:12"));
  await inWorld(org, at("17:59:00"), async (world) => {
    await world.sync();
    world.fault(`lamp:${org}-lamp`, ...faults);
    await world.to(at("18:00:05"));
    world.fault(`lamp:${org}-lamp`, ...faults, { kind: "slow", ms: 5_000 });
    await world.to(at("18:00:11"));
    world.alarm_at = Date.parse(at("18:00:20"));
    await world.to(at("18:01:00"));
    expect((await notes(org)).filter((note) => /Practice/.test(note))).toEqual(ends);
    expect(world.lamp(`${org}-lamp`)).toBe("off");
  });
});

test.each([
  ["canceled", "UPDATE schedules SET status = 'canceled' WHERE id = ?"],
  ["deleted", "DELETE FROM schedules WHERE id = ?"],
  [
    "moved to another day",
    "UPDATE schedules SET start_at = '2026-07-01T18:00:00Z', end_at = '2026-07-01T20:00:00Z' WHERE id = ?",
  ],
])("a window that is %s before anything came of it has no record of its own", async (what, change) => {
  const org = `gone-${what.slice(0, 5)}`;
  await aField(org);
  await aSchedule(org, `${org}1`, at("18:00:00"), at("20:00:00"));
  await inWorld(org, at("17:00:00"), async (world) => {
    await world.sync();
    world.fault(`hub:${org}-hub`, { kind: "slow", ms: 3_000 });
    await world.to(at("18:00:01"));
    await sql(change, `${org}1`).run();
    await world.sync();
    world.fault(`hub:${org}-hub`);
    await world.to(at("21:00:00"));
    expect((await notes(org)).filter((line) => /skipped|missed|cut/.test(line))).toEqual([]);
    expect(world.lamp(`${org}-lamp`)).toBe("off");
    expect(world.storage.sql.exec("SELECT outcome FROM claims").toArray()).toEqual([{ outcome: "skipped" }]);
  });
});

test("a window that moves to another light before anything came of it is the other light's alone", async () => {
  await aField("other", ["other-a", "other-b"]);
  await aSchedule("other", "other1", at("18:00:00"), at("20:00:00"), { device: "other-a" });
  await inWorld("other", at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("hub:other-hub", { kind: "slow", ms: 3_000 });
    await world.to(at("18:00:01"));
    await sql("UPDATE schedules SET device_id = 'other-b' WHERE id = 'other1'").run();
    await world.sync();
    world.fault("hub:other-hub");
    await world.to(at("21:00:00"));
    expect((await notes("other")).filter((line) => /skipped|missed|cut/.test(line))).toEqual([]);
    expect((await events("other")).filter((line) => / on ok /.test(line))).toHaveLength(1);
  });
});

test("a light that answers nobody is unknown, and each try is a failure in its history", async () => {
  await aField("mute");
  await aSchedule("mute", "mute1", at("18:00:00"), at("20:00:00"));
  await inWorld("mute", at("17:00:00"), async (world) => {
    await world.sync();
    await world.toggle("mute-lamp", "off");
    await world.to(at("17:01:00"));
    expect((await deviceRow("mute-lamp")).current_state).toBe("off");
    world.fault("lamp:mute-lamp", { kind: "offline" });
    await world.to(at("18:02:00"));
    expect((await deviceRow("mute-lamp")).current_state).toBe("unknown");
    expect(await history("mute")).toEqual([
      "off success: mock: state off",
      "on failure: mock: not reachable",
      "on failure: mock: not reachable",
      "on failure: mock: not reachable",
    ]);
  });
});

test("what a superseded ON still heard is in the history, what the limit kept back is not", async () => {
  await aField("late");
  await inWorld("late", at("17:00:00"), async (world) => {
    await world.sync();
    let release: (answer: ProviderResult) => void = () => undefined;
    const superseded = async (answer: ProviderResult) => {
      const letThrough = world.wrapProvider(() => ({ switch: () => new Promise((done) => (release = done)) }));
      world.beginToggle("late-lamp", "on", () => undefined);
      await world.calm();
      letThrough();
      world.beginToggle("late-lamp", "off", () => undefined);
      await world.calm();
      release(answer);
      await world.to(world.now + 60_000);
    };
    await superseded({ ok: true, state: "on", ...told });
    await superseded(fails("timeout"));
    await superseded(fails("throttled", { limit: "account", retry_after_ms: 60_000 }));
    expect((await history("late")).map((line) => line.split(":")[0])).toEqual([
      "on success",
      "off success",
      "on failure",
      "off success",
      "off success",
    ]);
  });
});

test("a window whose light was put out by hand is told so, also where that OFF failed", async () => {
  await aField("hand");
  await aSchedule("hand", "hand1", at("18:00:00"), at("20:00:00"));
  await inWorld("hand", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:00:01"));
    world.fault("lamp:hand-lamp", { kind: "offline" });
    await world.toggle("hand-lamp", "off");
    await world.to(at("19:00:00"));
    expect((await messages("hand")).filter((line) => line.startsWith("device_failed"))).toHaveLength(1);
    await world.to(at("20:01:00"));
    expect((await notes("hand")).at(-1)).toBe("Practice · skipped: switched off by hand");
  });
});

test("a scheduled switch is told in the history by its schedule, and spends as such", async () => {
  await aField("spent");
  await aSchedule("spent", "spent1", at("18:00:00"), at("20:00:00"));
  await inWorld("spent", at("17:00:00"), async (world) => {
    await world.sync();
    const priorities: string[] = [];
    world.wrapProvider((real) => ({
      switch: (address, action, timeout_ms, how) => {
        priorities.push(how.priority);
        return real.switch(address, action, timeout_ms, how);
      },
    }));
    await world.to(at("18:01:00"));
    await world.toggle("spent-lamp", "on");
    await world.to(at("18:02:00"));
    await world.toggle("spent-lamp", "off");
    expect(priorities).toEqual(["on", "person", "off"]);
    const { results } = await sql(
      "SELECT schedule_title FROM device_events WHERE org_id = 'spent' ORDER BY created_at",
    ).all();
    expect(results.map((row) => row.schedule_title)).toEqual(["Practice", null, null]);
  });
});

test("a verification that the limit keeps back is asked when there is room, and then only if it is still wanted", async () => {
  await aField("held");
  await aSchedule("held", "held1", at("18:00:00"), at("20:00:00"));
  await inWorld("held", at("17:00:00"), async (world) => {
    await world.sync();
    const asked = reading(world, fails("throttled", { limit: "account", retry_after_ms: 20_000 }), fails("throttled"));
    await world.to(at("18:01:00"));
    const [first = 0, ...later] = asked;
    expect(later.map((time) => time - first)).toEqual([20_000, 25_000]);
    expect((await events("held")).map((line) => line.slice(9))).toEqual(["scheduler on ok 1"]);

    let release: (answer: ProviderResult) => void = () => undefined;
    const letThrough = world.wrapProvider(() => ({ read: () => new Promise((done) => (release = done)) }));
    await world.toggle("held-lamp", "off");
    await world.to(at("18:02:00"));
    letThrough();
    world.beginToggle("held-lamp", "on", () => undefined);
    await world.calm();
    release(fails("throttled", { retry_after_ms: 1_000 }));
    await world.to(at("18:03:00"));
    expect(world.lamp("held-lamp")).toBe("on");
    expect(world.lines).toEqual([]);
  });
});

test("two ON in a row that a guardrail refuses are recorded as two", async () => {
  await aField("twice");
  await setting("twice", "BLACKOUT_WINDOW", "17:00-18:00").run();
  await inWorld("twice", at("17:30:00"), async (world) => {
    await world.sync();
    await world.toggle("twice-lamp", "on");
    await world.toggle("twice-lamp", "on");
    expect(await events("twice")).toHaveLength(2);
    expect((await history("twice")).map((line) => line.split(":")[0])).toEqual(["on failure", "on failure"]);
  });
});

test("a state that stays the same is told once in five minutes, a change at once", async () => {
  await aField("same");
  await setting("same", "WATCHDOG_ENABLED", true).run();
  await inWorld("same", at("12:00:00"), async (world) => {
    await world.sync();
    await world.to(at("12:00:30"));
    const tellings: (string | null)[] = [];
    for (let minute = 1; minute <= 13; minute += 1) {
      await world.to(at(`12:${String(minute).padStart(2, "0")}:30`));
      const { last_state_at } = await deviceRow("same-lamp");
      if (last_state_at !== tellings.at(-1)) tellings.push(last_state_at);
    }
    expect(tellings.map((ts) => ts?.slice(11, 16))).toEqual(["12:00", "12:05", "12:10"]);
    world.switchExternally("same-lamp", "on");
    await world.to(at("12:14:30"));
    expect(await deviceRow("same-lamp")).toMatchObject({ current_state: "on" });
  });
});

test("the OFF that ends a window has the window's title in the history", async () => {
  await aField("title");
  await aSchedule("title", "title1", at("18:00:00"), at("20:00:00"));
  await inWorld("title", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("20:01:00"));
    const history =
      "SELECT action, schedule_title FROM device_events WHERE org_id = 'title' ORDER BY created_at, rowid";
    expect((await sql(history).all()).results).toEqual([
      { action: "on", schedule_title: "Practice" },
      { action: "off", schedule_title: "Practice" },
    ]);
  });
});

test("an OFF names the window that ended last of those that the light was lit in, and none that was over before", async () => {
  await aField("both");
  await aSchedule("both", "both1", at("18:00:00"), at("20:00:00"), { title: "League" });
  await aSchedule("both", "both2", at("19:00:00"), at("19:30:00"), { title: "Photos" });
  await inWorld("both", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("21:00:00"));
    await world.toggle("both-lamp", "on", { until: at("22:00:00") });
    await world.to(at("22:01:00"));
    const { results } = await sql(
      "SELECT schedule_title FROM device_events WHERE org_id = 'both' AND action = 'off' ORDER BY created_at, rowid",
    ).all();
    expect(results).toEqual([{ schedule_title: "League" }, { schedule_title: null }]);
  });
});
