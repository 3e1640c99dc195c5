import { describe, expect, test } from "vitest";
import { CONNECTION_MODES, PROVIDER_MODES } from "#domain/enums";
import { reachWarning, reachWarningOf } from "#domain/hubs/hub-reach";

const aHub = (more: Partial<Parameters<typeof reachWarning>[0]> = {}) => ({
  name: "Boathouse",
  ip_address: "192.168.4.20",
  connection_mode: "hybrid" as const,
  agent_id: null,
  ...more,
});
const LOCAL = "Hub Boathouse is on a private network: assign it to an agent.";
const HYBRID = "Hub Boathouse is on a private network: without an agent it is reached through the cloud only.";
const local = { mode: "local" as const, direct: false };

describe("a hub on a private network without an agent", () => {
  test.each([
    ["local", "local", LOCAL],
    ["local", "cloud", LOCAL],
    ["local", "hybrid", LOCAL],
    ["hybrid", "local", LOCAL],
    ["hybrid", "cloud", null],
    ["hybrid", "hybrid", HYBRID],
    ["cloud", "local", null],
    ["mock", "local", null],
  ] as const)("in %s mode, itself %s: %s", (mode, connection_mode, sentence) => {
    expect(reachWarning(aHub({ connection_mode }), { mode, direct: false })).toBe(sentence);
  });
});

test("no other hub is warned of: with an agent, a public address, none, or a server on its own network", () => {
  for (const mode of PROVIDER_MODES)
    for (const connection_mode of CONNECTION_MODES) {
      const reach = { mode, direct: false };
      expect(reachWarning(aHub({ connection_mode, agent_id: "pc" }), reach)).toBeNull();
      expect(reachWarning(aHub({ connection_mode, ip_address: "198.51.100.4" }), reach)).toBeNull();
      expect(reachWarning(aHub({ connection_mode, ip_address: null }), reach)).toBeNull();
      expect(reachWarning(aHub({ connection_mode }), { mode, direct: true })).toBeNull();
    }
});

test.each(["10.0.0.1", "172.16.0.1", "172.31.255.254", "192.168.0.1"])("%s is private", (ip_address) => {
  expect(reachWarning(aHub({ ip_address }), local)).toBe(LOCAL);
});

test.each(["172.15.0.1", "172.32.0.1", "192.169.0.1", "11.0.0.1"])("%s is not", (ip_address) => {
  expect(reachWarning(aHub({ ip_address }), local)).toBeNull();
});

test("of one hub its own sentence is told, of several the first three, each with its area", () => {
  const inPark = (n: number, more = {}) => ({ ...aHub({ name: "Hub 1", ...more }), area_name: `Park ${n}` });
  const hubs = (count: number) => Array.from({ length: count }, (_, i) => inPark(i + 1));
  expect(reachWarningOf([], local)).toBeNull();
  expect(reachWarningOf([inPark(1, { agent_id: "pc" }), inPark(2)], local)).toBe(
    "Hub Hub 1 (Park 2) is on a private network: assign it to an agent.",
  );
  expect(reachWarningOf(hubs(2), local)).toBe(
    "2 hubs are on a private network and have no agent: Hub 1 (Park 1), Hub 1 (Park 2). Assign them to one.",
  );
  expect(reachWarningOf(hubs(40), local)).toBe(
    "40 hubs are on a private network and have no agent: Hub 1 (Park 1), Hub 1 (Park 2), Hub 1 (Park 3) and 37 more. Assign them to one.",
  );
});
