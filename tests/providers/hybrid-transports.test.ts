import { beforeEach, expect, test } from "vitest";
import { realProvider, sidesOf } from "#durable/providers/hybrid";
import type { Address, Failure, ProviderResult, Provider } from "#durable/providers/provider";
import type { Transport, TransportCall } from "#durable/providers/transport";
import { CONNECTION_MODES, PROVIDER_MODES } from "#domain/enums";
import { aHub, anAddress } from "./addresses";

/** Which transport a call takes, how long each may take, and what is reported after two. Transports and clock are fakes. */

type Side = "local" | "cloud";

const HUB = aHub();
const LAMP = anAddress({ mode: "hybrid", hub: HUB });
const HOW = {
  priority: "off",
  via: null,
  cached_since: 7,
  not_after: 9,
  device_id: "pole-1",
  order: 3,
  off_after_min: null,
} as const;

let now: number;
let answers: Record<Side, ProviderResult>;
let asked: { side: Side; what: string; within: number; call: TransportCall }[];
let provider: Provider;

beforeEach(() => {
  now = 1_000_000;
  asked = [];
  answers = { local: done("local"), cloud: done("cloud") };
  provider = realProvider({ local: transport("local"), cloud: transport("cloud") }, () => now);
});

function transport(side: Side): Transport {
  const ask = (what: string, call: TransportCall) => {
    asked.push({ side, what, within: call.until - now, call });
    return Promise.resolve(answers[side]);
  };
  return {
    switch: (_address, action, call) => ask(action, call),
    read: (_address, call) => ask("read", call),
    ping: (hub, call) => ask(`ping ${hub.name}`, call),
    list: async (hub) => ({ ok: true, devices: [{ id: hub?.id ?? side, name: side, type: "Switch", model: "" }] }),
  };
}

function done(side: Side): ProviderResult {
  return { ok: true, state: "on", provider: side, http_status: 200, rtt_ms: 30, snippet: `${side}: ok` };
}

function fails(
  side: Side,
  reason: (ProviderResult & { ok: false })["reason"],
  more: Partial<ProviderResult & { ok: false }> = {},
) {
  const told = { provider: side, http_status: null, rtt_ms: 400, snippet: `${side}: ${reason}` };
  const where = side === "cloud" ? "cloud" : "hub";
  const failures = [{ where, reason }] satisfies Failure[];
  const answer = { ok: false as const, reason, detail: `${side} is ${reason}`, failures, ...told, ...more };
  answers[side] = answer;
  return answer;
}

const off = (given: Partial<Address> = {}, timeout_ms = 9_000) =>
  provider.switch({ ...LAMP, ...given }, "off", timeout_ms, HOW);
const transports = () => asked.map(({ side, within }) => `${side} ${within}`);

test("the transports of each mode, for each hub and for a lamp without a hub", () => {
  const transports = PROVIDER_MODES.map((mode) => {
    const ofHubs = CONNECTION_MODES.map((of) => `${of}: ${sidesOf(mode, aHub({ connection_mode: of })).join("+")}`);
    return `${mode} | ${ofHubs.join(", ")} | none: ${sidesOf(mode, null).join("+")}`;
  });
  expect(transports).toEqual([
    "mock | local: cloud, cloud: cloud, hybrid: cloud | none: cloud",
    "cloud | local: cloud, cloud: cloud, hybrid: cloud | none: cloud",
    "local | local: local, cloud: local, hybrid: local | none: local",
    "hybrid | local: local, cloud: cloud, hybrid: local+cloud | none: cloud",
  ]);
});

test("passes the command, its priority and its deadlines to the transport", async () => {
  await off({ mode: "cloud" });
  await provider.read({ ...LAMP, mode: "cloud" }, 9_000, HOW);
  await provider.ping(HUB, "cloud", 9_000, HOW);
  expect(asked.map(({ what }) => what)).toEqual(["off", "read", "ping North hub"]);
  const { via: _via, ...call } = HOW;
  expect(asked[0]?.call).toEqual({ ...call, until: now + 8_900 });
});

test("gives a single transport all the time less 100 ms, and a hub alone at most 6 s", async () => {
  await off({ mode: "cloud" }, 9_000);
  await off({ mode: "local" }, 9_000);
  await off({ mode: "local" }, 4_000);
  expect(transports()).toEqual(["cloud 8900", "local 6000", "local 3900"]);
});

test("verifies by the transport that switched the lamp; 'mock' is not one", async () => {
  for (const via of ["local", "cloud", "mock"] as const) await provider.read(LAMP, 9_000, { ...HOW, via });
  expect(transports()).toEqual(["local 6000", "cloud 8900", "local 4200"]);
});

