import { expect, test } from "vitest";
import { knownState, memoryOf } from "#durable/state/device-memory";
import { readState } from "#durable/requests/connectivity";
import { during } from "#tests/support/a-city";
import { inWorld } from "#tests/support/engine";
import { aField, aSchedule } from "#tests/support/light";

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
