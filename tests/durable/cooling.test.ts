import { expect, test } from "vitest";
import { explain } from "#durable/reconcile/explain";
import { noAnswer } from "#durable/providers/no-answer";
import { endTest, testSwitch } from "#durable/requests/connectivity";
import { during } from "#tests/support/a-city";
import { inWorld } from "#tests/support/engine";
import { aField, aSchedule, events, setting, sql } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;

/** A metal halide lamp, which cools for 15 minutes. */
async function aHalide(org_id: string): Promise<string> {
  await aField(org_id);
  await sql("UPDATE devices SET restrike_min = 15 WHERE org_id = ?", org_id).run();
  return `${org_id}-lamp`;
}

test("an ON after an OFF at 8:02 PM is kept until the lamp has cooled, and the person is told so", async () => {
  const lamp = await aHalide("a");
  await aSchedule("a", "a1", at("18:00:00"), at("23:00:00"));
  await inWorld("a", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("20:02:00"));
    await world.toggle(lamp, "off");
    await world.to(at("20:05:00"));
    expect(await world.toggle(lamp, "on")).toMatchObject({
      success: false,
      detail: "Lamp is cooling; on at 8:17 PM",
    });
    await world.to(at("20:16:50"));
    expect(world.lamp(lamp)).toBe("off");
    const sentence = () => explain(world.context, [lamp])[0]?.sentence;
    expect(sentence()).toMatch(/^Lamp is cooling; on at 8:17 PM, until .* PM: Practice$/);
    await world.to(at("20:17:30"));
    expect(world.lamp(lamp)).toBe("on");
    expect(sentence()).toMatch(/^On until /);
    expect((await events("a")).at(-1)).toBe("20:17:16 manual on ok 1");
  });
});

test("an ON is refused if a curfew comes before the lamp has cooled", async () => {
  const lamp = await aHalide("b");
  await setting("b", "HARD_CURFEW_OFF", "20:15").run();
  await aSchedule("b", "b1", at("18:00:00"), at("20:30:00"));
  await inWorld("b", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("20:02:00"));
    await world.toggle(lamp, "off");
    await world.to(at("20:05:00"));
    const { success, detail } = await world.toggle(lamp, "on");
    expect(success).toBe(false);
    expect(detail).toMatch(/^Lamp is cooling until 8:17 PM\. Lights may not go on during the curfew/);
    await world.to(at("20:40:00"));
    expect(world.lamp(lamp)).toBe("off");
  });
});

test.each([
  ["an ON with an end", {}],
  ["an emergency", { emergency: true, reason: "police" }],
] as const)("%s that is over before the lamp has cooled is not said to light it", async (_what, wish) => {
  const org = "emergency" in wish ? "oe" : "oh";
  const lamp = await aHalide(org);
  await aSchedule(org, `${org}1`, at("18:00:00"), at("20:03:00"));
  await inWorld(org, at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("20:02:00"));
    await world.toggle(lamp, "off");
    await world.to(at("20:05:00"));
    expect(await world.toggle(lamp, "on", { until: at("20:10:00"), ...wish })).toMatchObject({
      success: false,
      detail: "Lamp is cooling until 8:17 PM, wanted only until 8:10 PM",
    });
    await world.to(at("20:30:00"));
    expect(world.lamp(lamp)).toBe("off");
  });
});

test("a person's ON that the longest time on ends before the lamp has cooled is not said to light it", async () => {
  const lamp = await aHalide("om");
  await setting("om", "MAX_ON_DURATION_MIN", "10").run();
  await inWorld("om", at("17:00:00"), async (world) => {
    await world.sync();
    await world.toggle(lamp, "on");
    await world.to(at("17:05:00"));
    await world.toggle(lamp, "off");
    await world.to(at("17:07:00"));
    expect(await world.toggle(lamp, "on")).toMatchObject({
      success: false,
      detail: "Lamp is cooling until 5:20 PM, wanted only until 5:17 PM",
    });
    expect(explain(world.context, [lamp])[0]?.sentence).toBe(
      "Lamp is cooling until 5:20 PM, wanted only until 5:17 PM: switched on by someone at 5:07 PM",
    );
    await world.to(at("17:30:00"));
    expect(world.lamp(lamp)).toBe("off");
  });
});

test("the longest time on of a booking counts from when its lamp has cooled", async () => {
  const lamp = await aHalide("ob");
  await setting("ob", "MAX_ON_DURATION_MIN", "10").run();
  await aSchedule("ob", "ob1", at("17:07:00"), at("19:00:00"));
  await inWorld("ob", at("17:00:00"), async (world) => {
    await world.sync();
    await world.toggle(lamp, "on");
    await world.to(at("17:05:00"));
    await world.toggle(lamp, "off");
    await world.to(at("17:08:00"));
    expect(explain(world.context, [lamp])[0]?.sentence).toBe("Lamp is cooling; on at 5:20 PM: Practice");
    await world.to(at("17:25:00"));
    expect(world.lamp(lamp)).toBe("on");
  });
});

