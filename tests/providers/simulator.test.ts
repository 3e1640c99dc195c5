import { beforeEach, expect, test } from "vitest";
import { act, view } from "#tests/yolink/page";
import { Simulator, hubDevice } from "#tests/yolink/simulator";

/** The simulator answers as the vendor's own client expects; its clock is the test's. */

const SWITCH = "d88b4c0100000001";
const STRIP = "d88b4c0100000002";
const DIMMER = "d88b4c0100000003";
const API = "/open/yolink/v2/api";
const TOKEN = "/open/yolink/token";

let now = 0;
let waits: { at: number; done: () => void }[] = [];
let simulator: Simulator;

beforeEach(() => {
  now = Date.parse("2026-06-10T18:00:00Z");
  waits = [];
  const wait = (ms: number) =>
    new Promise<void>((done) => void (ms < 60_000 ? done() : waits.push({ at: now + ms, done })));
  simulator = new Simulator({ now: () => now, wait, random: () => 0 });
  simulator.addHub("h1", "North hub", "192.168.7.9");
  simulator.addLamp(SWITCH, "Pole 1", "Switch", "h1");
  simulator.addLamp(STRIP, "Sockets", "MultiOutlet", "h1", "YS6801-UC");
  simulator.addLamp(DIMMER, "Path", "Dimmer", "h1");
});

async function later(minutes: number): Promise<void> {
  now += minutes * 60_000;
  for (const { at, done } of waits) if (at <= now) done();
  await new Promise((done) => setImmediate(done));
}

async function told(door: string, asked: { path: string; query?: string; authorization?: string; body?: string }) {
  const answer = await simulator.ask(door, { query: "", authorization: null, body: "", ...asked });
  if (typeof answer === "string") throw new Error(answer);
  return { status: answer.status, json: JSON.parse(answer.body) };
}

const form = (door: string, id: string, secret: string) =>
  told(door, {
    path: TOKEN,
    body: new URLSearchParams({ grant_type: "client_credentials", client_id: id, client_secret: secret }).toString(),
  });

async function tokenOf(door: string): Promise<string> {
  const { id, secret } = (simulator.hubs.get(door)?.issuer ?? simulator.cloud).credentials;
  return (await form(door, id, secret)).json.access_token;
}

async function call(door: string, packet: Record<string, unknown> | string, token?: string) {
  const authorization = `Bearer ${token ?? (await tokenOf(door))}`;
  const body = typeof packet === "string" ? packet : JSON.stringify(packet);
  return told(door, { path: API, authorization, body });
}

async function device(door: string, id: string, method: string, params: Record<string, unknown> = {}) {
  const { json } = await call(door, { method: "Home.getDeviceList" });
  const { token } = json.data.devices.find((row: { deviceId: string }) => row.deviceId === id) ?? {};
  return (await call(door, { method, targetDevice: id, token, params })).json;
}

test("issues a token by form, by query or, at a hub, by Basic, with its lifetime as a number", async () => {
  const { id, secret } = simulator.cloud.credentials;
  const pair = { access_token: expect.any(String), refresh_token: expect.any(String), token_type: "bearer" };
  const whole = { status: 200, json: { ...pair, expires_in: 7200, scope: ["create"] } };
  expect(await form("cloud", id, secret)).toEqual(whole);
  const query = new URLSearchParams({ grant_type: "client_credentials", client_id: id, client_secret: secret });
  expect(await told("cloud", { path: TOKEN, query: query.toString() })).toEqual(whole);
  const body = "grant_type=client_credentials";
  const authorization = `Basic ${btoa("client-h1:local+secret/h1==")}`;
  expect(await told("h1", { path: TOKEN, authorization, body })).toEqual(whole);
});

test("refuses wrong credentials, and ones with a leading blank, with HTTP 200", async () => {
  const { id, secret } = simulator.cloud.credentials;
  const refused = (msg: string) => ({ status: 200, json: { state: "error", msg } });
  expect(await form("cloud", ` ${id}`, secret)).toEqual(refused("Not Support"));
  expect(await form("h1", "client-h1", "wrong")).toEqual(refused("Auth Failed"));
});

test("accepts a refresh token once", async () => {
  const { id, secret } = simulator.cloud.credentials;
  const first = (await form("cloud", id, secret)).json;
  const body = new URLSearchParams({ grant_type: "refresh_token", client_id: id, refresh_token: first.refresh_token });
  const second = (await told("cloud", { path: TOKEN, body: body.toString() })).json;
  expect([second.access_token, second.refresh_token]).not.toContain(first.access_token);
  expect((await told("cloud", { path: TOKEN, body: body.toString() })).json.state).toBe("error");
});

test("echoes method and msgid, with the code as a string and data as an object", async () => {
  const asked = await call("cloud", { method: "Home.getGeneralInfo", msgid: "m-7" });
  expect(asked.json).toMatchObject({ code: "000000", method: "Home.getGeneralInfo", msgid: "m-7", time: now });
  expect(asked.json.data.id).toEqual(expect.any(String));
  const failed = await call("cloud", { method: "Switch.getState", targetDevice: "d88b4c01ffffffff", token: "x" });
  expect(failed.json).toMatchObject({ code: "020101", desc: "The device does not exist", data: {}, msgid: now });
});

