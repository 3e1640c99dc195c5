import { afterEach, beforeEach, expect, test } from "vitest";
import { AGENT_CLOSE } from "#domain/agent/frames";
import { aCommand, aSite, SECRET, type Site } from "./a-site";
import { until } from "./until";

let site: Site;
beforeEach(async () => {
  site = await aSite();
});
afterEach(() => site.close());

const SEC = 1_000;
const MIN = 60 * SEC;

test("the secret goes in a header, and nowhere else", async () => {
  await site.start();
  const { headers, url } = await site.city.line(0);
  expect(headers.authorization).toBe(`Bearer ${SECRET}`);
  expect(url).toBe("/api/agent");
});

test("the agent says first which protocols it speaks, its version and its hubs", async () => {
  const line = await site.linked();
  expect(line.heard[0]).toMatchObject({ type: "hello", proto: [1, 1], agent: "1.0.0", log_from: null, plan_rev: null });
  await until(() => site.means.said.includes("Connected as Riverside, for North hub"), "the welcome");
  line.socket.terminate();
  await until(() => site.means.said.some((text) => text.includes("Next try in 3 s")), "a wait");
  site.means.pass(3 * SEC);
  const again = await (await site.city.line(1)).saw("hello");
  expect(again.hubs).toEqual([{ id: "h1", ok: false, detail: "not called yet" }]);
});

test("a cut line is made again soon, then less and less often", async () => {
  await site.start();
  (await site.city.line(0)).socket.terminate();
  site.city.refusal = { status: 503 };
  for (const sec of [3, 5, 10, 20, 30, 30]) {
    await until(() => site.means.said.at(-1)?.endsWith(`Next try in ${sec} s`), `a wait of ${sec} s`);
    site.means.said.length = 0;
    site.means.pass(sec * SEC);
  }
  expect(await until(() => site.city.refused === 6, "the sixth try")).toBe(true);
});

test("a line on which pings are not answered is given up and made again", async () => {
  const line = await site.linked();
  await until(() => site.means.said.some((text) => text.startsWith("Connected")), "the welcome");
  site.means.pass(12 * SEC);
  await until(() => line.pings === 1, "a ping");
  line.answersPings = false;
  site.means.pass(24 * SEC);
  expect(line.closed).toBe(null);
  site.means.pass(12 * SEC);
  await until(() => line.closed, "the end of the line");
  site.means.pass(5 * SEC);
  await (await site.city.line(1)).saw("hello");
});

test.each([
  ["revoked", AGENT_CLOSE.revoked, "the secret was replaced or revoked in Settings. Install again with the new one"],
  ["replaced", AGENT_CLOSE.replaced, "another computer connected with this agent's secret"],
  ["of another protocol", AGENT_CLOSE.protocol, "Download agent.mjs again and install it"],
])("an agent that is %s says so and waits for minutes", async (_, code, said) => {
  const line = await site.linked();
  await until(() => site.means.said.some((text) => text.startsWith("Connected")), "the welcome");
  line.socket.close(code);
  await until(() => site.means.said.at(-1)?.includes(said), "what to do");
  site.means.pass(MIN);
  expect(site.city.lines).toHaveLength(1);
  site.means.pass(MIN);
  await site.city.line(1);
});

test("a secret that is not accepted is not tried in a loop", async () => {
  site.city.refusal = { status: 401 };
  await site.start();
  await until(
    () => site.means.said.at(-1)?.startsWith("Not connected: the city doesn't accept the secret"),
    "a refusal",
  );
  site.means.pass(MIN);
  expect(site.city.refused).toBe(1);
});

test("the city's own wish how long to wait is granted", async () => {
  site.city.refusal = { status: 429, headers: { "Retry-After": "300" } };
  await site.start();
  await until(() => site.city.refused === 1, "a refusal");
  await until(() => site.means.said.length > 0, "the journal");
  expect(site.means.said).toEqual(["Not connected: the city answered 429. Next try in 300 s"]);
});

