import { expect, test } from "vitest";
import { joinPart, type Parts } from "#domain/agent/plan-parts";
import { takePlan } from "#domain/agent/take-plan";
import type { StandingPlan } from "#domain/agent/standing-plan";
import type { AgentLogEntry } from "#domain/agent/frames";
import { isSigned } from "#durable/agents/plan-key";
import { explain } from "#durable/reconcile/explain";
import { memoryOf } from "#durable/state/device-memory";
import { agentPlan } from "#durable/state/standing-plans";
import { timerDueAt } from "#durable/state/timers";
import { aCity, vendorId } from "#tests/support/a-city";
import { bringBack, dumpOf, loseAll, type Dump } from "#tests/support/backup-of";
import { AnAgent, assignAgent } from "#tests/support/an-agent";
import { inWorld, type World } from "#tests/support/engine";
import { aSchedule, aScheduleEach, events, messages, notes, setting, sql } from "#tests/support/light";

/** What an on-site agent is entrusted with, and what it tells afterwards. */

const at = (clock: string) => `2026-06-10T${clock}Z`;
const ms = (clock: string) => Date.parse(at(clock));

async function entrusted(
  org: string,
  story: (world: World, agent: AnAgent, lamps: string[]) => Promise<void>,
  { mode = "local", lamps = 1 } = {},
): Promise<void> {
  const city = await aCity(org, mode, 1, lamps);
  const id = await assignAgent(org);
  await aScheduleEach(org, city.lamps, at("18:00:00"), at("22:00:00"));
  await inWorld(
    org,
    at("17:00:00"),
    async (world) => {
      await world.sync();
      await story(world, new AnAgent(world, id), city.lamps);
    },
    city.equip,
  );
}

/** The plans that the agent was sent, judged as it does. */
async function plansOf(agent: AnAgent): Promise<StandingPlan[]> {
  const welcome = agent.frames.find((frame) => frame.type === "welcome");
  const plans: StandingPlan[] = [];
  let parts: Parts | null = null;
  for (const frame of agent.frames) {
    if (frame.type !== "plan") continue;
    const joined = joinPart(parts, frame);
    parts = joined.parts;
    if (!joined.whole) continue;
    const { body, sig, rev } = joined.whole;
    const signed = await isSigned(body, sig, welcome?.type === "welcome" ? welcome.plan_key : "");
    const taken = takePlan({ body, rev, isSigned: signed }, { agent: agent.id, held: plans.at(-1)?.rev ?? null });
    if (!taken.ok) throw new Error(taken.why);
    plans.push(taken.plan);
  }
  return plans;
}

/** Lets the clock go on until the agent has so many plans, which are signed outside of it. */
async function until(world: World, agent: AnAgent, count: number, within_ms = 4_000): Promise<StandingPlan> {
  for (let waited = 0; waited < 400; waited += 1) {
    await world.to(world.now + within_ms / 400);
    const plans = await plansOf(agent);
    const last = plans[count - 1];
    if (last) return last;
  }
  throw new Error("no plan has come");
}

/** Connects, and takes the plan that comes. */
async function takes(world: World, agent: AnAgent): Promise<StandingPlan> {
  const held = (await plansOf(agent)).length;
  await agent.connect();
  const plan = await until(world, agent, held + 1);
  await agent.say({ type: "plan_ok", rev: plan.rev });
  return plan;
}

const entry = (n: number, clock: string, over: Partial<AgentLogEntry>): AgentLogEntry => ({
  n,
  at: ms(clock),
  device: "",
  kind: "edge",
  action: "on",
  state: "on",
  ok: true,
  attempts: 1,
  note: "On by the agent's own plan",
  rev: 1,
  ...over,
});

/** After how many minutes each switch asks a lamp's own timer to put it out. */
const timersOf = (agent: AnAgent) =>
  agent.cmds.flatMap(({ verb, off_after_min }) => (verb === "switch" ? [off_after_min] : []));

/** Once its plan has run out, an agent that is away is called as any other. */
const litEvents = async (org: string) => (await events(org)).filter((line) => line.includes("scheduler on "));

const outcomes = (world: World) =>
  world.storage.sql
    .exec<{ outcome: string | null }>("SELECT outcome FROM claims")
    .toArray()
    .map(({ outcome }) => outcome);

test("an agent is sent the plan of its lamps, signed, after its hello", async () => {
  await entrusted("planned", async (world, agent, [lamp = ""]) => {
    const plan = await takes(world, agent);
    expect(plan).toMatchObject({
      agent: agent.id,
      rev: 1,
      lamps: [
        {
          device: lamp,
          hub: "planned-hub0",
          address: { mode: "local", cloud_device_id: vendorId(0) },
          on: [[ms("18:00:00"), ms("22:00:00")]],
          lit_by_us: false,
        },
      ],
    });
    expect(JSON.stringify(agent.frames.filter(({ type }) => type === "plan"))).not.toContain("secret");
  });
});

test("it is sent again when it changes, when it is old and when it was not answered, and at no other time", async () => {
  await entrusted("resent", async (world, agent, [lamp = ""]) => {
    await agent.connect();
    await until(world, agent, 1);
    await world.to(at("17:00:40"));
    expect((await until(world, agent, 2)).rev).toBe(1);
    await agent.say({ type: "plan_ok", rev: 1 });
    await world.to(at("17:40:00"));
    expect(await plansOf(agent)).toHaveLength(2);
    await sql("UPDATE schedules SET end_at = ?, updated_at = ?", at("21:00:00"), at("17:40:00")).run();
    await world.sync();
    await world.to(at("17:40:01"));
    expect(await plansOf(agent)).toHaveLength(2);
    await world.to(at("17:40:03"));
    const edited = await until(world, agent, 3);
    expect(edited.lamps[0]?.on).toEqual([[ms("18:00:00"), ms("21:00:00")]]);
    await agent.say({ type: "plan_ok", rev: edited.rev });
    await world.toggle(lamp, "on", { until: at("17:50:00") });
    await world.to(at("17:40:15"));
    const pressed = await until(world, agent, 4);
    expect(pressed.lamps[0]?.on[0]?.[1]).toBe(ms("17:50:00"));
    await agent.say({ type: "plan_ok", rev: pressed.rev });
  });
});

