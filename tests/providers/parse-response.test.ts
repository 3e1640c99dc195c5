import { describe, expect, test } from "vitest";
import { redact } from "#durable/providers/yolink/redact";
import { failed, parseResponse, nothingDone } from "#durable/providers/yolink/parse-response";
import { readPacket, readTokens } from "#durable/providers/yolink/packet";

const said = (body: unknown, status = 200) =>
  ({ ok: true, status, text: typeof body === "string" ? body : JSON.stringify(body) }) as const;

describe("what came of a call", () => {
  test("success carries the words and the data", () => {
    const response = parseResponse(said({ code: "000000", desc: "Success", data: { state: "open" } }));
    expect(response).toEqual({ ok: true, status: 200, code: "000000", desc: "Success", data: { state: "open" } });
  });

  /** yolink.md 6: what each code means, how it is told, and what may be renewed before it is asked once more. */
  test.each([
    ["000101", "unreachable", "its hub is offline", null],
    ["000102", "refused", "its hub cannot do this", null],
    ["000103", "refused", "its token is not accepted", "device_token"],
    ["000104", "refused", "the hub's token is not accepted", "device_token"],
    ["000201", "device", "the device did not answer", null],
    ["000202", "device", "the device could not respond", null],
    ["000203", "device", "the device did not answer", null],
    ["010000", "unreachable", "the service is not available", null],
    ["010001", "unreachable", "the service has an internal fault", null],
    ["010103", "refused", "the authorization is not accepted", "access"],
    ["010104", "refused", "the access token expired", "access"],
    ["010203", "refused", "the device cannot do this: its type or its payload is wrong", null],
    ["020101", "refused", "the device does not exist", "list"],
    ["030101", "device", "it has no data", null],
    ["999999", "unreachable", "an unknown fault", "access"],
  ])("code %s is %s: %s", (code, reason, detail, then) => {
    expect(parseResponse(said({ code }))).toEqual({ ok: false, reason, status: 200, code, detail, then });
  });

  /** The codes of section 6 that ask nothing of us, and those that are in no list. */
  test.each([
    "000105",
    "000106",
    "010101",
    "010102",
    "010200",
    "010201",
    "010202",
    "010204",
    "010300",
    "020100",
    "020102",
    "020103",
    "020105",
    "020201",
    "123456",
  ])("code %s is for good, and its number is told", (code) => {
    const detail = `it refuses the call (${code})`;
    expect(parseResponse(said({ code }))).toEqual({
      ok: false,
      reason: "refused",
      status: 200,
      code,
      detail,
      then: null,
    });
  });

  test.each([
    ["010301", "the account's limit of calls is reached", "account", 60_000],
    ["020104", "the device is busy", "device", 10_000],
  ])("code %s: %s", (code, detail, limit, retry_after_ms) => {
    const told = { ok: false, reason: "throttled", status: 200, code, detail, then: null, limit, retry_after_ms };
    expect(parseResponse(said({ code }))).toEqual(told);
  });

  test.each([
    ["lost", "timeout"],
    ["unsent", "unreachable"],
  ] as const)("an answer that is %s is %s", (failure, reason) => {
    const reply = { ok: false, failure, status: 302, detail: "why" } as const;
    expect(parseResponse(reply)).toEqual({ ok: false, reason, status: 302, code: null, detail: "why", then: null });
  });

  test.each([401, 403])("HTTP %i without a word: access is what is wrong", (status) => {
    const detail = "it does not let us in: access is misconfigured";
    expect(parseResponse(said("", status))).toEqual({
      ok: false,
      reason: "refused",
      status,
      code: null,
      detail,
      then: "access",
    });
  });

  test.each([200, 400, 404, 502])("HTTP %i with somebody else's page: what was asked may have been done", (status) => {
    const detail = `it answered (${status}), but not as a YoLink hub or cloud does`;
    expect(parseResponse(said("<html>", status))).toMatchObject({ reason: "timeout", status, detail, then: null });
  });

  test("what failed before the command was sent has done nothing, and nothing is renewed for it", () => {
    const lost = failed("timeout", "no answer", { then: "access", status: 200 });
    expect(nothingDone(lost)).toEqual({ ...lost, reason: "unreachable", then: null });
    const refused = failed("refused", "no", { then: "device_token", code: "000103" });
    expect(nothingDone(refused)).toEqual({ ...refused, then: null });
  });
});

describe("an API answer", () => {
  test.each([
    [{ code: 103 }, { code: "000103", desc: "", data: {} }],
    [
      { code: "000000", desc: 7, data: [1] },
      { code: "000000", desc: "", data: {} },
    ],
    [
      { code: "000000", desc: "Success", data: { a: 1 } },
      { code: "000000", desc: "Success", data: { a: 1 } },
    ],
  ])("%j", (body, packet) => {
    expect(readPacket(said(body, 201))).toEqual({ kind: "packet", status: 201, ...packet });
  });

  test.each(["", "{", "null", "7", "[]", '"000000"', "{}", '{"code":null}', '{"code":{}}'])("%s is none", (text) => {
    expect(readPacket(said(text))).toMatchObject({ kind: "unrecognized", status: 200 });
  });
});

describe("a token answer", () => {
  test.each([
    [{ access_token: "t", expires_in: 60 }, 60_000],
    [{ access_token: "t", expires_in: "60" }, 60_000],
    [{ access_token: "t" }, 7_200_000],
    [{ access_token: "t", expires_in: 0 }, 7_200_000],
    [{ access_token: "t", expires_in: "soon" }, 7_200_000],
  ])("%j", (body, lives_ms) => {
    expect(readTokens(said(body))).toEqual({ kind: "tokens", access_token: "t", lives_ms });
  });

  test.each([
    [{ state: "error", msg: "Not Support" }, 200, "Not Support"],
    [{ state: "error" }, 200, "no reason given"],
    [{ access_token: "", state: "error", msg: "empty" }, 200, "empty"],
    [{ error: "invalid_client" }, 400, "HTTP 400"],
    [{}, 499, "HTTP 499"],
  ])("%j with HTTP %i is a refusal: %s", (body, status, msg) => {
    expect(readTokens(said(body, status))).toEqual({ kind: "refused", status, msg });
  });

  test.each([
    [{}, 200],
    [{ state: "ok" }, 399],
    [{ access_token: 7 }, 200],
    [{}, 500],
    ["<html>", 404],
  ])("%j with HTTP %i is somebody else's", (body, status) => {
    const detail = `it answered (${status}), but with no token`;
    expect(readTokens(said(body, status))).toEqual({ kind: "unrecognized", status, detail });
  });
});

test("the far end's words are told without what could be a token, in plain letters, and shortly", () => {
  expect(redact("Bearer abcdef0123456789+/=.-_ is void")).toBe("Bearer … is void");
  expect(redact("fifteen letters")).toBe("fifteen letters");
  expect(redact("a\u0000b\nc\u00e9d")).toBe("abcd");
  expect(redact("no ".repeat(50))).toHaveLength(80);
});