test.each([
  ["cloud", "nobody's", 200, "000103"],
  ["h1", "nobody's", 401, "010103"],
])("%s answers a token that is %s with HTTP %i, %s", async (door, token, status, code) => {
  expect(await call(door, { method: "Home.getDeviceList" }, token)).toMatchObject({ status, json: { code, data: {} } });
});

test.each(["cloud", "h1"])("%s: a token expires at the end of its lifetime, with HTTP 200", async (door) => {
  const token = await tokenOf(door);
  now += 7_199_000;
  expect((await call(door, { method: "Home.getDeviceList" }, token)).json.code).toBe("000000");
  now += 1_000;
  expect(await call(door, { method: "Home.getDeviceList" }, token)).toMatchObject({
    status: 200,
    json: { code: "010104" },
  });
});

test.each([
  ["{", "010204"],
  [{ targetDevice: SWITCH }, "010202"],
  [{ method: "Switch.getState", targetDevice: SWITCH, token: "wrong" }, "000103"],
] as const)("answers %j with %s", async (packet, code) => {
  expect((await call("cloud", packet)).json.code).toBe(code);
});

test("refuses another device type's method and an unknown one", async () => {
  expect((await device("cloud", SWITCH, "Outlet.getState")).code).toBe("010203");
  expect((await device("cloud", SWITCH, "Switch.dance")).code).toBe("010203");
});

test("the cloud lists every device in full, a hub its lamps with four fields and other tokens", async () => {
  const rows = async (door: string) => (await call(door, { method: "Home.getDeviceList" })).json.data.devices;
  const [cloud, hub] = [await rows("cloud"), await rows("h1")];
  expect(cloud.map((row: { deviceId: string }) => row.deviceId)).toEqual([hubDevice("h1"), SWITCH, STRIP, DIMMER]);
  for (const row of cloud) {
    expect(row).toMatchObject({ deviceUDID: expect.any(String), modelName: expect.stringMatching(/^YS\d{4}-UC$/) });
    expect([row.parentDeviceId, row.serviceZone]).toEqual([null, null]);
  }
  expect(hub.map((row: object) => Object.keys(row).toSorted())).toEqual(
    Array.from({ length: 3 }, () => ["deviceId", "name", "token", "type"]),
  );
  expect(hub[0].token).not.toBe(cloud[1].token);
});

test("setState answers briefly, getState in full, fetchState nested, without a state until the lamp reported one", async () => {
  expect((await device("cloud", SWITCH, "Switch.fetchState")).data).toEqual({ online: false, deviceId: SWITCH });
  const short = (await device("cloud", SWITCH, "Switch.setState", { state: "open" })).data;
  expect(Object.keys(short).toSorted()).toEqual(["loraInfo", "state"]);
  expect((await device("cloud", SWITCH, "Switch.getState")).data).toMatchObject({
    state: "open",
    delay: { ch: 1, on: 0, off: 0 },
    power: 57,
    watt: 0,
    tz: -8,
    time: new Date(now).toISOString(),
  });
  const cached = (await device("cloud", SWITCH, "Switch.fetchState")).data;
  expect(cached).toMatchObject({ online: true, reportAt: new Date(now).toISOString(), state: { state: "open" } });
  now += 17 * 3_600_000;
  expect((await device("cloud", SWITCH, "Switch.fetchState")).data.online).toBe(false);
});

test("a MultiOutlet switches the sockets of its mask, or all, and reports eight; a Dimmer reports its brightness", async () => {
  const set = async (params: Record<string, unknown>) =>
    (await device("cloud", STRIP, "MultiOutlet.setState", params)).data.state.join(" ");
  expect(await set({ state: "open", chs: 6 })).toBe("closed open open closed closed closed closed closed");
  expect(await set({ state: "open" })).toBe("open open open open open closed closed closed");
  expect((await device("cloud", DIMMER, "Dimmer.setState", { state: "open", brightness: 40 })).data).toMatchObject({
    state: "open",
    brightness: 40,
  });
  expect((await device("cloud", DIMMER, "Dimmer.getState")).data.deviceAttributes).toMatchObject({ calibration: 1 });
});

test("takes every word but 'open' as OFF and answers success", async () => {
  await device("h1", SWITCH, "Switch.setState", { state: "open" });
  expect(await device("h1", SWITCH, "Switch.setState", { state: "on" })).toMatchObject({
    code: "000000",
    data: { state: "closed" },
  });
  expect(simulator.lamps.get(SWITCH)?.isLit).toBe(false);
});

