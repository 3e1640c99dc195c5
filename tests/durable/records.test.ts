import { expect, test } from "vitest";
import { noteAccount } from "#durable/account-trouble";
import { incident, openIncident } from "#durable/incidents";
import { isAlive, noteHub } from "#durable/hub-trouble";
import type { Call } from "#durable/calls";
import type { Answer, Provider } from "#durable/providers/provider";
import { look } from "#durable/reconcile";
import { transact } from "#durable/room";
import { inWorld, type World } from "#tests/support/engine";
import { aField, aSchedule, deviceRow, events, messages, notes, setting, sql } from "#tests/support/light";

/** What is written down of a window, a call and a state: each thing once, and as it was. */

const at = (clock: string) => `2026-06-10T${clock}Z`;

const told = { provider: "cloud", http_status: 200, snippet: "cloud: so", rtt_ms: 5 } as const;
const fails = (reason: (Answer & { ok: false })["reason"], more = {}): Answer & { ok: false } => ({
  ok: false,
  reason,
  detail: "so",
  ...told,
  ...more,
});

/** Answers reads as they are told in turn, and then as the lamps are. */
function reading(world: World, ...answers: Answer[]): number[] {
  const asked: number[] = [];
  const { providers } = world.room;
  world.room.providers = (mode) => {
    const real: Provider = providers(mode);
    return {
      ...real,
      read: (...of) => {
        asked.push(world.now);
        const answer = answers.shift();
        return answer ? Promise.resolve(answer) : real.read(...of);
      },
    };
  };
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
  ["HARD_CURFEW_OFF", "20:00", "cut short: Practice · Off: curfew until 05:00"],
  ["MAX_ON_DURATION_MIN", 120, "cut short: Practice · Off: on for the longest time allowed (120 min)"],
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
    transact(world.room, () => look(world.room, `${org}-lamp`));
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

/** A crash found it (seed 9002): the answer came after the window's end, and before anybody had looked at that. */
test.each([
  ["lit", [] as const, ["On until 18:00: Practice"]],
  ["stuck", [{ kind: "stuck" }] as const, ["On until 18:00: Practice · still off"]],
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
    await world.press("mute-lamp", "off");
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
    const { providers } = world.room;
    let release: (answer: Answer) => void = () => undefined;
    const superseded = async (answer: Answer) => {
      world.room.providers = (mode) => ({
        ...providers(mode),
        switch: () => new Promise((done) => (release = done)),
      });
      world.beginPress("late-lamp", "on", () => undefined);
      await world.calm();
      world.room.providers = providers;
      world.beginPress("late-lamp", "off", () => undefined);
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
    await world.press("hand-lamp", "off");
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
    const { providers } = world.room;
    world.room.providers = (mode) => ({
      ...providers(mode),
      switch: (address, action, timeout_ms, how) => {
        priorities.push(how.priority);
        return providers(mode).switch(address, action, timeout_ms, how);
      },
    });
    await world.to(at("18:01:00"));
    await world.press("spent-lamp", "on");
    await world.to(at("18:02:00"));
    await world.press("spent-lamp", "off");
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

    let release: (answer: Answer) => void = () => undefined;
    const { providers } = world.room;
    world.room.providers = (mode) => ({ ...providers(mode), read: () => new Promise((done) => (release = done)) });
    await world.press("held-lamp", "off");
    await world.to(at("18:02:00"));
    world.room.providers = providers;
    world.beginPress("held-lamp", "on", () => undefined);
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
    await world.press("twice-lamp", "on");
    await world.press("twice-lamp", "on");
    expect(await events("twice")).toHaveLength(2);
    expect((await history("twice")).map((line) => line.split(":")[0])).toEqual(["on failure", "on failure"]);
  });
});

test("a light without a plan that is read dark after a failed OFF is well: the next failure is told anew", async () => {
  await aField("anew");
  await setting("anew", "WATCHDOG_ENABLED", true).run();
  await inWorld("anew", at("12:00:00"), async (world) => {
    await world.sync();
    await world.press("anew-lamp", "on");
    await world.to(at("12:01:00"));
    world.fault("lamp:anew-lamp", { kind: "stuck" });
    await world.press("anew-lamp", "off");
    await world.to(at("12:03:00"));
    world.byHand("anew-lamp", "off");
    await world.to(at("13:00:00"));
    world.byHand("anew-lamp", "on");
    await world.press("anew-lamp", "off");
    await world.to(at("13:02:00"));
    expect((await messages("anew")).filter((line) => line.startsWith("device_failed"))).toHaveLength(2);
  });
});

