import { expect, test } from "vitest";
import { inWorld } from "#tests/support/engine";
import type { SwitchAction } from "#domain/enums";
import { VendorLamps } from "#tests/simulation/world/vendor";
import { DAY } from "./wall-clock";
import type { City } from "./city";
import { claimsOf } from "./claims";
import type { Desk } from "./desk";
import { CITY, DEVICE, HOUR, NOON, WINDOW } from "./city-of-one";
import { Forgery } from "./forgery";
import { isDark, isFreed, rulesOf } from "./limits";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const DELETED: City = { ...CITY, version: 2, devices: new Map() };

/** Tells a story of an engine that is not there, beside the oracle. */
function forged(name: string, story: (forgery: Forgery) => void, city = CITY): Promise<void> {
  return inWorld(`forged-${name}`, new Date(NOON).toISOString(), async (world) => story(new Forgery(world, city)));
}

/** A toggle that is sent, read back and told. */
function lit(forgery: Forgery): void {
  forgery.toggle("on");
  forgery.switch("on");
  forgery.wait(8 * SECOND);
  forgery.read("on");
  forgery.tell({ result: "ok" });
}

test("a story in which all is well meets no objection", () =>
  forged("well", (forgery) => {
    lit(forgery);
    forgery.wait(HOUR);
    forgery.toggle("off");
    forgery.switch("off");
    forgery.wait(8 * SECOND);
    forgery.read("off");
    forgery.tell({ action: "off", result: "ok" });
    forgery.wait(DAY);
    expect(forgery.oracle.objection).toBeNull();
  }));

test.each([
  ["in the dark of the plan that was known then", "11:00-13:00", false],
  ["in free time", "", true],
])("an ON that was refused %s, and is answered in free time", (_when, BLACKOUT_WINDOW, isObjected) =>
  forged(
    `refused-${isObjected}`,
    (forgery) => {
      const asked = forgery.toggle("on");
      forgery.learn({ ...CITY, version: 2 });
      const answer = () => forgery.answer(asked, false, "Lights may not go on during the restricted hours");
      if (isObjected) expect(answer).toThrow("an ON was refused in free time");
      else expect(answer).not.toThrow();
    },
    { ...CITY, rules: { ...CITY.rules, BLACKOUT_WINDOW } },
  ),
);

test.each([
  ["in free time", "", "11:00-13:00", false],
  ["in the dark of the plan that was known then", "11:00-13:00", "", true],
])("an ON that was accepted %s, and is answered by another plan", (_when, before, after, isObjected) =>
  forged(
    `accepted-${isObjected}`,
    (forgery) => {
      const asked = forgery.toggle("on");
      if (!isObjected) forgery.switch("on");
      forgery.learn({ ...CITY, version: 2, rules: { ...CITY.rules, BLACKOUT_WINDOW: after } });
      const answer = () => forgery.answer(asked, true);
      if (isObjected) expect(answer).toThrow("an ON was accepted in a restricted time");
      else expect(answer).not.toThrow();
    },
    { ...CITY, rules: { ...CITY.rules, BLACKOUT_WINDOW: before } },
  ),
);

test("an old lamp's OFF that is still sent after a day is objected to", () =>
  forged("endless", (forgery) => {
    lit(forgery);
    forgery.lamps.takeDown("lamp");
    forgery.learn(DELETED);
    tryEachHour(forgery, 25);
    forgery.wait(HOUR);
    expect(() => forgery.switch("off", { isLost: true })).toThrow("an OFF is still sent to lamp");
  }));

/** An OFF leaves each hour, and nothing is heard of it. */
function tryEachHour(forgery: Forgery, hours: number): void {
  for (let n = 0; n < hours; n += 1) {
    forgery.switch("off", { isLost: true });
    forgery.wait(HOUR);
  }
}

test("an old lamp's OFF is kept up for a day from when its first tries have failed, and no longer", () =>
  forged("away", (forgery) => {
    const { world } = forgery;
    lit(forgery);
    forgery.lamps.takeDown("lamp");
    forgery.learn(DELETED);
    forgery.handOut("send", "off");
    world.down_until = world.now + 8 * HOUR;
    world.watch.died();
    forgery.wait(8 * HOUR);
    world.watch.acts("alarm");
    const note = "Off: the device was deleted while it was lit";
    forgery.message("pending_off:d:1:1");
    forgery.tell({ source: "scheduler", action: "off", result: "fail", attempts: 3, note });
    tryEachHour(forgery, 25);
    forgery.wait(HOUR);
    expect(() => forgery.switch("off", { isLost: true })).toThrow("an OFF is still sent to lamp");
  }));

test("an old lamp's OFF whose day began by a clock that was hours ahead is kept up so much longer, and no longer", () =>
  forged("kept-ahead", (forgery) => {
    const { oracle, world } = forgery;
    lit(forgery);
    forgery.lamps.takeDown("lamp");
    forgery.learn(DELETED);
    oracle.setClock(5 * HOUR);
    forgery.switch("off", { isLost: true });
    const note = "Off: the device was deleted while it was lit";
    forgery.message("pending_off:d:1:1");
    forgery.tell({ source: "scheduler", action: "off", result: "fail", attempts: 3, note });
    forgery.wait(6 * HOUR);
    forgery.commit({ clock: String(world.now + 5 * HOUR) });
    oracle.setClock(0);
    forgery.wake(world.now);
    tryEachHour(forgery, 24);
    forgery.wait(HOUR);
    expect(() => forgery.switch("off", { isLost: true })).toThrow("an OFF is still sent to lamp");
  }));

test("an old lamp's OFF that the vendor's limits hold back is kept up until somebody was asked", () =>
  forged("held-back", (forgery) => {
    lit(forgery);
    forgery.lamps.takeDown("lamp");
    forgery.learn(DELETED);
    for (let hours = 0; hours < 30; hours += 1) {
      forgery.switch("off", { failed: "throttled" });
      forgery.wait(HOUR);
    }
    forgery.switch("off", { isLost: true });
    forgery.wait(HOUR);
    expect(() => forgery.switch("off", { isLost: true })).toThrow("an OFF is still sent to lamp");
  }));

test("an old lamp burns no longer than the vendor's limits hold its OFF back, and a moment", () =>
  forged("held-back-old", (forgery) => {
    lit(forgery);
    forgery.learn(DELETED);
    forgery.switch("off", { failed: "throttled", retry_after_ms: 20 * MINUTE });
    forgery.wait(20 * MINUTE);
    expect(() => forgery.wait(5 * MINUTE)).toThrow("its old lamp lamp burns");
  }));

test("an OFF that was refused is asked again within half an hour, and objected to when it is not", () =>
  forged("refused", (forgery) => {
    lit(forgery);
    forgery.toggle("off");
    forgery.switch("off", { failed: "refused" });
    forgery.wait(25 * MINUTE);
    expect(() => forgery.wait(10 * MINUTE)).toThrow("burns, and wanted is off");
  }));

