import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { aCommand, aSite, LAMP, NOW, type Site } from "./a-site";
import { until } from "./until";

let site: Site;
beforeEach(async () => {
  site = await aSite();
});
afterEach(() => site.close());

test("a command switches the lamp and its answer comes back", async () => {
  const line = await site.linked();
  line.say(aCommand({ id: "one" }));
  expect(await line.saw("result")).toMatchObject({
    id: "one",
    answer: { ok: true, state: "on", http_status: 200, snippet: "local: 000000 Success on" },
  });
  expect(site.simulator.lamps.get(LAMP)?.isLit).toBe(true);
});

test("a reading, a ping and a hub's list come back", async () => {
  const line = await site.linked();
  site.simulator.lamps.get(LAMP)?.turn(true, 0);
  line.say(aCommand({ verb: "read", action: null, order: 0 }));
  expect((await line.saw("result")).answer).toMatchObject({ ok: true, state: "on" });
  line.say(aCommand({ verb: "ping", action: null, device: null, address: null, order: 0 }));
  expect((await line.saw("result", 2)).answer).toMatchObject({ ok: true, snippet: "local: 000000 1 device" });
  line.say(aCommand({ verb: "list", action: null, device: null, address: null, order: 0 }));
  expect((await line.saw("result", 3)).answer).toMatchObject({
    ok: true,
    devices: [{ id: LAMP, name: "Pole 1", type: "Switch", model: "" }],
  });
});

test("the same command twice is carried out once and answered twice alike", async () => {
  const line = await site.linked();
  const command = aCommand();
  line.say(command);
  line.say(command);
  const [first, second] = [await line.saw("result", 1), await line.saw("result", 2)];
  line.say(command);
  expect([second, await line.saw("result", 3)]).toEqual([first, first]);
  expect(site.switched()).toEqual(["open"]);
});

test("a command that is not newer than the last of its light is stale", async () => {
  const line = await site.linked();
  line.say(aCommand({ action: "off", order: 7 }));
  expect((await line.saw("result")).answer).toMatchObject({ ok: true, state: "off" });
  line.say(aCommand({ action: "on", order: 6 }));
  line.say(aCommand({ action: "on", order: 7 }));
  expect((await line.saw("result", 2)).answer).toMatchObject({ ok: false, reason: "stale", failures: [] });
  expect((await line.saw("result", 3)).answer).toMatchObject({ ok: false, reason: "stale" });
  line.say(aCommand({ action: "on", order: 6, device: "d2" }));
  expect((await line.saw("result", 4)).answer).toMatchObject({ ok: true });
  expect(site.switched()).toEqual(["close", "open"]);
});

test("an order is on the disk before the hub is called, and the next run of the program knows it", async () => {
  const line = await site.linked();
  site.simulator.fault("h1", { kind: "silent" });
  line.say(aCommand({ order: 4_141 }));
  const path = join(site.folder, "orders.jsonl");
  await until(async () => (await readFile(path, "utf8")).includes("4141"), "the order on the disk");

  const other = await site.linked(); // as after kill -9: nobody was told anything
  other.say(aCommand({ order: 4_141 }));
  expect((await other.saw("result")).answer).toMatchObject({ ok: false, reason: "stale" });
  expect(site.switched()).toEqual([]);
});

test("a frame that was held up for 20 s switches nothing", async () => {
  const line = await site.linked();
  await until(() => site.means.said.some((text) => text.startsWith("Connected")), "the welcome");
  site.means.pass(20_000);
  line.say(aCommand({ now: NOW }));
  expect((await line.saw("result")).answer).toMatchObject({ ok: false, reason: "late", failures: [] });
  line.say(aCommand({ now: NOW + 20_000 }));
  expect((await line.saw("result", 2)).answer).toMatchObject({ ok: true });
  expect(site.switched()).toEqual(["open"]);
});

test("lateness needs no clock to be right", async () => {
  site.means.wall_error_ms = -9 * 3_600_000;
  const line = await site.linked();
  await until(() => site.means.said.some((text) => text.startsWith("Connected")), "the welcome");
  site.means.at += 3_600_000;
  line.say(aCommand({ now: NOW + 3_600_000 }));
  expect((await line.saw("result")).answer).toMatchObject({ ok: true });
});

test("a command whose turn comes too late is not carried out", async () => {
  const line = await site.linked();
  await until(() => site.means.said.some((text) => text.startsWith("Connected")), "the welcome");
  site.simulator.fault("h1", { kind: "silent" });
  const waiting = site.means.waiting;
  line.say(aCommand({ for_ms: 9_000 }));
  line.say(aCommand({ for_ms: 1_000 }));
  await until(() => site.means.waiting > waiting, "a call to the hub");
  site.means.pass(9_000);
  expect((await line.saw("result", 1)).answer).toMatchObject({ ok: false, reason: "unreachable" });
  expect((await line.saw("result", 2)).answer).toMatchObject({ ok: false, reason: "late" });
});

test("above 32 commands the agent is busy", async () => {
  const line = await site.linked();
  site.simulator.fault("h1", { kind: "silent" });
  for (let n = 0; n < 33; n += 1) line.say(aCommand({ device: `d${n}` }));
  const { answer } = await line.saw("result");
  expect(answer).toMatchObject({ ok: false, reason: "throttled", retry_after_ms: 500, failures: [] });
});

test("of those that wait for a hub, OFF comes first", async () => {
  const line = await site.linked();
  line.say(aCommand({ device: "d1", action: "on" }));
  line.say(aCommand({ device: "d2", action: "on" }));
  line.say(aCommand({ device: "d3", action: "off" }));
  await line.saw("result", 3);
  expect(site.switched()).toEqual(["open", "close", "open"]);
});

test("only hubs that are assigned to the agent are called", async () => {
  const line = await site.linked();
  line.say(aCommand({ hub: "h2" }));
  expect((await line.saw("result")).answer).toMatchObject({
    ok: false,
    reason: "refused",
    detail: "the hub is not assigned to this agent",
    failures: [{ where: "hub", reason: "refused" }],
  });
});

test("an address that the agent's own file doesn't allow is not called, whatever the city says", async () => {
  const line = await site.linked();
  for (const [n, ip_address] of ["192.168.7.7", "8.8.8.8", "169.254.169.254", "127.0.0.1.nip.io"].entries()) {
    line.say(site.welcome({ hubs: [site.hub({ ip_address })] }));
    line.say(aCommand());
    expect((await line.saw("result", n + 1)).answer).toMatchObject({
      ok: false,
      reason: "refused",
      detail: `hub North hub: the agent's own file doesn't allow ${ip_address}`,
    });
  }
  expect(site.simulator.journal).toEqual([]);
});

test("ON sets the lamp's own timer, unless the lamp was switched again meanwhile", async () => {
  const line = await site.linked();
  line.say(aCommand({ off_after_min: 125 }));
  await line.saw("result");
  const delays = () => site.simulator.journal.filter(({ method }) => method === "Switch.setDelay");
  await until(() => delays().length === 1, "the timer");
  expect(site.simulator.lamps.get(LAMP)?.delays(Date.now())).toEqual({ delay: { ch: 1, on: 0, off: 125 } });

  line.say(aCommand({ off_after_min: 60 }));
  line.say(aCommand({ action: "off" }));
  await line.saw("result", 3);
  line.say(aCommand({ verb: "ping", action: null, device: null, address: null }));
  await line.saw("result", 4);
  expect(delays()).toHaveLength(1);
});
