import { afterEach, beforeEach, expect, test } from "vitest";
import type { ProviderResult } from "#durable/providers/provider";
import type { HubAddress } from "#durable/providers/provider";
import { LAMP } from "./addresses";
import { aPark, HOW, type Park } from "./a-park";

let park: Park;

beforeEach(async () => {
  park = await aPark();
});

afterEach(() => park.close());

const on = (mode: "cloud" | "local" | "hybrid" = "cloud", given = {}) =>
  park.provider.switch(park.at(mode, given), "on", 8_500, HOW);
const read = (mode: "cloud" | "local" | "hybrid" = "cloud", how = {}) =>
  park.provider.read(park.at(mode), 8_500, { ...HOW, ...how });
const isLit = () => park.simulator.lamps.get(LAMP)?.isLit;
const reasonOf = (answer: ProviderResult) => (answer.ok ? "ok" : answer.reason);
const SECRETS = /secret|access\.|devtoken/i;

test.each(["cloud", "local"] as const)(
  "a lamp is switched and read by %s, with one token and one list",
  async (mode) => {
    expect(await on(mode)).toMatchObject({ ok: true, state: "on", provider: mode, http_status: 200 });
    expect(isLit()).toBe(true);
    expect(await read(mode)).toMatchObject({ ok: true, state: "on" });
    const off = await park.provider.switch(park.at(mode), "off", 8_500, HOW);
    expect(off).toMatchObject({ ok: true, state: "off", snippet: `${mode}: 000000 Success off` });
    expect(isLit()).toBe(false);
    expect(park.asked(mode === "cloud" ? "cloud" : "h1")).toEqual([
      "token 000000",
      "Home.getDeviceList 000000",
      "Switch.setState 000000",
      "Switch.getState 000000",
      "Switch.setState 000000",
    ]);
  },
);

test("twenty calls at once ask for one token and one list", async () => {
  await Promise.all(Array.from({ length: 20 }, () => read()));
  expect(park.asked("cloud").filter((line) => !line.startsWith("Switch"))).toHaveLength(2);
});

test.each(["cloud", "local"] as const)("an expired token is renewed within the call (%s)", async (mode) => {
  await on(mode);
  park.simulator.cloud.expireAll();
  park.simulator.hubs.get("h1")?.issuer.expireAll();
  expect(await read(mode)).toMatchObject({ ok: true, state: "on" });
});

test.each(["cloud", "local"] as const)("a revoked token is renewed within the call (%s)", async (mode) => {
  await on(mode);
  park.simulator.cloud.revokeAll();
  park.simulator.hubs.get("h1")?.issuer.revokeAll();
  expect(await read(mode)).toMatchObject({ ok: true, state: "on" });
});

test("a token with a short life is renewed before it ends", async () => {
  park.simulator.cloud.ttl_ms = 1_000;
  await read();
  await new Promise((done) => setTimeout(done, 950));
  await read();
  expect(park.asked("cloud").filter((line) => line.startsWith("token"))).toHaveLength(2);
  expect(park.asked("cloud").filter((line) => line.endsWith("010104"))).toEqual([]);
});

test.each(["cloud", "local"] as const)("a changed device token is fetched again within the call (%s)", async (mode) => {
  await on(mode);
  park.simulator.changeDeviceTokens();
  expect(await read(mode)).toMatchObject({ ok: true, state: "on" });
});

test("wrong credentials are refused with a sentence, and not tried in a loop", async () => {
  park.settings.YOLINK_UAC_KEY = "uac.ua_0123456789ABCDEF:sec_v1_wrong==";
  const answers = [await on(), await on(), await on()];
  expect(answers.map(reasonOf)).toEqual(["refused", "refused", "refused"]);
  expect(answers[0]).toMatchObject({ detail: "the cloud: it refuses the credentials" });
  expect(park.asked("cloud")).toEqual(["token refused"]);
});

test.each([
  ["", "The UAC key is not set"],
  ["uac.demo123", "UAC key must contain the UAID and the secret"],
  ["uac.ua_1:nosecret", "UAC key must contain the UAID and the secret"],
])("a key '%s' fails at use, without a call", async (key, detail) => {
  park.settings.YOLINK_UAC_KEY = key;
  expect(await on()).toMatchObject({ ok: false, reason: "refused", detail });
  expect(park.simulator.journal).toEqual([]);
});