test("a redirect is not followed, since it would carry the secret along", async () => {
  const other = await aSite();
  site.city.refusal = { status: 302, headers: { Location: `${other.city.url}/api/agent` } };
  await site.start();
  await until(() => site.means.said.at(-1)?.startsWith("Not connected: the city answered 302"), "a refusal");
  expect(other.city.lines).toEqual([]);
  await other.close();
});

test.each([
  ["not JSON", "{", AGENT_CLOSE.not_json],
  ["binary", Buffer.from("{}"), AGENT_CLOSE.not_json],
  ["without a type", "{}", AGENT_CLOSE.bad_shape],
  ["of a bad shape", JSON.stringify({ type: "cmd", id: 7 }), AGENT_CLOSE.bad_shape],
  ["longer than 64 KiB", JSON.stringify({ type: "later", text: "x".repeat(65_536) }), AGENT_CLOSE.too_big],
])("a frame that is %s closes the line", async (_, frame, code) => {
  const line = await site.linked();
  line.socket.send(frame);
  expect(await until(() => line.closed, "the end of the line")).toMatchObject({ code });
});

test("a frame of a type and fields that only a newer city knows is ignored", async () => {
  const line = await site.linked();
  line.socket.send(JSON.stringify({ type: "dim", percent: 50 }));
  line.socket.send(JSON.stringify({ ...aCommand(), color: "warm" }));
  expect((await line.saw("result")).answer).toMatchObject({ ok: true });
});

test("commands before the welcome are not carried out", async () => {
  await site.start();
  const line = await site.city.line(0);
  await line.saw("hello");
  line.say(aCommand());
  line.say(site.welcome());
  line.say(aCommand({ id: "after" }));
  expect((await line.saw("result")).id).toBe("after");
});

test("a line whose welcome was held up is not used: what was held up as long would look fresh", async () => {
  await site.start();
  const line = await site.city.line(0);
  await line.saw("hello");
  site.means.pass(4 * SEC);
  line.say(site.welcome());
  line.say(aCommand());
  await until(() => line.closed, "the end of the line");
  expect(site.switched()).toEqual([]);
});

test("an answer to a line that was cut is told to nobody", async () => {
  const line = await site.linked();
  site.simulator.fault(site.hub().id, { kind: "slow", ms: 20_000 });
  line.say(aCommand());
  await until(() => site.means.said.some((text) => text.startsWith("Connected")), "the welcome");
  line.socket.terminate();
  await until(() => site.means.said.some((text) => text.startsWith("Not connected")), "the cut");
  site.means.pass(3 * SEC);
  const again = await site.city.line(1);
  again.say(site.welcome());
  again.say(aCommand({ verb: "ping", id: "ping", action: null, address: null, device: null, for_ms: 60_000 }));
  expect((await again.saw("result")).id).toBe("ping");
});

test(
  "a program that is stopped does not wait for a city that does not answer its goodbye",
  { timeout: 20_000 },
  async () => {
    const line = await site.linked();
    await until(() => site.means.said.some((text) => text.startsWith("Connected")), "the welcome");
    line.socket.close = () => undefined;
    await site.stop("it is told to stop");
    await line.saw("bye");
    expect(line.closed).toBe(null);
    site.means.pass(SEC);
    await until(() => line.closed, "the end of the line");
  },
);

test("a program that is stopped says goodbye", async () => {
  const line = await site.linked();
  await until(() => site.means.said.some((text) => text.startsWith("Connected")), "the welcome");
  await site.stop("it is told to stop");
  expect(await line.saw("bye")).toEqual({ type: "bye", code: 1001, say: "it is told to stop" });
  await until(() => line.closed?.code === 1001, "the end of the line");
});

test("nothing of the secret or the hubs' credentials is ever in the journal", async () => {
  const line = await site.linked();
  line.say(aCommand());
  await line.saw("result");
  line.socket.close(AGENT_CLOSE.revoked);
  await until(() => site.means.said.some((text) => text.startsWith("Not connected")), "the cut");
  expect(site.means.said.join("\n")).not.toMatch(/lla_|client-h1|local\+secret/);
});
