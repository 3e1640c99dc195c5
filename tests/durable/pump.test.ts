import { expect, test } from "vitest";
import { lanesOf } from "#durable/dispatch/pump";
import { inWorld } from "#tests/support/engine";
import { aField, aSchedule, deviceRow, events, setting, sql } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;

/** A field of lamps without hubs, all due at 18:00. */
async function aCrowd(org_id: string, count: number): Promise<string[]> {
  const lamps = Array.from({ length: count }, (_, n) => `${org_id}-${n}`);
  await aField(org_id, lamps);
  await sql("UPDATE devices SET hub_id = NULL WHERE org_id = ?", org_id).run();
  for (const lamp of lamps) await aSchedule(org_id, `s-${lamp}`, at("18:00:00"), at("20:00:00"), { device: lamp });
  return lamps;
}

test("simulated lamps open no connection: all that are due together are lit together", async () => {
  const lamps = await aCrowd("crowd", 150);
  await inWorld("crowd", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("18:00:00.130"));
    expect(lamps.filter((lamp) => world.lamp(lamp) !== "on")).toEqual([]);
    await world.to(at("18:00:09"));
    expect(await events("crowd")).toHaveLength(lamps.length);
    expect((await deviceRow("crowd-149")).current_state).toBe("on");
  });
});

test("the cloud has six calls under way at once, hubs of one's own as many as a server likes to have open", async () => {
  await aField("lanes");
  await inWorld("lanes", at("17:00:00"), async (world) => {
    const lanes: number[] = [];
    for (const mode of ["mock", "cloud", "local", "hybrid"]) {
      await setting("lanes", "PROVIDER_MODE", mode).run();
      await world.sync();
      lanes.push(lanesOf(world.context));
    }
    expect(lanes).toEqual([Infinity, 6, 200, 200]);
  });
});

test("a press in the middle of a crowd is answered before the crowd is done", async () => {
  await aCrowd("pressed", 30);
  await setting("pressed", "PROVIDER_MODE", "mock").run();
  await inWorld("pressed", at("17:00:00"), async (world) => {
    await world.sync();
    for (let n = 1; n < 30; n += 1) world.fault(`lamp:pressed-${n}`, { kind: "slow", ms: 5_000 });
    await world.to(at("18:00:01"));
    const began = world.now;
    expect((await world.toggle("pressed-0", "off")).success).toBe(true);
    expect(world.now - began).toBeLessThan(500);
  });
});
