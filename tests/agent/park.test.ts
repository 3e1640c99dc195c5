import { afterEach, beforeEach, expect, test } from "vitest";
import { aPark, PARK_HUB, type Park } from "#tests/yolink/park";
import { Simulator } from "#tests/yolink/simulator";
import { aCommand, AGENT, NOW, SECRET } from "./a-site";
import { aFakeCity, type FakeCity, type Line } from "./fake-city";
import { until } from "./until";

const LAMP = "d88b4c0200000001";

let city: FakeCity;
let simulator: Simulator;
let park: Park;
beforeEach(async () => {
  city = await aFakeCity();
  simulator = new Simulator({ now: () => Date.now(), wait: () => Promise.resolve(), random: () => 0.5 });
  park = await aPark(simulator, new URL(city.url));
});
afterEach(async () => {
  await park.close();
  await city.close();
});

const press = (fields: Record<string, string>) => park.act(new URLSearchParams(fields));

async function welcomed(n: number): Promise<Line> {
  const line = await city.line(n);
  await line.saw("hello");
  const { id, name, ip, port } = PARK_HUB;
  const { credentials } = simulator.hubs.get(id)?.issuer ?? simulator.cloud;
  const hub = {
    id: "h1",
    name,
    ip_address: ip,
    port,
    connection_mode: "local" as const,
    credentials: { client_id: credentials.id, client_secret: credentials.secret },
  };
  const agent = { id: AGENT, name: "Riverside" };
  line.say({ type: "welcome", proto: 1, now: NOW, agent, hubs: [hub], plan_key: "key", ask_states: [] });
  return line;
}

function lampAt(ref: string) {
  const { address } = aCommand();
  return address && { ...address, lamp: ref, local_ref: ref };
}

test("the desk's park: its hub is reached through the agent, and a line that is cut says nothing", async () => {
  await press({ do: "enroll", secret: SECRET });
  const line = await welcomed(0);
  line.say(aCommand({ address: lampAt(LAMP) }));
  expect((await line.saw("result")).answer).toMatchObject({ ok: true, state: "on" });
  expect(simulator.lamps.get(LAMP)?.isLit).toBe(true);

  await press({ do: "line" });
  expect(park.view()).toMatchObject({ isCut: true, mode: "linked" });
  line.say(aCommand({ address: lampAt(LAMP), action: "off" }));
  await press({ do: "line" });
  const again = await welcomed(1);
  again.say(aCommand({ verb: "ping", action: null, address: null, device: null }));
  expect((await again.saw("result")).answer).toMatchObject({ ok: true });
  expect(simulator.lamps.get(LAMP)?.isLit).toBe(true);
});

test("the desk's agent can be switched off and on", async () => {
  await press({ do: "enroll", secret: SECRET });
  const line = await welcomed(0);
  await until(() => park.view().said.some((text) => text.includes("Connected")), "the welcome");
  await press({ do: "power" });
  await line.saw("bye");
  expect(park.view()).toMatchObject({ isOn: false, mode: "off" });
  await press({ do: "power" });
  expect(await (await city.line(1)).saw("hello")).toMatchObject({ hubs: [{ id: "h1" }] });
});

test("a secret that is not one is told in the page", async () => {
  await press({ do: "enroll", secret: "hunter2" });
  await until(() => park.view().said.length > 0, "the sentence");
  expect(park.view().said[0]).toContain("secret must be the one that Settings showed");
});
