import { beforeEach, describe, expect, test } from "vitest";
import type { Question } from "#durable/providers/yolink/client";
import type { Bounds } from "#durable/providers/yolink/endpoint";
import { aFakeServer, ACCOUNT, code, list, ok, type Asked, type FakeServer } from "./fake-server";

/** Which tokens and lists the client renews and how often, and what it reports when the server misbehaves. */

let end: FakeServer;

beforeEach(() => {
  end = aFakeServer();
});

const question: Question = ({ type }) => ({ ok: true, method: `${type}.getState`, params: { a: 1 } });
const ask = (id = "aa", more: Partial<Bounds> = {}, account = ACCOUNT) =>
  end.client.ask(account, id, question, end.bounds(more));
const listed = (more: Partial<Bounds> = {}) => end.client.list(ACCOUNT, end.bounds(more));
const later = (ms: number) => (end.now += ms);
/** Answers `first` once, then as before. */
const once = (method: string, first: object) => {
  const then = end.says[method] ?? ok();
  end.says[method] = (asked) => {
    end.says[method] = then;
    return typeof first === "function" ? first(asked) : first;
  };
};

describe("requests", () => {
  test("requests a token with a form and sends packets as JSON with the time and both tokens", async () => {
    expect(await ask()).toMatchObject({ ok: true, says: "Success" });
    const [token, , packet] = end.asked;
    expect(token).toMatchObject({
      url: "http://end/open/yolink/token",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: "grant_type=client_credentials&client_id=ua_1&client_secret=sec_1",
    });
    expect(packet).toMatchObject({
      url: "http://end/open/yolink/v2/api",
      headers: { "Content-Type": "application/json", Authorization: "Bearer access-1" },
    });
    expect(packet?.packet).toEqual({
      time: end.now,
      method: "Switch.getState",
      targetDevice: "aa",
      token: "token-aa",
      params: { a: 1 },
    });
  });

  test("waits for each reply as long as time is left, and accepts a longer list than a reply", async () => {
    once("token", () => {
      later(1_000);
      return { access_token: "access-1", expires_in: 7200 };
    });
    await ask("aa", { until: end.now + 5_000 });
    expect(end.asked.map((one: Asked) => [one.timeout_ms, one.max_bytes])).toEqual([
      [5_000, 65_536],
      [4_000, 16_777_216],
      [4_000, 65_536],
    ]);
  });

  test("sends nothing when no time is left", async () => {
    const told = { ok: false, reason: "unreachable", detail: "no time was left to ask it" };
    expect(await ask("aa", { until: end.now })).toMatchObject(told);
    expect(end.asked).toEqual([]);
  });

  test("takes every call from the budget, with the device's id, and does not send what the budget refuses", async () => {
    const taken: (string | null)[] = [];
    await ask("aa", { acquire: (device) => (taken.push(device), null) });
    expect(taken).toEqual([null, null, "aa"]);
    const device = { limit: "device", retry_after_ms: 8_001 } as const;
    expect(await ask("aa", { acquire: () => device })).toEqual({
      ok: false,
      reason: "throttled",
      where: null,
      detail: "the device's calls of this minute are used up for another 9 s",
      status: null,
      code: null,
      then: null,
      ...device,
    });
    const account = { limit: "account", retry_after_ms: 8_000 } as const;
    expect(await listed({ acquire: () => account })).toMatchObject({
      detail: "the account's calls of these five minutes are used up for another 8 s",
      ...account,
    });
    expect(end.asked).toHaveLength(3);
  });

  test("starts a new session for other credentials or another address, and only then", async () => {
    await ask();
    await ask();
    await ask("aa", {}, { ...ACCOUNT });
    expect(end.methods().filter((m) => m === "token")).toHaveLength(1);
    for (const change of [{ base: "http://other" }, { client_id: "ua_2" }, { client_secret: "sec_2" }]) {
      await ask("aa", {}, { ...ACCOUNT, ...change });
      await ask();
    }
    expect(end.methods().filter((m) => m === "token")).toHaveLength(7);
  });
});

