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

test.each(["cloud", "local"] as const)("switches and reads a lamp by %s with one token and one list", async (mode) => {
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
});

test("requests one token and one list for twenty calls at once", async () => {
  await Promise.all(Array.from({ length: 20 }, () => read()));
  expect(park.asked("cloud").filter((line) => !line.startsWith("Switch"))).toHaveLength(2);
});

test.each(["cloud", "local"] as const)("renews an expired token within the call (%s)", async (mode) => {
  await on(mode);
  park.simulator.cloud.expireAll();
  park.simulator.hubs.get("h1")?.issuer.expireAll();
  expect(await read(mode)).toMatchObject({ ok: true, state: "on" });
});

test.each(["cloud", "local"] as const)("renews a revoked token within the call (%s)", async (mode) => {
  await on(mode);
  park.simulator.cloud.revokeAll();
  park.simulator.hubs.get("h1")?.issuer.revokeAll();
  expect(await read(mode)).toMatchObject({ ok: true, state: "on" });
});

test("renews a short-lived token before it expires", async () => {
  park.simulator.cloud.ttl_ms = 1_000;
  await read();
  await new Promise((done) => setTimeout(done, 950));
  await read();
  expect(park.asked("cloud").filter((line) => line.startsWith("token"))).toHaveLength(2);
  expect(park.asked("cloud").filter((line) => line.endsWith("010104"))).toEqual([]);
});

test.each(["cloud", "local"] as const)("fetches a changed device token within the call (%s)", async (mode) => {
  await on(mode);
  park.simulator.changeDeviceTokens();
  expect(await read(mode)).toMatchObject({ ok: true, state: "on" });
});

test("explains refused credentials and does not retry them in a loop", async () => {
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
])("refuses the key '%s' without a call", async (key, detail) => {
  park.settings.YOLINK_UAC_KEY = key;
  expect(await on()).toMatchObject({ ok: false, reason: "refused", detail });
  expect(park.simulator.journal).toEqual([]);
});

test("sends no key to a base URL that is not allowed", async () => {
  park.settings.YOLINK_CLOUD_BASE = "https://evil.example";
  expect(await on()).toMatchObject({ ok: false, reason: "refused", detail: "The cloud base URL is not allowed" });
});

test.each([
  [{ ip_address: null }, "Hub North hub has no IP address"],
  [{ ip_address: "169.254.169.254" }, "Hub North hub's IP address is not allowed"],
  [{ local_client_secret: null }, "Hub North hub has no local credentials"],
])("explains why a hub can't be called: %o", async (given, detail) => {
  expect(await on("local", { hub: { ...park.hub(), ...given } })).toMatchObject({ reason: "refused", detail });
});

test("refuses a device without a hub in local mode, and uses the cloud in hybrid mode", async () => {
  expect(await on("local", { hub: null })).toMatchObject({ reason: "refused", detail: "The device has no hub" });
  expect(await on("hybrid", { hub: null })).toMatchObject({ ok: true, provider: "cloud" });
});

test("the cloud refuses a device's seventh call in a minute", async () => {
  for (let n = 0; n < 6; n += 1) expect(reasonOf(await read())).toBe("ok");
  expect(await read()).toMatchObject({ reason: "throttled", limit: "device" });
});

test("refuses an unknown lamp without requesting the list each time", async () => {
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
] as const)("%s instead of a token means that the command was not sent", async (kind, reason) => {
  park.simulator.fault("cloud", { kind });
  expect(reasonOf(await on())).toBe(reason);
  expect(isLit()).toBe(false);
});

test.each([
  ["html", "timeout"],
  ["garbage", "timeout"],
  ["redirect", "unreachable"],
  ["oversized", "timeout"],
] as const)("%s instead of an answer to a switch is %s", async (kind, reason) => {
  await read("local");
  park.simulator.fault("h1", { kind });
  const answer = await on("local");
  expect(reasonOf(answer)).toBe(reason);
  park.simulator.fault("h1");
  expect(await read("local")).toMatchObject({ ok: true });
});

test("reports a timeout when the answer is lost after the lamp was switched", async () => {
  park.simulator.fault(LAMP, { kind: "drop" });
  expect(reasonOf(await on())).toBe("timeout");
  expect(isLit()).toBe(true);
  expect(await read()).toMatchObject({ ok: true, state: "on" });
});

test("reads a stuck lamp as it is, although its switch succeeded", async () => {
  park.simulator.fault(LAMP, { kind: "stuck" });
  expect(await on()).toMatchObject({ ok: true });
  expect(await read()).toMatchObject({ ok: true, state: "off" });
});

test("waits for a slow hub, and falls back to the cloud after 4.2 s of silence", async () => {
  await read("hybrid");
  park.simulator.fault("h1", { kind: "slow", ms: 20_000 });
  expect(await on("local")).toMatchObject({ ok: true, state: "on" });
  park.simulator.fault("h1", { kind: "silent" });
  const answer = await on("hybrid");
  expect(answer).toMatchObject({ ok: true, provider: "cloud" });
  expect(answer.snippet).toBe("local: no answer within 4.2 s; cloud: 000000 Success on");
});

test("obeys the hub's connection mode in hybrid mode", async () => {
  expect(await on("hybrid", { hub: park.hub("cloud") })).toMatchObject({ provider: "cloud" });
  expect(await on("hybrid", { hub: park.hub("local") })).toMatchObject({ provider: "local" });
  expect(await on("hybrid", { hub: park.hub("hybrid") })).toMatchObject({ provider: "local" });
});