test("a window whose lamp burns, since it refused to go out before it, needs no record", () =>
  forged(
    "burning",
    (forgery) => {
      lit(forgery);
      forgery.toggle("off");
      forgery.switch("off", { failed: "refused" });
      forgery.wake(NOON + 15 * MINUTE);
      forgery.switch("off", { failed: "throttled" });
      forgery.wake(NOON + 40 * MINUTE);
      forgery.switch("off", { failed: "refused" });
      forgery.wake(NOON + HOUR);
      forgery.wake(NOON + 2 * HOUR);
      forgery.switch("off");
      forgery.wait(8 * SECOND);
      forgery.read("off");
      forgery.tell({ action: "off", source: "scheduler", result: "ok" });
      forgery.wait(HOUR);
      expect(forgery.oracle.objection).toBeNull();
    },
    { ...CITY, plans: new Map([["s", WINDOW]]) },
  ));

test("an old lamp whose OFF is neither answered nor tried again is objected to", () =>
  forged("unanswered", (forgery) => {
    lit(forgery);
    forgery.learn(DELETED);
    forgery.switch("off", { isLost: true });
    expect(() => forgery.wait(HOUR)).toThrow("its old lamp lamp burns");
  }));

test("a send whose outcome comes late is objected to", () =>
  forged("late", (forgery) => {
    forgery.toggle("on");
    forgery.switch("on");
    expect(() => forgery.wait(2 * MINUTE)).toThrow("its ON has no outcome");
  }));

test.each([
  ["comes to nothing where its address has changed", "not sent, its address changed", null],
  ["is objected to where it is refused instead", "not sent, it may not", "its OFF has no outcome"],
])("an OFF that the vendor's limits held back %s", (_, why, objection) =>
  forged(`held-back-${String(objection === null)}`, (forgery) => {
    lit(forgery);
    forgery.toggle("off");
    forgery.switch("off", { failed: "throttled" });
    forgery.lamps.lit.delete("lamp");
    forgery.tell({ action: "off", result: "fail", attempts: 0, note: `Pressed by somebody · held back 5 s · ${why}` });
    const wait = () => forgery.wait(3 * MINUTE);
    if (objection === null) wait();
    else expect(wait).toThrow(objection);
  }),
);

test("what a hand lit is still to be found where the vendor's limits held the ON for it back", () =>
  forged(
    "hand-lit",
    (forgery) => {
      forgery.oracle.switchExternally("lamp", "on");
      forgery.wake(NOON + HOUR);
      forgery.switch("on", { failed: "throttled" });
      forgery.learn({ ...CITY, version: 2 });
      forgery.tell({
        source: "scheduler",
        result: "fail",
        attempts: 0,
        note: "held back 1 s · not sent, no longer wanted",
      });
      forgery.wait(HOUR);
      expect(forgery.oracle.objection).toBeNull();
    },
    { ...CITY, plans: new Map([["s", WINDOW]]) },
  ));

test.each(["as it was handed out", "with its answer"])(
  "a light whose last try died %s is left to the watchdog",
  (how) =>
    forged(
      `died-on-${how.length}`,
      (forgery) => {
        forgery.message("device:d:1");
        forgery.wake(NOON + HOUR);
        forgery.oracle.desk.undo = null; // the plan is written down
        if (how === "with its answer") forgery.switch("on", { isLost: true });
        else forgery.handOut("send", "on");
        forgery.die();
        forgery.wait(8 * SECOND);
        forgery.read("off");
        forgery.tell({ source: "scheduler", result: "fail" });
        forgery.wait(20 * MINUTE);
        expect(() => forgery.wait(HOUR)).toThrow("is dark, and wanted is on");
      },
      {
        ...CITY,
        watchdog: true,
        plans: new Map([["s", { ...WINDOW, end_at: new Date(NOON + 10 * HOUR).toISOString() }]]),
      },
    ),
);

test("ONs that the vendor's limits hold back are a wave of their own for a process that comes late", () =>
  forged(
    "late-wave",
    (forgery) => {
      const { world, oracle } = forgery;
      oracle.desk.undo = null; // the plan is written down
      forgery.wake(NOON + HOUR);
      forgery.switch("on", { failed: "throttled", retry_after_ms: MINUTE });
      forgery.wait(5 * MINUTE);
      world.die(20 * SECOND);
      forgery.wait(20 * SECOND);
      forgery.wake(world.now);
      world.isAsleep = false;
      forgery.wait(299 * SECOND);
      expect(() => forgery.wait(2 * MINUTE)).toThrow("its ON has no outcome");
    },
    { ...STAGGERED, plans: new Map([["s", WINDOW]]) },
  ));

test("a try that failed and is neither repeated nor given up is objected to", () =>
  forged("no-ladder", (forgery) => {
    forgery.toggle("on");
    forgery.switch("on");
    forgery.wait(8 * SECOND);
    forgery.tell({ result: "retry", note: "no answer" });
    expect(() => forgery.wait(3 * MINUTE)).toThrow("its ON is not tried again, and did not fail");
  }));

test.each([
  ["another window", 5 * HOUR, false],
  ["the same", 1.2 * HOUR, true],
])("what a clock that was hours ahead lit for %s is a window's record only then", (_which, ahead_ms, isItsRecord) =>
  forged(
    `recorded-ahead-${isItsRecord}`,
    (forgery) => {
      const { oracle, world } = forgery;
      oracle.setClock(ahead_ms);
      lit(forgery);
      forgery.commit({ clock: String(world.clock) });
      oracle.setClock(0);
      forgery.wake(NOON + 1.1 * HOUR);
      const skipped = {
        id: `skipped:s:${WINDOW.start_at.slice(0, 10)}:d`,
        source: "scheduler",
        result: "fail",
        attempts: 0,
      };
      const record = () => forgery.tell({ ...skipped, note: "Practice · skipped: never confirmed in its window" });
      if (isItsRecord) expect(record).toThrow("was confirmed, and recorded as skipped");
      else expect(record).not.toThrow();
    },
    { ...CITY, plans: new Map([["s", WINDOW]]) },
  ),
);

test("a window that was confirmed and is recorded as skipped is objected to", () =>
  forged(
    "both",
    (forgery) => {
      forgery.wake(NOON + HOUR);
      forgery.switch("on");
      forgery.wait(8 * SECOND);
      forgery.read("on");
      forgery.tell({ source: "scheduler" });
      const id = `skipped:s:${WINDOW.start_at.slice(0, 10)}:d`;
      const note = "Practice · skipped: never confirmed in its window";
      expect(() => forgery.tell({ id, source: "scheduler", result: "fail", attempts: 0, note })).toThrow(
        "was confirmed, and recorded as skipped",
      );
    },
    { ...CITY, plans: new Map([["s", WINDOW]]) },
  ));

test("a test may be answered as late as the readings of its clock explain, and no later", () =>
  forged("tester", (forgery) => {
    const { oracle, world } = forgery;
    world.reading_ms = 1;
    forgery.wait(9 * SECOND + 12);
    oracle.tested("d", NOON, "status", false);
    expect(oracle.objection).toBeNull();
    forgery.wait(1);
    oracle.tested("d", NOON, "status", false);
    expect(() => forgery.wait(0)).toThrow("the test was answered after 9.013 s");
  }));

test.each([
  ["in free time", "", "11:00-13:00", false],
  ["in the dark of the plan that was known then", "11:00-13:00", "11:00-13:00", true],
])("a test's ON that was accepted %s, and is answered in the dark", (_when, before, after, isObjected) =>
  forged(
    `tested-${isObjected}`,
    (forgery) => {
      forgery.oracle.testing("d", "on");
      forgery.learn({ ...CITY, version: 2, rules: { ...CITY.rules, BLACKOUT_WINDOW: after } });
      forgery.oracle.tested("d", NOON, "on", true);
      if (isObjected) expect(() => forgery.wait(0)).toThrow("a test's ON was accepted in a restricted time");
      else expect(() => forgery.wait(0)).not.toThrow();
    },
    { ...CITY, rules: { ...CITY.rules, BLACKOUT_WINDOW: before } },
  ),
);

