import { existsSync } from "node:fs";
import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AgentLogEntry } from "#domain/agent/frames";
import type { PlanKey } from "#durable/agents/plan-key";
import { aPlan, aPlanKey, framesOf, MIN } from "./a-plan";
import { aCommand, aSite, LAMP, NOW, type Site } from "./a-site";
import type { Line } from "./fake-city";
import { until } from "./until";

let site: Site;
let key: PlanKey;
beforeEach(async () => {
  key = await aPlanKey();
  site = await aSite();
});
afterEach(() => site.close());

/** A line on which the plan has come. */
async function planned(...given: Parameters<typeof aPlan>): Promise<Line> {
  const line = await welcomed();
  for (const frame of await framesOf(aPlan(...given), key)) line.say(frame);
  await line.saw("plan_ok");
  return line;
}

async function welcomed(given = {}): Promise<Line> {
  const n = site.city.lines.length;
  await site.start();
  const line = await site.city.line(n);
  await line.saw("hello");
  await welcome(line, { now: NOW + site.means.at - 1_000_000, ...given });
  return line;
}

/** The city's welcome, once the agent has taken it up: a test's time goes by faster than a frame travels. */
async function welcome(line: Line, given: Parameters<Site["welcome"]>[0]): Promise<void> {
  const connected = () => site.means.said.filter((text) => text.startsWith("Connected as")).length;
  const before = connected();
  line.say(site.welcome({ plan_key: key.public_key, ...given }));
  await until(() => connected() > before, "that the agent is welcome");
}

function cut(line: Line): void {
  site.city.refusal = { status: 503 };
  line.socket.terminate();
}

const isLit = () => site.simulator.lamps.get(LAMP)?.isLit === true;

test("cut off, the agent lights and puts out the lamp by the plan, and tells the city afterwards", async () => {
  cut(await planned());
  await site.live(4 * MIN, isLit);
  expect(site.switched()).toEqual([]);
  await site.live(2 * MIN, isLit);
  expect(site.switched()).toEqual(["open"]);
  await site.live(6 * MIN, () => site.switched().length === 2);
  await site.live(30_000);
  expect(site.switched()).toEqual(["open", "close"]);

  site.city.refusal = null;
  const lines = site.city.lines.length;
  await site.live(2 * MIN, () => site.city.lines.length > lines);
  const again = await site.city.line(lines);
  const { log_from, plan_rev } = await again.saw("hello");
  expect(plan_rev).toBe(3);
  await welcome(again, { now: NOW + 13 * MIN });
  const { entries, isLast } = await again.saw("log");
  expect(isLast).toBe(true);
  expect(entries[0]?.n).toBe(log_from);
  const edges = entries.filter(({ kind }) => kind === "edge");
  expect(edges).toMatchObject([
    { device: "d1", action: "on", state: "on", ok: true, rev: 3 },
    { device: "d1", action: "off", state: "off", ok: true, rev: 3 },
  ]);
  expect(edges.map(({ at }) => Math.floor((at - NOW) / MIN))).toEqual([5, 10]);

  again.say({ type: "ack", upto: entries.at(-1)?.n ?? 0 });
  const kept = () => readFile(join(site.folder, "log.jsonl"), "utf8");
  await until(async () => !(await kept()).includes("edge"), "the log to be forgotten");
});

test("what the city could not light before the line was cut is lit once the hub is back, also by a program that was killed", async () => {
  const line = await planned({}, { on: [[NOW - MIN, NOW + 60 * MIN]] });
  site.simulator.fault("h1", { kind: "offline" });
  line.say(aCommand());
  expect((await line.saw("result")).answer).toMatchObject({ ok: false });
  cut(line);
  await site.stop("killed");
  await site.start();
  await site.live(4 * MIN);
  expect(site.switched()).toEqual([]);
  site.simulator.fault("h1");
  await site.live(3 * MIN, isLit);
  expect(site.switched()).toEqual(["open"]);
});

test("nor does a light stay dark whose ON the city kept to itself, since another one's had found the hub silent", async () => {
  const on: [number, number][] = [[NOW - MIN, NOW + 60 * MIN]];
  const lamps = ["d0", "d1"].flatMap((device) => aPlan({}, { device, on: device === "d0" ? [] : on }).lamps);
  const line = await planned({ lamps });
  site.simulator.fault("h1", { kind: "offline" });
  line.say(aCommand({ device: "d0" }));
  expect((await line.saw("result")).answer).toMatchObject({ ok: false });
  site.simulator.fault("h1");
  cut(line);
  await site.live(6 * MIN, isLit);
  expect(site.switched()).toEqual(["open"]);
});

