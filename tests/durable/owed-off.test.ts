import { expect, test } from "vitest";
import { testSwitch } from "#durable/requests/connectivity";
import { during } from "#tests/support/a-city";
import { inWorld, type World } from "#tests/support/engine";
import { aField, setting, sql } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;

/** A hand lights the lamp, and nobody has read it since when a person asks for OFF. */
async function litUnseen(org_id: string, story: (world: World, lamp: string) => Promise<void>): Promise<void> {
  const lamp = `${org_id}-lamp`;
  await aField(org_id);
  await setting(org_id, "HUB_CHECK_INTERVAL_SEC", 60).run();
  await inWorld(org_id, at("12:00:00"), async (world) => {
    await world.sync();
    await world.to(at("12:10:00"));
    world.switchExternally(lamp, "on");
    await story(world, lamp);
  });
}

test.each([
  ["without an end", {}],
  ["with an end", { until: at("12:30:00") }],
])("an OFF %s that its hub was away for reaches a lamp that nobody knew to be lit", async (name, until) => {
  await litUnseen(`owed-${name.replaceAll(" ", "-")}`, async (world, lamp) => {
    world.fault(`hub:${world.org_id}-hub`, { kind: "offline" });
    const { detail } = await world.toggle(lamp, "off", until);
    expect(detail).toBe("not reachable; still trying");
    await world.to(at("12:40:00"));
    world.fault(`hub:${world.org_id}-hub`);
    await world.to(at("12:42:00"));
    expect(world.lamp(lamp)).toBe("off");
  });
});

test("an OFF that the lamp takes and does not obey is kept up, and the lamp not taken for lit by hand", async () => {
  await litUnseen("owed-stuck", async (world, lamp) => {
    await setting(world.org_id, "WATCHDOG_ENABLED", true).run();
    await world.sync();
    world.fault(`lamp:${lamp}`, { kind: "stuck" });
    await world.toggle(lamp, "off");
    await world.to(at("12:20:00"));
    expect(world.storage.sql.exec("SELECT lit_by FROM device_memory").one()).toEqual({ lit_by: "us" });
    world.fault(`lamp:${lamp}`);
    await world.to(at("13:00:00"));
    expect(world.lamp(lamp)).toBe("off");
  });
});

test("a connectivity test that reaches nothing either does not lose a person's OFF", async () => {
  await litUnseen("owed-test", async (world, lamp) => {
    world.fault(`hub:${world.org_id}-hub`, { kind: "offline" });
    await world.toggle(lamp, "off");
    await during(world, testSwitch(world.context, lamp, "off"));
    await world.to(at("12:11:00"));
    world.fault(`hub:${world.org_id}-hub`);
    await world.to(at("12:14:00"));
    expect(world.lamp(lamp)).toBe("off");
  });
});

test("an OFF in vain is sent again when the hub's address is corrected", async () => {
  await litUnseen("owed-address", async (world, lamp) => {
    world.fault(`hub:${world.org_id}-hub`, { kind: "offline" });
    await world.toggle(lamp, "off");
    await world.to(at("12:20:00"));
    world.fault(`hub:${world.org_id}-hub`);
    await sql("UPDATE hubs SET ip_address = '10.0.0.7' WHERE org_id = ?", world.org_id).run();
    await world.sync();
    await world.to(at("12:20:10"));
    expect(world.lamp(lamp)).toBe("off");
  });
});

test("a lamp that is dark, as its reading says after the OFF, is owed nothing more", async () => {
  await aField("owed-dark");
  await inWorld("owed-dark", at("12:00:00"), async (world) => {
    await world.sync();
    await world.toggle("owed-dark-lamp", "off");
    await world.to(at("12:05:00"));
    expect(world.storage.sql.exec("SELECT lit_since, resolved_state FROM device_memory").one()).toEqual({
      lit_since: null,
      resolved_state: "none",
    });
  });
});