/** The light gets another lamp while its own burns, and the OFF that the old one is owed fails. */
function moveLit(forgery: Forgery): void {
  const moved = new Map([["d", { ...DEVICE, lamp: "other", changed_at: NOON }]]);
  forgery.learn({ ...CITY, version: 2, devices: moved });
  forgery.switch("off", { isLost: true });
  forgery.wait(8 * SECOND);
  forgery.message("pending_off:d:1:1");
  const note = "Off: its address was changed while it was lit";
  forgery.tell({ source: "scheduler", action: "off", result: "fail", attempts: 3, note });
}

/** A toggle of the new lamp that is given up. */
function failAtOther(forgery: Forgery): void {
  forgery.toggle("on");
  forgery.switch("on", { lamp: "other", isLost: true });
  forgery.wait(8 * SECOND);
  forgery.tell({ result: "fail", attempts: 3, note: "not confirmed" });
}

test("an old lamp that went out leaves its light's own incident open, of which people were told once", () =>
  forged("own-incident", (forgery) => {
    forgery.toggle("on");
    forgery.switch("on", { isLost: true });
    forgery.wait(8 * SECOND);
    forgery.message("device:d:1");
    forgery.tell({ result: "fail", attempts: 3, note: "not confirmed" });
    moveLit(forgery);
    forgery.switch("off");
    forgery.wait(8 * SECOND);
    forgery.read("off");
    forgery.tell({ source: "watchdog", action: "off", result: "ok" });
    failAtOther(forgery);
    expect(forgery.oracle.objection).toBeNull();
  }));

test("a light that fails is objected to where people were told of its old lamp only", () =>
  forged("old-incident", (forgery) => {
    lit(forgery);
    forgery.toggle("off");
    moveLit(forgery);
    expect(() => failAtOther(forgery)).toThrow("a failure nobody was told of");
  }));

test("a light that was well again and fails anew is objected to where nobody is told anew", () =>
  forged("next-incident", (forgery) => {
    forgery.message("device:d:1");
    lit(forgery);
    forgery.toggle("on");
    forgery.switch("on", { isLost: true });
    forgery.wait(8 * SECOND);
    const failed = { result: "fail", attempts: 3, note: "not confirmed" };
    expect(() => forgery.tell(failed)).toThrow("a failure nobody was told of");
  }));

test("an ON that replaces an OFF which died as it was handed out may leave, though its lamp was read lit", () =>
  forged(
    "died-off",
    (forgery) => {
      lit(forgery);
      forgery.toggle("off", { until: NOON + HOUR });
      forgery.handOut("send", "off");
      forgery.die();
      forgery.wait(8 * SECOND);
      forgery.read("on");
      forgery.tell({ action: "off", result: "retry" });
      forgery.wake(NOON + HOUR);
      forgery.tell({ action: "off", result: "retry", note: "not tried again, replaced by ON" });
      forgery.wait(SECOND / 2);
      forgery.switch("on");
      expect(forgery.oracle.objection).toBeNull();
    },
    { ...CITY, plans: new Map([["s", WINDOW]]) },
  ));

test("a test that died with its answer has no outcome, and a command that did is objected to without one", async () => {
  const died = (kind: "send" | "probe_switch") =>
    forged(kind, (forgery) => {
      if (kind === "probe_switch") forgery.oracle.testing("d", "off");
      else forgery.toggle("off");
      forgery.handOut(kind, "off");
      forgery.switch("off");
      forgery.die();
      forgery.wait(2 * MINUTE);
    });
  await died("probe_switch");
  await expect(died("send")).rejects.toThrow("its OFF has no outcome");
});

test("an event that is told to another department than its device's is objected to", () =>
  forged("department", (forgery) => {
    forgery.toggle("on");
    forgery.switch("on");
    forgery.wait(8 * SECOND);
    forgery.read("on");
    expect(() => forgery.tell({ dept_id: "south" })).toThrow("is told to department south, and the device's is north");
  }));

test("an event of a device that has just moved may be told to either of its departments", () =>
  forged("moved", (forgery) => {
    forgery.toggle("on");
    forgery.switch("on");
    forgery.learn({
      ...CITY,
      version: 2,
      devices: new Map([["d", { ...DEVICE, dept: "south", changed_at: NOON }]]),
    });
    forgery.wait(8 * SECOND);
    forgery.read("on");
    forgery.tell({ dept_id: "north" });
    expect(forgery.oracle.objection).toBeNull();
  }));

test("a light that is switched after a restore though nothing changed for it is objected to", () =>
  forged("restore", (forgery) => {
    lit(forgery);
    forgery.wait(HOUR);
    forgery.learn({ ...CITY, epoch: "2", restored_at: forgery.world.now });
    forgery.wait(SECOND);
    expect(() => forgery.switch("on")).toThrow("an ON left, and nothing asked for it");
  }));

test("an ON may leave for a lamp that is lit where it takes the place of an OFF that was kept up, once", () =>
  forged("replaced", (forgery) => {
    lit(forgery);
    forgery.wait(HOUR);
    const note = "Off: no schedule is running · not sent, replaced by ON: On until 8:00 PM: Practice";
    forgery.tell({ source: "watchdog", action: "off", result: "fail", attempts: 0, note });
    forgery.switch("on");
    forgery.wait(8 * SECOND);
    forgery.read("on");
    forgery.tell({ source: "scheduler" });
    forgery.wait(20 * SECOND);
    expect(() => forgery.switch("on")).toThrow("an ON left, and nothing asked for it");
  }));

test.each(["on", "off"] as const)(
  "an %s that a lamp was too busy for may leave again after it has failed, once",
  (action) =>
    forged(`busy-${action}`, (forgery) => {
      if (action === "on") lit(forgery);
      forgery.read(action);
      forgery.wait(HOUR);
      forgery.toggle(action);
      forgery.switch(action, { failed: "throttled" });
      forgery.message("device:d:1");
      forgery.tell({ source: "manual", action, result: "fail", attempts: 3, note: "not confirmed: busy" });
      forgery.wait(MINUTE);
      forgery.switch(action);
      forgery.wait(8 * SECOND);
      forgery.read(action);
      forgery.tell({ source: "watchdog", action });
      forgery.wait(20 * SECOND);
      expect(() => forgery.switch(action)).toThrow(`an ${action.toUpperCase()} left, and nothing asked for it`);
    }),
);

test("an OFF that a person pressed and no lamp took may leave after the ON in its place is over, until the lamp is read dark", () =>
  forged("owed", (forgery) => {
    forgery.read("off");
    forgery.wait(HOUR);
    forgery.toggle("off");
    forgery.switch("off", { failed: "throttled" });
    forgery.wait(SECOND);
    const until = forgery.world.now + 10 * MINUTE;
    forgery.toggle("on", { until });
    const note = "Pressed by a@b.example · not sent, replaced by a newer press";
    forgery.tell({ source: "manual", action: "off", result: "fail", attempts: 0, note });
    forgery.switch("on", { failed: "throttled" });
    forgery.wake(until);
    forgery.tell({ source: "manual", result: "fail", attempts: 0, note: "not sent, replaced by OFF: Off" });
    forgery.switch("off");
    forgery.wait(8 * SECOND);
    forgery.read("off");
    forgery.tell({ source: "scheduler", action: "off" });
    forgery.wait(20 * SECOND);
    expect(() => forgery.switch("off")).toThrow("an OFF left, and nothing asked for it");
  }));

