import { beforeEach, describe, expect, test } from "vitest";
import { cloudTransport } from "#durable/providers/cloud";
import { localTransport } from "#durable/providers/local";
import type { Address, HubAddress } from "#durable/providers/provider";
import type { Transport, TransportCall } from "#durable/providers/transport";
import { aHub, anAddress, LAMP } from "./addresses";
import { aFakeServer, code, list, ok, type FakeServer } from "./fake-server";

/** One transport to the hardware: whom it calls, which answers it trusts, what it reports. */

const HUB = aHub({ connection_mode: "local", local_client_id: " id ", local_client_secret: " secret " });
const lamp = (given: Partial<Address> = {}) => anAddress({ hub: HUB, ...given });

let end: FakeServer;
let settings: { YOLINK_UAC_KEY: string; YOLINK_CLOUD_BASE: string };
let spent: unknown[];
let rested: unknown[];
let refusal: { limit: "account"; retry_after_ms: number } | null;
let local: Transport;
let cloud: Transport;

beforeEach(() => {
  end = aFakeServer();
  settings = { YOLINK_UAC_KEY: "uac.ua_1:sec_1", YOLINK_CLOUD_BASE: "https://api.yosmart.com/open/yolink/v2/api" };
  [spent, rested, refusal] = [[], [], null];
  end.says["Home.getDeviceList"] = list([LAMP, "Switch"], ["bb", "Hub", "North hub"]);
  const deps = {
    client: end.client,
    now: () => end.now,
    unseal: (sealed: string) => (sealed === "torn" ? Promise.reject(new Error("torn")) : Promise.resolve(sealed)),
    allow: { loopback: false, direct: true },
  };
  const budget = {
    acquire: (...of: unknown[]) => (spent.push(of), refusal),
    backOff: (...of: unknown[]) => void rested.push(of),
  };
  local = localTransport(deps);
  cloud = cloudTransport({ ...deps, budget, settings: () => settings });
});

const call = (more: Partial<TransportCall> = {}): TransportCall => ({
  until: end.now + 5_000,
  priority: "person",
  cached_since: null,
  not_after: null,
  device_id: "pole-1",
  order: 1,
  off_after_min: null,
  ...more,
});
const slowly = (method: string, ms: number, said: ReturnType<typeof ok>) => {
  end.says[method] = () => {
    end.now += ms;
    return said;
  };
};
const silent = { ok: false, failure: "lost", status: null, detail: "no answer within 5.0 s" } as const;