test("nor where the line is there for a moment in between", async () => {
  site.simulator.fault("h1", { kind: "offline" });
  cut(await planned({}, { on: [[NOW + 5 * MIN, NOW + 60 * MIN]] }));
  await site.live(7 * MIN);
  site.city.refusal = null;
  const lines = site.city.lines.length;
  await site.live(2 * MIN, () => site.city.lines.length > lines);
  const again = await site.city.line(lines);
  await again.saw("hello");
  await welcome(again, { now: NOW + site.means.at - 1_000_000 });
  cut(again);
  site.simulator.fault("h1");
  await site.live(4 * MIN, isLit);
  expect(site.switched()).toEqual(["open"]);
});

test("what came too late or after a newer command is not owed", async () => {
  const line = await planned({}, { on: [[NOW - MIN, NOW + 60 * MIN]] });
  line.say(aCommand({ action: "off", order: 9_000_000 }));
  line.say(aCommand({ order: 8_999_999 }));
  expect((await line.saw("result", 2)).answer).toMatchObject({ reason: "stale" });
  cut(line);
  await site.live(6 * MIN);
  expect(site.switched()).toEqual(["close"]);
});

test("while the city is there, the agent leaves the lamp to it", async () => {
  await planned();
  await site.live(11 * MIN);
  expect(site.simulator.journal.map(({ method }) => method)).toEqual([]);
});

test("every ON of the plan sets the lamp's own timer to a little after its end", async () => {
  cut(await planned());
  const delays = () => site.simulator.journal.filter(({ method }) => method === "Switch.setDelay");
  await site.live(6 * MIN, () => delays().length > 0);
  expect(site.simulator.lamps.get(LAMP)?.delays(Date.now())).toEqual({ delay: { ch: 1, on: 0, off: 10 } });
});

test("a program that was killed alone goes on, and the computer's own clock may say what it likes", async () => {
  const line = await planned();
  cut(line);
  await site.stop("killed");
  site.means.wall_error_ms = -40 * 60 * MIN;
  await site.start();
  await site.live(6 * MIN, isLit);
  expect(site.switched()).toEqual(["open"]);
});

test("a computer that starts alone lights nothing before its clock is set, and puts out what it lit", async () => {
  cut(await planned());
  await site.live(6 * MIN, isLit);
  await site.live(10_000);
  await site.stop("power cut");
  site.means.start = "second";
  await site.start();
  await site.live(8 * MIN, () => !isLit());
  expect(site.switched()).toEqual(["open", "close"]);
});

test("a computer that starts alone with a clock that the network has set keeps the plan", async () => {
  cut(await planned());
  await site.stop("power cut");
  site.means.start = "second";
  site.means.isSynced = true;
  site.means.wall_error_ms = NOW - site.means.wall();
  await site.start();
  await site.live(7 * MIN, isLit);
  expect(isLit()).toBe(true);
});

/** Where Linux has it, a file that no write fits into. */
const FULL = "/dev/full";

test.runIf(existsSync(FULL))("a program that starts on a full disk puts out what it lit before", async () => {
  const line = await planned({}, { on: [[NOW - MIN, NOW + 9 * MIN]] });
  line.say(aCommand());
  await line.saw("result");
  cut(line);
  const log = () => readFile(join(site.folder, "log.jsonl"), "utf8");
  await site.live(5 * MIN);
  await until(async () => (await log()) !== "", "an entry of the log");
  await site.stop("killed");
  for (const name of ["log.jsonl", "orders.jsonl", "lamps.json", "clock.json"])
    await symlink(FULL, join(site.folder, `${name}.new`));
  await site.start();
  await site.live(8 * MIN, () => !isLit());
  expect(site.switched()).toEqual(["open", "close"]);
});

test("a plan that is not the city's, is older, of another schema or another agent's is refused with a sentence", async () => {
  const line = await planned();
  const foreign = await aPlanKey("another city");
  const cases = [
    [aPlan({ rev: 4 }), foreign, "The plan's signature is not that of the city: enroll the agent anew"],
    [aPlan({ rev: 2 }), key, "The plan has revision 2, older than 3"],
    [aPlan({ rev: 5, agent: "a2" }), key, "The plan is another agent's"],
  ] as const;
  for (const [n, [plan, by, why]] of cases.entries()) {
    for (const frame of await framesOf(plan, by)) line.say(frame);
    expect(await line.saw("plan_refused", n + 1)).toEqual({ type: "plan_refused", rev: plan.rev, why });
  }
  expect(await readFile(join(site.folder, "plan.json"), "utf8")).toContain('"rev":3');
});

