import { expect, test } from "vitest";
import { realProvider, sidesOf } from "#durable/providers/hybrid";
import type { HubAddress } from "#durable/providers/provider";
import { unheard } from "#durable/providers/unheard";
import { CONNECTION_MODES, PROVIDER_MODES } from "#domain/words";
import { inWorld } from "#tests/support/engine";
import { aField, aSchedule, events, notes } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;

function aHub(connection_mode: HubAddress["connection_mode"]): HubAddress {
  return {
    id: "h",
    name: "Hub",
    connection_mode,
    ip_address: null,
    port: 1080,
    local_client_id: null,
    local_client_secret: null,
  };
}

test("the ways of each mode, hub and lamp without a hub (decision 20)", () => {
  const ways = PROVIDER_MODES.map((mode) => {
    const ofHubs = CONNECTION_MODES.map((of) => `${of}: ${sidesOf(mode, aHub(of)).join("+")}`);
    return `${mode} | ${ofHubs.join(", ")} | none: ${sidesOf(mode, null).join("+")}`;
  });
  expect(ways).toEqual([
    "mock | local: cloud, cloud: cloud, hybrid: cloud | none: cloud",
    "cloud | local: cloud, cloud: cloud, hybrid: cloud | none: cloud",
    "local | local: local, cloud: local, hybrid: local | none: local",
    "hybrid | local: local, cloud: cloud, hybrid: local+cloud | none: cloud",
  ]);
});

test("what nobody answered for is told of the way it would have gone first", () => {
  const told = PROVIDER_MODES.map((mode) => unheard({ mode, hub: aHub("hybrid") }, "timeout", "silence").provider);
  expect(told).toEqual(["mock", "cloud", "local", "local"]);
});

test("what two ways said is told in two hundred characters", async () => {
  const told = { provider: "cloud", http_status: null, snippet: "x".repeat(200), rtt_ms: 1 } as const;
  const silent = { ...told, ok: false, reason: "timeout", detail: "silence" } as const;
  const ask = () => Promise.resolve(silent);
  const way = { switch: ask, read: ask, ping: ask };
  const provider = realProvider({ local: way, cloud: way }, () => 0);
  const answer = await provider.ping(aHub("hybrid"), "hybrid", 9_000, {
    priority: "poll",
    via: null,
    cached_since: null,
  });
  expect(answer.snippet).toMatch(/^x{100}; x{98}$/);
});

test("a provider that throws is a call that broke off: verified, and tried again", async () => {
  await aField("thrown");
  await aSchedule("thrown", "thrown1", at("18:00:00"), at("22:00:00"));
  await inWorld("thrown", at("17:00:00"), async (world) => {
    await world.sync();
    const { providers } = world.room;
    world.room.providers = (mode) => ({ ...providers(mode), switch: () => Promise.reject(new Error("a bug")) });
    await world.to(at("18:00:05"));
    world.room.providers = providers;
    await world.to(at("18:01:00"));
    expect(world.lamp("thrown-lamp")).toBe("on");
    expect((await events("thrown")).map((line) => line.slice(9))).toEqual([
      "scheduler on retry 1",
      "scheduler on ok 2",
    ]);
    expect((await notes("thrown"))[0]).toMatch(/still off/);
    expect(world.lines.filter((line) => line.event === "provider.threw")).toEqual([
      expect.objectContaining({ reason: "Error: a bug" }),
    ]);
  });
});