test("a booking that begins while the lamp cools lights it when it has cooled", async () => {
  const lamp = await aHalide("c");
  await aSchedule("c", "c1", at("18:00:00"), at("19:00:00"));
  await aSchedule("c", "c2", at("19:05:00"), at("21:00:00"));
  await inWorld("c", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:14:00"));
    expect(world.lamp(lamp)).toBe("off");
    await world.to(at("19:16:00"));
    expect(world.lamp(lamp)).toBe("on");
  });
});

test("a lamp that no reading has seen lit has nothing to cool from", async () => {
  const lamp = await aHalide("d");
  await inWorld("d", at("17:00:00"), async (world) => {
    await world.sync();
    await world.toggle(lamp, "off");
    await world.to(at("17:01:00"));
    expect(await world.toggle(lamp, "on")).toMatchObject({ success: true });
  });
});

test("an OFF never waits, also of a lamp that waits to be lit", async () => {
  const lamp = await aHalide("e");
  await inWorld("e", at("17:00:00"), async (world) => {
    await world.sync();
    await world.toggle(lamp, "on");
    await world.to(at("17:10:00"));
    await world.toggle(lamp, "off");
    await world.to(at("17:11:00"));
    await world.toggle(lamp, "on");
    expect(await world.toggle(lamp, "off")).toMatchObject({ success: true });
    await world.to(at("18:00:00"));
    expect(world.lamp(lamp)).toBe("off");
  });
});

test("a lamp that was put up in the place of a hot one has nothing to cool from", async () => {
  const lamp = await aHalide("new");
  await sql("UPDATE devices SET cloud_device_id = 'old-lamp' WHERE id = ?", lamp).run();
  await aSchedule("new", "new1", at("18:00:00"), at("19:00:00"));
  await inWorld("new", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("19:01:00"));
    await sql("UPDATE devices SET cloud_device_id = 'new-lamp' WHERE id = ?", lamp).run();
    await world.sync();
    expect(await world.toggle(lamp, "on")).toMatchObject({ success: true });
  });
});

test("an OFF that an ON replaced before it was answered puts the lamp out all the same, and it has to cool", async () => {
  const lamp = await aHalide("hasty");
  await aSchedule("hasty", "hasty1", at("18:00:00"), at("23:00:00"));
  await inWorld("hasty", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("20:00:00"));
    world.beginToggle(lamp, "off", () => undefined);
    await world.to(at("20:00:00.050"));
    world.beginToggle(lamp, "on", () => undefined);
    await world.to(at("20:14:30"));
    expect(world.lamp(lamp)).toBe("off");
    await world.to(at("20:16:00"));
    expect(world.lamp(lamp)).toBe("on");
  });
});

test.each([
  ["an OFF that the lamp refused", "off", false],
  ["an ON that the lamp took", "on", true],
] as const)("%s, and that an ON replaced before it was answered, begins no cooling", async (_what, action, isTaken) => {
  const org = `late-${action}`;
  const lamp = await aHalide(org);
  await aSchedule(org, `${org}1`, at("18:00:00"), at("23:00:00"));
  await inWorld(org, at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("20:00:00"));
    let calls = 0;
    world.wrapProvider((real) => ({
      switch: async (address, ...more) => {
        calls += 1;
        if (calls > 1) return real.switch(address, ...more);
        await new Promise((done) => world.outside(1_000, () => done(null)));
        return isTaken ? real.switch(address, ...more) : noAnswer(address, "refused", "lamp is locked");
      },
    }));
    world.beginToggle(lamp, action, () => undefined);
    await world.to(at("20:00:00.050"));
    expect(await world.toggle(lamp, "on")).toMatchObject({ success: true });
    expect(calls).toBeGreaterThan(1);
  });
});

test("a lamp that a connectivity test put out has to cool, also if its reading fails", async () => {
  const lamp = await aHalide("tested");
  await inWorld("tested", at("17:00:00"), async (world) => {
    await world.sync();
    await world.toggle(lamp, "on");
    await world.to(at("17:10:00"));
    const undo = world.wrapProvider(() => ({
      read: async (address) => noAnswer(address, "timeout", "no answer"),
    }));
    await during(world, testSwitch(world.context, lamp, "off"));
    endTest(world.context, lamp);
    undo();
    await world.to(at("17:11:00"));
    expect(await world.toggle(lamp, "on")).toMatchObject({ detail: "Lamp is cooling; on at 5:25 PM" });
  });
});

/** A life of two hundred lights found it (seed 6009). */
test("an ON whose lamp has cooled while the alarm was lost leaves as soon as anybody comes", async () => {
  const lamp = await aHalide("roused");
  await aSchedule("roused", "roused1", at("18:00:00"), at("23:00:00"));
  await inWorld("roused", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("20:02:00"));
    await world.toggle(lamp, "off");
    await world.to(at("20:05:00"));
    await world.toggle(lamp, "on");
    await world.to(at("20:10:00"));
    world.alarm_at = null; // lost
    await world.to(at("20:20:00"));
    await aSchedule("roused", "roused2", at("22:00:00"), at("23:00:00"));
    await world.sync();
    await world.to(at("20:20:02"));
    expect(world.lamp(lamp)).toBe("on");
  });
});