test("a key and a base that are not allowed to meet do not meet", async () => {
  park.settings.YOLINK_CLOUD_BASE = "https://evil.example";
  expect(await on()).toMatchObject({ ok: false, reason: "refused", detail: "The cloud base URL is not allowed" });
});

test.each([
  [{ ip_address: null }, "Hub North hub has no IP address"],
  [{ ip_address: "169.254.169.254" }, "Hub North hub's IP address is not allowed"],
  [{ local_client_secret: null }, "Hub North hub has no local credentials"],
])("a hub that can't be called says why: %o", async (given, detail) => {
  expect(await on("local", { hub: { ...park.hub(), ...given } })).toMatchObject({ reason: "refused", detail });
});

test("in local mode a device without a hub has no way, in hybrid it goes by cloud", async () => {
  expect(await on("local", { hub: null })).toMatchObject({ reason: "refused", detail: "The device has no hub" });
  expect(await on("hybrid", { hub: null })).toMatchObject({ ok: true, provider: "cloud" });
});

test("the seventh call of a device in a minute is refused by the cloud", async () => {
  for (let n = 0; n < 6; n += 1) expect(reasonOf(await read())).toBe("ok");
  expect(await read()).toMatchObject({ reason: "throttled", limit: "device" });
});

test("a lamp that is not in the list is refused, and the list is not asked for every time", async () => {
  const address = { cloud_device_id: "d88b4c01ffffffff" };
  expect(await on("cloud", address)).toMatchObject({
    reason: "refused",
    detail: "the cloud: it has no device d88b4c01ffffffff",
  });
  await on("cloud", address);
  expect(park.asked("cloud")).toEqual(["token 000000", "Home.getDeviceList 000000"]);
});

test.each([
  ["html", "unreachable"],
  ["garbage", "unreachable"],
  ["redirect", "unreachable"],
  ["oversized", "unreachable"],
] as const)("%s instead of a token: nothing was done", async (kind, reason) => {
  park.simulator.fault("cloud", { kind });
  expect(reasonOf(await on())).toBe(reason);
  expect(isLit()).toBe(false);
});

test.each([
  ["html", "timeout"],
  ["garbage", "timeout"],
  ["redirect", "unreachable"],
  ["oversized", "timeout"],
] as const)("%s instead of an answer to a switch: %s", async (kind, reason) => {
  await read("local");
  park.simulator.fault("h1", { kind });
  const answer = await on("local");
  expect(reasonOf(answer)).toBe(reason);
  park.simulator.fault("h1");
  expect(await read("local")).toMatchObject({ ok: true });
});

test("an answer that is lost after the switch was done is a time-out, and the lamp burns", async () => {
  park.simulator.fault(LAMP, { kind: "drop" });
  expect(reasonOf(await on())).toBe("timeout");
  expect(isLit()).toBe(true);
  expect(await read()).toMatchObject({ ok: true, state: "on" });
});

test("a stuck lamp answers success, and is read as it is", async () => {
  park.simulator.fault(LAMP, { kind: "stuck" });
  expect(await on()).toMatchObject({ ok: true });
  expect(await read()).toMatchObject({ ok: true, state: "off" });
});

test("a slow hub is waited for, a silent one for 4.2 s, and then the cloud has done it", async () => {
  await read("hybrid");
  park.simulator.fault("h1", { kind: "slow", ms: 20_000 });
  expect(await on("local")).toMatchObject({ ok: true, state: "on" });
  park.simulator.fault("h1", { kind: "silent" });
  const answer = await on("hybrid");
  expect(answer).toMatchObject({ ok: true, provider: "cloud" });
  expect(answer.snippet).toBe("local: no answer within 4.2 s; cloud: 000000 Success on");
});

test("hybrid obeys the hub's connection mode", async () => {
  expect(await on("hybrid", { hub: park.hub("cloud") })).toMatchObject({ provider: "cloud" });
  expect(await on("hybrid", { hub: park.hub("local") })).toMatchObject({ provider: "local" });
  expect(await on("hybrid", { hub: park.hub("hybrid") })).toMatchObject({ provider: "local" });
});

