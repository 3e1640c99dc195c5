import { describe, expect, test } from "vitest";
import { failed, parseResponse, nothingDone } from "#durable/providers/yolink/parse-response";
import { readPacket, readTokens } from "#durable/providers/yolink/packet";

const said = (body: unknown, status = 200) =>
  ({ ok: true, status, text: typeof body === "string" ? body : JSON.stringify(body) }) as const;

/** Codes whose fault is not at the device. */
const PLACES: Record<string, string> = {
  "000101": "hub",
  "010000": "far_end",
  "010001": "far_end",
  "010101": "far_end",
  "010102": "far_end",
  "010103": "far_end",
  "010104": "far_end",
  "010300": "far_end",
  "999999": "far_end",
};

describe("the reply to a call", () => {
  test("reports a success in our own words, with its data", () => {
    const response = parseResponse(said({ code: "000000", desc: "Bearer 1234", data: { state: "open" } }));
    expect(response).toEqual({ ok: true, status: 200, code: "000000", says: "Success", data: { state: "open" } });
  });

  /** Code, reason, detail and, if a retry can help, what to renew first. */
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
    const where = PLACES[code] ?? "device";
    expect(parseResponse(said({ code }))).toEqual({ ok: false, reason, where, status: 200, code, detail, then });
  });

  /** Codes without a handling of their own, and an undocumented one. */
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
  ])("code %s is a refusal without a retry, reported with its number", (code) => {
    const detail = `it refuses the call (${code})`;
    expect(parseResponse(said({ code }))).toEqual({
      ok: false,
      reason: "refused",
      where: PLACES[code] ?? "device",
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
    const where = limit === "account" ? "far_end" : "device";
    const told = {
      ok: false,
      reason: "throttled",
      where,
      status: 200,
      code,
      detail,
      then: null,
      limit,
      retry_after_ms,
    };
    expect(parseResponse(said({ code }))).toEqual(told);
  });

  test.each([
    ["lost", "timeout"],
    ["unsent", "unreachable"],
  ] as const)("a reply that was %s is reported as %s", (failure, reason) => {
    const reply = { ok: false, failure, status: 302, detail: "why" } as const;
    const told = { ok: false, reason, where: "far_end", status: 302, code: null, detail: "why", then: null };
    expect(parseResponse(reply)).toEqual(told);
  });

  test.each([
    [undefined, 60_000],
    [7_000, 7_000],
    [86_400_000, 300_000],
  ])("HTTP 429 with a Retry-After of %s ms throttles the account for %i ms", (retry_after_ms, wait_ms) => {
    const told = { reason: "throttled", where: "far_end", limit: "account", retry_after_ms: wait_ms, status: 429 };
    expect(parseResponse({ ...said("", 429), retry_after_ms })).toMatchObject(told);
  });

  test.each([401, 403])("HTTP %i without a body means that our access is misconfigured", (status) => {
    const detail = "it does not let us in: access is misconfigured";
    expect(parseResponse(said("", status))).toEqual({
      ok: false,
      reason: "refused",
      where: "far_end",
      status,
      code: null,
      detail,
      then: "access",
    });
  });

  test.each([200, 400, 404, 502])(
    "HTTP %i with a page that is not the vendor's: the command may have run",
    (status) => {
      const detail = `it answered (${status}), but not as a YoLink hub or cloud does`;
      expect(parseResponse(said("<html>", status))).toMatchObject({ reason: "timeout", status, detail, then: null });
    },
  );

  /** A gateway before the vendor's own service may answer in JSON, with its HTTP status as the code. */
  test.each([
    [
      { code: 429, message: "Too many requests" },
      429,
      { reason: "throttled", limit: "account", retry_after_ms: 60_000 },
    ],
    [{ code: "10012" }, 429, { reason: "throttled" }],
    [{ code: 401, message: "Unauthorized" }, 401, { reason: "refused", then: "access" }],
    [{ code: 404, message: "no route matched" }, 404, { reason: "timeout" }],
    [{ code: 502, message: "Bad Gateway" }, 502, { reason: "timeout" }],
    [{ code: "5000" }, 503, { reason: "timeout" }],
  ])("%j with HTTP %i is not the vendor's word of a device", (body, status, told) => {
    expect(parseResponse(said(body, status))).toMatchObject({ ok: false, where: "far_end", code: null, ...told });
  });

  test.each([
    ["010103", 401, "access"],
    ["010001", 500, null],
    ["010204", 400, null],
  ])("code %s with HTTP %i is the vendor's own", (code, status, then) => {
    expect(parseResponse(said({ code }, status))).toMatchObject({ ok: false, code, status, then });
  });

  test("a failure before the command was sent is never a timeout and renews nothing", () => {
    const lost = failed("timeout", "no answer", { then: "access", status: 200 });
    expect(nothingDone(lost)).toEqual({ ...lost, reason: "unreachable", then: null });
    const refused = failed("refused", "no", { then: "device_token", code: "000103" });
    expect(nothingDone(refused)).toEqual({ ...refused, then: null });
  });
});

describe("an API reply", () => {
  test.each([
    [{ code: 103 }, { code: "000103", data: {} }],
    [
      { code: "000000", data: [1] },
      { code: "000000", data: {} },
    ],
    [
      { code: "000000", desc: "Success", data: { a: 1 } },
      { code: "000000", data: { a: 1 } },
    ],
  ])("%j", (body, packet) => {
    expect(readPacket(said(body, 201))).toEqual({ kind: "packet", status: 201, ...packet });
  });

  test.each([
    "",
    "{",
    "null",
    "7",
    "[]",
    '"000000"',
    "{}",
    '{"code":null}',
    '{"code":{}}',
    '{"code":"sec_v1_reflected"}',
  ])("%s is unrecognized", (text) => {
    expect(readPacket(said(text))).toMatchObject({ kind: "unrecognized", status: 200 });
  });
});

describe("a token reply", () => {
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
    [{ state: "error", msg: "Not Support" }, 200],
    [{ state: "error" }, 200],
    [{ access_token: "", state: "error" }, 200],
    [{ error: "invalid_client" }, 400],
    [{ state: "error" }, 401],
    [{}, 499],
    ["<html>", 401],
    ["", 403],
  ])("%j with HTTP %i is a refusal", (body, status) => {
    expect(readTokens(said(body, status))).toEqual({ kind: "refused" });
  });

  test.each([
    [{ state: "error", msg: "limits reached" }, 429, "throttled"],
    [{ code: "010301", desc: "limits reached", data: {} }, 200, "throttled"],
    [{ message: "no Route matched with those values" }, 404, "unrecognized"],
    ["", 429, "throttled"],
    [{ state: "error" }, 408, "unavailable"],
    [{ state: "error" }, 500, "unavailable"],
    [{ access_token: "t" }, 503, "unavailable"],
    ["<html>", 502, "unavailable"],
  ])("%j with HTTP %i says nothing about the credentials: %s", (body, status, kind) => {
    expect(readTokens(said(body, status))).toEqual({ kind });
  });

  test.each([
    [{}, 200],
    [{ state: "ok" }, 399],
    [{ access_token: 7 }, 200],
    ["<html>", 404],
  ])("%j with HTTP %i is unrecognized", (body, status) => {
    expect(readTokens(said(body, status))).toEqual({ kind: "unrecognized" });
  });
});