test("a plan is renewed every six hours", async () => {
  await entrusted("renewed", async (world, agent) => {
    const plan = await takes(world, agent);
    await world.to(at("17:50:00"));
    expect(await plansOf(agent)).toHaveLength(1);
    const revs = new Set<number>();
    for (const clock of ["18:30:00", "22:30:00", "23:30:00"]) {
      await world.to(at(clock));
      const last = (await plansOf(agent)).at(-1);
      if (last) {
        revs.add(last.rev);
        await agent.say({ type: "plan_ok", rev: last.rev });
      }
    }
    expect(Math.max(...revs)).toBeGreaterThan(plan.rev);
  });
});

test("a light that is switched as it was planned asks for no other plan", async () => {
  await entrusted("as-planned", async (world, agent) => {
    const plan = await takes(world, agent);
    await world.to(at("18:00:01"));
    const due = world.storage.sql.exec("SELECT due_at FROM timers WHERE kind = 'agent_plan'").toArray();
    expect(due).toEqual([{ due_at: plan.issued + 6 * 3_600_000 }]);
    expect(agent.cmds.filter(({ verb }) => verb === "switch")).toHaveLength(1);
  });
});

test("staff hear of a plan that its agent refuses twice, until it takes one", async () => {
  await entrusted("refused", async (world, agent) => {
    await agent.connect();
    const { rev } = await until(world, agent, 1);
    const why = "The agent's disk can't be written to";
    await agent.say({ type: "plan_refused", rev, why });
    expect(await messages("refused")).toEqual([]);
    expect((await until(world, agent, 2, 31_000)).rev).toBe(rev);
    await agent.say({ type: "plan_refused", rev, why });
    await world.calm();
    expect(await messages("refused")).toEqual([
      expect.stringMatching(
        /^plan_refused .*Agent Riverside refuses its plan: cut off, it would go by an older one, or by none\.$/,
      ),
    ]);
    const alarms = () => sql("SELECT what, why, over_at FROM alarms WHERE org_id = 'refused'").all();
    const opened = { what: "No new plan", why: `agent Riverside refuses it: ${why}`, over_at: null };
    expect((await alarms()).results).toEqual([opened]);
    expect((await until(world, agent, 3, 601_000)).rev).toBe(rev);
    await agent.say({ type: "plan_ok", rev });
    await world.calm();
    expect((await messages("refused")).at(-1)).toMatch(/^plan_taken .*Agent Riverside has its plan again\.$/);
    expect((await alarms()).results).toEqual([{ ...opened, over_at: expect.any(String) }]);
  });
});

test("a process that dies before an agent's log is in does not leave the lights to it for ever", async () => {
  await entrusted("unsettled", async (world, agent) => {
    await setting("unsettled", "HUB_CHECK_INTERVAL_SEC", 60).run();
    await world.sync();
    const { rev } = await takes(world, agent);
    await world.to(at("17:55:00"));
    await agent.cut();
    await world.to(at("17:59:58"));
    await agent.connect({ log_from: 7, plan_rev: rev });
    await world.to(at("17:59:59"));
    world.die(500);
    await world.to(at("18:03:00"));
    expect(agent.lamps.get(vendorId(0))).toBe("on");
  });
});

test("an agent that nothing is reached through any more may refuse what it likes", async () => {
  await entrusted("unneeded", async (world, agent) => {
    await agent.connect();
    const { rev } = await until(world, agent, 1);
    await agent.say({ type: "plan_refused", rev, why: "The plan is not one" });
    const incidents = () => world.storage.sql.exec("SELECT incident FROM incidents").toArray();
    expect(incidents()).toEqual([{ incident: `agent_plan:${agent.id}` }]);
    await sql("UPDATE hubs SET agent_id = NULL WHERE org_id = 'unneeded'").run();
    await world.sync();
    expect(incidents()).toEqual([]);
  });
});

test("what an agent that is away does by its own plan is no failure, and is said so", async () => {
  await entrusted("alone", async (world, agent, [lamp = ""]) => {
    await takes(world, agent);
    await agent.cut();
    await world.to(at("18:30:00"));
    expect(await events("alone")).toEqual([]);
    expect(world.context.sql.exec("SELECT * FROM commands").toArray()).toEqual([]);
    const [said] = explain(world.context, [lamp]);
    expect(said?.sentence).toBe("On until 10:00 PM (Practice) by the agent's own plan, unconfirmed since 5:00 PM");
    expect(said?.problem).toBeNull();
    expect((await messages("alone")).filter((text) => text.includes("device_failed"))).toEqual([]);
    await world.to(at("22:30:00"));
    expect(await events("alone")).toEqual([]);
  });
});

test("what is under way when the line is cut is left to the agent, and is no failure", async () => {
  await entrusted("midway", async (world, agent, [lamp = ""]) => {
    await takes(world, agent);
    await world.to(at("17:59:59"));
    agent.answers = () => null;
    await world.to(at("18:00:01"));
    await agent.cut();
    await world.to(at("18:05:00"));
    expect(await notes("midway")).toEqual([
      "On until 10:00 PM: Practice · left to the on-site agent, which does it by its own plan",
    ]);
    expect(await events("midway")).toEqual([expect.stringMatching(/scheduler on retry 1$/)]);
    expect(world.context.sql.exec("SELECT * FROM commands").toArray()).toEqual([]);
    expect(explain(world.context, [lamp])[0]?.problem).toBeNull();
  });
});

test("an ON that waits for its next try at the end of its window, while its agent is away, ends there", async () => {
  await entrusted("ending", async (world, agent, [lamp = ""]) => {
    await takes(world, agent);
    await world.to(at("21:59:50"));
    void world.toggle(lamp, "on");
    await world.to(at("21:59:52"));
    await agent.cut();
    await world.to(at("21:59:59"));
    const live = () => world.context.sql.exec("SELECT action, phase FROM commands").toArray();
    expect(live()).toEqual([{ action: "on", phase: "send" }]);
    await world.to(at("22:00:00"));
    expect(live()).toEqual([]);
    expect((await notes("ending")).at(-1)).toBe(
      "Pressed by someone@parks.example · not tried again, left to the on-site agent, which does it by its own plan",
    );
  });
});

