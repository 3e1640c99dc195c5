import { expect, test } from "vitest";
import { readState } from "#durable/requests/connectivity";
import { memoryOf } from "#durable/state/device-memory";
import { inWorld } from "#tests/support/engine";
import { aField, aSchedule, events, setting, sql } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;
/** Enough to come to the end of the tick, its call, and what follows the answer. */
const STEPS = Array.from({ length: 30 }, (_, n) => n + 1);

test.each(STEPS)(
  "a process that dies %i steps into the end of a window has put the light out within a minute of its return",
  async (n) => {
    const org = `die${n}`;
    await aField(org);
    await aSchedule(org, `${org}-s`, at("18:00:00"), at("20:00:00"));
    await inWorld(org, at("17:00:00"), async (world) => {
      await world.sync();
      await world.to(at("19:59:59"));
      world.dieAfter(n, 60_000);
      await world.to(at("20:01:59"));
      expect(world.lamp(`${org}-lamp`)).toBe("off");
      await world.to(at("20:30:00"));
      const ends = (await events(org)).filter((line) => line.includes("off ok"));
      expect(ends).toHaveLength(1);
    });
  },
);

test.each(STEPS)(
  "a process that dies %i steps into a status check has put out in time what that found lit",
  async (n) => {
    const org = `check${n}`;
    await aField(org);
    await setting(org, "WATCHDOG_ENABLED", false, "2026-01-01").run();
    await setting(org, "MAX_ON_DURATION_MIN", 60, "2026-01-01").run();
    await inWorld(org, at("17:00:00"), async (world) => {
      await world.sync();
      world.switchExternally(`${org}-lamp`, "on");
      world.dieAfter(n, 60_000);
      world.beginRequest(
        (context) => readState(context, `${org}-lamp`),
        () => undefined,
        () => undefined,
      );
      await world.to(at("17:10:00"));
      const isKnown = memoryOf(world.context.sql, `${org}-lamp`).lit_since !== null;
      await world.to(at("18:30:00"));
      expect(world.lamp(`${org}-lamp`)).toBe(isKnown ? "off" : "on");
    });
  },
);

test("who comes back looks at the plan before acting on what the last one left under way", async () => {
  await aField("stale");
  await aSchedule("stale", "first", at("18:00:00"), at("18:30:00"));
  await aSchedule("stale", "canceled", at("19:00:00"), at("22:00:00"));
  await inWorld("stale", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:30:05"));
    world.fault("lamp:stale-lamp", { kind: "slow", ms: 3_000 });
    await world.to(at("18:30:09"));
    expect(world.storage.sql.exec("SELECT * FROM calls").toArray()).toHaveLength(1);
    world.die(40 * 60_000);
    await sql("UPDATE schedules SET status = 'canceled' WHERE id = 'canceled'").run();
    world.fault("lamp:stale-lamp");
    await world.to(at("19:30:00"));
    const { results } = await sql("SELECT action FROM device_events WHERE org_id = 'stale' ORDER BY rowid").all();
    expect(results.map(({ action }) => action)).toEqual(["on", "off", "off"]);
    expect(world.lamp("stale-lamp")).toBe("off");
  });
});

test("a call that died with its process says nothing of its hub", async () => {
  await aField("own", ["own-a", "own-b"]);
  await aSchedule("own", "a", at("18:00:00"), at("22:00:00"), { device: "own-a" });
  await aSchedule("own", "b", at("18:05:00"), at("22:00:00"), { device: "own-b" });
  await inWorld("own", at("17:00:00"), async (world) => {
    await world.sync();
    world.fault("lamp:own-a", { kind: "slow", ms: 3_000 });
    await world.to(at("18:00:01"));
    world.die(10_000);
    await world.to(at("18:00:21"));
    expect(world.storage.sql.exec("SELECT * FROM calls").toArray()).toHaveLength(1);
    expect(world.storage.sql.exec("SELECT * FROM hub_trouble").toArray()).toEqual([]);
    world.die(5 * 60_000);
    world.fault("lamp:own-a");
    await world.to(at("18:07:00"));
    // The one that was not under way is lit at its first try.
    expect((await events("own")).filter((line) => line.includes("ok"))).toEqual([
      "18:05:29 scheduler on ok 1",
      "18:05:39 scheduler on ok 2",
    ]);
  });
});