test("what is sent while the engine's clock stands still has its outcome once that goes on", () =>
  forged("standstill", (forgery) => {
    forgery.wait(HOUR);
    forgery.oracle.setClock(-250 * SECOND);
    forgery.wait(SECOND);
    forgery.toggle("on");
    forgery.switch("on");
    forgery.wait(250 * SECOND);
    expect(() => forgery.wait(70 * SECOND)).toThrow("its ON has no outcome");
  }));

const SKIPPED = { source: "scheduler", result: "fail", attempts: 0, note: "for a reason" };

test("a record that is told twice is objected to, unless its device was deleted and restored in between", () =>
  forged("forgotten", (forgery) => {
    const cut = { id: "cut:s:2026-06-10:d", source: "scheduler", result: "fail", attempts: 0, note: "cut short" };
    forgery.tell(cut);
    forgery.wait(HOUR);
    forgery.learn(DELETED);
    forgery.wait(HOUR);
    forgery.learn({ ...CITY, epoch: "2", restored_at: forgery.world.now });
    forgery.tell(cut);
    expect(forgery.oracle.ledger.told.count).toBe(1);
    expect(() => forgery.tell(cut)).toThrow("the same event twice: cut:s:2026-06-10:d");
  }));

test("what a clock hours ahead has told may come about once more when it is right, and has to", () =>
  forged("ahead", (forgery) => {
    const { oracle, world } = forgery;
    const skipped = { ...SKIPPED, id: "skipped:s:2026-06-10:d" };
    forgery.learn({ ...CITY, version: 2, plans: new Map([["s", WINDOW]]) });
    oracle.setClock(3 * HOUR);
    forgery.wake(NOON + SECOND);
    forgery.tell(skipped);
    world.storage.sql.exec("INSERT OR REPLACE INTO meta (key, value) VALUES ('clock', ?)", String(NOON + 3 * HOUR));
    world.watch.died();
    oracle.setClock(0);
    forgery.wake(NOON + HOUR);
    forgery.tell(skipped);
    expect(() => forgery.tell(skipped)).toThrow("the same event twice: skipped:s:2026-06-10:d");
    oracle.objection = null;
    expect(() => forgery.wait(5 * SECOND)).toThrow("ON is owed since 13:00:00.000 and did not leave");
  }));

test("an ON that is over before the engine has read its clock need not leave", () =>
  forged("over", (forgery) => {
    forgery.world.reading_ms = 1;
    forgery.world.now = NOON + 2 * HOUR - 5;
    forgery.learn({ ...CITY, version: 2, plans: new Map([["s", WINDOW]]) });
    forgery.wait(5 * SECOND);
    expect(forgery.oracle.objection).toBeNull();
  }));

test("a window that a restore moves behind its record has another one, and the one that it left has not", () =>
  forged("moved-back", (forgery) => {
    const booked = (hour: number, restored_at = 0): City => {
      const [start_at, end_at] = [hour, hour + 1].map((at) => new Date(NOON + at * HOUR).toISOString());
      const plan = { ...WINDOW, start_at: start_at ?? "", end_at: end_at ?? "" };
      return { ...DELETED, devices: CITY.devices, plans: new Map([["s", plan]]), restored_at };
    };
    const record = (what: string) => forgery.tell({ ...SKIPPED, id: `${what}:s:2026-06-10:d` });
    forgery.learn(booked(1));
    forgery.wake(NOON + 2 * HOUR);
    record("cut");
    forgery.learn({ ...booked(4, forgery.world.now), epoch: "2" });
    forgery.wake(NOON + 5 * HOUR);
    record("skipped");
    expect(() => record("missed")).toThrow("two records of s@2026-06-10 of d: skipped, missed");
  }));

test.each([
  ["before it began", 0.5, "has no record"],
  ["after it was over", 2.5, null],
])("a window of a restore that the engine learned of %s is judged by that", (_, hour, objection) =>
  forged(`learned-${hour}`, (forgery) => {
    const restored: City = { ...CITY, epoch: "2", restored_at: NOON, plans: new Map([["s", WINDOW]]) };
    forgery.wake(NOON + hour * HOUR);
    forgery.learn(restored);
    forgery.wake(NOON + 3 * HOUR);
    if (objection === null) expect(() => forgery.wait(HOUR)).not.toThrow();
    else expect(() => forgery.wait(HOUR)).toThrow(objection);
  }),
);

test.each([
  ["after it was over", 3, null],
  ["before it began", 0.75, "has no record"],
])("a window that was booked while the clock was hours ahead is judged where that was found %s", (_, hour, objection) =>
  forged(`booked-ahead-${hour}`, (forgery) => {
    const booked = { ...WINDOW, changed_at: NOON + HOUR / 2 };
    forgery.wake(NOON + HOUR / 2);
    forgery.learn({ ...CITY, version: 2, plans: new Map([["s", booked]]) });
    forgery.oracle.desk.ahead.push({ from: NOON, to: NOON + hour * HOUR, was_at: NOON });
    forgery.wake(NOON + 3 * HOUR);
    if (objection === null) expect(() => forgery.wait(HOUR)).not.toThrow();
    else expect(() => forgery.wait(HOUR)).toThrow(objection);
  }),
);

test.each([
  ["before", 2, null],
  ["after", 1.9, "has no record"],
])(
  "a window that is over %s where a clock had come that was set back, while nobody was there, is judged by that",
  (_, hour, objection) =>
    forged(
      `forgotten-${hour}`,
      (forgery) => {
        forgery.oracle.desk.ahead.push({ from: NOON - HOUR, to: NOON, was_at: NOON + hour * HOUR });
        forgery.world.watch.died();
        forgery.wake(NOON + 2.5 * HOUR);
        if (objection === null) expect(() => forgery.wait(HOUR)).not.toThrow();
        else expect(() => forgery.wait(HOUR)).toThrow(objection);
      },
      { ...CITY, plans: new Map([["s", WINDOW]]) },
    ),
);

test.each([0, 2])(
  "an OFF that left since the organization was switched off has left, also where its process died before it knew the plan: %i ms a reading",
  (reading_ms) =>
    forged(`served-alone-${reading_ms}`, (forgery) => {
      const { world } = forgery;
      world.reading_ms = reading_ms;
      forgery.commit({ epoch: "1", version: "1" });
      lit(forgery);
      forgery.learn({ ...CITY, version: 2, isServed: false });
      world.now += 7 * reading_ms;
      forgery.commit({ active: "false", active_since: String(world.now) });
      forgery.switch("off", { isLost: true });
      forgery.die();
      forgery.wait(5 * SECOND);
      expect(forgery.oracle.objection).toBeNull();
    }),
);