test("a window that its agent lit while nothing ran has that record, and no other before the log is in", async () => {
  await entrusted("both-away", async (world, agent, [lamp = ""]) => {
    await takes(world, agent);
    await agent.cut();
    world.die();
    await world.restart(at("22:30:00"));
    expect(await notes("both-away")).toEqual([]);
    expect(outcomes(world)).toEqual([null]);
    const entries = [
      entry(1, "18:00:00", { device: lamp }),
      entry(2, "22:00:08", { device: lamp, action: "off", state: "off", note: "Off by the agent's own plan" }),
    ];
    await agent.connect({ log_from: 1, plan_rev: 1 });
    await agent.say({ type: "log", entries, isLast: true });
    await world.to(at("22:31:00"));
    expect(outcomes(world)).toEqual(["ok"]);
    expect((await notes("both-away")).filter((note) => /missed|skipped/.test(note))).toEqual([]);
  });
});

test("the log of what it did makes the records of the night", async () => {
  await entrusted("told", async (world, agent, [lamp = ""]) => {
    await takes(world, agent);
    await agent.cut();
    await world.to(at("23:00:00"));
    const entries = [
      entry(1, "18:00:09", { device: lamp }),
      entry(2, "22:00:08", { device: lamp, action: "off", state: "off", note: "Off by the agent's own plan" }),
    ];
    await agent.connect({ log_from: 1, plan_rev: 1 });
    await agent.say({ type: "log", entries, isLast: true });
    expect(agent.frames.filter(({ type }) => type === "ack")).toEqual([{ type: "ack", upto: 2 }]);
    await world.to(at("23:01:00"));
    expect(await events("told")).toEqual([
      expect.stringMatching(/scheduler on ok 1/),
      expect.stringMatching(/scheduler off ok 1/),
    ]);
    const rows = await sql("SELECT id, ts FROM scheduler_events WHERE org_id = 'told' ORDER BY ts").all();
    expect(rows.results).toEqual([
      { id: `agent:${agent.id}:1`, ts: "2026-06-10T18:00:09.000Z" },
      { id: `agent:${agent.id}:2`, ts: "2026-06-10T22:00:08.000Z" },
    ]);
    expect(outcomes(world)).toEqual(["ok"]);
    expect(memoryOf(world.context.sql, lamp)).toMatchObject({ lit_since: null, reported: "off" });
    expect(agent.cmds.filter(({ verb }) => verb === "switch")).toEqual([]);
  });
});

test("a log that comes twice counts once", async () => {
  await entrusted("twice", async (world, agent, [lamp = ""]) => {
    await takes(world, agent);
    await agent.cut();
    await world.to(at("19:00:00"));
    const entries = [entry(1, "18:00:09", { device: lamp })];
    await agent.connect({ log_from: 1, plan_rev: 1 });
    await agent.say({ type: "log", entries, isLast: false });
    await agent.cut();
    await agent.connect({ log_from: 1, plan_rev: 1 });
    await agent.say({ type: "log", entries, isLast: true });
    expect(agent.frames.filter(({ type }) => type === "ack")).toEqual([
      { type: "ack", upto: 1 },
      { type: "ack", upto: 1 },
    ]);
    const later = entry(2, "19:00:01", { device: lamp, kind: "state", action: null, attempts: 0 });
    await agent.say({ type: "log", entries: [later], isLast: true });
    await agent.say({ type: "log", entries, isLast: true });
    expect(agent.frames.at(-1)).toEqual({ type: "ack", upto: 2 });
    agent.lamps.set(vendorId(0), "on");
    await world.to(at("19:10:00"));
    expect(await events("twice")).toHaveLength(1);
    expect(memoryOf(world.context.sql, lamp)).toMatchObject({ lit_since: ms("18:00:00"), lit_by: "us" });
    expect(agent.cmds.filter(({ verb }) => verb === "switch")).toEqual([]);
  });
});

test("a log that comes long after the welcome is history, and undoes nothing that was switched meanwhile", async () => {
  await entrusted("late", async (world, agent, [lamp = ""]) => {
    await takes(world, agent);
    await agent.cut();
    await world.to(at("18:30:00"));
    agent.lamps.set(vendorId(0), "on");
    await agent.connect({ log_from: 1, plan_rev: 1 });
    await world.to(at("18:30:20"));
    expect(await world.toggle(lamp, "off")).toMatchObject({ success: true });
    await world.to(at("18:30:40"));
    const sent = agent.cmds.filter(({ verb }) => verb === "switch").length;
    await agent.say({ type: "log", entries: [entry(1, "18:00:09", { device: lamp })], isLast: true });
    await world.to(at("18:40:00"));
    const rows = await sql("SELECT ts, action FROM scheduler_events WHERE org_id = 'late' ORDER BY ts").all();
    expect(rows.results).toEqual([
      { ts: "2026-06-10T18:00:09.000Z", action: "on" },
      { ts: expect.stringMatching(/^2026-06-10T18:30:1/), action: "on" }, // nobody knew yet that it is lit
      { ts: expect.stringMatching(/^2026-06-10T18:30:2/), action: "off" },
    ]);
    expect(memoryOf(world.context.sql, lamp)).toMatchObject({ lit_since: null, reported: "off" });
    expect(agent.lamps.get(vendorId(0))).toBe("off");
    expect(agent.cmds.filter(({ verb }) => verb === "switch")).toHaveLength(sent);
  });
});

test("the longest time on counts from when the agent lit it", async () => {
  await entrusted("cutoff", async (world, agent, [lamp = ""]) => {
    await sql(
      "INSERT INTO settings (org_id, key, value, updated_at) VALUES ('cutoff', 'MAX_ON_DURATION_MIN', '120', '2026-01-01')",
    ).run();
    await world.sync();
    const plan = await takes(world, agent);
    expect(plan.lamps[0]?.on).toEqual([[ms("18:00:00"), ms("20:00:00")]]);
    await agent.cut();
    await world.to(at("21:00:00"));
    const entries = [
      entry(1, "18:00:09", { device: lamp }),
      entry(2, "20:00:08", { device: lamp, action: "off", state: "off" }),
    ];
    await agent.connect({ log_from: 1, plan_rev: 1 });
    await agent.say({ type: "log", entries, isLast: true });
    await world.to(at("21:30:00"));
    expect(agent.cmds.filter(({ verb }) => verb === "switch")).toEqual([]);
    expect(explain(world.context, [lamp])[0]?.state).toBe("none");
  });
});

