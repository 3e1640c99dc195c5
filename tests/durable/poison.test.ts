import { expect, test } from "vitest";
import {
  earliestTimer,
  finishTimers,
  postponeTimer,
  putTimer,
  putTimerNoLater,
  takeDueTimers,
} from "#durable/state/timers";
import { inWorld } from "#tests/support/engine";
import { aField, aSchedule, events, notes } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;

test("a timer that throws holds up no other, is tried five times and set aside with one event", async () => {
  await aField("poison", ["poison-bad", "poison-good"]);
  for (const lamp of ["poison-bad", "poison-good"]) {
    await aSchedule("poison", `${lamp}-s`, at("18:00:00"), at("20:00:00"), { device: lamp });
  }
  await inWorld("poison", at("17:00:00"), async (world) => {
    await world.sync();
    const whole = world.storage.sql
      .exec<{ body: string }>("SELECT body FROM plan WHERE id = 'poison-bad-s'")
      .one().body;
    const spoil = (body: string) => world.tamper("UPDATE plan SET body = ? WHERE id = 'poison-bad-s'", body);
    spoil("{");
    await world.to(at("18:00:20"));
    expect(world.lamp("poison-good")).toBe("on");
    expect(await events("poison")).toEqual(["18:00:08 scheduler on ok 1"]);
    await world.to(at("18:30:00"));
    // After 2, 4, 8 and 16 seconds more.
    expect(await events("poison")).toEqual(["18:00:08 scheduler on ok 1", "18:00:30 scheduler off fail 0"]);
    expect((await notes("poison"))[1]).toMatch(/^Internal fault, set aside after 5 tries: SyntaxError/);
    expect(world.lines.filter((line) => line.event === "timer.failed").map((line) => line.tries)).toEqual([
      1, 2, 3, 4, 5,
    ]);

    spoil(whole);
    await world.to(at("19:00:29"));
    expect(world.lamp("poison-bad")).toBe("off");
    await world.to(at("19:00:31"));
    expect(world.lamp("poison-bad")).toBe("on");
  });
});

test("what cannot be written waits for the end of its lease, and what is due meanwhile is served", async () => {
  await aField("unwritten", ["unwritten-bad", "unwritten-good"]);
  await aSchedule("unwritten", "s-bad", at("18:00:00"), at("20:00:00"), { device: "unwritten-bad" });
  await aSchedule("unwritten", "s-good", at("18:00:20"), at("20:00:00"), { device: "unwritten-good" });
  await inWorld("unwritten", at("17:00:00"), async (world) => {
    await world.sync();
    world.tamper(`CREATE TRIGGER refuse BEFORE INSERT ON commands WHEN NEW.device_id = 'unwritten-bad'
      BEGIN SELECT RAISE(ABORT, 'refused'); END`);
    const events: string[] = [];
    world.context.log = ({ event }) => void events.push(event); // the world takes a tick that fails for a bug
    await world.to(at("18:00:25"));
    expect(world.lamp("unwritten-good")).toBe("on");
    expect(world.lamp("unwritten-bad")).toBe("off");
    expect(events.filter((event) => event === "tick.failed")).toHaveLength(1);

    world.tamper("DROP TRIGGER refuse");
    await world.to(at("18:01:01"));
    expect(world.lamp("unwritten-bad")).toBe("on");
  });
});

test("a timer that is put again while it is served is neither ended nor postponed by who served it", async () => {
  await inWorld("timers-a", at("12:00:00"), async ({ storage: { sql } }) => {
    const serve = () => {
      putTimer(sql, "wake", "a", 10);
      const [served] = takeDueTimers(sql, 1_000, 9);
      putTimer(sql, "wake", "a", 20);
      return served ?? { kind: "wake" as const, key: "nobody", due_at: 0, lease: 0, tries: 0 };
    };
    finishTimers(sql, [serve()]);
    expect(takeDueTimers(sql, 1_000, 9)).toMatchObject([{ key: "a", due_at: 20, tries: 1 }]);
    postponeTimer(sql, serve(), 99);
    expect(takeDueTimers(sql, 1_000, 9)).toMatchObject([{ key: "a", due_at: 20, tries: 1 }]);
  });
});

test("a timer that is served is not served again until its lease is over, and counts for the alarm at its end", async () => {
  await inWorld("timers-b", at("12:00:00"), async ({ storage: { sql } }) => {
    expect(earliestTimer(sql)).toBeNull();
    putTimer(sql, "wake", "late", 70_000);
    putTimer(sql, "wake", "b", 9.5);
    putTimer(sql, "wake", "a", 10);
    expect(earliestTimer(sql)).toBe(10);
    expect(takeDueTimers(sql, 9, 9)).toEqual([]);
    expect(takeDueTimers(sql, 10, 1).map(({ key }) => key)).toEqual(["a"]);
    expect(takeDueTimers(sql, 10, 9).map(({ key }) => key)).toEqual(["b"]);
    expect(takeDueTimers(sql, 60_009, 9)).toEqual([]);
    expect(earliestTimer(sql)).toBe(60_010);
    const [again] = takeDueTimers(sql, 60_010, 9);
    expect(again).toEqual({ kind: "wake", key: "a", due_at: 10, lease: 120_010, tries: 2 });
    if (again) postponeTimer(sql, again, 80_000);
    expect(takeDueTimers(sql, 79_999, 9).map(({ key }) => key)).toEqual(["late"]);
    expect(takeDueTimers(sql, 80_000, 9)).toMatchObject([{ key: "a", due_at: 80_000, tries: 3 }]);
  });
});

test("what is looked at only to be sure comes after what is due at its time", async () => {
  await aField("order");
  await inWorld("order", at("12:00:00"), async ({ storage }) => {
    const { sql } = storage;
    sql.exec("DELETE FROM timers");
    putTimer(sql, "recheck", "a", 10);
    putTimer(sql, "wake", "b", 20);
    expect(takeDueTimers(sql, 30, 1).map(({ key }) => key)).toEqual(["b"]);
    expect(takeDueTimers(sql, 30, 1).map(({ key }) => key)).toEqual(["a"]);
  });
});

test("a wake-up asked for no later than some time leaves an earlier one, but not one that is being served", async () => {
  await inWorld("timers-c", at("12:00:00"), async ({ storage: { sql } }) => {
    const due = () => sql.exec<{ due_at: number }>("SELECT due_at FROM timers WHERE key = 'a'").one().due_at;
    putTimerNoLater(sql, "wake", "a", 50);
    putTimerNoLater(sql, "wake", "a", 60);
    expect(due()).toBe(50);
    putTimerNoLater(sql, "wake", "a", 40);
    expect(due()).toBe(40);
    takeDueTimers(sql, 45, 9);
    putTimerNoLater(sql, "wake", "a", 60);
    expect(due()).toBe(60);
  });
});