test("the plan of an organization that has just become inactive is known from its own commit on", () =>
  forged("inactive-moved", (forgery) => {
    const { world } = forgery;
    forgery.commit({ epoch: "1", version: "1" });
    lit(forgery);
    forgery.wait(MINUTE);
    const moved = new Map([["d", { ...DEVICE, hub: "h", changed_at: NOON }]]);
    forgery.learn({ ...CITY, version: 2, isServed: false, hubs: new Set(["h"]), devices: moved });
    forgery.commit({ active: "false", active_since: String(world.now) });
    forgery.commit({ version: "2" });
    forgery.switch("off", { hub: "h" });
    forgery.wake(world.now + 100);
    forgery.wait(5 * SECOND);
    expect(forgery.oracle.objection).toBeNull();
  }));

test("who wakes and hears of a slow D1 that the organization is inactive has evaluated nothing before", () =>
  forged("inactive-slow", (forgery) => {
    const { world, oracle } = forgery;
    lit(forgery);
    world.wire.state = { kind: "slow", ms: 800 };
    forgery.wake(NOON + CITY.rules.MAX_ON_DURATION_MIN * MINUTE);
    expect(oracle.desk.books.get("d")).toMatchObject({ want: "off", cut_at: world.now });
    world.now += 800;
    oracle.committedToD1({ ...CITY, isServed: false });
    forgery.commit({ epoch: "1", version: "1", active: "false", active_since: String(world.now) });
    expect(oracle.desk.books.get("d")).toMatchObject({ want: "off", cut_at: null });
  }));

test("an organization that became active by a clock hours ahead is not active again by that clock's being found right", () =>
  forged(
    "served-ahead",
    (forgery) => {
      const { oracle, world } = forgery;
      const says = (version: number, active: boolean) =>
        forgery.commit({
          epoch: "1",
          version: String(version),
          active: String(active),
          active_since: String(world.clock),
          clock: String(world.clock),
        });
      forgery.learn(UNSERVED);
      says(2, false);
      oracle.setClock(5 * HOUR);
      forgery.learn({ ...BOOKED, version: 3 });
      says(3, true);
      world.down_until = NOON + 1.5 * HOUR;
      world.watch.died();
      oracle.setClock(0);
      oracle.committedToD1({ ...UNSERVED, plans: BOOKED.plans, version: 4 });
      forgery.wake(NOON + 1.5 * HOUR);
      // Its instants are put back before it hears of anything.
      forgery.commit({ active_since: String(world.clock) });
      expect(oracle.desk.books.get("d")).toMatchObject({ want: "none" });
      says(4, false);
      expect(oracle.desk.books.get("d")).toMatchObject({ want: "none" });
      forgery.die();
      forgery.wait(MINUTE);
      expect(oracle.objection).toBeNull();
    },
    BOOKED,
  ));

test("a light that has a lamp back that was owed an OFF is to send that OFF itself", () =>
  forged("back", (forgery) => {
    const moved = new Map([["d", { ...DEVICE, lamp: "other", changed_at: NOON }]]);
    lit(forgery);
    forgery.toggle("off");
    forgery.switch("off", { isLost: true });
    forgery.learn({ ...CITY, version: 2, devices: moved });
    forgery.switch("off", { isLost: true });
    forgery.wait(30 * SECOND);
    forgery.learn({ ...CITY, version: 3 });
    expect(() => forgery.wait(5 * SECOND)).toThrow("OFF is owed");
  }));

test("an OFF whose end is over by the engine's clock is not owed, and the booking's ON may replace it", () =>
  forged(
    "over",
    (forgery) => {
      forgery.wake(NOON + HOUR);
      forgery.switch("on");
      forgery.wait(8 * SECOND);
      forgery.read("on");
      forgery.tell({ source: "scheduler" });
      forgery.toggle("off", { until: forgery.world.now });
      forgery.switch("on");
      forgery.wait(8 * SECOND);
      expect(forgery.oracle.objection).toBeNull();
    },
    { ...CITY, plans: new Map([["s", WINDOW]]) },
  ));

test("an ON that came due in the last moment of its hub's pause may fail at once, and a second later may not", async () => {
  const city = { ...CITY, hubs: new Set(["h"]), devices: new Map([["d", { ...DEVICE, hub: "h" }]]) };
  const due = (forgery: Forgery, over_ms: number) => {
    const paused_until = NOON + HOUR - over_ms;
    forgery.oracle.desk.hubs.set("h", { failures: 2, paused_until, lamp: null });
    forgery.wake(NOON + HOUR);
    forgery.wait(5 * SECOND);
  };
  const booked = { ...city, plans: new Map([["s", WINDOW]]) };
  await forged("pause", (forgery) => due(forgery, 10), booked);
  await forged(
    "pause-over",
    (forgery) => expect(() => due(forgery, SECOND)).toThrow("ON is owed since 13:00:00.000 and did not leave"),
    booked,
  );
});

const PAUSED = {
  hub: ({ hubs }: Desk) => hubs.set("h", { failures: 2, paused_until: NOON + HOUR + 15 * SECOND, lamp: null }),
  cloud: (desk: Desk) => (desk.cloud_silent_at = NOON + HOUR - 10 * SECOND),
};

test.each(["hub", "cloud"] as const)(
  "an ON that failed at once in a pause of its %s is on its way, and another booking asks for no other",
  async (what) => {
    const other = { ...WINDOW, id: "t", start_at: new Date(NOON + HOUR + 30 * SECOND).toISOString() };
    const booked = {
      ...CITY,
      plans: new Map([
        ["s", WINDOW],
        ["t", other],
      ]),
    };
    const hub = what === "hub" ? "h" : null;
    const hubs = { hubs: new Set(["h"]), devices: new Map([["d", { ...DEVICE, hub }]]) };
    await forged(
      `on-its-way-${what}`,
      (forgery) => {
        PAUSED[what](forgery.oracle.desk);
        forgery.wake(NOON + HOUR);
        forgery.wait(SECOND);
        forgery.tell({ source: "scheduler", result: "retry" });
        forgery.wake(NOON + HOUR + 30 * SECOND);
        forgery.wait(10 * SECOND);
        expect(forgery.oracle.objection).toBeNull();
      },
      { ...booked, ...hubs },
    );
  },
);

test("an OFF that left some readings of the clock before its end by these books was decided by who was awake", () =>
  forged("ahead", (forgery) => {
    const { world } = forgery;
    world.reading_ms = 1;
    lit(forgery);
    forgery.wake(NOON + 10 * HOUR - 20);
    forgery.switch("off");
    world.watch.served();
    forgery.wait(2 * SECOND);
    expect(forgery.oracle.objection).toBeNull();
  }));

test("a booking that was lit and is then moved has another record only where it would have been over by its new start", async () => {
  await forged("moved", (forgery) => litAndMoved(forgery, 1.5), BOOKED);
  const record = "s@2026-06-10 of d, 2026-06-10T14:30:00.000Z to 2026-06-10T15:00:00.000Z, has no record";
  await forged("moved-on", (forgery) => expect(() => litAndMoved(forgery, 2.5)).toThrow(record), BOOKED);
});

test("so has one that was lit by something else when it began", async () => {
  const forgedAs = (name: string, to_hour: number, then: (story: () => void) => void) =>
    forged(
      name,
      (forgery) => {
        forgery.toggle("on", { until: NOON + 1.1 * HOUR });
        forgery.switch("on");
        forgery.wait(8 * SECOND);
        forgery.read("on");
        forgery.tell({});
        forgery.wake(NOON + HOUR);
        forgery.wake(NOON + 1.1 * HOUR);
        then(() => movedOn(forgery, to_hour));
      },
      BOOKED,
    );
  const record = "s@2026-06-10 of d, 2026-06-10T14:30:00.000Z to 2026-06-10T15:00:00.000Z, has no record";
  await forgedAs("held", 1.5, (story) => expect(story).not.toThrow());
  await forgedAs("held-on", 2.5, (story) => expect(story).toThrow(record));
});