test("a verification goes the way that acted, and no other", async () => {
  park.simulator.fault("h1", { kind: "offline" });
  expect(await read("hybrid", { via: "local" })).toMatchObject({ ok: false, provider: "local" });
  expect(await read("hybrid", { via: "cloud" })).toMatchObject({ ok: true, provider: "cloud" });
  expect(park.asked("cloud").at(-1)).toBe("Switch.getState 000000");
});

test("a hub is pinged by its list, in the cloud by its state, in hybrid first one and then the other", async () => {
  const ping = (mode: "cloud" | "local" | "hybrid") => park.provider.ping(park.hub(), mode, 8_500, HOW);
  expect(await ping("local")).toMatchObject({ ok: true, provider: "local", snippet: "local: 000000 1 device" });
  expect(await ping("cloud")).toMatchObject({ ok: true, provider: "cloud" });
  park.simulator.fault("h1", { kind: "offline" });
  const both = await ping("hybrid");
  expect(both).toMatchObject({ ok: false });
  expect(both.snippet).toContain("cloud: 000101 its hub is offline");
  expect(await ping("cloud")).toMatchObject({ ok: false, reason: "unreachable" });
});

test("a hub that the cloud calls otherwise is known by its address, as long as only one has it", async () => {
  const ping = (given: Partial<HubAddress>) =>
    park.provider.ping({ ...park.hub(), name: "Ours", ...given }, "cloud", 8_500, HOW);
  park.simulator.addHub("h2", "South hub", "192.168.1.77");
  expect(await ping({ ip_address: "192.168.1.77" })).toMatchObject({ ok: true, provider: "cloud" });
  park.simulator.fault("h2", { kind: "offline" });
  expect(await ping({ ip_address: "192.168.1.77" })).toMatchObject({ ok: false, reason: "unreachable" });
  expect(await ping({ ip_address: "192.168.1.50" })).toMatchObject({ ok: true });
  const detail = "the cloud: it has no hub named 'Ours', and not one at its address";
  expect(await ping({ ip_address: "192.168.1.99" })).toMatchObject({ ok: false, reason: "refused", detail });
  // Each hub was asked for its address once, however often it is looked for.
  await ping({ ip_address: "192.168.1.99" });
  expect(park.asked("cloud").filter((line) => line.startsWith("Hub.getState"))).toHaveLength(5);
});

test("two hubs at the same address, in parks of their own, are not taken for one another", async () => {
  park.simulator.addHub("h2", "South hub", "192.168.1.50");
  const hub = { ...park.hub(), name: "Ours", ip_address: "192.168.1.50" };
  expect(await park.provider.ping(hub, "cloud", 8_500, HOW)).toMatchObject({ ok: false, reason: "refused" });
});

test("a lamp without power answers 000201 by both ways, a hub without power 000101 by the cloud", async () => {
  park.simulator.fault(LAMP, { kind: "offline" });
  for (const mode of ["cloud", "local"] as const) {
    expect(await on(mode)).toMatchObject({ reason: "device", snippet: `${mode}: 000201 the device did not answer` });
  }
  park.simulator.fault(LAMP);
  park.simulator.onlyByHub.add(LAMP);
  park.simulator.fault("h1", { kind: "offline" });
  expect(await on("cloud")).toMatchObject({ reason: "unreachable", snippet: "cloud: 000101 its hub is offline" });
});

test("a busy radio: the next call gets through", async () => {
  park.simulator.fault(LAMP, { kind: "flaky", n: 1 });
  expect([reasonOf(await on()), reasonOf(await on())]).toEqual(["device", "ok"]);
});

test("a device that is busy locally is not asked by the cloud as well", async () => {
  await on("local");
  park.simulator.fault(LAMP, { kind: "code", code: "020104" });
  expect(await on("hybrid")).toMatchObject({ reason: "throttled", limit: "device", provider: "local" });
  expect(park.asked("cloud")).toEqual([]);
});

test("a ping tries a hub that was silent a moment ago, and when it answers local is first again", async () => {
  park.simulator.fault("h1", { kind: "offline" });
  expect(await on("hybrid")).toMatchObject({ ok: true, provider: "cloud" });
  park.simulator.fault("h1");
  expect(await on("hybrid")).toMatchObject({ ok: true, provider: "cloud" });
  const ping = await park.provider.ping(park.hub(), "hybrid", 8_500, HOW);
  expect(ping).toMatchObject({ ok: true, provider: "local" });
  expect(await on("hybrid")).toMatchObject({ ok: true, provider: "local" });
});