test("the timer of a lamp that the agent lit alone is set anew where its end is put off", async () => {
  await entrusted("put-off", async (world, agent, [lamp = ""]) => {
    await setting("put-off", "MAX_ON_DURATION_MIN", 600).run();
    await world.sync();
    await takes(world, agent);
    await agent.cut();
    await world.to(at("18:30:00"));
    agent.lamps.set(vendorId(0), "on");
    await agent.connect({ log_from: 1, plan_rev: 1 });
    await agent.say({ type: "log", entries: [entry(1, "18:00:09", { device: lamp })], isLast: true });
    await world.to(at("19:00:00"));
    expect(timersOf(agent)).toEqual([]);
    await world.toggle(lamp, "on", { until: at("23:30:00") });
    await world.to(at("19:02:00"));
    expect(timersOf(agent)).toEqual([null, 275]);
  });
});

test("it is set anew at once where its end was put off while the line was cut", async () => {
  await entrusted("moved", async (world, agent, [lamp = ""]) => {
    await setting("moved", "MAX_ON_DURATION_MIN", 600).run();
    await world.sync();
    await takes(world, agent);
    await agent.cut();
    await world.to(at("19:00:00"));
    agent.lamps.set(vendorId(0), "on");
    await sql("UPDATE schedules SET end_at = ?, updated_at = ?", at("23:30:00"), at("19:00:00")).run();
    await world.sync();
    await agent.connect({ log_from: 1, plan_rev: 1 });
    await world.to(at("19:00:02"));
    await agent.say({ type: "log", entries: [entry(1, "18:00:09", { device: lamp })], isLast: true });
    await world.to(at("19:02:00"));
    expect(timersOf(agent)).toEqual([275]);
  });
});

test("what its agent has sent and not verified is put out after a booking that was canceled meanwhile", async () => {
  await entrusted("unverified", async (world, agent, [lamp = ""]) => {
    await takes(world, agent);
    await agent.cut();
    await sql("UPDATE schedules SET status = 'canceled', updated_at = ?", at("17:30:00")).run();
    await world.sync();
    await world.to(at("18:00:05"));
    agent.lamps.set(vendorId(0), "on");
    await agent.connect({ log_from: null, plan_rev: 1 });
    const sent = entry(1, "18:00:05", { device: lamp, state: "unknown", ok: false });
    await agent.say({ type: "log", entries: [sent], isLast: true });
    await world.to(at("18:00:10"));
    expect(agent.lamps.get(vendorId(0))).toBe("off");
    await world.to(at("18:01:00"));
    expect(await messages("unverified")).toEqual([]);
  });
});

test("what an agent tells of the future, by a clock that nobody had set, was before now", async () => {
  await entrusted("future", async (world, agent, [lamp = ""]) => {
    await sql("UPDATE devices SET restrike_min = 10 WHERE id = ?", lamp).run();
    await world.sync();
    await takes(world, agent);
    await agent.cut();
    await world.to(at("18:30:00"));
    const entries = [
      entry(1, "18:00:09", { device: lamp }),
      entry(2, "23:00:00", { device: lamp, kind: "state", action: null, state: "off", attempts: 0 }),
    ];
    await agent.connect({ log_from: 1, plan_rev: 1 });
    await agent.say({ type: "log", entries, isLast: true });
    expect(memoryOf(world.context.sql, lamp).reported_at).toBeLessThanOrEqual(world.now);
    await world.to(at("18:42:00"));
    expect(agent.lamps.get(vendorId(0))).toBe("on");
  });
});

test("what changed after the line was cut takes the usual way", async () => {
  await entrusted("later", async (world, agent, [lamp = ""]) => {
    await takes(world, agent);
    await agent.cut();
    await world.to(at("18:30:00"));
    await world.toggle(lamp, "off");
    await world.to(at("18:32:00"));
    expect((await events("later")).some((line) => line.includes("manual off"))).toBe(true);
    agent.lamps.set(vendorId(0), "on");
    await agent.connect({ log_from: 1, plan_rev: 1 });
    await agent.say({ type: "log", entries: [entry(1, "18:00:09", { device: lamp })], isLast: true });
    await world.to(at("18:36:00"));
    expect(agent.lamps.get(vendorId(0))).toBe("off");
  });
});

test.each([
  ["canceled", "status = 'canceled'", "19:05:00", "off"],
  ["prolonged", "end_at = '2026-06-10T23:00:00Z'", "22:05:00", "on"],
])(
  "a booking that is %s while its agent is away is not left to the plan, which says otherwise",
  async (what, change, by, wanted) => {
    await entrusted(what, async (world, agent, [lamp = ""]) => {
      await setting(what, "MAX_ON_DURATION_MIN", 600, "2026-01-01").run();
      await world.sync();
      await takes(world, agent);
      await agent.cut();
      await world.to(at("19:00:00"));
      await sql(`UPDATE schedules SET ${change}, updated_at = ? WHERE org_id = ?`, at("19:00:00"), what).run();
      await world.sync();
      await world.to(at(by));
      const [said] = explain(world.context, [lamp]);
      expect(said).toMatchObject({ state: wanted, sentence: expect.not.stringContaining("by the agent's own plan") });
    });
  },
);

test("what begins and ends after the plan of its agent has run out is not left to it", async () => {
  await entrusted("run-out", async (world, agent, [lamp = ""]) => {
    await takes(world, agent);
    await agent.cut();
    await sql("UPDATE schedules SET rrule = 'FREQ=DAILY' WHERE org_id = 'run-out'").run();
    await world.to("2026-06-12T18:05:00Z");
    expect((await litEvents("run-out")).at(-1)).toMatch(/scheduler on fail 3$/);
    await world.to("2026-06-12T22:05:00Z");
    expect((await events("run-out")).at(-1)).toMatch(/scheduler off fail 3$/);
    expect(explain(world.context, [lamp])[0]?.sentence).not.toContain("by the agent's own plan");
  });
});