test("a city with another key than at first can't give a plan until the agent gets a new secret", async () => {
  cut(await planned());
  await site.stop("moved");
  site.city.refusal = null;
  const foreign = await aPlanKey("another city");
  const line = await welcomed({ plan_key: foreign.public_key });
  for (const frame of await framesOf(aPlan({ rev: 9 }), foreign)) line.say(frame);
  await line.saw("plan_refused");
  expect(site.means.said).toContain(
    "The city signs plans with another key: replace the agent's secret in Settings and install it again",
  );
});

test("a plan that was changed on the disk is not used", async () => {
  cut(await planned());
  await site.stop("opened");
  const path = join(site.folder, "plan.json");
  const plan = await readFile(path, "utf8");
  await writeFile(path, plan.replaceAll(String(NOW + 10 * MIN), String(NOW + 60 * MIN)));
  await site.start();
  await site.live(7 * MIN);
  expect(site.switched()).toEqual([]);
  expect(site.means.said.some((text) => text.startsWith("The plan that was kept is not used"))).toBe(true);
});

test("a plan of 500 lamps comes in parts", async () => {
  const [one] = aPlan().lamps;
  const lamps = Array.from({ length: 500 }, (_, n) => ({ ...one, device: `d${n}` }));
  const plan = { ...aPlan(), lamps } as const;
  const line = await welcomed();
  const body = JSON.stringify(plan);
  const frames = await framesOf(JSON.parse(body), key);
  expect(frames.length).toBeGreaterThan(3);
  for (const frame of frames) line.say(frame);
  expect(await line.saw("plan_ok")).toEqual({ type: "plan_ok", rev: 3 });
});

test("what the city asks for is read and told in one frame", async () => {
  const line = await planned();
  site.simulator.lamps.get(LAMP)?.turn(true, 0);
  line.socket.close(1012);
  await until(() => site.means.said.some((text) => text.startsWith("Not connected")), "the cut");
  await site.live(10_000, () => site.city.lines.length > 1);
  const again = await site.city.line(1);
  await welcome(again, { ask_states: ["d1", "d2"], now: NOW + 10_000 });
  // What is read is told a second later, and on a busy machine many seconds of the test go by while it is read.
  const isTold = () => again.heard.some(({ type }) => type === "states");
  await until(async () => (await site.live(1_000), isTold()), "the states");
  expect((await again.saw("states")).states).toMatchObject([{ device: "d1", state: "on" }]);
});

/** A log of so many entries that the city has not got yet. */
async function keepLog(length: number): Promise<number[]> {
  const entry = (n: number): AgentLogEntry => ({
    n,
    at: NOW,
    device: "d1",
    kind: "edge",
    action: "on",
    state: "on",
    ok: true,
    attempts: 1,
    note: "x".repeat(500),
    rev: 3,
  });
  const numbers = Array.from({ length }, (_, n) => n + 1);
  await writeFile(
    join(site.folder, "log.jsonl"),
    numbers.map((n) => `${JSON.stringify(entry(n))}\n`),
  );
  return numbers;
}

test("a long log comes in frames that the city takes, the last one marked", async () => {
  const numbers = await keepLog(250);
  const line = await welcomed();
  await site.live(20_000, () => line.heard.some((frame) => frame.type === "log" && frame.isLast));
  const logs = line.heard.flatMap((frame) => (frame.type === "log" ? [frame] : []));
  expect(logs.flatMap(({ entries }) => entries.map(({ n }) => n))).toEqual(numbers);
  expect(logs.map(({ isLast }) => isLast)).toEqual([false, false, true]);
  expect(Math.max(...logs.map((frame) => JSON.stringify(frame).length))).toBeLessThan(65_536);
});

test("what was under way when the line is back comes after all of a long log, for later it would count as known", async () => {
  cut(await planned());
  await site.stop("killed");
  const numbers = await keepLog(250);
  site.simulator.fault(LAMP, { kind: "stuck" });
  await site.start();
  await site.live(7 * MIN, () => site.switched().length > 0);
  site.city.refusal = null;
  const lines = site.city.lines.length;
  await site.live(MIN, () => site.city.lines.length > lines);
  const again = await site.city.line(lines);
  await again.saw("hello");
  await welcome(again, { now: NOW + 6 * MIN });
  const kept = () => readFile(join(site.folder, "log.jsonl"), "utf8");
  await until(async () => (await kept()).includes('"ok":false'), "the entry of what was under way");
  const logs = () => again.heard.flatMap((frame) => (frame.type === "log" ? [frame] : []));
  await site.live(20_000, () => logs().some(({ entries }) => entries.some(({ n }) => n === 250)));
  await site.live(5_000);
  const told = logs().flatMap(({ entries }) => entries.map(({ n }) => n));
  expect(told.slice(0, numbers.length)).toEqual(numbers);
  expect(told).toEqual([...new Set(told)]);
  expect(logs().at(-1)).toMatchObject({
    isLast: true,
    entries: expect.arrayContaining([expect.objectContaining({ kind: "edge", ok: false })]),
  });
});