const BOOKED: City = { ...CITY, plans: new Map([["s", WINDOW]]) };

function litAndMoved(forgery: Forgery, to_hour: number): void {
  forgery.wake(NOON + HOUR);
  forgery.switch("on");
  forgery.wait(8 * SECOND);
  forgery.read("on");
  forgery.tell({ source: "scheduler" });
  forgery.wait(10 * MINUTE);
  movedOn(forgery, to_hour);
}

function movedOn(forgery: Forgery, to_hour: number): void {
  const iso = (hours: number) => new Date(NOON + hours * HOUR).toISOString();
  const moved = { ...WINDOW, start_at: iso(to_hour), end_at: iso(to_hour + 0.5), changed_at: forgery.world.now };
  forgery.learn({ ...CITY, version: 2, plans: new Map([["s", moved]]) });
  forgery.switch("off");
  forgery.wait(8 * SECOND);
  forgery.read("off");
  forgery.tell({ source: "scheduler", action: "off" });
  forgery.wait(5 * MINUTE);
  forgery.toggle("off", { until: NOON + DAY });
  forgery.switch("off");
  forgery.wait(8 * SECOND);
  forgery.read("off");
  forgery.tell({ action: "off" });
  forgery.wake(NOON + (to_hour + 0.5) * HOUR);
  forgery.wait(HOUR);
}

const STAGGERED: City = {
  ...CITY,
  areas: new Map([
    ["a", { type: "park", isActive: true, changed_at: 0, written_at: 0, stagger_sec: 10, positions: null }],
  ]),
};

test.each([
  ["an area whose lights take turns", STAGGERED, 300],
  ["another area", CITY, 0],
])("an ON that the vendor's limits hold back in %s has so much longer", (name, city, turn_sec) =>
  forged(
    name,
    (forgery) => {
      forgery.toggle("on");
      forgery.switch("on", { failed: "throttled" });
      forgery.wait((59 + turn_sec) * SECOND);
      expect(() => forgery.wait(2 * SECOND)).toThrow("its ON has no outcome");
    },
    city,
  ),
);

test("an OFF whose end is over gives the ON that waits for its turn five minutes more, and no more than these", () =>
  forged(
    "anew",
    (forgery) => {
      forgery.wake(NOON + HOUR);
      forgery.wait(290 * SECOND);
      forgery.toggle("off", { until: forgery.world.now });
      forgery.wait(290 * SECOND);
      expect(forgery.oracle.objection).toBeNull();
      expect(() => forgery.wait(MINUTE)).toThrow("ON is owed since 13:00:00.000 and did not leave");
    },
    { ...STAGGERED, plans: new Map([["s", WINDOW]]) },
  ));

test.each([
  ["loses its policy", "area:a", {}, true],
  ["leaves its group", "group:g", { groups: new Map() }, true],
  ["has a policy that it did not obey", "area:b", { rules: { ...CITY.rules, MAX_ON_DURATION_MIN: 30 } }, false],
  ["moves away from its policy", "area:a", { devices: new Map([["d", { ...DEVICE, area: "b" }]]) }, false],
])(
  "a light that %s is let go of, or not, however young the limits are that it has instead",
  (_, name, more, isLetGo) => {
    const said = { HARD_CURFEW_OFF: null, BLACKOUT_WINDOW: null, MAX_ON_DURATION_MIN: 60, changed_at: 0 };
    const before: City = {
      ...CITY,
      groups: new Map([["g", { area: "a", members: new Map([["d", 0]]) }]]),
      policies: new Map([[name, said]]),
    };
    const changed_at = { ...CITY.changed_at, MAX_ON_DURATION_MIN: 3 };
    const policies = name === "group:g" ? before.policies : new Map();
    expect(isFreed({ ...before, changed_at, policies, ...more }, "d", before, NOON)).toBe(isLetGo);
  },
);

test.each<[string, number, Partial<City>, boolean]>([
  ["that had begun", NOON - HOUR, { permits: new Map() }, true],
  ["that had not begun", NOON + HOUR, { permits: new Map() }, false],
  ["that is there still", NOON - HOUR, { areas: new Map() }, false],
  ["of the group that the light leaves", NOON - HOUR, { groups: new Map() }, true],
])("a permit %s lets go of its light or not", (_, from, more, isLetGo) => {
  const before: City = {
    ...CITY,
    groups: new Map([["g", { area: "a", members: new Map([["d", 0]]) }]]),
    permits: new Map([["p", { target: { kind: "group", id: "g" }, from, to: NOON + 2 * HOUR, changed_at: 0 }]]),
  };
  expect(isFreed({ ...before, ...more }, "d", before, NOON)).toBe(isLetGo);
});

test("a plan that was changed has held its light until then as it was known", () => {
  const end_at = new Date(NOON + 5 * HOUR).toISOString();
  const changed: City = {
    ...CITY,
    plans: new Map([["s", { ...WINDOW, end_at, changed_at: NOON + 2 * HOUR, was: WINDOW }]]),
  };
  const endsAt = (at: number) => claimsOf(changed, "d", at, true).map(({ end }) => end);
  const [before, after] = [endsAt(NOON + 2 * HOUR - 1), endsAt(NOON + 2 * HOUR)];
  expect(before).toEqual([Date.parse(WINDOW.end_at)]);
  expect(after).toEqual([Date.parse(end_at)]);
});

test.each([
  ["sent and read", true],
  ["only read", false],
])("a light that was %s by a clock that was hours ahead is tried again by the right one: %s", (_what, isTried) =>
  forged(`tried-ahead-${isTried}`, (forgery) => {
    const { oracle, world } = forgery;
    lit(forgery);
    oracle.setClock(6 * HOUR);
    if (isTried) lit(forgery);
    else forgery.read("on");
    forgery.commit({ clock: String(world.now + 6 * HOUR) });
    oracle.setClock(0);
    forgery.wake(world.now);
    forgery.message("device:d:1");
    forgery.tell({ source: "scheduler", result: "fail", attempts: 3, note: "not confirmed: its hub does not answer" });
    forgery.wait(30 * SECOND);
    const tryAgain = () => forgery.switch("on");
    if (isTried) tryAgain();
    else expect(tryAgain).toThrow("an ON left, and nothing asked for it");
  }),
);

test("a clock that was hours ahead and is some minutes behind now is found right", () =>
  forged("ahead-and-behind", (forgery) => {
    const { oracle, world } = forgery;
    oracle.setClock(6 * HOUR);
    lit(forgery);
    forgery.toggle("off");
    forgery.switch("off");
    forgery.wait(8 * SECOND);
    forgery.read("off");
    forgery.tell({ action: "off", result: "ok" });
    forgery.commit({ clock: String(world.clock) });
    forgery.wait(5.5 * HOUR);
    oracle.setClock(-2 * MINUTE);
    forgery.wake(world.now);
    lit(forgery);
    expect(oracle.objection).toBeNull();
  }));