describe("access tokens", () => {
  test.each([
    [{ access_token: "a", expires_in: 7200 }, 6_600_000],
    [{ access_token: "a", expires_in: 600 }, 540_000],
    [{ access_token: "a" }, 6_600_000],
  ])("renews %j shortly before it expires", async (answer, ms) => {
    end.says.token = answer;
    await ask();
    later(ms - 1);
    await ask();
    expect(end.methods().filter((m) => m === "token")).toHaveLength(1);
    later(1);
    await ask();
    expect(end.methods().filter((m) => m === "token")).toHaveLength(2);
  });

  test("requests one token for many callers", async () => {
    await Promise.all([ask(), ask(), listed()]);
    expect(end.methods().filter((m) => m === "token")).toHaveLength(1);
    expect(end.methods().filter((m) => m === "Home.getDeviceList")).toHaveLength(1);
    later(7_200_000);
    await ask();
    expect(end.methods().filter((m) => m === "token")).toHaveLength(2);
  });

  test.each([
    ["is out of calls for the account", { acquire: () => ({ limit: "account", retry_after_ms: 240_000 }) as const }],
    ["would come too late", { not_after: 0 }],
  ])("an OFF gets its token although the reading before it, at the same time, %s", async (_, bounds) => {
    const [reading, off] = await Promise.all([ask("aa", bounds), ask()]);
    expect(reading).toMatchObject({ ok: false, reason: "throttled" });
    expect(off).toMatchObject({ ok: true });
    expect(end.methods()).toEqual(["token", "Home.getDeviceList", "Switch.getState"]);
  });

  test("a list that somebody else was not allowed to ask for is asked for", async () => {
    await listed();
    later(60_001);
    const limit = { limit: "account", retry_after_ms: 240_000 } as const;
    const both = await Promise.all([listed({ acquire: () => limit }), listed()]);
    expect(both).toMatchObject([{ ok: false, reason: "throttled" }, { ok: true }]);
  });

  test.each([
    [{ ok: false, failure: "lost", status: null, detail: "no answer" } as const, "no answer", null],
    [{ ok: false, failure: "unsent", status: 302, detail: "a redirect" } as const, "a redirect", 302],
    [{ ok: true, status: 502, text: "<html>" } as const, "its token service is out of order (502)", 502],
    [
      { ok: true, status: 200, text: "<html>" } as const,
      "it answered (200), but not as a YoLink hub or cloud does",
      200,
    ],
  ])("%j instead of a token means that the command was not sent", async (reply, detail, status) => {
    end.says.token = reply;
    const told = { ok: false, reason: "unreachable", where: "far_end", detail, status, code: null, then: null };
    expect(await ask()).toEqual(told);
    expect(end.methods()).toEqual(["token"]);
  });

  test("reports refused credentials in our own words and forgets the refusal once they work", async () => {
    end.says.token = { state: "error", msg: "bad sec_1" };
    const told = { ok: false, reason: "refused", status: 200, then: null };
    expect(await ask()).toMatchObject({
      ...told,
      detail: "it refuses the credentials",
    });
    later(14_999);
    expect(await ask()).toMatchObject(told);
    expect(end.methods()).toHaveLength(1);
    later(1);
    end.says.token = { access_token: "access-2", expires_in: 60 };
    expect(await ask()).toMatchObject({ ok: true });
    end.says.token = { state: "error" };
    later(60_000);
    expect(await listed()).toMatchObject({ ok: false, reason: "refused" });
    expect(end.methods().at(-1)).toBe("token");
    await ask();
    later(15_000);
    const before = end.asked.length;
    await ask();
    expect(end.asked).toHaveLength(before + 1);
  });
});

describe("a token endpoint that throttles us", () => {
  test("gets no request until Retry-After has passed, and every caller learns the time left", async () => {
    end.says.token = { ok: true, status: 429, text: "{}", retry_after_ms: 9_000 };
    expect(await ask()).toMatchObject({ reason: "throttled", limit: "account", retry_after_ms: 9_000 });
    later(5_000);
    expect(await ask()).toMatchObject({ reason: "throttled", retry_after_ms: 4_000 });
    expect(end.methods()).toEqual(["token"]);
    later(4_000);
    end.says.token = { access_token: "access-1", expires_in: 7200 };
    expect(await ask()).toMatchObject({ ok: true });
  });

  test.each([408, 500, 503])("HTTP %i counts as out of order, and the next call tries again", async (status) => {
    end.says.token = { ok: true, status, text: '{"state":"error","msg":"later"}' };
    expect(await ask()).toMatchObject({ reason: "unreachable", where: "far_end" });
    await ask();
    expect(end.methods()).toEqual(["token", "token"]);
  });
});

describe("after a clock that was hours ahead is set right", () => {
  const HOURS_MS = 3 * 3_600_000;

  test.each([
    ["refuses the credentials", { state: "error", msg: "client_id not existed" }],
    ["throttles us", { ok: true, status: 429, text: "{}", retry_after_ms: 9_000 }],
  ])("a token endpoint that %s is asked again at once", async (_, says) => {
    end.says.token = says;
    await ask();
    later(-HOURS_MS);
    end.says.token = { access_token: "access-1", expires_in: 7200 };
    expect(await ask()).toMatchObject({ ok: true });
  });

  test("a device that is new in the account is found", async () => {
    await ask();
    later(-HOURS_MS);
    end.says["Home.getDeviceList"] = list(["aa", "Switch"], ["new", "Switch"]);
    expect(await ask("new")).toMatchObject({ ok: true });
  });
});