test("a watchdog that is to come more often comes so at once", async () => {
  await aField("often");
  await setting("often", "WATCHDOG_ENABLED", true).run();
  await setting("often", "WATCHDOG_INTERVAL_SEC", 3_600).run();
  await inWorld("often", at("12:00:00"), async (world) => {
    await world.sync();
    const due = () => world.storage.sql.exec("SELECT due_at FROM timers WHERE id = 'watchdog'").one().due_at;
    expect(due()).toBe(Date.parse(at("13:00:00")));
    await setting("often", "WATCHDOG_INTERVAL_SEC", 7_200).run();
    await world.sync();
    expect(due()).toBe(Date.parse(at("13:00:00")));
    await setting("often", "WATCHDOG_INTERVAL_SEC", 60).run();
    await world.sync();
    expect(due()).toBe(Date.parse(at("12:01:00")));
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
    expect(tellings.map((ts) => ts?.slice(11, 16))).toEqual(["12:01", "12:06", "12:11"]);
    world.byHand("same-lamp", "on");
    await world.to(at("12:14:30"));
    expect(await deviceRow("same-lamp")).toMatchObject({ current_state: "on" });
  });
});

test("in a mode with a way around, a lit light whose hub is deleted is owed nothing", async () => {
  await aField("around");
  await inWorld("around", at("12:00:00"), async (world) => {
    await world.sync();
    await world.press("around-lamp", "on");
    await world.to(at("12:01:00"));
    await sql("UPDATE devices SET hub_id = NULL WHERE id = 'around-lamp'").run();
    await sql("DELETE FROM hubs WHERE id = 'around-hub'").run();
    await world.sync();
    await world.to(at("12:05:00"));
    expect(world.lamp("around-lamp")).toBe("on");
    expect((await events("around")).filter((line) => / off /.test(line))).toEqual([]);
  });
});

test("a press on a light that is deleted meanwhile is told why it was not done", async () => {
  await aField("taken");
  await inWorld("taken", at("12:00:00"), async (world) => {
    await world.sync();
    world.fault("lamp:taken-lamp", { kind: "slow", ms: 4_000 });
    const answers: (string | null)[] = [];
    world.beginPress("taken-lamp", "on", ({ detail }) => answers.push(detail));
    await world.to(at("12:00:01"));
    await sql("DELETE FROM devices WHERE id = 'taken-lamp'").run();
    await world.sync();
    await world.to(at("12:01:00"));
    expect(answers).toEqual(["Not done: the device was deleted"]);
    expect(world.lamp("taken-lamp")).toBe("off");
  });
});

test.each([
  [{ ok: true, state: "on", ...told } as const, true],
  [fails("device"), true],
  [fails("timeout"), false],
  [fails("unreachable"), false],
  [fails("refused"), null],
  [fails("throttled"), null],
])("%o: the hub is alive: %s", async (answer, alive) => {
  expect(isAlive(answer)).toBe(alive);
  const org = `alive-${answer.ok ? "ok" : answer.reason}`;
  await inWorld(org, at("12:00:00"), async (world) => {
    const note = (of: Answer) => transact(world.room, () => noteHub(world.room, "hub:h", of));
    note(fails("timeout"));
    note(fails("timeout"));
    expect(note(answer)).toBe(alive === true);
    expect(note(answer)).toBe(false);
    const [row] = world.storage.sql.exec("SELECT failures FROM hub_trouble").toArray();
    expect(row?.failures ?? 0).toBe({ true: 0, false: 4, null: 2 }[String(alive)]);
  });
});

test("the account's trouble is over when the cloud answers, and not when a device's own limit is met", async () => {
  await inWorld("account", at("12:00:00"), async (world) => {
    const call: Pick<Call, "kind"> = { kind: "send" };
    const note = (answer: Answer) =>
      transact(world.room, () => {
        // oxlint-disable-next-line typescript/consistent-type-assertions -- of a call only its kind is asked
        noteAccount(world.room, call as Call, answer);
        return incident(world.room, "account:cloud") !== null;
      });
    transact(world.room, () => openIncident(world.room, "account:cloud"));
    expect(note(fails("throttled", { limit: "device" }))).toBe(true);
    expect(note(fails("timeout", { provider: "local" }))).toBe(true);
    expect(note(fails("timeout"))).toBe(false);
  });
});
