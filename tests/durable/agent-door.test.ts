import { env, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { toAgentDoor } from "#durable/agents/door-request";
import { toObject } from "#durable/live/request";
import { OrgScheduler } from "#durable/org-scheduler";
import type { EngineContext } from "#durable/state/context";
import { toAgent, type FromAgent, type ToAgent } from "#domain/agent/frames";
import { aField, sql } from "#tests/support/light";

/** The object's door for agents, with real sockets. */

const PATIENCE = { timeout: 20_000, interval: 20 };
const HELLO: FromAgent = {
  type: "hello",
  proto: [1, 1],
  agent: "1.2.0",
  boot: "b1",
  log_from: null,
  plan_rev: null,
  hubs: [],
};

type Agent = {
  frames: ToAgent[];
  texts: string[];
  closed: { code: number; reason: string } | null;
  leave: () => void;
  say: (what: FromAgent | Record<string, unknown> | string | ArrayBuffer) => void;
  heard: (type: ToAgent["type"]) => Promise<void>;
};
const sockets: WebSocket[] = [];

const stub = () => env.SCHEDULER.get(env.SCHEDULER.idFromName("door"));
const knock = (agent_id: string, generation = 1) => stub().fetch(toAgentDoor({ org_id: "door", agent_id, generation }));

beforeAll(async () => {
  await aField("door");
  await sql("UPDATE hubs SET agent_id = NULL, ip_address = '192.168.1.50' WHERE org_id = 'door'").run();
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close(1000, "enough");
});

async function anAgentRow(id: string): Promise<void> {
  await sql("INSERT INTO agents (id, org_id, name, secret_hash, hint) VALUES (?, 'door', ?, 'x', 'x')", id, id).run();
}

/** An agent whose socket is open; it has said nothing yet. */
async function connect(agent_id: string, generation = 1): Promise<Agent> {
  const { status, webSocket } = await knock(agent_id, generation);
  if (!webSocket) throw new Error(`no socket, but ${status}`);
  const agent: Agent = {
    frames: [],
    texts: [],
    closed: null,
    leave: () => webSocket.close(1000, "Enough"),
    say: (what) =>
      webSocket.send(typeof what === "string" || what instanceof ArrayBuffer ? what : JSON.stringify(what)),
    heard: (type) => vi.waitFor(() => expect(agent.frames.map((frame) => frame.type)).toContain(type), PATIENCE),
  };
  webSocket.addEventListener("message", ({ data }) => {
    agent.texts.push(String(data));
    if (data !== "pong") agent.frames.push(toAgent.parse(JSON.parse(String(data))));
  });
  webSocket.addEventListener("close", ({ code, reason }) => {
    agent.closed = { code, reason };
  });
  webSocket.accept();
  sockets.push(webSocket);
  return agent;
}

/** The same, once it was welcomed. */
async function welcomed(agent_id: string, generation = 1): Promise<Agent> {
  const agent = await connect(agent_id, generation);
  agent.say(HELLO);
  await agent.heard("welcome");
  return agent;
}

function inObject<T>(story: (context: EngineContext, object: OrgScheduler) => T | Promise<T>): Promise<T> {
  return runInDurableObject(stub(), (object) => {
    if (!(object instanceof OrgScheduler)) throw new Error("another object");
    return story(object.context, object);
  });
}

const ping = (context: EngineContext, agent_id: string) =>
  context.agents.ask(
    agent_id,
    { order: 0, for_ms: 5_000, hub: "h", device: null, verb: "ping", action: null, address: null, off_after_min: null },
    8_000,
  );

test("an agent is welcomed, its pings are answered, and what it answers reaches whoever asked", async () => {
  await anAgentRow("well");
  const agent = await welcomed("well");
  expect(agent.frames[0]).toMatchObject({ type: "welcome", proto: 1, agent: { id: "well", name: "well" }, hubs: [] });
  agent.say("ping");
  await vi.waitFor(() => expect(agent.texts).toContain("pong"), PATIENCE);
  const asked = inObject((context) => ping(context, "well"));
  await agent.heard("cmd");
  const [cmd] = agent.frames.flatMap((frame) => (frame.type === "cmd" ? [frame] : []));
  const answer = { ok: true, state: "unknown", http_status: 200, snippet: "local: 2 devices", rtt_ms: 20 } as const;
  agent.say({ type: "result", id: "another", answer });
  agent.say({ type: "result", id: cmd?.id ?? "", answer });
  expect(await asked).toEqual({ kind: "answered", answer });
  await vi.waitFor(async () => {
    const row = await sql("SELECT status, agent_version FROM agents WHERE id = 'well'").first();
    expect(row).toEqual({ status: "online", agent_version: "1.2.0" });
  }, PATIENCE);
});

test("the newest of two agents of one name wins, and a call under way on the older is cut", async () => {
  await anAgentRow("twice");
  const older = await welcomed("twice");
  const asked = inObject((context) => ping(context, "twice"));
  await older.heard("cmd");
  const newer = await welcomed("twice");
  await vi.waitFor(() => expect(older.closed?.code).toBe(4409), PATIENCE);
  expect(older.frames.at(-1)).toEqual({ type: "bye", code: 4409, say: "The same agent has connected again" });
  expect(await asked).toEqual({ kind: "cut" });
  expect(newer.closed).toBeNull();
  expect(await inObject(({ agents }) => agents.open("twice").length)).toBe(1);
});

test("an agent that is dropped in the middle of a command is hung up on, and the command has an answer", async () => {
  await anAgentRow("dropped");
  const agent = await welcomed("dropped");
  const asked = inObject((context) => ping(context, "dropped"));
  await agent.heard("cmd");
  await stub().dropAgent("door", "dropped");
  expect(await asked).toEqual({ kind: "cut" });
  await vi.waitFor(() => expect(agent.closed?.code).toBe(4403), PATIENCE);
  expect(await inObject((context) => ping(context, "dropped"))).toEqual({ kind: "away" });
});

const longest = (bytes: number) => JSON.stringify({ type: "unheard-of", pad: "" }).padEnd(bytes, " ");

test.each<[string, (agent: Agent) => void, number]>([
  ["a frame of 65 KiB", (agent) => agent.say(longest(65 * 1024)), 1009],
  ["one that is too long in bytes only", (agent) => agent.say(JSON.stringify("é".repeat(40_000))), 1009],
  ["bytes", (agent) => agent.say(new ArrayBuffer(8)), 1003],
  ["what is no JSON", (agent) => agent.say("{"), 1003],
  ["JSON without a type", (agent) => agent.say("[1]"), 1008],
  ["a known type in another shape", (agent) => agent.say({ type: "states", states: "on" }), 1008],
  [
    "200 frames at once",
    (agent) => {
      for (let n = 0; n < 200; n += 1) agent.say({ type: "unheard-of" });
    },
    4429,
  ],
])("%s ends that socket and no other", async (name, send, code) => {
  const [id, other] = [`bad ${name}`, `good ${name}`];
  await anAgentRow(id);
  await anAgentRow(other);
  const [agent, neighbor] = [await welcomed(id), await welcomed(other)];
  send(agent);
  await vi.waitFor(() => expect(agent.closed?.code).toBe(code), PATIENCE);
  const asked = inObject((context) => ping(context, other));
  await neighbor.heard("cmd");
  expect(neighbor.closed).toBeNull();
  await stub().dropAgent("door", other);
  expect(await asked).toEqual({ kind: "cut" });
});

test("the largest frame, one of an unknown type and unknown fields are taken", async () => {
  await anAgentRow("newer");
  const agent = await connect("newer");
  agent.say({ ...HELLO, mood: "good" });
  agent.say(longest(64 * 1024));
  agent.say({ type: "weather", rain: true });
  await agent.heard("welcome");
  agent.say({ type: "states", states: [], of: "more" });
  agent.say("ping");
  await vi.waitFor(() => expect(agent.texts).toContain("pong"), PATIENCE);
  expect(agent.closed).toBeNull();
});

test.each([
  [[2, 3], "The server does not speak this agent's protocol yet: update the server"],
  [[0.5, 0], null],
] as const)("an agent that speaks protocols %j gets the sentence", async (proto, say) => {
  const id = `proto ${proto.join()}`;
  await anAgentRow(id);
  const agent = await connect(id);
  agent.say({ ...HELLO, proto: [...proto] });
  await vi.waitFor(() => expect(agent.closed?.code).toBe(say === null ? 1008 : 4426), PATIENCE);
  if (say !== null) expect(agent.closed?.reason).toBe(say);
});

test("an agent that speaks before it has said hello is hung up on, and gets no command before its welcome", async () => {
  await anAgentRow("hasty");
  const agent = await connect("hasty");
  expect(await inObject((context) => ping(context, "hasty"))).toEqual({ kind: "away" });
  agent.say({ type: "states", states: [] });
  await vi.waitFor(() => expect(agent.closed?.code).toBe(1008), PATIENCE);
});

test("a secret that was replaced or revoked a moment ago opens nothing, whatever the worker has read", async () => {
  await anAgentRow("moment");
  await sql("UPDATE agents SET generation = 2 WHERE id = 'moment'").run();
  expect((await knock("moment", 1)).status).toBe(403);
  await welcomed("moment", 2);
  await sql("UPDATE agents SET revoked_at = '2026-06-10' WHERE id = 'moment'").run();
  expect((await knock("moment", 2)).status).toBe(403);
});

test("a socket of an older secret is closed by the next pull, though nobody said so", async () => {
  await anAgentRow("lost");
  const agent = await welcomed("lost");
  await sql("UPDATE agents SET generation = 2 WHERE id = 'lost'").run();
  await stub().sync("door");
  await vi.waitFor(() => expect(agent.closed?.code).toBe(4403), PATIENCE);
});

test("an agent is no browser: it hears of no lists, and a browser that speaks is still hung up on", async () => {
  await anAgentRow("apart");
  const agent = await welcomed("apart");
  const subscriber = { user_id: "ann", sid: "s", role: "employee", dept_id: null, depts: null } as const;
  const { webSocket } = await stub().fetch(toObject({ org_id: "door", subscriber, since: null, age_ms: 0 }));
  if (!webSocket) throw new Error("no socket");
  const heard: string[] = [];
  const closings: number[] = [];
  webSocket.addEventListener("message", ({ data }) => void heard.push(String(data)));
  webSocket.addEventListener("close", ({ code }) => void closings.push(code));
  webSocket.accept();
  await stub().noteLists("door", ["workorders"]);
  await vi.waitFor(() => expect(heard.join()).toContain("workorders"), PATIENCE);
  webSocket.send("hello");
  await vi.waitFor(() => expect(closings).toEqual([4400]), PATIENCE);
  expect(agent.texts.join()).not.toContain("workorders");
  expect(agent.closed).toBeNull();
});

test("an object that was rebuilt still knows its agents by what their sockets carry", async () => {
  await anAgentRow("rebuilt");
  const agent = await welcomed("rebuilt");
  await runInDurableObject(stub(), async (_object, state) => {
    const { context } = new OrgScheduler(state, env);
    expect(context.agents.open("rebuilt")).toHaveLength(1);
    expect(context.agents.send("rebuilt", { type: "ack", upto: 4 })).toBe(true);
  });
  await agent.heard("ack");
});

test("an agent that takes its leave is not told that it was revoked, and is away at once", async () => {
  await anAgentRow("leaving");
  const agent = await welcomed("leaving");
  agent.leave();
  await vi.waitFor(() => expect(agent.closed?.code).toBe(1000), PATIENCE);
  expect(await inObject((context) => ping(context, "leaving"))).toEqual({ kind: "away" });
  await vi.waitFor(async () => {
    expect(await sql("SELECT status FROM agents WHERE id = 'leaving'").first()).toEqual({ status: "offline" });
  }, PATIENCE);
});