describe("a rejected token is renewed, each kind once per call", () => {
  test.each([
    ["010104", ["token", "Home.getDeviceList", "Switch.getState", "token", "Switch.getState"]],
    ["000103", ["token", "Home.getDeviceList", "Switch.getState", "Home.getDeviceList", "Switch.getState"]],
    ["020101", ["token", "Home.getDeviceList", "Switch.getState", "Home.getDeviceList", "Switch.getState"]],
  ])("renews after one %s and succeeds", async (number, methods) => {
    once("Switch.getState", code(number));
    expect(await ask()).toMatchObject({ ok: true });
    expect(end.methods()).toEqual(methods);
  });

  test.each([
    ["010104", ["Switch.getState", "token", "Switch.getState"]],
    ["000103", ["Switch.getState", "Home.getDeviceList", "Switch.getState", "token", "Switch.getState"]],
    ["020101", ["Switch.getState", "Home.getDeviceList", "Switch.getState"]],
    ["999999", ["Switch.getState", "token", "Switch.getState"]],
    ["000201", ["Switch.getState"]],
  ])("gives up when %s persists", async (number, methods) => {
    await ask();
    end.asked.length = 0;
    end.says["Switch.getState"] = code(number);
    expect(await ask()).toMatchObject({ ok: false, code: number });
    expect(end.methods()).toEqual(methods);
  });

  test("requests the list again with a new token when its token expired or was rejected", async () => {
    for (const number of ["010104", "000103"]) {
      once("Home.getDeviceList", code(number));
      expect(await listed()).toMatchObject({ ok: true });
    }
    expect(end.methods().filter((m) => m === "token")).toHaveLength(3);
    end.asked.length = 0;
    end.says["Home.getDeviceList"] = code("010104");
    expect(await listed()).toMatchObject({ ok: false, code: "010104", then: null });
    expect(end.methods()).toEqual(["Home.getDeviceList", "token", "Home.getDeviceList"]);
  });

  test("does not retry a list that fails for another reason, and sends no command", async () => {
    end.says["Home.getDeviceList"] = { ok: false, failure: "lost", status: null, detail: "no answer" };
    expect(await ask()).toMatchObject({ ok: false, reason: "unreachable", detail: "no answer" });
    end.says["Home.getDeviceList"] = code("020101");
    expect(await listed()).toMatchObject({ ok: false, reason: "refused", then: null });
    expect(end.methods()).toEqual(["token", "Home.getDeviceList", "Home.getDeviceList"]);
  });

  test("keeps a token that another call renewed meanwhile", async () => {
    let number = 0;
    end.says.token = () => ({ access_token: `access-${(number += 1)}`, expires_in: 7200 });
    end.says["Switch.getState"] = ({ headers }) =>
      headers.Authorization === "Bearer access-1" ? code("010104") : ok({ state: "open" });
    await listed();
    expect(await Promise.all([ask(), ask(), ask()])).toMatchObject([{ ok: true }, { ok: true }, { ok: true }]);
    expect(number).toBe(2);
  });
});

test("keeps a renewed token when a late reply rejects the old one", async () => {
  let number = 0;
  end.says.token = () => ({ access_token: `access-${(number += 1)}`, expires_in: 7200 });
  const isOld = ({ headers }: Asked) => headers.Authorization === "Bearer access-1";
  let release: (said: Record<string, unknown>) => void = () => undefined;
  const late = new Promise<Record<string, unknown>>((done) => (release = done));
  end.says["Switch.setState"] = (asked) => (isOld(asked) ? late : ok());
  end.says["Switch.getState"] = (asked) => (isOld(asked) ? code("010104") : ok());
  await listed();
  const slow = end.client.ask(ACCOUNT, "aa", () => ({ ok: true, method: "Switch.setState", params: {} }), end.bounds());
  expect(await ask()).toMatchObject({ ok: true });
  release(code("010104"));
  expect(await slow).toMatchObject({ ok: true });
  expect(number).toBe(2);
});

