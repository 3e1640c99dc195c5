import { expect, test } from "vitest";
import type { StandingPlan } from "#domain/agent/standing-plan";
import { explain } from "#durable/reconcile/explain";
import { agentPlan } from "#durable/state/standing-plans";
import { aCity } from "#tests/support/a-city";
import { AnAgent, assignAgent } from "#tests/support/an-agent";
import { bringBack, dumpOf, loseAll, type Dump } from "#tests/support/backup-of";
import { inWorld, type World } from "#tests/support/engine";
import { aSchedule, sql } from "#tests/support/light";

/** An agent with so many lights that their plan is longer than a row of the object, or of D1, can be. */

const at = (clock: string) => `2026-06-10T${clock}Z`;
const ROW_HOLDS = 1_000_000;

async function aLargePark(org: string, others = 1_500) {
  const city = await aCity(org, "local", 1, 1);
  const id = await assignAgent(org);
  const [lamp = ""] = city.lamps;
  await sql(
    `WITH RECURSIVE others (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM others WHERE n < ?1)
     INSERT INTO devices (id, org_id, area_id, hub_id, name, cloud_device_id, on_payload, updated_at)
     SELECT id || '-' || n, org_id, area_id, hub_id, 'Pole ' || n, cloud_device_id || n, hex(zeroblob(900)), updated_at
     FROM devices, others WHERE id = ?2`,
    others,
    lamp,
  ).run();
  await aSchedule(org, `s-${org}`, at("18:00:00"), at("22:00:00"), { device: lamp });
  const lives = (from: string, act: (world: World) => Promise<void>) => inWorld(org, at(from), act, city.equip);
  return { id, lamp, lives };
}

/** Connects, and says that it has the plan that comes. */
async function takes(world: World, agent: AnAgent): Promise<StandingPlan> {
  await agent.connect();
  const hasCome = () => agent.frames.some((frame) => frame.type === "plan" && frame.n === frame.of);
  // It is signed outside of the world's clock, which takes longer on a busy machine.
  for (let waited = 0; waited < 4_000 && !hasCome(); waited += 1)
    await world.to(world.now + (waited % 10 === 0 ? 10 : 0));
  const { rev, sent } = agentPlan(world.context.sql, agent.id);
  if (!sent) throw new Error("no plan has come");
  await agent.say({ type: "plan_ok", rev });
  return sent;
}

const longestRow = (world: World) =>
  world.storage.sql
    .exec<{ n: number }>(
      `SELECT MAX(n) AS n FROM (SELECT IFNULL(length(sent), 0) + IFNULL(length(taken), 0) AS n FROM standing_plans
       UNION ALL SELECT length(lamps) FROM planned_lamps)`,
    )
    .one().n;

test("its plan is kept, its lights are switched on time, and left to it while it is away", async () => {
  const { id, lamp, lives } = await aLargePark("large");
  await lives("17:59:57", async (world) => {
    await world.sync();
    const agent = new AnAgent(world, id);
    const plan = await takes(world, agent);
    expect(plan.lamps).toHaveLength(1501);
    expect(JSON.stringify(plan).length).toBeGreaterThan(2 * ROW_HOLDS);
    await world.to(at("18:00:10"));
    expect([...agent.lamps.values()]).toEqual(["on"]);
    world.die();
    const { sent, taken } = agentPlan(world.context.sql, id);
    expect(sent?.lamps).toEqual(plan.lamps);
    expect(taken).toEqual(sent);
    expect(longestRow(world)).toBeLessThan(ROW_HOLDS);
    await agent.cut();
    await world.to(at("22:30:00"));
    expect(explain(world.context, [lamp])[0]?.sentence).toContain("by the agent's own plan");
    expect(world.lines).toEqual([]);
  });
});

test("it comes back with a backup into an empty deployment", async () => {
  const { id, lives } = await aLargePark("large-back");
  let found: { dump: Dump; plan: StandingPlan } | null = null;
  await lives("12:00:00", async (world) => {
    await world.sync();
    const plan = await takes(world, new AnAgent(world, id));
    found = { dump: await dumpOf(world), plan };
  });
  if (!found) throw new Error("there is no backup");
  const { dump, plan }: { dump: Dump; plan: StandingPlan } = found;
  await loseAll("large-back");
  await lives("12:30:00", async (world) => {
    await bringBack(dump, world.now);
    world.wire.changed();
    await world.sync();
    expect(agentPlan(world.context.sql, id).taken).toEqual(plan);
  });
});

test("one whose lamps are not all there counts as none, and another is sent", async () => {
  const { id, lives } = await aLargePark("large-torn");
  await lives("12:00:00", async (world) => {
    await world.sync();
    const { rev } = await takes(world, new AnAgent(world, id));
    world.tamper("DELETE FROM planned_lamps WHERE n = 1");
    expect(agentPlan(world.context.sql, id)).toMatchObject({ rev, sent: null, taken: null });
    const next = await takes(world, new AnAgent(world, id));
    expect(next.rev).toBeGreaterThan(rev);
    expect(agentPlan(world.context.sql, id).taken).toEqual(next);
  });
});

test("one that the release before kept in one row is left to the agent that refuses the next", async () => {
  const { id, lamp, lives } = await aLargePark("large-before", 400);
  await lives("17:00:00", async (world) => {
    await world.sync();
    const agent = new AnAgent(world, id);
    const plan = await takes(world, agent);
    const next = { ...plan, rev: plan.rev + 1 };
    world.tamper(
      "UPDATE standing_plans SET rev = ?, sent = ?, taken = ?",
      next.rev,
      JSON.stringify(next),
      JSON.stringify(plan),
    );
    world.tamper("DELETE FROM planned_lamps");
    await agent.connect({ plan_rev: plan.rev });
    await agent.say({ type: "plan_refused", rev: next.rev, why: "The agent's disk can't be written to" });
    world.die();
    expect(agentPlan(world.context.sql, id)).toMatchObject({ sent: next, taken: plan });
    expect(longestRow(world)).toBeLessThan(ROW_HOLDS);
    await agent.cut();
    await world.to(at("18:00:10"));
    expect(explain(world.context, [lamp])[0]?.sentence).toContain("by the agent's own plan");
  });
});

test("what is left of a plan goes with the agent, and with a shorter plan", async () => {
  const { id, lamp, lives } = await aLargePark("large-less");
  await lives("12:00:00", async (world) => {
    await world.sync();
    await takes(world, new AnAgent(world, id));
    await sql(
      "UPDATE devices SET hub_id = NULL, updated_at = ? WHERE org_id = 'large-less' AND id <> ?",
      at("12:00:30"),
      lamp,
    ).run();
    await world.sync();
    await world.to(at("12:01:00"));
    const rows = (which: string) =>
      world.storage.sql.exec("SELECT 1 FROM planned_lamps WHERE plan = ?", which).toArray().length;
    expect(rows("sent")).toBe(0);
    expect(rows("taken")).toBeGreaterThan(1);
    await sql("DELETE FROM agents WHERE org_id = 'large-less'").run();
    await world.sync();
    expect(rows("taken")).toBe(0);
  });
});
