import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { startAgent } from "#worker/agent/agent";
import { parseConfig } from "#worker/agent/config";
import { realMeans } from "#worker/agent/means";
import { serve } from "#tests/yolink/server";
import { Simulator } from "#tests/yolink/simulator";
import { aParkInD1, aRealCity } from "./a-real-city";
import { until } from "./until";

/** The object, the agent's program and a hub, each with its real socket; only the lamp is simulated. */

const LAMP = "d88b4c0100000001";
const SECRET = `lla_a1_${"s".repeat(43)}`;
/** The runtime puts an object to sleep that has had nothing to do for 10 s. */
const LONG_ENOUGH_MS = 20_000;
const MIN_MS = 60_000;

test("an object that slept under its agent's line wakes for a schedule, on the same line, with nothing asked anew", async () => {
  const wait = (ms: number) => new Promise<void>((done) => setTimeout(done, ms / 100));
  const simulator = new Simulator({ now: () => Date.now(), wait, random: () => 0.5 });
  simulator.addHub("h1", "North hub");
  simulator.addLamp(LAMP, "Pole 1", "Switch", "h1");
  const door = await serve(simulator, "h1");
  const city = await aRealCity();
  await aParkInD1(city, { port: door.port, lamp: LAMP }, SECRET);
  const hubs = { "North hub": { client_id: "client-h1", client_secret: "local+secret/h1==" } };
  const parsed = parseConfig(JSON.stringify({ url: city.url, secret: SECRET, networks: ["127.0.0.0/8"], hubs }));
  if (!parsed.ok) throw new Error(parsed.detail);
  const folder = await mkdtemp(join(tmpdir(), "lamplighter-asleep-"));
  const means = { ...realMeans(), say: () => undefined };
  const agent = await startAgent(parsed.config, { folder, means });
  const asked = () => simulator.journal.map(({ method }) => method);
  try {
    // Since the line is there, and at the hub's first turn, which comes 4 s after the object has heard of it.
    await until(() => asked().filter((method) => method === "Home.getDeviceList").length === 2, "two pings of the hub");
    const before = await city.counted();
    expect(before.opened).toBe(1);
    simulator.journal.length = 0;
    const start = Date.now() + LONG_ENOUGH_MS;
    await city.run(
      `INSERT INTO schedules (id, org_id, device_id, title, start_at, end_at, timezone)
       VALUES ('s1', 'city', 'd1', 'Practice', ?, ?, 'UTC')`,
      new Date(start).toISOString(),
      new Date(start + 60 * MIN_MS).toISOString(),
    );
    await city.sync("city");
    await sleep(start - Date.now());
    await until(() => simulator.lamps.get(LAMP)?.isLit, "the light to be lit");
    const after = await city.counted();
    expect(after.built).toBeGreaterThan(before.built);
    expect(after.opened).toBe(1);
    await until(() => asked().includes("Switch.getState"), "the light to be verified");
    expect(asked().filter((method) => method === "Switch.setState")).toHaveLength(1);
    expect(asked().filter((method) => method === "token" || method === "Home.getDeviceList")).toEqual([]);
  } finally {
    await agent.stop("the test is over");
    await Promise.all([city.close(), door.close()]);
    await rm(folder, { recursive: true });
  }
}, 120_000);