describe("what is reported", () => {
  test("reports a switch and its round trip, never the server's own words", async () => {
    slowly("Switch.setState", 120, { code: "000000", desc: "Done: abcdef0123456789abcdef", data: {} });
    const told = { ok: true, http_status: 200, rtt_ms: 120 };
    expect(await cloud.switch(lamp(), "on", call())).toEqual({
      ...told,
      state: "on",
      provider: "cloud",
      snippet: "cloud: 000000 Success on",
    });
    expect(await local.switch(lamp(), "off", call())).toEqual({
      ...told,
      state: "off",
      provider: "local",
      snippet: "local: 000000 Success off",
    });
    expect(end.asked.at(-1)?.packet.params).toEqual({ state: "close" });
  });

  test("reports a failure with its device or hub, the reason and the transport", async () => {
    slowly("Switch.setState", 80, code("000201"));
    const detail = "the device did not answer";
    const failures = [{ where: "device", reason: "device" }];
    const told = { ok: false, reason: "device", failures, http_status: 200, rtt_ms: 80 };
    expect(await cloud.switch(lamp(), "on", call())).toEqual({
      ...told,
      detail: `the cloud: ${detail}`,
      provider: "cloud",
      snippet: `cloud: 000201 ${detail}`,
    });
    expect(await local.switch(lamp(), "on", call())).toMatchObject({
      detail: `hub North hub: ${detail}`,
      provider: "local",
      snippet: `local: 000201 ${detail}`,
    });
  });

  test("cuts a snippet at 200 characters", async () => {
    end.says["Switch.setState"] = { ...silent, detail: "x".repeat(300) };
    const { snippet } = await cloud.switch(lamp(), "on", call());
    expect(snippet).toBe(`cloud: ${"x".repeat(193)}`);
  });

  test.each([
    ["10.0.0.1", true],
    ["11.0.0.1", false],
    ["172.16.0.1", true],
    ["172.31.255.1", true],
    ["172.15.0.1", false],
    ["172.32.0.1", false],
    ["173.16.0.1", false],
    ["192.168.1.50", true],
    ["192.167.1.50", false],
    ["193.168.1.50", false],
    ["203.0.113.7", false],
  ])("adds the hint about private addresses for a silent hub at %s: %s", async (ip_address, isTold) => {
    for (const answer of [silent, { ...silent, failure: "unsent" } as const]) {
      end.says.token = { access_token: "t", expires_in: 7200 };
      end.says["Switch.getState"] = answer;
      const hint = isTold ? " (a private address is reached from its own network only, not from Cloudflare)" : "";
      const told = await local.read(lamp({ hub: { ...HUB, ip_address } }), call());
      expect(told).toMatchObject({ ok: false, detail: `hub North hub: no answer within 5.0 s${hint}` });
      expect(told.snippet).toBe("local: no answer within 5.0 s");
    }
    end.says["Switch.getState"] = code("010000");
    const told = await local.read(lamp({ hub: { ...HUB, ip_address } }), call());
    expect(told).toMatchObject({ reason: "unreachable", detail: "hub North hub: the service is not available" });
    end.says["Switch.getState"] = code("000201");
    end.says.token = { state: "error", msg: "no" };
    end.now += 7_200_000;
    const refused = await local.read(lamp({ hub: { ...HUB, ip_address } }), call());
    expect(refused).toMatchObject({ detail: "hub North hub: it refuses the credentials" });
    end.says.token = { access_token: "t", expires_in: 7200 };
    end.now += 15_000;
    const busy = await local.read(lamp({ hub: { ...HUB, ip_address } }), call());
    expect(busy).toMatchObject({ detail: "hub North hub: the device did not answer" });
  });
});