/** A park of twenty lamps, all of one hub, that are to be lit together. */
function twentyLamps(on: [number, number][]) {
  const [one] = aPlan({}, { on }).lamps;
  if (!one) throw new Error("there is no lamp");
  return Array.from({ length: 20 }, (_, n) => {
    const lamp = `d88b4c02000000${10 + n}`;
    site.simulator.addLamp(lamp, `Post ${n}`, "Switch", "h1");
    return { ...one, device: `post-${n}`, address: { ...one.address, lamp, local_ref: lamp } };
  });
}

test("a program that is stopped while it lights a park begins nothing more, and goes on with it when it starts again", async () => {
  cut(await planned({ lamps: twentyLamps([[NOW + 3 * MIN, NOW + 60 * MIN]]) }));
  const lives = site.live(5 * MIN, () => site.switched().length > 0);
  await until(() => site.switched().length > 0, "the first lamp");
  await site.stop("opened");
  await lives;
  const lit = site.switched().length;
  expect([lit > 0, lit < 20]).toEqual([true, true]);
  await site.start();
  await site.live(10 * MIN, () => [...site.simulator.lamps.values()].filter(({ isLit }) => isLit).length === 20);
  expect(site.switched()).toEqual(Array.from({ length: 20 }, () => "open"));
});

test("of a switch that a stopped program did not begin the city is not told that it was tried", async () => {
  const started = site.means.at;
  cut(await planned({}, { on: [[NOW + 3 * MIN, NOW + 5 * MIN]] }));
  await site.live(6 * MIN, () => site.means.at >= started + 5 * MIN - 1_000);
  site.means.pass(2_000);
  await site.stop("opened");
  expect(site.switched()).toEqual(["open"]);
  site.city.refusal = null;
  const again = await welcomed();
  const { entries } = await again.saw("log");
  expect(entries.filter(({ kind }) => kind === "edge")).toMatchObject([{ action: "on", ok: true }]);
});

test("a program that is stopped while the city has it read a park reads no further", async () => {
  const lamps = twentyLamps([[NOW + 30 * MIN, NOW + 60 * MIN]]);
  const line = await planned({ lamps });
  line.socket.close(1012);
  await until(() => site.means.said.some((text) => text.startsWith("Not connected")), "the cut");
  await site.live(10_000, () => site.city.lines.length > 1);
  const again = await site.city.line(1);
  await again.saw("hello");
  const reads = () => site.simulator.journal.filter(({ method }) => method.endsWith(".getState")).length;
  await welcome(again, { ask_states: lamps.map(({ device }) => device), now: NOW + 10_000 });
  await until(() => reads() > 1, "a reading");
  await site.stop("opened");
  const read = reads();
  await new Promise((done) => setTimeout(done, 500));
  expect(reads()).toBeLessThanOrEqual(read + 1);
  expect(read).toBeLessThan(20);
});

test("a lamp that the city lit before the cut is put out by the plan", async () => {
  const line = await planned({}, { on: [[NOW - MIN, NOW + 4 * MIN]] });
  line.say(aCommand());
  await line.saw("result");
  cut(line);
  await site.live(6 * MIN, () => !isLit());
  expect(site.switched()).toEqual(["open", "close"]);
});

test("of a light that gets another lamp the city is told nothing more of the old one, once it has heard of the plan", async () => {
  const line = await planned();
  cut(line);
  await site.live(2 * MIN);
  site.city.refusal = null;
  const lines = site.city.lines.length;
  await site.live(2 * MIN, () => site.city.lines.length > lines);
  const again = await site.city.line(lines);
  await again.saw("hello");
  site.simulator.addLamp("d88b4c0100000002", "Pole 2", "Switch", "h1");
  site.simulator.lamps.get(LAMP)?.turn(true, Date.now());
  await welcome(again, { now: NOW + 4 * MIN, ask_states: ["d1"] });
  const [lamp] = aPlan().lamps;
  if (!lamp) throw new Error("there is no lamp");
  const address = { ...lamp.address, lamp: "d88b4c0100000002", local_ref: "d88b4c0100000002" };
  for (const frame of await framesOf(aPlan({ rev: 4 }, { address }), key)) again.say(frame);
  await again.saw("plan_ok");
  await site.live(10_000);
  const order = again.heard.map(({ type }) => type).filter((type) => type === "states" || type === "plan_ok");
  expect(order.slice(order.indexOf("plan_ok"))).toEqual(["plan_ok"]);
});