test("verifies by the transport that switched the lamp, and no other", async () => {
  park.simulator.fault("h1", { kind: "offline" });
  expect(await read("hybrid", { via: "local" })).toMatchObject({ ok: false, provider: "local" });
  expect(await read("hybrid", { via: "cloud" })).toMatchObject({ ok: true, provider: "cloud" });
  expect(park.asked("cloud").at(-1)).toBe("Switch.getState 000000");
});

test("pings a hub by its list locally, by its state in the cloud, by both in hybrid mode", async () => {
  const ping = (mode: "cloud" | "local" | "hybrid") => park.provider.ping(park.hub(), mode, 8_500, HOW);
  expect(await ping("local")).toMatchObject({ ok: true, provider: "local", snippet: "local: 000000 1 device" });
  expect(await ping("cloud")).toMatchObject({ ok: true, provider: "cloud" });
  park.simulator.fault("h1", { kind: "offline" });
  const both = await ping("hybrid");
  expect(both).toMatchObject({ ok: false });
  expect(both.snippet).toContain("cloud: 000101 its hub is offline");
  expect(await ping("cloud")).toMatchObject({ ok: false, reason: "unreachable" });
});

test("recognizes a hub with another name in the cloud by its address, if only one hub has it", async () => {
  const ping = (given: Partial<HubAddress>) =>
    park.provider.ping({ ...park.hub(), name: "Ours", ...given }, "cloud", 8_500, HOW);
  park.simulator.addHub("h2", "South hub", "192.168.1.77");
  expect(await ping({ ip_address: "192.168.1.77" })).toMatchObject({ ok: true, provider: "cloud" });
  park.simulator.fault("h2", { kind: "offline" });
  expect(await ping({ ip_address: "192.168.1.77" })).toMatchObject({ ok: false, reason: "unreachable" });
  expect(await ping({ ip_address: "192.168.1.50" })).toMatchObject({ ok: true });
  const detail = "the cloud: it has no hub named 'Ours', and not one at its address";
  expect(await ping({ ip_address: "192.168.1.99" })).toMatchObject({ ok: false, reason: "refused", detail });
  // Each hub's address is read once, however often a search needs it.
  await ping({ ip_address: "192.168.1.99" });
  expect(park.asked("cloud").filter((line) => line.startsWith("Hub.getState"))).toHaveLength(5);
});

test("does not mix up two hubs that have the same private address in different parks", async () => {
  park.simulator.addHub("h2", "South hub", "192.168.1.50");
  const hub = { ...park.hub(), name: "Ours", ip_address: "192.168.1.50" };
  expect(await park.provider.ping(hub, "cloud", 8_500, HOW)).toMatchObject({ ok: false, reason: "refused" });
});

test("a lamp without power is 000201 by both transports, a hub without power 000101 by the cloud", async () => {
  park.simulator.fault(LAMP, { kind: "offline" });
  for (const mode of ["cloud", "local"] as const) {
    expect(await on(mode)).toMatchObject({ reason: "device", snippet: `${mode}: 000201 the device did not answer` });
  }
  park.simulator.fault(LAMP);
  park.simulator.onlyByHub.add(LAMP);
  park.simulator.fault("h1", { kind: "offline" });
  expect(await on("cloud")).toMatchObject({ reason: "unreachable", snippet: "cloud: 000101 its hub is offline" });
});

test("gets through on the next call after a busy radio", async () => {
  park.simulator.fault(LAMP, { kind: "flaky", n: 1 });
  expect([reasonOf(await on()), reasonOf(await on())]).toEqual(["device", "ok"]);
});

test("does not try the cloud for a device that is busy locally", async () => {
  await on("local");
  park.simulator.fault(LAMP, { kind: "code", code: "020104" });
  expect(await on("hybrid")).toMatchObject({ reason: "throttled", limit: "device", provider: "local" });
  expect(park.asked("cloud")).toEqual([]);
});

test("pings a hub that was silent a moment ago, and prefers it again once it answers", async () => {
  park.simulator.fault("h1", { kind: "offline" });
  expect(await on("hybrid")).toMatchObject({ ok: true, provider: "cloud" });
  park.simulator.fault("h1");
  expect(await on("hybrid")).toMatchObject({ ok: true, provider: "cloud" });
  const ping = await park.provider.ping(park.hub(), "hybrid", 8_500, HOW);
  expect(ping).toMatchObject({ ok: true, provider: "local" });
  expect(await on("hybrid")).toMatchObject({ ok: true, provider: "local" });
});

test("trusts the cloud's cached state if it is newer than our last call, else asks the lamp", async () => {
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
] as const)("HTTP %s with JSON instead of a token (%o) is %s", async (_, fault, reason) => {
  for (const door of ["cloud", "h1"]) park.simulator.fault(door, fault);
  for (const mode of ["cloud", "local"] as const) {
    const answer = await on(mode);
    expect(reasonOf(answer)).toBe(reason);
    const wait = answer.ok ? null : answer.retry_after_ms;
    if (reason === "throttled") expect(wait).toBe(7_000);
  }
  expect(isLit()).toBe(false);
});

test("takes HTTP 429 as throttled, until the Retry-After has passed", async () => {
  await read();
  park.simulator.fault("cloud", { kind: "status", status: 429, retry_after_sec: 9 });
  expect(await on()).toMatchObject({ reason: "throttled", limit: "account", retry_after_ms: 9_000 });
});

test("reads a list of 5,000 devices", async () => {
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
] as const)("reads a %s without a mask by the sockets that it has (%s)", async (model, mode) => {
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

test("puts no secret into an answer", async () => {
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