test("a light that got another lamp while its agent was away is not left to the plan, which has the old one", async () => {
  await entrusted("other", async (world, agent, [lamp = ""]) => {
    await takes(world, agent);
    await agent.cut();
    await world.to(at("18:30:00"));
    await sql("UPDATE devices SET cloud_device_id = 'new-lamp' WHERE id = ?", lamp).run();
    await world.sync();
    await world.to(at("19:00:00"));
    const [said] = explain(world.context, [lamp]);
    expect(said?.sentence).not.toContain("by the agent's own plan");
    expect(said?.problem?.why).toBe("its hub is away since 5:00 PM, 3 tries");
  });
});

test("a light that got another hub while its agent was away is not left to the plan, which has the old one", async () => {
  await entrusted("other-hub", async (world, agent, [lamp = ""]) => {
    await takes(world, agent);
    await agent.cut();
    await sql(
      `INSERT INTO hubs (id, org_id, area_id, name, agent_id, ip_address)
       SELECT 'other-hub-b', org_id, area_id, 'Other', agent_id, '10.0.0.77' FROM hubs WHERE org_id = 'other-hub'`,
    ).run();
    await sql("UPDATE devices SET hub_id = 'other-hub-b' WHERE id = ?", lamp).run();
    await world.sync();
    await world.to(at("18:30:00"));
    expect(explain(world.context, [lamp])[0]?.sentence).not.toContain("by the agent's own plan");
    expect((await litEvents("other-hub")).at(-1)).toMatch(/scheduler on fail 3$/);
  });
});

test("of a light for which nothing is planned yet nobody says that its agent keeps it dark", async () => {
  await entrusted("idle", async (world, agent, [lamp = ""]) => {
    await takes(world, agent);
    await agent.cut();
    await world.to(at("17:30:00"));
    const [said] = explain(world.context, [lamp]);
    expect(said?.sentence).toBe("Not confirmed to be off; Practice at 6:00 PM; its hub is away since 5:00 PM");
  });
});

test("what an agent that was away tells of the old lamp is not believed of the one that its light got meanwhile", async () => {
  await entrusted("old", async (world, agent, [lamp = ""]) => {
    await takes(world, agent);
    await agent.cut();
    await world.to(at("18:30:00"));
    await sql("UPDATE devices SET cloud_device_id = 'new-lamp' WHERE id = ?", lamp).run();
    await world.sync();
    await world.to(at("20:00:00"));
    const seen = { kind: "state", action: null, attempts: 0, note: "Seen while the city was away" } as const;
    const entries = [entry(1, "18:00:09", { device: lamp }), entry(2, "19:10:00", { device: lamp, ...seen })];
    await agent.connect({ log_from: 1, plan_rev: 1 });
    await agent.say({ type: "log", entries, isLast: true });
    await world.to(at("20:00:30"));
    expect(agent.lamps.get("new-lamp")).toBe("on");
    const { rev = 0 } = (await plansOf(agent)).at(-1) ?? {};
    // It reads lights for a while yet, as its old plan has them.
    await agent.say({ type: "states", states: [{ device: lamp, state: "off", at: world.now }] });
    expect(memoryOf(world.context.sql, lamp)).toMatchObject({ reported: "on" });
    await agent.say({ type: "plan_ok", rev });
    await agent.say({ type: "states", states: [{ device: lamp, state: "off", at: world.now }] });
    expect(memoryOf(world.context.sql, lamp)).toMatchObject({ reported: "off" });
  });
});

test.each<[string, string, Partial<AgentLogEntry>]>([
  ["was deleted", "DELETE FROM devices WHERE id = ?", {}],
  ["got another lamp", "UPDATE devices SET cloud_device_id = '00000000000000aa' WHERE id = ?", {}],
  ["was deleted and it found it lit", "DELETE FROM devices WHERE id = ?", { attempts: 0 }],
  ["was deleted and it was not verified", "DELETE FROM devices WHERE id = ?", { ok: false, state: "unknown" }],
])(
  "a lamp that its agent lit alone, after its light %s, is put out when the line is back",
  async (what, change, over) => {
    await entrusted(`left-${what.replaceAll(" ", "-")}`, async (world, agent, [lamp = ""]) => {
      await takes(world, agent);
      await agent.cut();
      await sql(change, lamp).run();
      await world.sync();
      await world.to(at("20:00:00"));
      agent.lamps.set(vendorId(0), "on");
      await agent.connect({ log_from: 1, plan_rev: 1 });
      await agent.say({ type: "log", entries: [entry(1, "18:00:09", { device: lamp, ...over })], isLast: true });
      await world.to(at("20:00:30"));
      expect(agent.lamps.get(vendorId(0))).toBe("off");
    });
  },
);

test("a log that comes in parts is told whole before its agent gets a plan that no longer has its lamps", async () => {
  await entrusted(
    "left-in-parts",
    async (world, agent, [lamp = "", other = ""]) => {
      await takes(world, agent);
      await agent.cut();
      await sql("UPDATE devices SET cloud_device_id = '00000000000000aa' WHERE id = ?", lamp).run();
      await world.sync();
      await world.to(at("20:00:00"));
      agent.lamps.set(vendorId(0), "on");
      agent.lamps.set(vendorId(1), "on");
      const plans = (await plansOf(agent)).length;
      await agent.connect({ log_from: 1, plan_rev: 1 });
      await agent.say({ type: "log", entries: [entry(1, "18:00:09", { device: other })], isLast: false });
      await world.to(at("20:00:00.150"));
      for (const { rev } of (await plansOf(agent)).slice(plans)) await agent.say({ type: "plan_ok", rev });
      await agent.say({ type: "log", entries: [entry(2, "18:00:19", { device: lamp })], isLast: true });
      expect((await until(world, agent, plans + 1)).lamps[0]?.address.lamp).toBe("00000000000000aa");
      await world.to(at("20:00:30"));
      expect(agent.lamps.get(vendorId(0))).toBe("off");
      expect(agent.lamps.get("00000000000000aa")).toBe("on");
    },
    { lamps: 2 },
  );
});