test("an ON that makes a hub's lights good when it is back may leave though its lamp was read lit before its turn", () =>
  forged(
    "made-good",
    (forgery) => {
      forgery.oracle.desk.hubs.set("h", { failures: 2, paused_until: NOON + HOUR + 15 * SECOND, lamp: null });
      forgery.wake(NOON + HOUR);
      forgery.wait(SECOND);
      forgery.message("device:d:1");
      forgery.tell({ source: "scheduler", result: "fail", attempts: 3, note: "not confirmed" });
      forgery.ping("h");
      forgery.lamps.lit.add("lamp");
      forgery.read("on", "lamp", "h");
      forgery.wait(20 * SECOND);
      forgery.switch("on");
      forgery.wait(8 * SECOND);
      forgery.read("on", "lamp", "h");
      forgery.tell({ source: "scheduler" });
      forgery.wait(20 * SECOND);
      expect(() => forgery.switch("on")).toThrow("an ON left, and nothing asked for it");
    },
    {
      ...STAGGERED,
      hubs: new Set(["h"]),
      devices: new Map([["d", { ...DEVICE, hub: "h" }]]),
      plans: new Map([["s", WINDOW]]),
    },
  ));

test.each([
  ["is kept up, and may leave though its lamp was read lit before, once", "scheduler", true],
  ["was the watchdog's is not kept up", "watchdog", false],
])("an ON that failed without leaving, since the cloud was silent, %s", (_what, source, isKeptUp) =>
  forged(
    `never-left-${source}`,
    (forgery) => {
      PAUSED.cloud(forgery.oracle.desk);
      forgery.wake(NOON + HOUR);
      forgery.wait(SECOND);
      forgery.lamps.lit.add("lamp");
      forgery.read("on");
      forgery.message("device:d:1");
      forgery.tell({ source, result: "fail", attempts: 3, note: "not confirmed: the cloud does not answer" });
      forgery.wait(30 * SECOND);
      if (isKeptUp) {
        forgery.switch("on");
        forgery.wait(8 * SECOND);
        forgery.read("on");
        forgery.tell({ source: "watchdog" });
        forgery.wait(20 * SECOND);
      }
      expect(() => forgery.switch("on")).toThrow("an ON left, and nothing asked for it");
    },
    BOOKED,
  ),
);

test.each([
  ["had taken", false, "on"],
  ["had not taken", true, "off"],
])("an ON that is pressed again and fails goes back to the one before it, which the lamp %s", (_what, isLost, want) =>
  forged(`pressed-again-${want}`, (forgery) => {
    forgery.toggle("on");
    forgery.switch("on", { isLost });
    forgery.wait(2 * SECOND);
    forgery.toggle("on");
    forgery.tell({ result: "retry", note: "Pressed by somebody · replaced by a newer press" });
    forgery.switch("on", { isLost: true });
    forgery.wait(8 * SECOND);
    forgery.message("device:d:1");
    forgery.tell({ result: "fail", attempts: 3, note: "not confirmed" });
    expect(forgery.oracle.desk.books.get("d")?.want).toBe(want);
  }),
);

test("what was before a light went back to its schedule is not judged anew by that", () => {
  const burns: City = {
    ...CITY,
    rules: { ...CITY.rules, MAX_ON_DURATION_MIN: 60 },
    plans: new Map([
      ["s", { ...WINDOW, end_at: new Date(NOON + 10 * HOUR).toISOString() }],
      [
        "t",
        {
          ...WINDOW,
          id: "t",
          start_at: new Date(NOON + 2.8 * HOUR).toISOString(),
          end_at: new Date(NOON + 10 * HOUR).toISOString(),
        },
      ],
    ]),
  };
  return forged(
    "back-to-schedule",
    (forgery) => {
      const fails = (action: SwitchAction) => {
        forgery.switch(action, { isLost: true });
        forgery.wait(8 * SECOND);
        forgery.tell({ source: "scheduler", action, result: "fail" });
      };
      forgery.message("device:d:1");
      forgery.wake(NOON + HOUR);
      fails("on");
      forgery.toggle("off");
      fails("off");
      forgery.wake(NOON + 2.5 * HOUR);
      forgery.learn({ ...burns, version: 2 });
      forgery.wake(NOON + 2.8 * HOUR);
      fails("on");
      forgery.toggle("auto");
      fails("on");
      forgery.learn({ ...burns, version: 3 });
      forgery.wait(10 * SECOND);
      expect(forgery.oracle.objection).toBeNull();
    },
    burns,
  );
});

test.each([
  ["the same", "s"],
  ["another", "t"],
])("an ON keeps its place among its area's turns where there are none from now on, for %s booking", (_which, id) =>
  forged(
    `kept-place-${id}`,
    (forgery) => {
      forgery.wake(NOON + HOUR);
      forgery.wait(SECOND);
      forgery.learn({ ...CITY, version: 2, plans: new Map([[id, { ...WINDOW, id }]]) });
      forgery.wait(297 * SECOND);
      expect(() => forgery.wait(10 * SECOND)).toThrow("ON is owed");
    },
    { ...STAGGERED, plans: new Map([["s", WINDOW]]) },
  ),
);

test("limits that were changed, and changed back, while nobody was there are as they were known", () => {
  const to = (hours: number) => NOON + hours * HOUR;
  const night = { ...WINDOW, start_at: new Date(to(8)).toISOString(), end_at: new Date(to(16)).toISOString() };
  const city = { ...CITY, plans: new Map([["s", night]]) };
  const park = { type: "park", isActive: true, stagger_sec: 0, positions: null } as const;
  const opened = new Map([["a", { ...park, changed_at: to(10.3), written_at: to(10.3) }]]);
  const closed = new Map([["a", { ...park, isActive: false, changed_at: 0, written_at: 0 }]]);
  return forged(
    "back-again",
    (forgery) => {
      lit(forgery);
      // The longest time on was up at 10 PM, while nobody knew of the area's booking yet.
      forgery.world.now = to(11);
      const changed_at = { ...CITY.changed_at, MAX_ON_DURATION_MIN: to(10.7) };
      forgery.learn({ ...city, version: 3, areas: opened, changed_at });
      forgery.switch("off");
      expect(forgery.oracle.objection).toBeNull();
    },
    { ...city, areas: closed },
  );
});

test("a calendar that was changed, and changed back, while nobody was there is as it was known", () => {
  const calendar = (changed_at: number) => new Map([["k", { dates: new Set<string>(), changed_at }]]);
  const park = (changed_at: number) => {
    const isActive = changed_at > 0;
    return { type: "park", isActive, stagger_sec: 0, positions: null, changed_at, written_at: changed_at };
  };
  const plan = { ...WINDOW, calendar_id: "k", calendar_rule: "skip" as const };
  const closed = { ...CITY, areas: new Map([["a", park(0)]]), calendars: calendar(0), plans: new Map([["s", plan]]) };
  return forged(
    "calendar-and-back",
    (forgery) => {
      forgery.wake(NOON + 3 * HOUR);
      const areas = new Map([["a", park(NOON + HOUR / 2)]]);
      forgery.learn({ ...closed, version: 2, areas, calendars: calendar(NOON + 1.5 * HOUR) });
      forgery.tell({ ...SKIPPED, id: "missed:s:2026-06-10:d" });
      expect(forgery.oracle.objection).toBeNull();
    },
    closed,
  );
});