describe("who is called", () => {
  test.each([
    [null, "The device has no hub"],
    [{ ip_address: null }, "Hub North hub has no IP address"],
    [{ ip_address: "127.0.0.1" }, "Hub North hub's IP address is not allowed"],
    [{ local_client_id: null }, "Hub North hub has no local credentials"],
    [{ local_client_secret: "" }, "Hub North hub has no local credentials"],
    [{ local_client_id: "torn" }, "Hub North hub's local credentials can't be read any more: enter them again"],
    [{ local_client_secret: "torn" }, "Hub North hub's local credentials can't be read any more: enter them again"],
  ])("refuses hub %j: %s", async (given, detail) => {
    const hub = given && { ...HUB, ...given };
    const failures = [{ where: given ? "hub" : "device", reason: "refused" }];
    const told = {
      ok: false,
      reason: "refused",
      detail,
      failures,
      http_status: null,
      rtt_ms: 0,
      snippet: `local: ${detail}`,
    };
    expect(await local.switch(lamp({ hub }), "on", call())).toEqual({ ...told, provider: "local" });
    if (hub) expect(await local.ping(hub, call())).toEqual({ ...told, provider: "local" });
    expect(end.asked).toEqual([]);
  });

  test("calls a hub at its address and port, with its credentials and its own device id", async () => {
    await local.switch(lamp({ cloud_device_id: null, local_ref: LAMP.toUpperCase() }), "on", call());
    expect(end.asked[0]).toMatchObject({
      url: "http://203.0.113.7:1080/open/yolink/token",
      body: "grant_type=client_credentials&client_id=id&client_secret=secret",
    });
    expect(end.asked.at(-1)?.packet.targetDevice).toBe(LAMP);
    expect(spent).toEqual([]);
  });

  test("keeps a session per hub", async () => {
    for (const ip_address of ["203.0.113.7", "203.0.113.8", "203.0.113.7", "203.0.113.8"])
      await local.read(lamp({ hub: { ...HUB, id: ip_address, ip_address } }), call());
    expect(end.methods().filter((method) => method === "token")).toHaveLength(2);
  });

  test.each([
    [{ YOLINK_UAC_KEY: "" }, "The UAC key is not set"],
    [{ YOLINK_UAC_KEY: "torn" }, "The UAC key can't be read any more: enter it again"],
    [{ YOLINK_UAC_KEY: "uac.demo" }, "UAC key must contain the UAID and the secret"],
    [{ YOLINK_CLOUD_BASE: "http://127.0.0.1:9/" }, "The cloud base URL is not allowed"],
  ])("refuses the cloud with %j: %s", async (given, detail) => {
    Object.assign(settings, given);
    const failures = [{ where: "cloud", reason: "refused" }];
    const told = { ok: false, reason: "refused", detail, failures, snippet: `cloud: ${detail}`, rtt_ms: 0 };
    expect(await cloud.read(lamp(), call())).toMatchObject(told);
    expect(await cloud.ping(HUB, call())).toMatchObject(told);
    expect(end.asked).toEqual([]);
  });

  test("calls the cloud at its origin, whatever path is configured, with both halves of the key", async () => {
    await cloud.read(lamp({ hub: null }), call());
    expect(end.asked[0]).toMatchObject({
      url: "https://api.yosmart.com/open/yolink/token",
      body: "grant_type=client_credentials&client_id=ua_1&client_secret=sec_1",
    });
  });

  test("sends nothing for an id that cannot be the vendor's", async () => {
    const detail = "'pole 7' is not a device ID (16 characters, 0-9 and a-f)";
    const failures = [{ where: "device", reason: "refused" }];
    const told = { ok: false, reason: "refused", detail, failures, snippet: `cloud: ${detail}`, rtt_ms: 0 };
    expect(await cloud.switch(lamp({ cloud_device_id: "pole 7" }), "on", call())).toMatchObject(told);
    expect(end.asked).toEqual([]);
  });

  test.each([
    ["on", "a valve"],
    ["read", "a valve"],
  ])("%s: sends nothing to a device that is not a light", async (what) => {
    end.says["Home.getDeviceList"] = list([LAMP, "Manipulator"]);
    const asked = what === "on" ? cloud.switch(lamp(), "on", call()) : cloud.read(lamp(), call());
    const detail = "the device is a Manipulator, which is not a light";
    expect(await asked).toMatchObject({ ok: false, reason: "refused", detail: `the cloud: ${detail}` });
    expect(end.methods()).toEqual(["token", "Home.getDeviceList"]);
  });

  test("does not repeat an unknown device type, which is the server's own text", async () => {
    end.says["Home.getDeviceList"] = list([LAMP, "sec_v1_reflected"]);
    const detail = "the cloud: the device is of another type, which is not a light";
    expect(await cloud.switch(lamp(), "on", call())).toMatchObject({ ok: false, reason: "refused", detail });
    expect(await cloud.read(lamp(), call())).toMatchObject({ ok: false, reason: "refused", detail });
  });
});

describe("budgets", () => {
  test("takes every cloud call from the account's budget, with its device and priority", async () => {
    await cloud.read(lamp(), call({ priority: "poll" }));
    expect(spent).toEqual([
      ["uac:ua_1", null, "poll"],
      ["uac:ua_1", null, "poll"],
      ["uac:ua_1", LAMP, "poll"],
    ]);
  });

  test.each([
    ["010301", [["uac:ua_1", null, 60_000]]],
    ["020104", [["uac:ua_1", LAMP, 10_000]]],
    ["000201", []],
  ])("after %s backs off: %j", async (number, rests) => {
    end.says["Switch.setState"] = code(number);
    expect(await cloud.switch(lamp(), "on", call())).toMatchObject({ ok: false });
    expect(rested).toEqual(rests);
  });

  test("does not back off for the budget's own refusal, but does when a ping meets the account's limit", async () => {
    await cloud.read(lamp(), call());
    refusal = { limit: "account", retry_after_ms: 7_000 };
    const told = { ok: false, reason: "throttled", ...refusal };
    expect(await cloud.switch(lamp(), "on", call())).toMatchObject(told);
    expect(await cloud.ping(HUB, call())).toMatchObject(told);
    expect(rested).toEqual([]);
    refusal = null;
    end.says["Hub.getState"] = code("010301");
    expect(await cloud.ping(HUB, call())).toMatchObject({ reason: "throttled", limit: "account" });
    expect(rested).toEqual([["uac:ua_1", null, 60_000]]);
  });
});