test("a lamp that its agent lit alone, and put out again, is not called after its light was deleted", async () => {
  await entrusted("left-dark", async (world, agent, [lamp = ""]) => {
    await takes(world, agent);
    await agent.cut();
    await sql("DELETE FROM devices WHERE id = ?", lamp).run();
    await world.sync();
    await world.to(at("23:00:00"));
    await agent.connect({ log_from: 1, plan_rev: 1 });
    const off = entry(2, "22:00:08", { device: lamp, action: "off", state: "off" });
    await agent.say({ type: "log", entries: [entry(1, "18:00:09", { device: lamp }), off], isLast: true });
    await world.to(at("23:01:00"));
    expect(agent.cmds.filter(({ verb }) => verb === "switch")).toEqual([]);
  });
});

test.each([
  ["with a booking of its own stays lit", true, "on"],
  ["without one puts it out", false, "off"],
] as const)(
  "of a lamp that an agent lit alone, a light that was made anew meanwhile %s",
  async (what, isBooked, is) => {
    const org_id = `left-anew-${is}`;
    await entrusted(org_id, async (world, agent, [lamp = ""]) => {
      await takes(world, agent);
      await agent.cut();
      await sql("DELETE FROM devices WHERE id = ?", lamp).run();
      await sql(
        `INSERT INTO devices (id, org_id, area_id, hub_id, name, cloud_device_id, updated_at)
       VALUES ('${org_id}-anew', ?, ?, ?, 'Anew', ?, '2026-01-01')`,
        org_id,
        `${org_id}-area`,
        `${org_id}-hub0`,
        vendorId(0),
      ).run();
      if (isBooked) await aSchedule(org_id, "own", at("19:00:00"), at("22:00:00"), { device: `${org_id}-anew` });
      await world.sync();
      await world.to(at("18:30:00"));
      agent.lamps.set(vendorId(0), "on");
      await agent.connect({ log_from: 1, plan_rev: 1 });
      await agent.say({ type: "log", entries: [entry(1, "18:00:09", { device: lamp })], isLast: true });
      await world.to(at("18:31:00"));
      expect(agent.lamps.get(vendorId(0))).toBe("off");
      await world.to(at("19:01:00"));
      expect(agent.lamps.get(vendorId(0)), what).toBe(is);
    });
  },
);

test("a lamp that an agent lit alone is put out by a light that was made anew and read lit before the log came", async () => {
  await entrusted("left-read", async (world, agent, [lamp = ""]) => {
    await takes(world, agent);
    await agent.cut();
    await sql("DELETE FROM devices WHERE id = ?", lamp).run();
    await sql(
      `INSERT INTO devices (id, org_id, area_id, hub_id, name, cloud_device_id, updated_at)
       VALUES ('left-read-anew', 'left-read', 'left-read-area', 'left-read-hub0', 'Anew', ?, '2026-01-01')`,
      vendorId(0),
    ).run();
    await world.sync();
    await world.to(at("18:30:00"));
    agent.lamps.set(vendorId(0), "on");
    await agent.connect({ log_from: 1, plan_rev: 1 });
    await agent.say({ type: "states", states: [{ device: "left-read-anew", state: "on", at: world.now }] });
    await world.to(at("18:30:02"));
    expect(memoryOf(world.context.sql, "left-read-anew").lit_by).toBe("external");
    await agent.say({ type: "log", entries: [entry(1, "18:00:09", { device: lamp })], isLast: true });
    await world.to(at("18:30:30"));
    expect(agent.lamps.get(vendorId(0))).toBe("off");
  });
});

test.each([
  ["all of a lamp", null, { cloud_device_id: vendorId(0) }],
  ["of a strip what no light has by now", `${vendorId(0)}#2`, { cloud_device_id: `${vendorId(0)}#253`, is_rest: true }],
])("of what an agent lit alone, %s is put out after its light was deleted", async (what, taken, address) => {
  const org_id = `left-sockets-${what.length}`;
  await entrusted(org_id, async (world, agent, [lamp = ""]) => {
    await takes(world, agent);
    await agent.cut();
    await sql("DELETE FROM devices WHERE id = ?", lamp).run();
    if (taken !== null) {
      await sql(
        `INSERT INTO devices (id, org_id, area_id, hub_id, name, cloud_device_id, updated_at)
         VALUES (?1 || '-anew', ?1, ?1 || '-area', ?1 || '-hub0', 'Anew', ?2, '2026-01-01')`,
        org_id,
        taken,
      ).run();
      await aSchedule(org_id, `${org_id}-own`, at("18:00:00"), at("22:00:00"), { device: `${org_id}-anew` });
    }
    await world.sync();
    await world.to(at("18:30:00"));
    await agent.connect({ log_from: 1, plan_rev: 1 });
    await agent.say({ type: "log", entries: [entry(1, "18:00:09", { device: lamp })], isLast: true });
    await world.to(at("18:31:00"));
    const off = agent.cmds.filter(({ verb, action }) => verb === "switch" && action === "off");
    const { is_rest, cloud_device_id } = off[0]?.address ?? {};
    expect(off).toHaveLength(1);
    expect({ cloud_device_id, ...(is_rest && { is_rest }) }).toEqual(address);
  });
});

test("a lamp that an agent lit alone is owed no OFF where a light that was made anew has it in its booking", async () => {
  await entrusted("left-booked", async (world, agent, [lamp = ""]) => {
    await takes(world, agent);
    await agent.cut();
    await sql("DELETE FROM devices WHERE id = ?", lamp).run();
    await sql(
      `INSERT INTO devices (id, org_id, area_id, hub_id, name, cloud_device_id, updated_at)
       VALUES ('left-booked-anew', 'left-booked', 'left-booked-area', 'left-booked-hub0', 'Anew', ?, '2026-01-01')`,
      vendorId(0),
    ).run();
    await aSchedule("left-booked", "left-booked-own", at("18:00:00"), at("22:00:00"), { device: "left-booked-anew" });
    await world.sync();
    await world.to(at("18:30:00"));
    agent.lamps.set(vendorId(0), "on");
    await agent.connect({ log_from: 1, plan_rev: 1 });
    await agent.say({ type: "log", entries: [entry(1, "18:00:09", { device: lamp })], isLast: true });
    await world.to(at("18:32:00"));
    expect(agent.lamps.get(vendorId(0))).toBe("on");
    const switched = agent.cmds.filter(({ verb }) => verb === "switch").map(({ action }) => action);
    expect(switched).not.toContain("off");
    expect(world.storage.sql.exec("SELECT 1 FROM commands WHERE target_kind = 'pending_off'").toArray()).toEqual([]);
  });
});