test("tries the hub first, for 4.2 s, and does not call the cloud after a success", async () => {
  expect(await off()).toEqual(done("local"));
  await off({}, 3_000);
  expect(transports()).toEqual(["local 4200", "local 2900"]);
});

test("falls back to the cloud with the time left when the hub fails, and reports both", async () => {
  fails("local", "refused");
  expect(await off()).toEqual({
    ...done("cloud"),
    failures: [{ where: "hub", reason: "refused" }],
    snippet: "local: refused; cloud: ok",
  });
  expect(transports()).toEqual(["local 4200", "cloud 8900"]);
});

test("does not try the cloud for a busy device, but does when the account's limit was reached", async () => {
  const busy = fails("local", "throttled", { limit: "device", retry_after_ms: 10_000 });
  expect(await off()).toEqual(busy);
  expect(transports()).toEqual(["local 4200"]);
  fails("local", "throttled", { limit: "account" });
  expect(await off()).toMatchObject({ ok: true, provider: "cloud" });
});

test.each([
  [20_000, undefined, 20_000],
  [20_000, 5_000, 5_000],
  [undefined, undefined, undefined],
])(
  "of a hub that asks to be left alone for %s ms, and the cloud for %s, the earlier is kept to",
  async (hub, cloud, ms) => {
    fails("local", "throttled", { limit: "account", retry_after_ms: hub });
    fails("cloud", "refused", { retry_after_ms: cloud });
    expect(await off()).toMatchObject({ ok: false, reason: "throttled", retry_after_ms: ms });
  },
);

/** `timeout` wins: a command that may have run must be verified, whatever the other transport says. */
test.each([
  ["timeout", "refused", "timeout"],
  ["refused", "timeout", "timeout"],
  ["device", "throttled", "device"],
  ["throttled", "unreachable", "throttled"],
  ["unreachable", "refused", "unreachable"],
  ["refused", "refused", "refused"],
] as const)("local %s and cloud %s is %s", async (local, cloud, reason) => {
  fails("local", local);
  const second = fails("cloud", cloud, { limit: "account", retry_after_ms: 5 });
  expect(await off()).toEqual({
    ...second,
    reason,
    detail: `local is ${local}; cloud is ${cloud}`,
    failures: [
      { where: "hub", reason: local },
      { where: "cloud", reason: cloud },
    ],
    snippet: `local: ${local}; cloud: ${cloud}`,
    rtt_ms: 800,
  });
});

test("shortens a long snippet of the hub so that both fit into 200 characters", async () => {
  fails("local", "refused", { snippet: "l".repeat(200) });
  fails("cloud", "refused", { snippet: "c".repeat(200) });
  expect((await off()).snippet).toBe(`${"l".repeat(100)}; ${"c".repeat(98)}`);
});

test.each(["unreachable", "timeout"] as const)("skips a hub for 15 s after it was %s", async (reason) => {
  fails("local", reason);
  await off();
  answers.local = done("local");
  now += 14_400;
  asked = [];
  fails("cloud", "device");
  expect(await off()).toEqual({
    ...answers.cloud,
    reason: "device",
    detail: "hub North hub: not tried, it was silent 14 s ago; cloud is device",
    failures: [
      { where: "hub", reason: "unreachable" },
      { where: "cloud", reason: "device" },
    ],
    snippet: "local: not tried, it was silent 14 s ago; cloud: device",
    rtt_ms: 400,
  });
  expect(transports()).toEqual(["cloud 8900"]);
  now += 600;
  expect(await off()).toMatchObject({ ok: true, provider: "local" });
});

test("reports unreachable when the hub was skipped and the cloud refused", async () => {
  fails("local", "timeout");
  await off();
  fails("cloud", "refused");
  expect(await off()).toMatchObject({ reason: "unreachable", http_status: null, provider: "cloud" });
});

test("skips only the silent hub, and only until it answers anything", async () => {
  fails("local", "timeout");
  await off();
  asked = [];
  await off({ hub: { ...HUB, id: "h2" } });
  expect(transports()).toEqual(["local 4200", "cloud 8900"]);
  now += 15_000;
  fails("local", "device");
  await off();
  asked = [];
  await off();
  expect(transports()).toEqual(["local 4200", "cloud 8900"]);
});

test("tries a hub again that was silent by a clock that was hours ahead", async () => {
  fails("local", "timeout");
  await off();
  now -= 3 * 3_600_000;
  answers.local = done("local");
  expect(await off()).toMatchObject({ ok: true, provider: "local" });
});

test("pings a hub even if it was silent a moment ago", async () => {
  fails("local", "timeout");
  await off();
  answers.local = done("local");
  asked = [];
  expect(await provider.ping(HUB, "hybrid", 9_000, HOW)).toMatchObject({ ok: true, provider: "local" });
  expect(await off()).toMatchObject({ ok: true, provider: "local" });
});
