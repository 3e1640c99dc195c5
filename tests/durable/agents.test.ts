import fc from "fast-check";
import { expect, test } from "vitest";
import type { AgentAnswer, FromAgent } from "#domain/agent/frames";
import { acceptAgent } from "#durable/agents/door";
import { leave } from "#durable/agents/receive";
import { PAGE } from "#durable/sync/pull-rows";
import { noteAgentAnswer } from "#durable/monitoring/agent-health";
import { carry } from "#durable/providers/agent-socket";
import type { Failure } from "#durable/providers/provider";
import { incident, openIncidents } from "#durable/reporting/incidents";
import { pingHub } from "#durable/requests/connectivity";
import { transact } from "#durable/state/context";
import { aCity, during, hubRow, snippets, vendorId } from "#tests/support/a-city";
import { AnAgent, assignAgent, Socket } from "#tests/support/an-agent";
import { inWorldOfLateRows as inWorld, type World } from "#tests/support/engine";
import { aScheduleEach, deviceRow, events, messages, setting, sql } from "#tests/support/light";

/** Hubs that only an agent on their network reaches. */

const at = (clock: string) => `2026-06-10T${clock}Z`;

/** A city whose hubs have an agent; `story` gets the agent, which is not connected yet. */
async function behindAgent(
  org: string,
  { mode = "local", hubs = 1, lamps = 1 }: { mode?: string; hubs?: number; lamps?: number },
  story: (world: World, agent: AnAgent, lamps: string[]) => Promise<void>,
): Promise<void> {
  const city = await aCity(org, mode, hubs, lamps);
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

test.each([
  ["agfirst", 0, ""],
  ["agpages", 2 * PAGE, ""],
  ["agwhole", 0, "restored"],
])(
  "an agent is told of a hub, and of its new address, before it is asked to switch a light there: %s, beside %i changes %s",
  async (org, others, epoch) => {
    await behindAgent(org, {}, async (world, agent) => {
      const hub = (change: string) => sql(`UPDATE hubs SET ${change} WHERE org_id = ?`, org).run();
      await hub("agent_id = NULL, ip_address = NULL");
      await world.sync();
      await agent.connect();
      await world.to(at("18:30:00"));
      for (const change of [`agent_id = '${agent.id}', ip_address = '10.1.0.1'`, "ip_address = '10.1.0.2'"]) {
        const before = agent.frames.length;
        await hub(change);
        await manyChanges(org, others);
        await sql("UPDATE organizations SET epoch = epoch || ? WHERE id = ?", epoch, org).run();
        await world.sync();
        await world.to(world.now + 3_000);
        const told = agent.frames.slice(before).map(({ type }) => type);
        expect(told.slice(0, 2)).toEqual(["welcome", "cmd"]);
      }
    });
  },
);

/** So many schedules of some light that is far from its turn; more of them than a page are read in pages. */
async function manyChanges(org: string, n: number): Promise<void> {
  await sql(
    `WITH RECURSIVE n(i) AS (SELECT 1 WHERE ?2 > 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
     INSERT INTO schedules (id, org_id, device_id, title, start_at, end_at, timezone)
     SELECT ?1 || '-' || lower(hex(randomblob(8))), ?1, (SELECT MIN(id) FROM devices WHERE org_id = ?1), 'Later',
       '2027-01-01T18:00:00.000Z', '2027-01-01T19:00:00.000Z', 'UTC' FROM n`,
    org,
    n,
  ).run();
}

const agentRow = async (id: string) =>
  Object.values(
    (await sql("SELECT status, agent_version, connected_since FROM agents WHERE id = ?", id).first()) ?? {},
  );

test("a schedule is kept through the agent, by two frames instead of calls", async () => {
  await behindAgent("agone", {}, async (world, agent, [lamp = ""]) => {
    await agent.connect();
    await world.to(at("18:01:00"));
    expect(await events("agone")).toEqual([expect.stringMatching(/scheduler on ok 1$/)]);
    expect(await snippets("agone")).toEqual(["local | local (agent Riverside): 000000 Success on"]);
    const address = expect.objectContaining({ lamp: vendorId(0), cloud_device_id: vendorId(0) });
    expect(agent.cmds.filter(({ verb }) => verb !== "ping")).toEqual([
      expect.objectContaining({
        verb: "switch",
        action: "on",
        hub: "agone-hub0",
        device: lamp,
        address,
        for_ms: 5_700,
      }),
      expect.objectContaining({ verb: "read", action: null, order: 0, device: lamp, address }),
    ]);
    expect(agent.lamps.get(vendorId(0))).toBe("on");
    await world.to(at("22:01:00"));
    expect(agent.lamps.get(vendorId(0))).toBe("off");
    expect(await agentRow(agent.id)).toEqual(["online", "1.0.0", at("17:00:00.000")]);
  });
});

test("each send has a higher order than the one before, also the tries of one command", async () => {
  await behindAgent("agorder", {}, async (world, agent) => {
    await agent.connect();
    agent.answers = (cmd) => ({ ...agent.obey(cmd, ""), state: "off" });
    await world.to(at("18:03:00"));
    const orders = agent.cmds.filter(({ verb }) => verb === "switch").map(({ order }) => order);
    expect(orders.length).toBeGreaterThan(2);
    expect(orders).toEqual([...new Set(orders)].toSorted((a, b) => a - b));
  });
});

test("an agent that is away fails at once, in words, and is one alarm however many hubs it has", async () => {
  await behindAgent("agaway", { hubs: 3, lamps: 6 }, async (world, agent, lamps) => {
    await setting("agaway", "HUB_CHECK_INTERVAL_SEC", 60).run();
    await world.sync();
    await agent.connect();
    await world.to(at("17:30:00"));
    await agent.cut();
    const began = world.now;
    const pressed = await world.toggle(lamps[0] ?? "", "on");
    expect(pressed).toMatchObject({ success: false, provider: "local" });
    expect(pressed.detail).toContain("agent Riverside, away since");
    expect(world.now - began).toBeLessThan(1_500);
    expect(await agentRow(agent.id)).toEqual(["offline", "1.0.0", null]);
    expect(await hubRow("agaway-hub0")).toMatch(/^offline /);
    await world.to(at("18:30:00"));
    expect(await messages("agaway")).toEqual([
      expect.stringMatching(
        /^agent_offline .*Agent Riverside does not answer: the lights behind it can't be switched\.$/,
      ),
    ]);
    await agent.connect();
    await world.to(at("18:32:00"));
    expect(lamps.map((_, i) => agent.lamps.get(vendorId(i)))).toEqual(lamps.map(() => "on"));
    expect((await messages("agaway")).at(-1)).toMatch(/^agent_back .*Agent Riverside is back\.$/);
    expect(await hubRow("agaway-hub2")).toMatch(/^online /);
    expect(world.storage.sql.exec("SELECT incident FROM incidents").toArray()).toEqual([]);
  });
});

test("a lamp that is broken is no more what is wrong with its light when the line is cut, and screens hear of the hub", async () => {
  await behindAgent("agwrong", {}, async (world, agent, [lamp = ""]) => {
    await setting("agwrong", "HUB_CHECK_INTERVAL_SEC", 3600).run();
    await setting("agwrong", "WATCHDOG_ENABLED", false).run();
    await world.sync();
    await agent.connect();
    agent.answers = (cmd) => agent.obey({ ...cmd, action: null }, "");
    await world.to(at("18:05:00"));
    const problem = async () => (await sql("SELECT problem FROM devices WHERE id = ?", lamp).first())?.["problem"];
    expect(await problem()).toEqual(expect.not.stringMatching(/^its hub is away/));
    const heard = world.context.backlog.version;
    world.sockets.push({ send: () => {}, close: () => {}, deserializeAttachment: () => null });
    await agent.cut();
    await world.to(at("18:05:05"));
    expect(await problem()).toMatch(/^its hub is away/);
    expect(world.context.backlog.since(heard)?.lists.map(({ list }) => list)).toContain("hubs");
  });
});

test("the end of a line that its agent has replaced is not taken for the agent's", async () => {
  await behindAgent("agtwo", {}, async (world, agent) => {
    await agent.connect();
    const older = new Socket(
      () => {},
      () => {},
    );
    const since = world.now - 60_000;
    const carried = { agent_id: agent.id, generation: 1, connection: "older", since, proto: 1 };
    carry(older, { ...carried, welcomed_at: since, settled_at: since });
    leave(world.context, older);
    expect(incident(world.context, `agent:${agent.id}`)).toBeNull();
  });
});

test("an agent that nothing is reached through is nobody's trouble", async () => {
  await behindAgent("agidle", {}, async (world, agent) => {
    await setting("agidle", "HUB_CHECK_INTERVAL_SEC", 60).run();
    await setting("agidle", "PROVIDER_MODE", "cloud").run();
    await world.sync();
    await agent.connect();
    await agent.cut();
    await world.to(at("17:30:00"));
    expect(await messages("agidle")).toEqual([]);
    expect(await agentRow(agent.id)).toEqual(["offline", "1.0.0", null]);
    const troubles = () => world.storage.sql.exec("SELECT incident FROM incidents").toArray();
    expect(troubles()).toEqual([]);
    await setting("agidle", "PROVIDER_MODE", "local").run();
    await world.sync();
    await world.to(at("17:31:30"));
    expect(troubles()).toEqual([{ incident: `agent:${agent.id}` }]);
    await setting("agidle", "PROVIDER_MODE", "cloud").run();
    await world.sync();
    expect(troubles()).toEqual([]);
    await setting("agidle", "PROVIDER_MODE", "local").run();
    await world.sync();
    await world.to(at("17:33:00"));
    expect(troubles()).toEqual([{ incident: `agent:${agent.id}` }]);
    await sql("UPDATE hubs SET agent_id = NULL, connection_mode = 'cloud' WHERE org_id = 'agidle'").run();
    await world.sync();
    expect(troubles()).toEqual([]);
  });
});

test("an agent that answers nothing is not back because the cloud fails", async () => {
  await behindAgent("agcloud", { mode: "hybrid" }, async (world, agent) => {
    await agent.connect();
    const { context } = world;
    const heard = (...failures: Failure[]) => {
      const [{ reason } = { reason: "timeout" as const }] = failures;
      const provider = failures.some(({ where }) => where === "cloud") ? "cloud" : "local";
      const rest = { provider, http_status: null, snippet: "", rtt_ms: 0 } as const;
      transact(context, () =>
        noteAgentAnswer(context, agent.id, { ok: false, reason, detail: "silent", failures, ...rest }),
      );
      return incident(context, `agent:${agent.id}`) !== null;
    };
    expect(heard({ where: "agent", reason: "timeout" })).toBe(true);
    expect(heard({ where: "cloud", reason: "unreachable" })).toBe(true);
    expect(heard({ where: "hub", reason: "unreachable" }, { where: "cloud", reason: "unreachable" })).toBe(false);
    expect(heard({ where: "agent", reason: "timeout" })).toBe(true);
    expect(heard({ where: "device", reason: "device" })).toBe(false);
    // What is taken in after the line has ended says that the agent was there, and not that it is.
    await agent.cut();
    expect(heard({ where: "agent", reason: "timeout" })).toBe(true);
    expect(heard({ where: "device", reason: "device" })).toBe(true);
  });
});

test("hybrid goes to the cloud at once while the agent is away, and back to the agent when it is there", async () => {
  await behindAgent("aghyb", { mode: "hybrid" }, async (world, agent, [lamp = ""]) => {
    const began = world.now;
    expect(await world.toggle(lamp, "on")).toMatchObject({ success: true, provider: "cloud" });
    expect(world.now - began).toBeLessThan(2_500);
    await agent.connect();
    expect(await world.toggle(lamp, "off")).toMatchObject({ success: true, provider: "local" });
    expect(agent.cmds.find(({ verb }) => verb === "switch")).toMatchObject({ for_ms: 3_900 });
  });
});

test("a line that is cut after the order may have carried it: the light is read before it is switched again", async () => {
  await behindAgent("agshort", {}, async (world, agent) => {
    await agent.connect();
    agent.answers = (cmd) => {
      agent.obey(cmd, vendorId(0));
      if (cmd.verb === "switch") world.outside(10, () => void agent.cut());
      return null;
    };
    await world.to(at("18:00:02"));
    agent.answers = null;
    await agent.connect();
    await world.to(at("18:02:00"));
    expect(agent.cmds.filter(({ verb }) => verb === "switch")).toHaveLength(1);
    expect((await snippets("agshort"))[0]).toBe("local | local (agent Riverside): the line was cut");
    expect((await events("agshort")).at(-1)).toMatch(/on ok 1$/);
  });
});

test("a process that dies while the agent does what it was told reads the light, and does not switch it again", async () => {
  await behindAgent("agdie", {}, async (world, agent) => {
    await agent.connect();
    agent.answers = (cmd) => {
      if (cmd.verb === "switch") world.outside(50, () => world.die(2_000));
      return agent.obey(cmd, vendorId(0));
    };
    await world.to(at("18:02:00"));
    expect(agent.cmds.filter(({ verb }) => verb === "switch")).toHaveLength(1);
    expect((await events("agdie")).at(-1)).toMatch(/on ok 1$/);
  });
});

test("whatever an agent sends, it can only harm its own line", async () => {
  await behindAgent("agfuzz", {}, async (world, agent, lamps) => {
    const frames: FromAgent[] = [
      { type: "hello", proto: [1, 1], agent: "1", boot: "b", log_from: null, plan_rev: null, hubs: [] },
      { type: "states", states: lamps.map((device) => ({ device, state: "on", at: world.now })) },
      { type: "plan_ok", rev: 1 },
      { type: "bye", code: 1, say: "" },
    ];
    const json = fc
      .constantFrom(...frames)
      .chain((frame) =>
        fc
          .tuple(fc.constantFrom(...Object.keys(frame)), fc.jsonValue())
          .map(([key, value]) => JSON.stringify({ ...frame, [key]: value })),
      );
    const texts = fc.sample(fc.oneof(json, fc.json(), fc.string()), { seed: 7, numRuns: 300 });
    for (const text of texts) {
      await agent.connect();
      await agent.sayText(text);
    }
    expect(world.lines.filter(({ event }) => event === "agent.frame_failed")).toEqual([]);
    await agent.connect();
    expect(await world.toggle(lamps[0] ?? "", "on")).toMatchObject({ success: true, provider: "local" });
  });
});

test("a hub on a private network that nobody can call asks for an agent", async () => {
  const city = await aCity("agnone", "local", 1, 1);
  await inWorld(
    "agnone",
    at("12:00:00"),
    async (world) => {
      world.context.direct_hubs = false;
      const detail = "Hub Hub 0 is on a private network: assign it to an agent";
      const details = { provider: "local", http_status: null, snippet: `local: ${detail}`, rtt_ms: 0 } as const;
      const failures = [{ where: "hub", reason: "refused" } as const];
      world.wrapProvider(() => ({
        ping: () => Promise.resolve({ ok: false, reason: "refused", detail, failures, ...details }),
      }));
      await world.sync();
      await during(world, pingHub(world.context, "agnone-hub0"));
      expect(await messages("agnone")).toEqual([
        expect.stringMatching(
          /^hub_refused .*Hub Hub 0 \(Field 3\) needs attention: it is on a private network, assign it to an agent\.$/,
        ),
      ]);
    },
    city.equip,
  );
});

test("a silent line is given up after 70 s, and until then each call ends in time", async () => {
  await behindAgent("agmute", {}, async (world, agent, [lamp = ""]) => {
    await agent.connect();
    await world.to(at("17:10:00"));
    agent.isMute = true;
    agent.answers = () => null;
    const began = world.now;
    expect(await world.toggle(lamp, "on")).toMatchObject({ success: false });
    expect(world.now - began).toBeLessThanOrEqual(9_000);
    await world.to(at("17:11:15"));
    const later = world.now;
    const { detail } = await world.toggle(lamp, "off");
    expect(detail).toContain("agent Riverside");
    expect(world.now - later).toBeLessThan(1_500);
    await during(world, pingHub(world.context, "agmute-hub0"));
    await setting("agmute", "HUB_CHECK_INTERVAL_SEC", 60).run();
    await world.sync();
    await world.to(at("17:14:00"));
    expect(agent.closings).toEqual(["4408 No ping for 70 s"]);
  });
});

test("an agent that answers again on the line that it had is back for all its lights and hubs, and screens hear of it", async () => {
  await behindAgent("agagain", { hubs: 2, lamps: 4 }, async (world, agent, lamps) => {
    await agent.connect();
    await world.to(at("17:59:50"));
    agent.answers = () => null;
    await world.to(at("18:04:00"));
    const [first = "", ...others] = lamps;
    const problems = async () =>
      (await sql("SELECT problem FROM devices WHERE org_id = 'agagain'").all()).results.map(({ problem }) => problem);
    for (const problem of await problems()) expect(problem).toMatch(/^its hub is away since/);
    for (const hub of [0, 1]) expect(await hubRow(`agagain-hub${hub}`)).toMatch(/^offline /);
    agent.answers = null;
    expect(await world.toggle(first, "on")).toMatchObject({ success: true });
    const heard = world.context.backlog.version;
    world.sockets.push({ send: () => {}, close: () => {}, deserializeAttachment: () => null });
    await world.to(at("18:06:00"));
    expect(others.map((_, n) => agent.lamps.get(vendorId(n + 1)))).toEqual(others.map(() => "on"));
    expect(await problems()).toEqual(lamps.map(() => null));
    for (const hub of [0, 1]) expect(await hubRow(`agagain-hub${hub}`)).toMatch(/^online /);
    expect(world.context.backlog.since(heard)?.lists.map(({ list }) => list)).toContain("hubs");
    expect((await messages("agagain")).at(-1)).toMatch(/^agent_back /);
  });
});

test("people hear of an agent that is away for long, and not sooner, though none of its lights had to be switched", async () => {
  await behindAgent("aglong", {}, async (world, agent) => {
    await setting("aglong", "HUB_CHECK_INTERVAL_SEC", 60).run();
    await setting("aglong", "HUB_OFFLINE_ALERT_MIN", 20).run();
    await world.sync();
    await agent.connect();
    await world.to(at("17:10:00"));
    await agent.cut();
    await world.to(at("17:29:00"));
    expect(await messages("aglong")).toEqual([]);
    await world.to(at("17:32:00"));
    expect(await messages("aglong")).toEqual([expect.stringMatching(/^agent_offline /)]);
    await world.to(at("17:50:00"));
    expect(await messages("aglong")).toHaveLength(1);
  });
});

test("people hear of an agent that is away, and its hubs have their turns, though its row cannot be read", async () => {
  await behindAgent("agspoil", {}, async (world, agent) => {
    await setting("agspoil", "HUB_CHECK_INTERVAL_SEC", 60).run();
    await world.sync();
    await agent.connect();
    await world.to(at("17:10:00"));
    world.tamper("UPDATE plan SET body = '{' WHERE kind = 'agent'");
    await agent.cut();
    await world.to(at("17:50:00"));
    expect(await messages("agspoil")).toEqual([expect.stringMatching(/^agent_offline /)]);
    const knocking = { org_id: "agspoil", agent_id: agent.id, generation: 1 };
    expect(acceptAgent(world.context, { acceptWebSocket: () => {} }, knocking).status).toBe(101);
    await agent.connect();
    await world.to(at("17:52:00"));
    expect(await hubRow("agspoil-hub0")).toMatch(/^online /);
    expect(world.lines.filter(({ event }) => event === "timer.failed")).toEqual([]);
  });
});

test("an OFF that is owed to an old lamp leaves as soon as its agent is back", async () => {
  await behindAgent("agowed", {}, async (world, agent, [lamp = ""]) => {
    await agent.connect();
    await world.to(at("18:10:00"));
    expect(agent.lamps.get(vendorId(0))).toBe("on");
    await agent.cut();
    await sql("DELETE FROM devices WHERE id = ?", lamp).run();
    await world.sync();
    await world.to(at("20:00:00"));
    await agent.connect();
    await world.to(at("20:00:20"));
    expect(agent.lamps.get(vendorId(0))).toBe("off");
  });
});

test("an OFF that is owed behind an agent that was deleted is told as its lamp's: nobody hears of an agent that is no more", async () => {
  await behindAgent("agowes", {}, async (world, agent) => {
    await agent.connect();
    await world.to(at("18:10:00"));
    agent.answers = () => null;
    for (const table of ["devices", "hubs", "agents"]) await sql(`DELETE FROM ${table} WHERE org_id = 'agowes'`).run();
    await world.sync();
    await world.to(at("18:40:00"));
    expect(await messages("agowes")).toEqual([
      expect.stringMatching(/^device_failed not_sent: Alarm: .+ could not be switched off: /),
    ]);
    expect(openIncidents(world.context, "agent")).toEqual([]);
  });
});

test("an agent that loses each tenth answer is not asked for all its hubs again after each other one", async () => {
  await behindAgent("agloses", { hubs: 30 }, async (world, agent) => {
    await setting("agloses", "HUB_CHECK_INTERVAL_SEC", 60).run();
    await world.sync();
    await agent.connect();
    await world.to(at("17:10:00"));
    const before = agent.cmds.length;
    let asked = 0;
    agent.answers = (cmd) => ((asked += 1) % 10 === 0 ? null : agent.obey(cmd, ""));
    await world.to(at("17:20:00"));
    // A turn of each hub a minute, and as much again after the agent is back.
    expect(agent.cmds.length - before).toBeLessThanOrEqual(2 * 30 * 11);
  });
});

test("an agent that is back twice within a minute has its hubs looked at once more when the minute is over", async () => {
  await behindAgent("agtwice", { hubs: 3, lamps: 3 }, async (world, agent, [lamp = ""]) => {
    await setting("agtwice", "HUB_CHECK_INTERVAL_SEC", 3600).run();
    await world.sync();
    await agent.connect();
    await world.to(at("17:10:00"));
    /** How many calls its return is followed by. */
    const loseAndAnswer = async () => {
      agent.answers = () => null;
      await during(world, pingHub(world.context, "agtwice-hub0"));
      agent.answers = null;
      const before = agent.cmds.length;
      await during(world, pingHub(world.context, "agtwice-hub0"));
      await world.to(world.now + 5_000);
      return agent.cmds.length - before - 1;
    };
    expect([await loseAndAnswer(), await loseAndAnswer(), await loseAndAnswer()]).toEqual([3, 0, 0]);
    await world.to(world.now + 60_000);
    const before = agent.cmds.length;
    expect(await world.toggle(lamp, "on")).toMatchObject({ success: true });
    await world.to(world.now + 5_000);
    expect(agent.cmds.slice(before).filter(({ verb }) => verb === "ping")).toHaveLength(3);
  });
});

test("the scheduler waits for what an agent did alone, for 5 s at most; people do not", async () => {
  await behindAgent("agtake", { lamps: 2 }, async (world, agent, [scheduled = "", pressed = ""]) => {
    await sql("DELETE FROM schedules WHERE device_id = ?", pressed).run();
    await world.sync();
    await world.to(at("17:59:58"));
    await agent.connect({ log_from: 7 });
    expect(await world.toggle(pressed, "on")).toMatchObject({ success: true });
    await world.to(at("18:00:02"));
    expect(agent.lamps.get(vendorId(0))).toBeUndefined();
    await world.to(at("18:00:10"));
    expect(agent.lamps.get(vendorId(0))).toBe("on");
    expect((await deviceRow(scheduled)).current_state).toBe("on");
  });
});

test("a light that was left to an agent is lit, should the process die before it has taken in what that did alone", async () => {
  await behindAgent("agdied", {}, async (world, agent) => {
    await setting("agdied", "WATCHDOG_ENABLED", false).run();
    await setting("agdied", "HUB_CHECK_INTERVAL_SEC", 60).run();
    await world.sync();
    await agent.connect();
    await world.to(at("17:30:00"));
    const rev = agent.frames.flatMap((frame) => (frame.type === "plan" ? frame.rev : [])).at(-1) ?? 0;
    await agent.say({ type: "plan_ok", rev });
    await world.to(at("17:59:58"));
    await agent.connect({ log_from: 7, plan_rev: rev });
    world.die(100);
    await world.to(at("18:03:00"));
    expect(agent.lamps.get(vendorId(0))).toBe("on");
  });
});

test("an agent that comes back for a moment, and is gone before its log is in, is not told as back", async () => {
  await behindAgent("agmoment", {}, async (world, agent) => {
    await setting("agmoment", "HUB_CHECK_INTERVAL_SEC", 60).run();
    await world.sync();
    await agent.connect();
    await world.to(at("17:10:00"));
    await agent.cut();
    await world.to(at("17:30:00"));
    const since = incident(world.context, `agent:${agent.id}`)?.since;
    await agent.connect({ log_from: 7 });
    await agent.cut();
    await world.to(at("17:32:00"));
    expect(await messages("agmoment")).toEqual([expect.stringMatching(/^agent_offline /)]);
    expect(incident(world.context, `agent:${agent.id}`)?.since).toBe(since);
    await agent.connect({ log_from: 7 });
    await world.to(at("17:32:10"));
    expect((await messages("agmoment")).at(-1)).toMatch(/^agent_back /);
  });
});

test("what an agent reads is believed, of its own lights and where nobody has switched them since", async () => {
  await behindAgent("agread", { lamps: 2 }, async (world, agent, [mine = "", other = ""]) => {
    await sql("UPDATE devices SET hub_id = NULL WHERE id = ?", other).run();
    await world.sync();
    await agent.connect();
    expect(await world.toggle(mine, "on")).toMatchObject({ success: true });
    await world.to(at("17:01:00"));
    const states = [mine, other].map((device) => ({ device, state: "off" as const, at: Date.parse(at("17:00:00")) }));
    await agent.say({ type: "states", states });
    await world.to(world.now + 100);
    expect((await deviceRow(mine)).current_state).toBe("on");
    await agent.say({ type: "states", states: states.map((reading) => ({ ...reading, at: world.now })) });
    await world.to(world.now + 100);
    expect((await deviceRow(mine)).current_state).toBe("off");
    expect((await deviceRow(other)).current_state).toBe("unknown");
  });
});

test("an agent that reads as wanted what a command was kept up for ends it, and its alarm", async () => {
  await behindAgent("agkept", {}, async (world, agent, [lamp = ""]) => {
    await setting("agkept", "WATCHDOG_ENABLED", false).run();
    await world.sync();
    await agent.connect();
    await world.to(at("21:59:00"));
    agent.answers = (cmd) => (cmd.action === "off" ? REFUSED : agent.obey(cmd, cmd.address?.lamp ?? ""));
    await world.to(at("22:30:00"));
    const say = async (state: "on" | "off") => {
      await agent.say({ type: "states", states: [{ device: lamp, state, at: world.now }] });
      await world.to(world.now + 100);
    };
    const left = () =>
      world.storage.sql.exec("SELECT target_id FROM commands UNION ALL SELECT incident FROM incidents").toArray();
    await say("on");
    expect(left()).toHaveLength(2);
    await say("off");
    expect((await deviceRow(lamp)).current_state).toBe("off");
    expect(left()).toEqual([]);
    await world.to("2026-06-11T02:00:00Z");
    expect((await messages("agkept")).filter((message) => message.startsWith("device_failed"))).toHaveLength(1);
  });
});

const REFUSED: AgentAnswer = {
  ok: false,
  reason: "refused",
  detail: "the lamp is not set up",
  failures: [{ where: "device", reason: "refused" }],
  http_status: 200,
  snippet: "local: 000201",
  rtt_ms: 150,
};

test("an agent hears of its hubs when it comes, and again when they have changed", async () => {
  await behindAgent("agwel", { hubs: 2, lamps: 2 }, async (world, agent, lamps) => {
    await agent.connect();
    const [welcome] = agent.frames;
    const hub = (n: number, ip_address: string) => ({
      id: `agwel-hub${n}`,
      name: `Hub ${n}`,
      ip_address,
      port: 1080,
      connection_mode: "hybrid",
      credentials: { client_id: `client-agwel-hub${n}`, client_secret: `local+secret/agwel-hub${n}==` },
    });
    expect(welcome).toMatchObject({
      type: "welcome",
      proto: 1,
      agent: { id: agent.id, name: "Riverside" },
      hubs: [hub(0, "10.1.0.1"), hub(1, "10.1.0.2")],
      ask_states: lamps,
    });
    await sql("UPDATE hubs SET ip_address = '10.1.0.9' WHERE id = 'agwel-hub0'").run();
    await sql("UPDATE hubs SET agent_id = NULL WHERE id = 'agwel-hub1'").run();
    await world.sync();
    const again = agent.frames.findLast(({ type }) => type === "welcome");
    expect(again).toMatchObject({ hubs: [hub(0, "10.1.0.9")], ask_states: [] });
  });
});

test.each([
  ["late", "the order came too late"],
  ["stale", "a newer order came before it"],
] as const)("an order that is %s on site was not done, and is tried again", async (reason, says) => {
  await behindAgent(`ag${reason}`, {}, async (world, agent) => {
    await agent.connect();
    agent.answers = (cmd) => {
      if (cmd.verb !== "switch") return agent.obey(cmd, vendorId(0));
      agent.answers = null;
      return { ok: false, reason, detail: "", failures: [], http_status: null, snippet: `local: ${reason}`, rtt_ms: 0 };
    };
    await world.to(at("18:02:00"));
    expect(await events(`ag${reason}`)).toEqual([
      expect.stringMatching(/on retry 1$/),
      expect.stringMatching(/on ok 2$/),
    ]);
    const { results } = await sql(
      "SELECT note FROM scheduler_events WHERE org_id = ? ORDER BY ts",
      `ag${reason}`,
    ).all();
    expect(JSON.stringify(results[0])).toContain(says);
  });
});

test("an agent whose secret was replaced is hung up on by the next pull, one with the newest stays", async () => {
  await behindAgent("aggen", {}, async (world, agent) => {
    await agent.connect();
    await sql("UPDATE agents SET name = 'Riverside park' WHERE id = ?", agent.id).run();
    await world.sync();
    expect(agent.closings).toEqual([]);
    await sql("UPDATE agents SET generation = 2 WHERE id = ?", agent.id).run();
    await world.sync();
    expect(agent.closings).toEqual(["4403 This agent's secret is no longer valid"]);
    await agent.connect({}, 2);
    await sql("UPDATE agents SET revoked_at = '2026-06-10' WHERE id = ?", agent.id).run();
    await world.sync();
    expect(agent.closings).toHaveLength(2);
    await agent.connect({}, 2);
    await sql("DELETE FROM agents WHERE id = ?", agent.id).run();
    await world.sync();
    expect(agent.closings).toHaveLength(3);
    expect(world.storage.sql.exec("SELECT incident FROM incidents").toArray()).toEqual([]);
    for (const table of ["agent_links", "standing_plans", "planned_lamps"])
      expect(world.storage.sql.exec(`SELECT agent_id FROM ${table}`).toArray(), table).toEqual([]);
  });
});

test("an agent with a newer secret than a late pull knows of is to connect again", async () => {
  await behindAgent("agnewer", {}, async (world, agent) => {
    await agent.connect({}, 2);
    await sql("UPDATE agents SET name = 'Riverside park' WHERE id = ?", agent.id).run();
    await world.sync();
    expect(agent.closings).toEqual([expect.stringMatching(/Connect again$/)]);
  });
});

test("a hub that is assigned while its agent is being welcomed is told after the welcome", async () => {
  await behindAgent("agrace", {}, async (world, agent) => {
    const hub = (agent_id: string | null) =>
      sql("UPDATE hubs SET agent_id = ? WHERE org_id = 'agrace'", agent_id).run();
    await hub(null);
    await world.sync();
    const { planKey } = world.context;
    let go = (): void => {};
    const held = new Promise<void>((done) => {
      go = done;
    });
    world.context.planKey = () => held.then(planKey);
    const connected = agent.connect();
    await hub(agent.id);
    await world.sync();
    go();
    await connected;
    await world.to(world.now + 3_000);
    const told = agent.frames.flatMap((frame) => (frame.type === "welcome" ? [frame.hubs.length] : []));
    expect(told).toEqual([0, 1]);
  });
});

test("a hub that can't be read keeps its agent from no other hub, and from no reading or log of those", async () => {
  await behindAgent("agspoilt", { hubs: 2, lamps: 2 }, async (world, agent, [spoilt = "", well = ""]) => {
    world.tamper("UPDATE plan SET body = '{' WHERE kind = 'hub' AND id LIKE '%hub0'");
    await agent.connect();
    expect(agent.frames[0]).toMatchObject({ type: "welcome", hubs: [{ id: "agspoilt-hub1" }] });
    const states = [spoilt, well].map((device) => ({ device, state: "off" as const, at: world.now }));
    await agent.say({ type: "states", states });
    const entry = { kind: "edge", action: "on", ok: true, state: "on", attempts: 1, note: "", rev: 1 } as const;
    const entries = [spoilt, well].map((device, n) => ({ ...entry, n: n + 1, at: world.now, device }));
    await agent.say({ type: "log", entries, isLast: true });
    const known = world.storage.sql.exec("SELECT reported FROM device_memory WHERE device_id = ?", well).one();
    expect(known).toEqual({ reported: "on" });
    expect(agent.frames).toContainEqual({ type: "ack", upto: 2 });
    await world.to(at("18:01:00"));
    const switched = agent.cmds.filter(({ verb, device }) => verb === "switch" && device === well);
    expect(switched.at(-1)).toMatchObject({ action: "on" });
    expect(agent.lamps.get(vendorId(1))).toBe("on");
  });
});

test("an agent that can't be read keeps no other agent from hearing of its hubs, or that its secret was revoked", async () => {
  await behindAgent("agunread", { hubs: 2 }, async (world, agent) => {
    await sql(
      "INSERT INTO agents (id, org_id, name, secret_hash, hint) VALUES ('agunread-b', 'agunread', 'B', 'x', 'abcd')",
    ).run();
    await sql("UPDATE hubs SET agent_id = 'agunread-b' WHERE id = 'agunread-hub1'").run();
    await world.sync();
    await agent.connect();
    const lines = world.agentLines;
    const other = new AnAgent(world, "agunread-b");
    await other.connect();
    world.agentLines = [...lines, ...world.agentLines];
    world.tamper("UPDATE plan SET body = '{' WHERE kind = 'agent' AND id = ?", agent.id);
    await sql("UPDATE hubs SET ip_address = '10.1.0.9' WHERE id = 'agunread-hub1'").run();
    await world.sync();
    await world.to(at("17:01:00"));
    expect(other.frames.findLast(({ type }) => type === "welcome")).toMatchObject({
      hubs: [{ id: "agunread-hub1", ip_address: "10.1.0.9" }],
    });
    await sql("UPDATE agents SET revoked_at = '2026-06-10T17:01:00.000Z' WHERE id = 'agunread-b'").run();
    await world.sync();
    expect(other.closings).toEqual([expect.stringMatching(/secret is no longer valid$/)]);
    expect(agent.closings).toEqual([]);
  });
});

test("what keeps an agent from asking its hub is told as it says it, and what the hub refuses as the hub's own", async () => {
  await behindAgent("agdisk", { lamps: 2 }, async (world, agent) => {
    const refusal = (detail: string, http_status: number | null): AgentAnswer => ({
      ok: false,
      reason: "refused",
      detail,
      failures: [{ where: "hub", reason: "refused" }],
      http_status,
      snippet: `local: ${detail}`,
      rtt_ms: 0,
    });
    await setting("agdisk", "HUB_CHECK_INTERVAL_SEC", 60).run();
    await world.sync();
    await agent.connect();
    await world.to(at("17:59:00"));
    agent.answers = (cmd) =>
      cmd.action === "on" ? refusal("the agent's disk can't be written to", null) : agent.obey(cmd, vendorId(0));
    await world.to(at("18:00:30"));
    agent.answers = null;
    await world.to(at("18:10:00"));
    agent.answers = () => refusal("hub Hub 0: it refuses the credentials", 200);
    await world.to(at("18:20:00"));
    expect((await messages("agdisk")).filter((line) => line.startsWith("hub_refused"))).toEqual([
      expect.stringMatching(
        /Hub Hub 0 \(Field 3\) needs attention: its agent says: the agent's disk can't be written to\.$/,
      ),
      expect.stringMatching(/Hub Hub 0 \(Field 3\) needs attention: check its IP address and its local credentials\.$/),
    ]);
  });
});

test("a line on which every order seems late, since a clock was set back, is made anew; a slow one is not", async () => {
  await behindAgent("agback", {}, async (world, agent, [lamp = ""]) => {
    const late: AgentAnswer = {
      ok: false,
      reason: "late",
      detail: "too late",
      failures: [],
      http_status: null,
      snippet: "",
      rtt_ms: 0,
    };
    const press = async () =>
      expect((await world.toggle(lamp, "on")).detail).toContain("agent Riverside, the order came too late");
    await agent.connect();
    agent.answers = (cmd) => {
      world.outside(5_750, () => void agent.say({ type: "result", id: cmd.id, answer: late }));
      return null;
    };
    await press();
    await press();
    agent.answers = () => late;
    await press();
    expect(agent.closings).toEqual([]);
    await press();
    expect(agent.closings).toEqual(["1012 Connect again"]);
  });
});

test("an agent is welcomed by the clock that its orders are dated by, also while the engine's stands still", async () => {
  await behindAgent("agdate", {}, async (world, agent, [lamp = ""]) => {
    world.skew_ms = 180_000;
    await world.sync();
    world.skew_ms = 0;
    await agent.connect();
    await world.toggle(lamp, "on");
    const dated = agent.frames.flatMap((frame) => ("now" in frame ? [frame.now - Date.parse(at("17:00:00"))] : []));
    expect(dated.length).toBeGreaterThan(1);
    for (const since of dated) expect(since).toBeLessThan(10_000);
  });
});

test("agents connect again when the clock that dated their welcome was hours ahead", async () => {
  await behindAgent("aghours", {}, async (world, agent) => {
    world.skew_ms = 3 * 3_600_000;
    await world.sync();
    await agent.connect();
    world.skew_ms = 0;
    await world.sync();
    expect(agent.closings).toEqual(["1012 Connect again"]);
  });
});

test("an agent that was back by a clock that was hours ahead is not looked at each minute until that hour has come", async () => {
  await behindAgent("agfuture", {}, async (world, { id }) => {
    world.skew_ms = 3 * 3_600_000;
    await world.sync();
    world.context.agents.noteBack(id);
    world.skew_ms = 0;
    await world.sync();
    await world.to(world.now + 120_000);
    expect([world.context.agents.backSince(id), world.context.agents.isLookDue(id)]).toEqual([null, false]);
  });
});

test("a lamp's own timer is asked to put it out a little after its end, and again where the end is put off", async () => {
  await behindAgent("agtimer", {}, async (world, agent, [lamp = ""]) => {
    await setting("agtimer", "MAX_ON_DURATION_MIN", 600).run();
    await world.sync();
    await agent.connect();
    await world.to(at("18:30:00"));
    const timers = () =>
      agent.cmds.flatMap(({ verb, action, off_after_min }) =>
        verb === "switch" ? [`${action} ${off_after_min}`] : [],
      );
    expect(timers()).toEqual(["on 245"]);
    await sql(
      "UPDATE schedules SET end_at = ?, updated_at = ? WHERE id = ?",
      at("23:30:00"),
      at("18:30:00"),
      `s-${lamp}`,
    ).run();
    await world.sync();
    await world.to(at("18:31:00"));
    expect(timers()).toEqual(["on 245", "on 305"]);
    // At once, since the line may be cut before the first timer ends.
    await world.to(at("23:40:00"));
    expect(timers()).toEqual(["on 245", "on 305", "off null"]);
    expect((await events("agtimer")).map((line) => line.slice(9))).toEqual([
      "scheduler on ok 1",
      "scheduler on ok 1",
      "scheduler off ok 1",
    ]);
  });
});

test("a lamp's own timer that would put it out just after a short cut of the line is set anew as soon as it is back", async () => {
  await behindAgent("agnear", {}, async (world, agent, [lamp = ""]) => {
    await setting("agnear", "MAX_ON_DURATION_MIN", 600).run();
    await world.sync();
    await agent.connect();
    await world.to(at("21:59:30"));
    await agent.cut();
    await sql(
      "UPDATE schedules SET end_at = ?, updated_at = ? WHERE id = ?",
      at("23:30:00"),
      at("21:59:30"),
      `s-${lamp}`,
    ).run();
    await world.sync();
    await world.to(at("22:02:30"));
    await agent.connect();
    await world.to(at("22:04:00"));
    expect(agent.cmds.flatMap(({ verb, off_after_min }) => (verb === "switch" ? [off_after_min] : []))).toEqual([
      245, 93,
    ]);
  });
});

test("a lamp's own timer does not cut off what a person puts off", async () => {
  await behindAgent("aglater", {}, async (world, agent, [lamp = ""]) => {
    await setting("aglater", "MAX_ON_DURATION_MIN", 600).run();
    await world.sync();
    await agent.connect();
    await world.to(at("18:30:00"));
    await world.toggle(lamp, "on", { until: at("23:30:00") });
    await world.to(at("18:32:00"));
    const timers = agent.cmds.flatMap(({ verb, off_after_min }) => (verb === "switch" ? [off_after_min] : []));
    expect(timers).toEqual([245, null, 305]);
  });
});

test("a person's ON, whose end nobody has planned, asks no timer of the lamp, nor does one that the cloud reaches", async () => {
  await behindAgent("agpress", {}, async (world, agent, [lamp = ""]) => {
    await agent.connect();
    await world.to(at("17:10:00"));
    await world.toggle(lamp, "on");
    expect(agent.cmds.findLast(({ verb }) => verb === "switch")).toMatchObject({ off_after_min: null });
  });
  await behindAgent("agboth", { mode: "hybrid" }, async (world, agent) => {
    await agent.connect();
    await world.to(at("18:01:00"));
    expect(agent.cmds.find(({ verb }) => verb === "switch")).toMatchObject({ action: "on", off_after_min: null });
  });
});

test("an agent that has more hubs than a frame holds is told of as many as fit, and the log says so", async () => {
  await behindAgent("agmany", { hubs: 2, lamps: 2 }, async (world, agent) => {
    await sql("UPDATE hubs SET name = ? WHERE id = 'agmany-hub1'", "x".repeat(65_000)).run();
    await world.sync();
    await agent.connect();
    const [welcome] = agent.frames;
    expect(JSON.stringify(welcome).length).toBeLessThanOrEqual(65_536);
    expect(welcome).toMatchObject({ type: "welcome", hubs: [{ id: "agmany-hub0" }] });
    expect(world.lines).toContainEqual(expect.objectContaining({ event: "agent.too_many_hubs", hubs: 2, told: 1 }));
  });
});
