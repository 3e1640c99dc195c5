import { afterEach, expect, test, vi } from "vitest";
import type { Sent } from "#durable/providers/messenger";
import { twilio } from "#durable/providers/twilio";
import { closeServers } from "#tests/support/loopback";
import { answers, aService } from "./a-service";

const ACCOUNT = { account_sid: "AC0123456789abcdef", auth_token: "hush-hush-token", from: "+13105550100" };

afterEach(closeServers);

async function sent(base: string, timeout_ms?: number): Promise<Sent> {
  const sms = twilio({ ...ACCOUNT, base, timeout_ms });
  if (!sms) throw new Error("the account is whole");
  return sms("+13105550199", "Hub A & B has been offline for 15 minutes.");
}

test("a message is posted as Twilio's Messages API takes it", async () => {
  const { base, heard } = await aService(answers(201, { sid: "SM1", status: "queued" }));
  expect(await sent(base)).toEqual({ ok: true });
  expect(heard).toHaveLength(1);
  expect(heard[0]).toMatchObject({
    asked: "POST /2010-04-01/Accounts/AC0123456789abcdef/Messages.json",
    headers: {
      authorization: `Basic ${btoa("AC0123456789abcdef:hush-hush-token")}`,
      "content-type": "application/x-www-form-urlencoded;charset=UTF-8",
    },
  });
  expect(Object.fromEntries(new URLSearchParams(heard[0]?.body))).toEqual({
    To: "+13105550199",
    From: "+13105550100",
    Body: "Hub A & B has been offline for 15 minutes.",
  });
});

test.each([
  [400, { code: 21211, message: "Invalid 'To' Phone Number" }, "the SMS service answered 400 (code 21211)"],
  [401, { code: 20003, message: "Authenticate" }, "the SMS service answered 401 (code 20003)"],
  [403, "<html>no</html>", "the SMS service answered 403"],
  [404, "", "the SMS service answered 404"],
])("does not retry after %i", async (status, body, detail) => {
  const { base } = await aService(answers(status, body));
  expect(await sent(base)).toEqual({ ok: false, again: false, detail });
});

test.each([
  [408, "<html>Request Timeout</html>", "the SMS service answered 408"],
  [425, "", "the SMS service answered 425"],
  [429, { code: 20429, message: "Too Many Requests" }, "the SMS service answered 429 (code 20429)"],
  [500, { code: 20500 }, "the SMS service answered 500 (code 20500)"],
  [503, "<html>later</html>", "the SMS service answered 503"],
  [302, "", "the SMS service answered 302"],
  [200, { sid: "SM1" }, "the SMS service answered 200"],
  [200, "<html>a hotel's sign-in page</html>", "the SMS service answered 200"],
  [201, "not what Twilio says", "the SMS service answered 201"],
  [201, "null", "the SMS service answered 201"],
])("retries after %i, %j", async (status, body, detail) => {
  const { base } = await aService(answers(status, body));
  expect(await sent(base)).toEqual({ ok: false, again: true, detail });
});

test("does not follow a redirect, which would carry the account's secret elsewhere", async () => {
  const other = await aService(answers(201, { sid: "SM1" }));
  const { base } = await aService((response) => response.writeHead(307, { Location: other.base }).end());
  expect(await sent(base)).toMatchObject({ ok: false });
  expect(other.heard).toEqual([]);
});

test("retries after no answer, half an answer and a refused or broken connection", async () => {
  const none = { ok: false, again: true, detail: "the SMS service did not answer" };
  const silent = await aService(() => undefined);
  expect(await sent(silent.base, 50)).toEqual(none);
  const half = await aService((response) => response.writeHead(201).write('{"sid":'));
  expect(await sent(half.base, 50)).toEqual(none);
  const cut = await aService((response) => response.destroy());
  expect(await sent(cut.base)).toEqual(none);
  const gone = await aService(() => undefined);
  closeServers();
  expect(await sent(gone.base)).toEqual(none);
});

test("reads answers to their end, so that connections are reused", async () => {
  const ports = new Set<number | undefined>();
  const { base } = await aService((response) => {
    ports.add(response.socket?.remotePort);
    answers(503, "x".repeat(100_000))(response);
  });
  for (let n = 0; n < 5; n += 1) await sent(base);
  expect(ports.size).toBeLessThan(5);
});

test("reports and logs neither the secret nor the message when sending fails", async () => {
  const written: unknown[] = [];
  for (const way of ["log", "info", "warn", "error", "debug"] as const)
    vi.spyOn(console, way).mockImplementation((...line) => void written.push(line));
  const echo = await aService(answers(500, { code: 1, message: "Authorization: Basic hush-hush-token" }));
  const told = [await sent(echo.base), await sent("http://127.0.0.1:1")];
  vi.restoreAllMocks();
  const all = JSON.stringify([told, written]);
  for (const secret of [ACCOUNT.auth_token, btoa(`${ACCOUNT.account_sid}:${ACCOUNT.auth_token}`), "offline for 15"])
    expect(all).not.toContain(secret);
});

test.each(["account_sid", "auth_token", "from"])("SMS is not configured without %s", (part) => {
  expect(twilio({ ...ACCOUNT, [part]: "" })).toBeNull();
});

test("posts to Twilio's own address unless another is given", async () => {
  const asked: unknown[] = [];
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    asked.push(url, init.headers);
    return Response.json({ sid: "SM1" }, { status: 201 });
  });
  expect(await twilio(ACCOUNT)?.("+13105550199", "text")).toEqual({ ok: true });
  vi.unstubAllGlobals();
  expect(asked).toEqual([
    "https://api.twilio.com/2010-04-01/Accounts/AC0123456789abcdef/Messages.json",
    { Authorization: expect.stringMatching(/^Basic /), Accept: "application/json" },
  ]);
});