test("a lamp switches when its own delay has passed, and a delay of 0 cancels it", async () => {
  await device("cloud", SWITCH, "Switch.setState", { state: "open" });
  const delayed = await device("cloud", SWITCH, "Switch.setDelay", { delayOn: 0, delayOff: 90 });
  expect(delayed.data).toEqual({ delay: { ch: 1, on: 0, off: 90 } });
  await later(30);
  expect((await device("cloud", SWITCH, "Switch.getState")).data).toMatchObject({ state: "open", delay: { off: 60 } });
  await later(60);
  expect(simulator.lamps.get(SWITCH)?.isLit).toBe(false);

  await device("cloud", STRIP, "MultiOutlet.setDelay", { delays: [{ ch: 1, on: 5, off: 0 }] });
  await later(5);
  expect((await device("cloud", STRIP, "MultiOutlet.getState")).data.state.slice(0, 3)).toEqual([
    "closed",
    "open",
    "closed",
  ]);
  await device("cloud", SWITCH, "Switch.setDelay", { delayOn: 5, delayOff: 0 });
  await device("cloud", SWITCH, "Switch.setDelay", { delayOn: 0, delayOff: 0 });
  await later(6);
  expect(simulator.lamps.get(SWITCH)?.isLit).toBe(false);
});

test("a hub's address is known to the cloud only, which reports an unplugged hub offline", async () => {
  expect((await device("cloud", hubDevice("h1"), "Hub.getState")).data.wifi.ip).toBe("192.168.7.9");
  simulator.fault("h1", { kind: "silent" });
  expect((await device("cloud", hubDevice("h1"), "Hub.getState")).code).toBe("000101");
});

test("the cloud allows 100 calls in five minutes and six a minute for a device, failed calls included", async () => {
  const token = await tokenOf("cloud");
  const code = async (packet: object) =>
    (await call("cloud", { method: "Home.getGeneralInfo", ...packet }, token)).json.code;
  const lamp = { method: "Switch.getState", targetDevice: SWITCH, token: "wrong" };
  const first = [];
  for (let n = 0; n < 7; n += 1) first.push(await code(lamp));
  expect(first.slice(-2)).toEqual(["000103", "020104"]);
  for (let n = 7; n < 100; n += 1) expect(await code({})).toBe("000000");
  expect(await code({})).toBe("010301");
  now += 301_000;
  expect(await code({})).toBe("000000");
});

test("the cloud limits tokens per five minutes and answers HTTP 429 with Retry-After", async () => {
  const { id, secret } = simulator.cloud.credentials;
  simulator.limits.tokens = 2;
  for (let n = 0; n < 2; n += 1) expect((await form("cloud", id, secret)).status).toBe(200);
  now += 60_000;
  const path = TOKEN;
  const refused = await simulator.ask("cloud", { path, query: "", authorization: null, body: "" });
  expect(refused).toMatchObject({ status: 429, headers: { "Retry-After": "240" } });
  expect((await form("h1", "client-h1", "local+secret/h1==")).status).toBe(200);
  now += 240_001;
  expect((await form("cloud", id, secret)).status).toBe(200);
});

test("a door can be made to fail with an HTTP status, for token requests only or for every call", async () => {
  const token = await tokenOf("cloud");
  simulator.fault("cloud", { kind: "status", status: 401, of: "token" });
  const { id, secret } = simulator.cloud.credentials;
  expect(await form("cloud", id, secret)).toMatchObject({ status: 401, json: { state: "error" } });
  expect((await call("cloud", { method: "Home.getGeneralInfo" }, token)).status).toBe(200);
  simulator.fault("cloud", { kind: "status", status: 503 });
  expect((await call("cloud", { method: "Home.getGeneralInfo" }, token)).status).toBe(503);
});

test("the page shows a lamp of every type and the faults in force", async () => {
  simulator.addLamp("d88b4c0100000004", "Plug", "Outlet", "h1");
  simulator.lamps.get(STRIP)?.turn(true, now, 0x06);
  simulator.lamps.get(DIMMER)?.turn(true, now);
  const { lamps, doors } = view(simulator, {});
  expect(lamps.map(({ type, isLit, detail }) => ({ type, isLit, detail }))).toEqual([
    { type: "Switch", isLit: false, detail: "" },
    { type: "MultiOutlet", isLit: true, detail: expect.stringContaining("socket 0 off, socket 1 on, socket 2 on") },
    { type: "Dimmer", isLit: true, detail: "100 %" },
    { type: "Outlet", isLit: false, detail: "" },
  ]);
  act(simulator, new URLSearchParams({ do: "fault", of: "cloud", fault: "token 429" }));
  expect(view(simulator, {}).doors[0]?.faults).toEqual(["token 429"]);
  expect(doors.map(({ id }) => id)).toEqual(["cloud", "h1"]);
});

test("a hub is busy while the same call to the same lamp is under way", async () => {
  const slow = new Simulator({
    now: () => now,
    wait: (ms) => new Promise((done) => setTimeout(done, ms / 100)),
    random: () => 0,
  });
  simulator = slow;
  slow.addHub("h1", "North hub");
  slow.addLamp(SWITCH, "Pole 1", "Switch", "h1");
  const both = await Promise.all([device("h1", SWITCH, "Switch.getState"), device("h1", SWITCH, "Switch.getState")]);
  expect(both.map((one) => one.code).toSorted()).toEqual(["000000", "020104"]);
});
