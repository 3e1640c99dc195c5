import { FORGETFUL } from "#durable/providers/session-store";
import { beforeEach, expect, test } from "vitest";
import { cloudHubs } from "#durable/providers/cloud-hubs";
import { yolinkClient } from "#durable/providers/yolink/client";
import { postTo } from "#tests/yolink/post";
import { Simulator } from "#tests/yolink/simulator";

const OURS = {
  id: "h1",
  name: "Ours",
  port: 1080,
  connection_mode: "cloud",
  agent_id: null,
  local_client_id: null,
  local_client_secret: null,
} as const;

let now: number;
let simulator: Simulator;
let list: () => Promise<{ ok: boolean }>;
let ping: (ip_address: string) => Promise<{ ok: boolean }>;

beforeEach(() => {
  now = 0;
  simulator = new Simulator({ now: () => now, wait: () => Promise.resolve(), random: () => 0 });
  simulator.limits.account = Infinity;
  const post = postTo(
    simulator,
    () => "cloud",
    () => () => undefined,
  );
  const client = yolinkClient({ post, now: () => now, store: FORGETFUL });
  const { id, secret } = simulator.cloud.credentials;
  const account = { key: "cloud", base: "http://cloud", client_id: id, client_secret: secret };
  const bounds = () => ({ until: now + 5_000, not_after: null, acquire: () => null });
  list = () => client.list(account, bounds());
  const hubs = cloudHubs(client, () => now);
  ping = (ip_address) => hubs(account, { ...OURS, ip_address }, bounds());
});

/** When tokens were requested, in minutes. */
const asked = () => simulator.journal.filter((e) => e.method === "token").map((e) => e.at / 60_000);

test("renews a two-hour token ten minutes before it expires, not sooner", async () => {
  for (; now <= 230 * 60_000; now += 60_000) expect(await list()).toMatchObject({ ok: true });
  expect(asked()).toEqual([0, 110, 220]);
});

test("retries refused credentials after 15, 30, 45 and then every 60 s, and starts over once they worked", async () => {
  const { credentials } = simulator.cloud;
  simulator.cloud.credentials = { ...credentials, secret: "another" };
  for (; now <= 290_000; now += 1_000) expect(await list()).toMatchObject({ ok: false, reason: "refused" });
  expect(asked().map((at) => at * 60)).toEqual([0, 15, 45, 90, 150, 210, 270]);
  simulator.cloud.credentials = credentials;
  now = 330_000;
  expect(await list()).toMatchObject({ ok: true });
  simulator.cloud.credentials = { ...credentials, secret: "another" };
  simulator.cloud.revokeAll();
  for (const until = now + 20_000; now <= until; now += 1_000) await list();
  expect(
    asked()
      .map((at) => at * 60)
      .slice(-3),
  ).toEqual([330, 330, 345]);
});

test("finds a hub that moved to another address, or was added later, within the hour", async () => {
  const hub = simulator.addHub("h1", "North hub", "192.168.1.50");
  expect(await ping("192.168.1.50")).toMatchObject({ ok: true });
  hub.ip = "192.168.1.60";
  expect(await ping("192.168.1.60")).toMatchObject({ ok: false, reason: "refused" });
  now += 3_601_000;
  expect(await ping("192.168.1.60")).toMatchObject({ ok: true });
  simulator.addHub("h2", "South hub", "192.168.1.70");
  now += 61_000;
  expect(await ping("192.168.1.70")).toMatchObject({ ok: true });
});