describe("a reading", () => {
  test.each([
    [{ state: "open" }, "on", "cloud: 000000 Success on"],
    [{ state: "closed" }, "off", "cloud: 000000 Success off"],
    [{ state: "dim" }, "unknown", "cloud: 000000 Success"],
  ])("%j is %s", async (data, state, snippet) => {
    end.says["Switch.getState"] = ok(data);
    expect(await cloud.read(lamp(), call())).toMatchObject({ ok: true, state, snippet });
    expect(end.asked.at(-1)?.packet.params).toEqual({});
  });

  test("counts the sockets of a MultiOutlet that ON switches", async () => {
    end.says["Home.getDeviceList"] = list([LAMP, "MultiOutlet"]);
    end.says["MultiOutlet.getState"] = ok({ state: ["closed", "open", "open"] });
    const state = async (given: Partial<Address>) => {
      const answer = await cloud.read(lamp(given), call());
      return answer.ok && answer.state;
    };
    expect(await state({ local_ref: "#6" })).toBe("on");
    expect(await state({ local_ref: "#1" })).toBe("off");
    expect(await state({ on_payload: '{"state":"open","chs":2}' })).toBe("on");
    expect(await state({ on_payload: "nonsense", local_ref: "#4" })).toBe("on");
    expect(await state({})).toBe("unknown");
  });

  describe("from the cloud's cache", () => {
    const HOUR = 3_600_000;
    const remembered = async (data: Record<string, unknown>, since_ago: number | null) => {
      end.now = Date.parse("2026-06-10T18:00:00Z");
      end.says["Switch.fetchState"] = ok({ state: { state: "open" }, ...data });
      end.says["Switch.getState"] = ok({ state: "closed" });
      const cached_since = since_ago === null ? null : end.now - since_ago;
      const told = await cloud.read(lamp(), call({ cached_since }));
      return [told.ok && told.state, ...end.methods().slice(2)];
    };
    const BELIEVED = ["on", "Switch.fetchState"];
    const ASKED = ["off", "Switch.fetchState", "Switch.getState"];

    test.each([
      [{ reportAt: "2026-06-10T17:30:00Z" }, HOUR, BELIEVED],
      [{ reportAt: "2026-06-10T17:30:00Z", online: true }, HOUR, BELIEVED],
      [{ reportAt: "2026-06-10T17:30:00Z", online: false }, HOUR, ASKED],
      [{ reportAt: "2026-06-10T17:00:00Z" }, HOUR, ASKED],
      [{ reportAt: "2026-06-10T17:00:01Z" }, HOUR, BELIEVED],
      [{ reportAt: "2026-06-10T16:50:00Z" }, 2 * HOUR, ASKED],
      [{ reportAt: "2026-06-10T16:50:01Z" }, 2 * HOUR, BELIEVED],
      [{}, HOUR, ASKED],
      [{ reportAt: "2026-06-10T18:00:00Z" }, HOUR, BELIEVED],
      [{ reportAt: "2026-06-10T18:00:01Z" }, HOUR, ASKED],
      [{ reportAt: "2099-06-10T17:30:00Z" }, HOUR, ASKED],
      [{ reportAt: "2026-06-10T17:30:00Z" }, null, ["off", "Switch.getState"]],
    ])("%j, wanted newer than %s ms ago", async (data, since_ago, story) => {
      expect(await remembered(data, since_ago)).toEqual(story);
    });

    test("returns the failure when the cache cannot be read", async () => {
      end.says["Switch.fetchState"] = code("000101");
      expect(await cloud.read(lamp(), call({ cached_since: 0 }))).toMatchObject({ ok: false, reason: "unreachable" });
      expect(end.methods()).toEqual(["token", "Home.getDeviceList", "Switch.fetchState"]);
    });

    test("is never tried at a hub", async () => {
      await local.read(lamp(), call({ cached_since: 0 }));
      expect(end.methods().slice(2)).toEqual(["Switch.getState"]);
    });
  });
});