test("whom a change did not concern is judged from when the engine last evaluated it", () =>
  forged("not-concerned", (forgery) => {
    lit(forgery);
    forgery.evaluate(forgery.world.now);
    forgery.world.now = NOON + 2.2 * HOUR;
    forgery.learn({ ...CITY, version: 2, hub_check_sec: 3_600 });
    forgery.wait(MINUTE);
    // Its booking took the light over, and is past.
    forgery.learn({ ...BOOKED, version: 3, hub_check_sec: 3_600 });
    forgery.switch("off");
    expect(forgery.oracle.objection).toBeNull();
  }));

test("a call that overruns the vendor's limit is objected to", () =>
  forged("budget", (forgery) => {
    const cloud = new VendorLamps("cloud");
    const objections: (string | null)[] = [];
    cloud.onlooker = {
      ...forgery.watching(),
      overrun: (device) => {
        objections.push(device);
        forgery.lamps.onlooker?.overrun(device);
      },
    };
    const { limits } = cloud.simulator;
    for (let n = 0; n < limits.account; n += 1) limits.count(`lamp${n}`, NOON + n);
    expect(objections).toEqual([]);
    limits.count("one more", NOON + MINUTE);
    expect(objections).toEqual(["one more"]);
    expect(() => forgery.wait(SECOND)).toThrow("more calls came than the vendor allows");
  }));

const CLOSED: City = {
  ...CITY,
  closures: new Map([["c", { target: { kind: "area", id: "a" }, from: 0, to: Infinity, changed_at: 0 }]]),
};

test("an ON for a closed light is objected to", () =>
  forged(
    "closed",
    (forgery) => {
      forgery.toggle("on");
      expect(() => forgery.switch("on")).toThrow("an ON left");
    },
    CLOSED,
  ));

test("a permit lifts the dark time, and a policy of the area comes before its type's", () => {
  const night: City = {
    ...CITY,
    policies: new Map([
      ["type:park", { HARD_CURFEW_OFF: "", BLACKOUT_WINDOW: "11:00-14:00", MAX_ON_DURATION_MIN: 0, changed_at: 0 }],
      ["area:a", { HARD_CURFEW_OFF: null, BLACKOUT_WINDOW: null, MAX_ON_DURATION_MIN: 60, changed_at: 0 }],
    ]),
    devices: new Map([
      ["d", DEVICE],
      ["other", DEVICE],
    ]),
    permits: new Map([["p", { target: { kind: "device", id: "d" }, from: NOON, to: NOON + HOUR, changed_at: 0 }]]),
  };
  expect(rulesOf(night, "d")).toEqual({ ...CITY.rules, BLACKOUT_WINDOW: "11:00-14:00", MAX_ON_DURATION_MIN: 60 });
  expect(isDark(night, "d", NOON)).toBe(false);
  expect(isDark(night, "other", NOON)).toBe(true);
  expect(isDark(night, "d", NOON + HOUR)).toBe(true);
});

const UNSERVED: City = { ...CITY, version: 2, isServed: false };

test("a light of an organization that is made inactive, which burns on, is objected to", () =>
  forged("unserved-lit", (forgery) => {
    lit(forgery);
    forgery.learn(UNSERVED);
    expect(() => forgery.wait(2 * MINUTE)).toThrow("OFF is owed");
  }));

test("in an organization that is inactive an ON that leaves is objected to, and one that is accepted", () =>
  forged("unserved-on", (forgery) => {
    forgery.learn(UNSERVED);
    const asked = forgery.toggle("on", { until: NOON + HOUR, isEmergency: true });
    expect(() => forgery.answer(asked, true)).toThrow("accepted of an organization that is inactive");
    forgery.oracle.objection = null;
    expect(() => forgery.switch("on")).toThrow("an ON left, and wanted is none");
  }));

test("a booking of an organization that is active again is to be lit, and what was toggled before is over", () =>
  forged(
    "served-again",
    (forgery) => {
      forgery.toggle("on", { until: NOON + 9 * HOUR, isEmergency: true });
      forgery.switch("on");
      forgery.wait(8 * SECOND);
      forgery.read("on");
      forgery.tell({ result: "ok" });
      forgery.learn({ ...UNSERVED, plans: new Map([["s", WINDOW]]) });
      forgery.switch("off");
      forgery.wait(8 * SECOND);
      forgery.read("off");
      forgery.tell({ source: "scheduler", action: "off", result: "ok" });
      forgery.wake(NOON + HOUR + 30 * MINUTE);
      forgery.learn({ ...CITY, version: 3, plans: new Map([["s", WINDOW]]) });
      expect(forgery.oracle.desk.books.get("d")).toMatchObject({ want: "on", emergency: null });
      expect(() => forgery.wait(2 * MINUTE)).toThrow("ON is owed");
    },
    { ...CITY, plans: new Map([["s", WINDOW]]) },
  ));

test("what another hub refuses after an ON says nothing of that ON", () =>
  forged("moved", (forgery) => {
    const { world } = forgery;
    const watching = forgery.watching();
    const call = {
      what: "switch",
      lamp: "lamp",
      action: "on",
      hub: null,
      began: world.now,
      isTroubled: false,
    } as const;
    forgery.toggle("on");
    watching.called(call);
    forgery.learn({ ...CITY, version: 2, hubs: new Set(["h"]), devices: new Map([["d", { ...DEVICE, hub: "h" }]]) });
    world.now += SECOND;
    const own = { ...call, hub: "h", began: world.now };
    forgery.toggle("on");
    watching.called(own);
    const said = { provider: "mock", http_status: 200, snippet: "", rtt_ms: 100 } as const;
    watching.heard(own, { ok: true, state: "on", ...said });
    forgery.lamps.lit.add("lamp");
    watching.heard(call, { ok: false, reason: "refused", detail: "", failures: [], ...said });
    forgery.oracle.check();
    expect(forgery.oracle.desk.books.get("d")?.sent_at).toBe(own.began);
  }));

test("a light whose hub lets the engine in again, or is reached in another way, is lit at once", () => {
  const devices = new Map([["d", { ...DEVICE, hub: "h" }]]);
  const city = { ...BOOKED, hubs: new Set(["h"]), devices };
  const isShut = { ...city, version: 2, access: new Map([["h", { mode: "hybrid", wrong: "another" } as const]]) };
  return forged(
    "access",
    (forgery) => {
      const { world } = forgery;
      const watching = forgery.watching();
      forgery.learn(isShut);
      forgery.wake(NOON + HOUR);
      const call = {
        what: "switch",
        lamp: "lamp",
        action: "on",
        hub: "h",
        began: world.now,
        isTroubled: true,
      } as const;
      watching.called(call);
      const said = { provider: "mock", http_status: 200, snippet: "", rtt_ms: 100 } as const;
      watching.heard(call, { ok: false, reason: "refused", detail: "", failures: [], ...said });
      forgery.message("device:d:1");
      forgery.tell({ source: "scheduler", result: "fail" });
      forgery.wait(10 * MINUTE);
      // The same, said by another record.
      forgery.learn({ ...isShut, version: 3, access: new Map(isShut.access) });
      forgery.wait(10 * MINUTE);
      forgery.learn({ ...city, version: 4 });
      expect(() => forgery.wait(2 * SECOND)).toThrow("ON is owed since 13:20:00.000 and did not leave");
    },
    city,
  );
});