test("a lamp that its agent lit alone, after its hub was taken from it and the booking canceled, is put out", async () => {
  const city = await aCity("left-hub", "local", 1, 1);
  const [lamp = ""] = city.lamps;
  const id = await assignAgent("left-hub");
  await aSchedule("left-hub", "s", at("18:00:00"), at("22:00:00"), { device: lamp });
  await inWorld(
    "left-hub",
    at("17:00:00"),
    async (world) => {
      await world.sync();
      const agent = new AnAgent(world, id);
      await takes(world, agent);
      await agent.cut();
      await sql("UPDATE hubs SET agent_id = NULL WHERE org_id = 'left-hub'").run();
      await sql("UPDATE schedules SET status = 'canceled' WHERE id = 's'").run();
      await world.sync();
      await world.to(at("18:00:09"));
      const there = city.simulator.lamps.get(vendorId(0));
      if (!there) throw new Error("there is no such lamp");
      there.turn(true, world.now);
      await world.to(at("20:00:00"));
      await agent.connect({ log_from: 1, plan_rev: 1 });
      await agent.say({ type: "log", entries: [entry(1, "18:00:09", { device: lamp })], isLast: true });
      await world.to(at("20:00:30"));
      expect(city.isLit(lamp)).toBe(false);
    },
    city.equip,
  );
});

test("what was lit on the first night is not told as skipped when the line is back after sixty hours", async () => {
  await entrusted("sixty", async (world, agent, [lamp = ""]) => {
    await takes(world, agent);
    await agent.cut();
    await world.to("2026-06-13T05:00:00Z");
    expect(await litEvents("sixty")).toEqual([]);
    await agent.connect({ log_from: 1, plan_rev: 1 });
    const off = entry(2, "22:00:08", { device: lamp, action: "off", state: "off" });
    await agent.say({ type: "log", entries: [entry(1, "18:00:09", { device: lamp }), off], isLast: true });
    await world.to("2026-06-13T06:00:00Z");
    expect(await litEvents("sixty")).toEqual([expect.stringMatching(/scheduler on ok 1/)]);
  });
});

test("a window that nobody ever tells about has its record in a week", async () => {
  await entrusted("never", async (world, agent) => {
    await takes(world, agent);
    await agent.cut();
    await world.to("2026-06-17T21:59:00Z");
    expect(await litEvents("never")).toEqual([]);
    await world.to("2026-06-17T22:01:00Z");
    expect(await litEvents("never")).toEqual(["22:00:00 scheduler on fail 0"]);
  });
});

test("a window that begins after the plan of its agent has run out waits for no log with its record", async () => {
  await entrusted("past-it", async (world, agent, [lamp = ""]) => {
    await takes(world, agent);
    await agent.cut();
    await sql("UPDATE schedules SET rrule = 'FREQ=DAILY' WHERE org_id = 'past-it'").run();
    await world.to("2026-06-12T17:30:00Z");
    await world.toggle(lamp, "off", { until: "2026-06-12T23:00:00Z" });
    await world.to("2026-06-12T22:01:00Z");
    const dark = (await notes("past-it")).filter((note) => note.startsWith("Practice"));
    expect(dark).toEqual([expect.stringContaining("off until 11:00 PM")]);
  });
});

test("a window that had ended before its agent got the plan waits for no log with its record", async () => {
  await entrusted("before-it", async (world, agent, [lamp = ""]) => {
    world.setDatabaseDown(true);
    await world.to(at("17:01:00"));
    await aSchedule("before-it", "early", at("17:05:00"), at("17:10:00"), { device: lamp, at: at("17:02:00") });
    await world.to(at("17:20:00"));
    await takes(world, agent);
    await agent.cut();
    world.setDatabaseDown(false);
    await world.sync();
    await world.to(at("17:31:00"));
    expect(await notes("before-it")).toEqual(["Practice · missed: nothing ran at the time"]);
  });
});

test("an OFF on the day after is not said to have ended a window that nobody ever tells about", async () => {
  await entrusted("day-after", async (world, agent, [lamp = ""]) => {
    await takes(world, agent);
    await agent.cut();
    await world.to("2026-06-11T12:00:00Z");
    await world.toggle(lamp, "off");
    await world.to("2026-06-17T22:01:00Z");
    const ends = (await notes("day-after")).filter((note) => note.includes("skipped"));
    expect(ends).toEqual([expect.stringMatching(/ · skipped: never confirmed in its window$/)]);
  });
});

test("where the cloud reaches a lamp, too, the agent sets no timer that would put it out", async () => {
  await entrusted(
    "two-ways",
    async (world, agent, [lamp = ""]) => {
      await setting("two-ways", "MAX_ON_DURATION_MIN", 600).run();
      await world.sync();
      const plan = await takes(world, agent);
      expect(plan.lamps.map(({ has_off_timer }) => has_off_timer)).toEqual([false]);
      await agent.cut();
      await world.to(at("18:30:00"));
      await agent.connect({ log_from: 1, plan_rev: 1 });
      await agent.say({ type: "log", entries: [entry(1, "18:00:09", { device: lamp })], isLast: true });
      expect(timerDueAt(world.context.sql, "off_timer", lamp)).toBeNull();
    },
    { mode: "hybrid" },
  );
});

test("in hybrid mode the cloud does it meanwhile", async () => {
  await entrusted(
    "hybrid",
    async (world, agent) => {
      await takes(world, agent);
      await agent.cut();
      await world.to(at("18:02:00"));
      expect(await events("hybrid")).toEqual([expect.stringMatching(/scheduler on ok 1/)]);
    },
    { mode: "hybrid" },
  );
});