describe("where a call failed", () => {
  test.each([
    [code("000201"), "device", "device"],
    [code("000101"), "hub", "hub"],
    [code("010000"), "cloud", "hub"],
    [silent, "cloud", "hub"],
  ])("%j is a fault of the %s through the cloud, of the %s through the hub", async (answer, byCloud, byHub) => {
    end.says["Switch.setState"] = answer;
    const places = async (transport: Transport) => {
      const { failures = [] } = await transport.switch(lamp(), "on", call());
      return failures.map(({ where }) => where);
    };
    expect(await places(cloud)).toEqual([byCloud]);
    expect(await places(local)).toEqual([byHub]);
  });

  test("blames refused credentials on the cloud or the hub that was called", async () => {
    end.says.token = { state: "error", msg: "Auth Failed" };
    expect(await cloud.read(lamp(), call())).toMatchObject({ failures: [{ where: "cloud", reason: "refused" }] });
    expect(await local.ping(HUB, call())).toMatchObject({ failures: [{ where: "hub", reason: "refused" }] });
  });

  test("blames no device for a failed list, and nobody for a call that was not sent", async () => {
    end.says["Home.getDeviceList"] = code("000201");
    expect(await cloud.read(lamp(), call())).toMatchObject({ failures: [{ where: "cloud", reason: "device" }] });
    refusal = { limit: "account", retry_after_ms: 7_000 };
    expect(await cloud.read(lamp(), call())).toMatchObject({ reason: "throttled", failures: [] });
  });
});

describe("a switch that must not leave late", () => {
  test.each(["cloud", "local"] as const)("is not sent once its token took too long (%s)", async (side) => {
    slowly("token", 2_500, { access_token: "access-1", expires_in: 7200 });
    const transport = side === "cloud" ? cloud : local;
    const told = await transport.switch(lamp(), "on", call({ not_after: end.now + 2_000 }));
    expect(told).toMatchObject({ ok: false, reason: "throttled", retry_after_ms: 0, failures: [] });
    expect(told.snippet).toBe(`${side}: too late to send`);
    expect(end.methods()).not.toContain("Switch.setState");
  });

  test("is sent at the last instant; a reading is never too late", async () => {
    expect(await cloud.switch(lamp(), "on", call({ not_after: end.now }))).toMatchObject({ ok: true });
    expect(await cloud.read(lamp(), call({ not_after: null }))).toMatchObject({ ok: true });
  });
});

describe("a hub's ping", () => {
  test("reads its device list, locally", async () => {
    slowly("Home.getDeviceList", 40, list([LAMP, "Switch"], ["bb", "Switch"]));
    expect(await local.ping(HUB, call())).toEqual({
      ok: true,
      state: "unknown",
      provider: "local",
      http_status: 200,
      rtt_ms: 40,
      snippet: "local: 000000 2 devices",
    });
    end.says["Home.getDeviceList"] = silent;
    expect(await local.ping({ ...HUB, ip_address: "10.0.0.1" }, call())).toMatchObject({
      ok: false,
      reason: "unreachable",
      detail: expect.stringMatching(/^hub North hub: no answer .* not from Cloudflare\)$/),
    });
  });

  test("reads its state, in the cloud", async () => {
    slowly("Hub.getState", 70, ok());
    const answer = await cloud.ping(HUB, call());
    expect(answer).toMatchObject({ ok: true, state: "unknown", rtt_ms: 70, snippet: "cloud: 000000 Success" });
    expect(end.asked.at(-1)?.packet).toMatchObject({ targetDevice: "bb", params: {} });
  });
});

