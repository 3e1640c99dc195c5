import { expect, test } from "vitest";
import { lanesOf } from "#durable/dispatch/pump";
import { transact } from "#durable/state/context";
import { putTimer } from "#durable/state/timers";
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

test("an alarm with thousands of timers due serves some, and the next alarm the others", async () => {
  await aField("many");
  await inWorld("many", at("17:00:00"), async (world) => {
    await world.sync();
    transact(world.context, () => {
      for (let n = 0; n < 3_000; n += 1) putTimer(world.context.sql, "recheck", `many-${n}`, world.now);
    });
    let alarms = 0;
    world.watch.acts = () => (alarms += 1);
    await world.to(at("17:00:01"));
    expect(alarms).toBe(2);
    expect(world.storage.sql.exec("SELECT 1 FROM timers WHERE kind = 'recheck'").toArray()).toEqual([]);
  });
});

test("the watchdog reads every light within a quarter of an hour where no vendor limits calls", async () => {
  await aField("round");
  await setting("round", "WATCHDOG_ENABLED", true).run();
  const numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900)";
  await sql(
    `${numbers} INSERT INTO devices (id, org_id, area_id, name) SELECT 'round-' || i, 'round', 'round-area', 'Lamp' FROM n`,
  ).run();
  await inWorld("round", at("17:00:00"), async (world) => {
    await world.sync();
    await world.to(at("17:16:05"));
    expect(world.storage.sql.exec("SELECT COUNT(*) AS n FROM reads").one()).toEqual({ n: 901 });
  });
});