test("an agent that was installed anew begins its log again", async () => {
  await entrusted("anew", async (world, agent, [lamp = ""]) => {
    await takes(world, agent);
    await agent.cut();
    await world.to(at("18:10:00"));
    await agent.connect({ log_from: 1, plan_rev: 1 });
    await agent.say({ type: "log", entries: [entry(1, "18:00:09", { device: lamp })], isLast: true });
    await agent.cut();
    await agent.connect({ log_from: 1, plan_rev: null });
    await agent.say({ type: "log", entries: [entry(1, "18:10:20", { device: lamp, note: "again" })], isLast: true });
    await world.to(at("18:11:00"));
    const ids = await sql("SELECT id FROM scheduler_events WHERE org_id = 'anew' ORDER BY id").all();
    expect(ids.results.map(({ id }) => id)).toEqual([`agent:${agent.id}:1`, `agent:${agent.id}:1:1`]);
  });
});

test("an agent with a later plan than the restored city ever sent takes the city's plan as it is now", async () => {
  const city = await aCity("brought", "local", 1, 1);
  const id = await assignAgent("brought");
  const [lamp = ""] = city.lamps;
  await aSchedule("brought", "brought-s", at("18:00:00"), at("22:00:00"), { device: lamp });
  let dump: Dump | null = null;
  let later = 0;
  const lives = (clock: string, story: (world: World) => Promise<void>) =>
    inWorld("brought", at(clock), story, city.equip);
  await lives("12:00:00", async (world) => {
    await world.sync();
    const agent = new AnAgent(world, id);
    await takes(world, agent);
    const seen = { device: lamp, kind: "state", action: null, state: "off", attempts: 0 } as const;
    await agent.say({ type: "log", entries: [entry(1, "11:00:00", seen), entry(2, "11:30:00", seen)], isLast: true });
    dump = await dumpOf(world);
    await sql("UPDATE schedules SET end_at = ?, updated_at = ?", at("21:00:00"), at("12:00:30")).run();
    await world.sync();
    await world.to(at("12:00:40"));
    later = (await until(world, agent, 2)).rev;
    await agent.say({ type: "plan_ok", rev: later });
  });
  if (!dump) throw new Error("there is no backup");
  const kept: Dump = dump;
  await loseAll("brought");
  await lives("12:30:00", async (world) => {
    await bringBack(kept, world.now);
    world.wire.changed();
    await world.sync();
    const agent = new AnAgent(world, id);
    // It was installed anew after the backup, so its log has begun again.
    await agent.connect({ plan_rev: later, log_from: 1 });
    await agent.say({
      type: "log",
      entries: [entry(1, "12:10:00", { device: lamp, action: "off", state: "off" })],
      isLast: true,
    });
    const plan = await until(world, agent, 1);
    expect(plan.rev).toBeGreaterThan(later);
    expect(plan.lamps[0]?.on).toEqual([[ms("18:00:00"), ms("22:00:00")]]);
    await agent.say({ type: "plan_ok", rev: plan.rev });
    await agent.cut();
    await world.to(at("18:30:00"));
    expect(explain(world.context, [lamp])[0]?.sentence).toContain("by the agent's own plan");
    const told = await sql("SELECT id FROM scheduler_events WHERE org_id = 'brought' AND id LIKE 'agent:%'").all();
    expect(told.results).toEqual([{ id: `agent:${id}:1:1` }]);
  });
});

test("a revision that no city ever sent, as a thief of the secret may name it, keeps no later plan back", async () => {
  await entrusted("made-up", async (world, agent) => {
    await agent.connect({ plan_rev: Number.MAX_SAFE_INTEGER });
    await until(world, agent, 1);
    await agent.cut();
    const next = new AnAgent(world, agent.id);
    await next.connect();
    const { rev } = await until(world, next, 1);
    await next.say({ type: "plan_ok", rev });
    expect(agentPlan(world.context.sql, agent.id).taken?.rev).toBe(rev);
  });
});

test("staff read why an agent does not take its plan, until it takes one", async () => {
  await entrusted("refusing", async (world, agent) => {
    const stands = async () => {
      await world.to(world.now + 3_000);
      return sql("SELECT status, plan_refused FROM agents WHERE id = ?", agent.id).first();
    };
    await agent.connect();
    const { rev } = await until(world, agent, 1);
    await agent.say({ type: "plan_refused", rev: rev - 1, why: "The plan is not one" });
    expect(await stands()).toEqual({ status: "online", plan_refused: null });
    await agent.say({ type: "plan_refused", rev, why: "The agent's disk can't be written to" });
    expect(await stands()).toEqual({ status: "online", plan_refused: "The agent's disk can't be written to" });
    await agent.say({ type: "plan_ok", rev });
    expect(await stands()).toEqual({ status: "online", plan_refused: null });
  });
});

test("a device of an agent's park that can't be read keeps no plan back, and is on it as before", async () => {
  const city = await aCity("spoiled-park", "local", 1, 2);
  const id = await assignAgent("spoiled-park");
  const [bad = "", good = ""] = city.lamps;
  await aScheduleEach("spoiled-park", city.lamps, at("18:00:00"), at("22:00:00"));
  await inWorld(
    "spoiled-park",
    at("17:00:00"),
    async (world) => {
      await world.sync();
      const agent = new AnAgent(world, id);
      await agent.connect();
      await world.to(at("17:00:20"));
      world.tamper("UPDATE plan SET body = 'no row' WHERE kind = 'device' AND id = ?", bad);
      await sql(
        "UPDATE schedules SET end_at = ?, updated_at = ? WHERE id = ?",
        at("20:00:00"),
        at("17:00:30"),
        `s-${good}`,
      ).run();
      await world.sync();
      for (let n = 0; n < 200; n += 1) await world.to(world.now + 1_000);
      const { sent } = agentPlan(world.context.sql, id);
      const on = (lamp: string) => sent?.lamps.find(({ device }) => device === lamp)?.on;
      expect(on(good)).toEqual([[ms("18:00:00"), ms("20:00:00")]]);
      expect(on(bad)).toContainEqual([ms("18:00:00"), ms("22:00:00")]);
    },
    city.equip,
  );
});
