import { expect, test } from "vitest";
import { inWorld } from "#tests/support/engine";
import { aField, aSchedule, events, sql } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;

test("a canceled booking stays dark although an earlier call of the database never settled", async () => {
  await aField("hung");
  await aSchedule("hung", "hung1", at("18:30:00"), at("20:00:00"));
  await inWorld("hung", at("12:00:00"), async (world) => {
    await world.sync();
    world.wire.state = { kind: "hung" };
    for (let n = 0; n < 60; n += 1) void world.sync();
    await world.to(at("12:05:00"));
    world.wire.state = { kind: "up" };
    await sql("UPDATE schedules SET status = 'canceled' WHERE id = 'hung1'").run();
    await world.sync();
    await world.to(at("19:00:00"));
    expect(world.lamp("hung-lamp")).toBe("off");
    expect(await events("hung")).toEqual([]);
  });
});

test("what was recorded while the database hung is written when it answers again", async () => {
  await aField("hang");
  await aSchedule("hang", "hang1", at("18:00:00"), at("20:00:00"));
  await inWorld("hang", at("17:00:00"), async (world) => {
    await world.sync();
    world.wire.state = { kind: "hung" };
    await world.to(at("18:01:00"));
    expect(world.lamp("hang-lamp")).toBe("on");
    world.wire.state = { kind: "up" };
    await world.to(at("18:03:00"));
    expect(await events("hang")).toHaveLength(1);
    expect(world.storage.sql.exec("SELECT * FROM outbox").toArray()).toEqual([]);
  });
});

test("many who ask for the plan while it is pulled share one more pull", async () => {
  await aField("share");
  await inWorld("share", at("12:00:00"), async (world) => {
    await world.sync();
    await world.to(at("12:00:10"));
    let asked = 0;
    const { db } = world.context;
    world.context.db = new Proxy(db, {
      get: (target, key) => {
        if (key === "select") asked += 1;
        return Reflect.get(target, key);
      },
    });
    world.wire.state = { kind: "slow", ms: 2_000 };
    for (let n = 0; n < 60; n += 1) void world.sync();
    await world.to(at("12:00:30"));
    expect(asked).toBe(2);
  });
});