describe("a hub in the cloud's list", () => {
  const hubs = (...rows: string[][]) => (end.says["Home.getDeviceList"] = list(...rows));
  const at = (ip: string, port = "wifi") => ok({ [port]: { ip } });
  const ips = (of: Record<string, ReturnType<typeof ok>>) =>
    (end.says["Hub.getState"] = ({ packet }) => of[String(packet.targetDevice)] ?? code("000101"));
  const ping = (given: Partial<HubAddress> = {}) => cloud.ping({ ...HUB, ...given }, call());
  const states = () => end.asked.filter((a) => a.method === "Hub.getState").map((a) => a.packet.targetDevice);
  const NONE = "the cloud: it has no hub named 'North hub', and not one at its address";

  test.each(["north HUB", " North hub "])("is found by its name, written '%s'", async (name) => {
    hubs(["aa", "Hub", "South hub"], ["bb", "CellularHub", name], ["cc", "Switch", "North hub"]);
    expect(await ping({ name: " north hub" })).toMatchObject({ ok: true });
    expect(end.methods().at(-1)).toBe("CellularHub.getState");
  });

  test("is found by its address when two share the name, and not at all at an unknown address", async () => {
    hubs(["aa", "Hub", "North hub"], ["bb", "Hub", "North hub"]);
    ips({ aa: at("203.0.113.8"), bb: at("203.0.113.7", "eth") });
    expect(await ping({ ip_address: null })).toMatchObject({ ok: false, reason: "refused", detail: NONE });
    expect(states()).toEqual([]);
    expect(await ping()).toMatchObject({ ok: true });
    expect(states()).toEqual(["aa", "bb", "bb"]);
    expect(await ping({ ip_address: "203.0.113.9" })).toMatchObject({ ok: false, detail: NONE });
    expect(states()).toHaveLength(3);
  });

  test("is looked for among hubs only", async () => {
    hubs(["aa", "Switch", "x"], ["bb", "HubCamera", "y"]);
    expect(await ping()).toMatchObject({ ok: false, detail: NONE });
    expect(end.methods()).toEqual(["token", "Home.getDeviceList"]);
  });

  test("is asked again after not answering; a rate limit ends the search", async () => {
    hubs(["aa", "Hub", "x"], ["bb", "Hub", "y"]);
    ips({ bb: at("203.0.113.7") });
    expect(await ping()).toMatchObject({ ok: true });
    expect(await ping()).toMatchObject({ ok: true });
    expect(states()).toEqual(["aa", "bb", "bb", "aa", "bb"]);
    ips({ aa: code("010301"), bb: at("203.0.113.7") });
    expect(await ping()).toMatchObject({ ok: false, reason: "throttled" });
    expect(states()).toEqual(["aa", "bb", "bb", "aa", "bb", "aa"]);
  });

  /** Here the device that was asked is the hub. */
  test.each([
    ["000201", "unreachable"],
    ["000202", "unreachable"],
    ["030101", "unreachable"],
    ["000101", "unreachable"],
    ["000102", "refused"],
    ["020101", "refused"],
  ])("of which the cloud answers %s is %s itself, and no lamp behind it", async (number, reason) => {
    hubs(["bb", "Hub", "North hub"]);
    end.says["Hub.getState"] = code(number);
    expect(await ping()).toMatchObject({ ok: false, reason, failures: [{ where: "hub", reason }] });
  });

  test("keeps its known address for an hour", async () => {
    hubs(["aa", "Hub", "x"]);
    ips({ aa: at("203.0.113.7") });
    await ping();
    end.now += 3_600_000;
    await ping();
    expect(states()).toHaveLength(3);
    end.now += 1;
    await ping();
    expect(states()).toHaveLength(5);
  });

  test("is found in a fresh list when it was added since; a failed list is reported", async () => {
    hubs(["aa", "Switch", "x"]);
    await ping();
    end.now += 60_001;
    hubs(["aa", "Switch", "x"], ["bb", "Hub", "North hub"]);
    expect(await ping()).toMatchObject({ ok: true });
    hubs(["aa", "Switch", "x"]);
    end.now += 60_001;
    end.says["Home.getDeviceList"] = code("010000");
    expect(await ping({ name: "Another", ip_address: null })).toMatchObject({ ok: false, reason: "unreachable" });
  });
});