test("the cloud's memory is believed where it is newer than our last call, and else the lamp is asked", async () => {
  const before = Date.now() - 60_000;
  await on();
  await read("cloud", { cached_since: before });
  expect(park.asked("cloud").at(-1)).toBe("Switch.fetchState 000000");
  expect(await read("cloud", { cached_since: Date.now() + 1_000 })).toMatchObject({ ok: true, state: "on" });
  expect(park.asked("cloud").slice(-2)).toEqual(["Switch.fetchState 000000", "Switch.getState 000000"]);
});

test.each([
  ["429", { kind: "status", status: 429, of: "token", retry_after_sec: 7 }, "throttled"],
  ["408", { kind: "status", status: 408, of: "token" }, "unreachable"],
  ["503", { kind: "status", status: 503, of: "token" }, "unreachable"],
  ["401", { kind: "status", status: 401, of: "token" }, "refused"],
] as const)("HTTP %s with JSON instead of a token is %o: %s", async (_, fault, reason) => {
  for (const door of ["cloud", "h1"]) park.simulator.fault(door, fault);
  for (const mode of ["cloud", "local"] as const) {
    const answer = await on(mode);
    expect(reasonOf(answer)).toBe(reason);
    const wait = answer.ok ? null : answer.retry_after_ms;
    if (reason === "throttled") expect(wait).toBe(7_000);
  }
  expect(isLit()).toBe(false);
});

test("too many calls by HTTP 429: nothing was done, and it is asked again when the cloud says so", async () => {
  await read();
  park.simulator.fault("cloud", { kind: "status", status: 429, retry_after_sec: 9 });
  expect(await on()).toMatchObject({ reason: "throttled", limit: "account", retry_after_ms: 9_000 });
});

test("a list of 5,000 devices is read", async () => {
  for (let n = 2; n <= 5_000; n += 1) {
    park.simulator.addLamp(`d88b4c02${n.toString(16).padStart(8, "0")}`, `Pole ${n} at the river`, "Switch", "h1");
  }
  expect(await on()).toMatchObject({ ok: true });
  expect(await on("local")).toMatchObject({ ok: true });
});

test.each([
  ["YS6802-UC", "cloud"],
  ["YS6802-UC", "local"],
  ["YS6801-UC", "cloud"],
  ["YS6801-UC", "local"],
] as const)("a %s whose sockets are not named is lit and dark with those that it has (%s)", async (model, mode) => {
  const id = "d88b4c0300000001";
  park.simulator.addLamp(id, "Strip", "MultiOutlet", "h1", model);
  expect(await on(mode, { cloud_device_id: id })).toMatchObject({ ok: true });
  const state = () => park.provider.read(park.at(mode, { cloud_device_id: id }), 8_500, HOW);
  expect(await state()).toMatchObject({ ok: true, state: "on" });
  park.simulator.lamps.get(id)?.turn(false, Date.now(), 0b10);
  expect(await state()).toMatchObject({ ok: true, state: "unknown" });
  expect(await park.provider.switch(park.at(mode, { cloud_device_id: id }), "off", 8_500, HOW)).toMatchObject({
    ok: true,
  });
  expect(await state()).toMatchObject({ ok: true, state: "off" });
});

test("no answer carries a secret", async () => {
  const answers = [await on(), await on("local"), await read("hybrid")];
  park.simulator.fault(LAMP, { kind: "code", code: "000103" });
  answers.push(await on(), await on("local"));
  park.settings.YOLINK_UAC_KEY = "uac.ua_0123456789ABCDEF:sec_v1_wrong==";
  park.simulator.cloud.refusal = "no: sec_v1_simulated+secret/42==";
  answers.push(await on());
  expect(answers.at(-1)?.snippet).toBe("cloud: it refuses the credentials");
  for (const answer of answers) {
    expect(JSON.stringify(answer)).not.toMatch(SECRETS);
    expect(answer.snippet.length).toBeLessThanOrEqual(200);
  }
});