describe("the device list", () => {
  test("is not requested again for a device that is in it", async () => {
    await ask();
    later(3_600_000);
    await ask();
    expect(end.methods().filter((m) => m === "Home.getDeviceList")).toHaveLength(1);
  });

  test("is requested again for an unknown device after a minute, not sooner", async () => {
    const told = { ok: false, reason: "refused", detail: "it has no device cc" };
    expect(await ask("cc")).toMatchObject(told);
    later(60_000);
    expect(await ask("cc")).toMatchObject(told);
    expect(end.methods()).toEqual(["token", "Home.getDeviceList"]);
    later(1);
    end.says["Home.getDeviceList"] = list(["CC", "Dimmer"]);
    expect(await ask("cc")).toMatchObject({ ok: true });
    expect(end.methods()).toEqual(["token", "Home.getDeviceList", "Home.getDeviceList", "Dimmer.getState"]);
  });

  test("is refreshed at most once a minute", async () => {
    const known = async () => end.client.known(ACCOUNT, end.bounds());
    const again = async () => end.client.again(ACCOUNT, end.bounds());
    expect(await known()).toEqual({
      ok: true,
      value: [
        { id: "aa", type: "Switch", model: "", name: "", token: "token-aa" },
        { id: "bb", type: "Hub", model: "", name: "North hub", token: "token-bb" },
      ],
    });
    expect(await known()).toMatchObject({ ok: true });
    expect(await again()).toBeNull();
    later(60_001);
    expect(await again()).toMatchObject({ ok: true });
    expect(end.methods()).toEqual(["token", "Home.getDeviceList", "Home.getDeviceList"]);
    end.says["Home.getDeviceList"] = code("010000");
    later(60_001);
    expect(await again()).toMatchObject({ ok: false, reason: "unreachable" });
  });

  test("may be one bare device from a hub; rows without an id or a token are dropped", async () => {
    end.says["Home.getDeviceList"] = ok({ deviceId: "DD", token: "t", type: "Outlet", name: "Pole" });
    expect(await listed()).toEqual({
      ok: true,
      value: new Map([["dd", { id: "dd", token: "t", type: "Outlet", model: "", name: "Pole" }]]),
    });
    const rows = [null, 7, { deviceId: "ee" }, { token: "t" }, { deviceId: "ff", token: "t" }];
    end.says["Home.getDeviceList"] = ok({ devices: rows });
    expect(await listed()).toEqual({
      ok: true,
      value: new Map([["ff", { id: "ff", token: "t", type: "", model: "", name: "" }]]),
    });
  });

  test.each([{}, { data: null }, { data: { devices: null } }, { data: { devices: "many" } }, { data: [] }])(
    "that came as %j is none, and the one before it is kept",
    async (said) => {
      await listed();
      end.says["Home.getDeviceList"] = { code: "000000", ...said };
      const detail = "it answered (200), but not as a YoLink hub or cloud does";
      expect(await listed()).toMatchObject({ ok: false, reason: "unreachable", where: "far_end", detail });
      expect(await ask()).toMatchObject({ ok: true });
    },
  );

  test("of no devices is one", async () => {
    end.says["Home.getDeviceList"] = list();
    expect(await listed()).toEqual({ ok: true, value: new Map() });
  });

  test("is kept for the other devices where one is not in the account any more and it cannot be had anew", async () => {
    end.says["Home.getDeviceList"] = list(["aa", "Switch"], ["cc", "Switch"]);
    await listed();
    end.says["Home.getDeviceList"] = code("010000");
    once("Switch.getState", code("020101"));
    expect(await ask("cc")).toMatchObject({ ok: false, reason: "unreachable" });
    expect(await ask("aa")).toMatchObject({ ok: true });
    expect(end.methods().filter((m) => m === "Home.getDeviceList")).toHaveLength(2);
  });

  test("is requested once for many devices whose tokens were changed", async () => {
    end.says["Home.getDeviceList"] = list(["aa", "Switch"], ["cc", "Switch"]);
    await listed();
    const renewed = ["aa", "cc"].map((deviceId) => ({ deviceId, type: "Switch", token: `new-${deviceId}` }));
    end.says["Home.getDeviceList"] = ok({ devices: renewed });
    let release: (said: Record<string, unknown>) => void = () => undefined;
    const late = new Promise<Record<string, unknown>>((done) => (release = done));
    end.says["Switch.getState"] = ({ packet }) => {
      if (String(packet.token).startsWith("new-")) return ok();
      return packet.targetDevice === "cc" ? late : code("000103");
    };
    const slow = ask("cc");
    expect(await ask("aa")).toMatchObject({ ok: true });
    release(code("000103"));
    expect(await slow).toMatchObject({ ok: true });
    expect(end.methods().filter((m) => m === "Home.getDeviceList")).toHaveLength(2);
    expect(end.methods().filter((m) => m === "token")).toHaveLength(1);
  });

  test("sends nothing that the device's type does not support", async () => {
    const no: Question = ({ type }) => ({ ok: false, detail: `the device is a ${type}` });
    const told = { ok: false, reason: "refused", detail: "the device is a Hub", code: null };
    expect(await end.client.ask(ACCOUNT, "bb", no, end.bounds())).toMatchObject(told);
    expect(end.methods()).toEqual(["token", "Home.getDeviceList"]);
  });
});
