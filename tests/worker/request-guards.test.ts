import { createExecutionContext, SELF } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, expect, test, vi } from "vitest";
import { MAX_IMPORT_BYTES } from "#domain/fields/limits";
import type { Bindings } from "#worker/wiring";
import worker from "#worker/index";
import { anOrganization, aPerson, bindings, call, ORIGIN, sessionOf } from "../support/door";

let token = "";

beforeAll(async () => {
  await anOrganization("city");
  await aPerson("ada", { city: "admin" });
  token = await sessionOf("ada");
});

const page = (path: string, init: RequestInit = {}, origin = ORIGIN): Promise<Response> =>
  SELF.fetch(new Request(`${origin}${path}`, { redirect: "manual", ...init }));

test("health is public", async () => {
  expect((await call("GET", "/health")).json).toMatchObject({ status: "ok" });
});

test.each(["/nothing", "/", "", "/areas/", "/areas/x/y", "/auth", "/admin", "/__proto__"])(
  "the unknown path /api%s is a JSON 404",
  async (path) => {
    for (const with_token of [{}, { token }]) {
      const { status, json } = await call("GET", path, with_token);
      expect({ status, json }).toEqual({ status: 404, json: { detail: "Not found" } });
    }
  },
);

test.each([
  ["PATCH", "/areas", "GET, POST"],
  ["DELETE", "/areas", "GET, POST"],
  ["PATCH", "/areas/x", "GET, PUT, DELETE"],
  ["GET", "/auth/login", "POST"],
  ["OPTIONS", "/areas", "GET, POST"],
  ["POST", "/health", "GET"],
  ["PUT", "/departments/x/members", "GET, POST"],
])("%s /api%s is a 405 that lists the allowed methods", async (method, path, allowed) => {
  const { status, json, headers } = await call(method, path, { token });
  expect(status).toBe(405);
  expect(json).toEqual({ detail: "This method is not allowed here" });
  expect(headers.get("Allow")).toBe(allowed);
  expect(headers.get("Access-Control-Allow-Origin")).toBeNull();
});

test.each([
  ["{", {}, 400],
  ["", { "Content-Type": "application/json" }, 400],
  ["{}", { "Content-Type": "text/plain" }, 415],
  ["name=x", { "Content-Type": "application/x-www-form-urlencoded" }, 415],
  ["{}", { "Content-Type": "application/json-patch+json" }, 415],
  ['{"name":"x"}', { "Content-Type": "Application/JSON; charset=utf-8" }, 201],
  ["[".repeat(100_000), {}, 400],
])("the body %j with %j answers %i", async (body: string, headers: Record<string, string>, expected) => {
  const { status, json } = await call("POST", "/departments", { token, body, headers });
  expect(status).toBe(expected);
  if (expected !== 201) expect(json).toEqual({ detail: expect.any(String) });
});

test("refuses a body over 256 KiB, with or without Content-Length, and stops reading it", async () => {
  const text = JSON.stringify({ name: "x".repeat(10_000_000) });
  expect((await call("POST", "/departments", { token, body: text })).status).toBe(413);

  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      sent += 1;
      if (sent > 10_000) controller.close();
      else controller.enqueue(new Uint8Array(10_000).fill(32));
    },
  });
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}` };
  const response = await page("/api/departments", { method: "POST", body: endless, headers });
  expect(response.status).toBe(413);
  expect(await response.json()).toEqual({ detail: "The request is too large: at most 256 KiB" });
  expect(sent).toBeLessThan(10_000);
});

test("reads a body that says that it is too large to its end, or who is sending it would never see the answer", async () => {
  let left = 900;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (left === 0) return controller.close();
      left -= 1;
      controller.enqueue(new Uint8Array(10_000).fill(32));
    },
  });
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}`, "Content-Length": "9000000" };
  const response = await page("/api/departments", { method: "POST", body, headers });
  expect(response.status).toBe(413);
  expect(left).toBe(0);
});

test("reads a body of exactly 256 KiB", async () => {
  const frame = JSON.stringify({ name: "x", notes: "" }).length;
  const body = JSON.stringify({ name: "x", notes: "y".repeat(256 * 1024 - frame) });
  expect(body).toHaveLength(256 * 1024);
  expect((await call("POST", "/departments", { token, body })).status).toBe(201);
});

test("takes a calendar as long as it may be, also from a client that escapes each letter", async () => {
  const date = (n: number) => new Date(Date.parse("2027-01-01") + n * 86_400_000).toISOString().slice(0, 10);
  const dates = Array.from({ length: 2_000 }, (_, n) => ({ date: date(n), name: "光".repeat(100) }));
  const calendar = { name: "Long", dates };
  const made = await call("POST", "/calendars", { token, body: JSON.stringify(calendar) });
  expect(made.status).toBe(201);
  const escaped = JSON.stringify({ ...calendar, name: "Longer" }).replaceAll("光", "\\u5149");
  const { status, json } = await call("PUT", `/calendars/${made.json.data.id}`, { token, body: escaped });
  expect([status, json.data?.name]).toEqual([200, "Longer"]);

  const file = "x".repeat(256 * 1024 + 1);
  const headers = { "Content-Type": "text/calendar" };
  expect((await call("POST", `/calendars/${made.json.data.id}/import`, { token, body: file, headers })).status).toBe(
    413,
  );
});

test("takes an import as long as it may be, also of a file with a quote for each second letter", async () => {
  const csv = '{"'.repeat(MAX_IMPORT_BYTES / 2); // begins as no CSV file does, so that it is not read further
  const { status, json } = await call("POST", "/imports", { token, body: JSON.stringify({ csv }) });
  expect([status, json.detail]).toEqual([422, expect.stringContaining("JSON")]);
  const longer = await call("POST", "/imports", { token, body: JSON.stringify({ csv: `${csv}"` }) });
  expect([longer.status, longer.json.detail]).toEqual([422, expect.stringContaining("at most 5 MB")]);
});

test.each(["/imports", "/calendars"])(
  "a short body of /api%s, sent by whom nobody knows, takes little memory",
  async (path) => {
    const taken = vi.fn<(length: unknown) => void>();
    class Counted extends Uint8Array {
      constructor(length: number) {
        super(length);
        taken(length);
      }
    }
    vi.stubGlobal("Uint8Array", Counted);
    const { status } = await call("POST", path, { body: "{}" }).finally(() => vi.unstubAllGlobals());
    expect(status).toBe(401);
    const lengths = taken.mock.calls.map(([length]) => Number(length));
    expect(Math.max(...lengths)).toBeLessThanOrEqual(256 * 1024);
  },
);

test("every API answer has a request id and forbids caching, sniffing and framing", async () => {
  for (const path of ["/health", "/nothing", "/areas"]) {
    const { headers } = await call("GET", path);
    expect(headers.get("X-Request-Id")).toMatch(/^[\da-f-]{36}$/);
    expect(headers.get("Cache-Control")).toBe("no-store");
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("Referrer-Policy")).toBe("same-origin");
    expect(headers.get("Strict-Transport-Security")).toMatch(/^max-age=31536000/);
    expect(headers.get("Content-Security-Policy")).toBe("default-src 'none'; base-uri 'none'; frame-ancestors 'none'");
  }
});

test("a page's policy has a new nonce each time, and no HSTS on localhost", async () => {
  const policies = [
    await page("/login", {}, "http://localhost:8787"),
    await page("/login", {}, "http://localhost:8787"),
  ];
  const nonces = policies.map(
    ({ headers }) => /script-src 'self' 'nonce-([\w+/=]{24})'/.exec(headers.get("Content-Security-Policy") ?? "")?.[1],
  );
  expect(nonces[0]).toBeTruthy();
  expect(nonces[0]).not.toBe(nonces[1]);
  expect(policies[0]?.headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
  expect(policies[0]?.headers.get("Strict-Transport-Security")).toBeNull();
});

test.each([
  [{ Origin: "https://evil.example" }, 403],
  [{ Origin: "null" }, 403],
  [{ Origin: "http://lamplighter.example" }, 403],
  [{ Origin: "https://evil.example", "Sec-Fetch-Site": "same-origin" }, 403],
  [{ "Sec-Fetch-Site": "cross-site" }, 403],
  [{ "Sec-Fetch-Site": "same-site" }, 403],
  [{}, 403],
])("refuses a page's write from %j", async (headers: Record<string, string>, status) => {
  const response = await page("/devices", { method: "POST", headers, body: new URLSearchParams({ intent: "x" }) });
  expect(response.status).toBe(status);
  expect(await response.text()).toBe("Permission denied");
});

test.each<Record<string, string>>([{ Origin: ORIGIN }, { "Sec-Fetch-Site": "same-origin" }])(
  "a page's write from %j goes on",
  async (headers) => {
    const response = await page("/devices", { method: "POST", headers, body: new URLSearchParams({ intent: "x" }) });
    expect(response.status).not.toBe(403);
  },
);

test.each<[string | undefined, Record<string, string>]>([
  [undefined, {}],
  ["{}", { "Content-Type": "application/json" }],
  ["x", { "Content-Type": "multipart/form-data; boundary=y" }],
  ["x", { "Content-Type": "multipart/form-data" }],
])("a page's write of %j with %j is not a form and gets 400", async (body, headers) => {
  const init = { method: "POST", headers: { Origin: ORIGIN, ...headers } };
  expect((await page("/devices", body === undefined ? init : { ...init, body })).status).toBe(400);
});

test("an internal error is answered without a stack, with the request id that the log has", async () => {
  const lines: string[] = [];
  const spy = vi.spyOn(console, "error").mockImplementation((line: string) => void lines.push(line));
  const { json, status } = await brokenSignIn();
  spy.mockRestore();
  expect(status).toBe(500);
  expect(json).toEqual({ detail: "Something went wrong. Please try again.", request_id: expect.any(String) });
  expect(lines.join("\n")).toContain(json.request_id);
  expect(lines.join("\n")).not.toContain("hunter2-hunter2");
});

/** Renames the table away for the request. */
async function brokenSignIn() {
  await env.DB.prepare("ALTER TABLE login_attempts RENAME TO away").run();
  try {
    return await call("POST", "/auth/login", { body: { email: "ada@parks.example", password: "hunter2-hunter2" } });
  } finally {
    await env.DB.prepare("ALTER TABLE away RENAME TO login_attempts").run();
  }
}

test("logs a line per request, with its id and without secrets", async () => {
  const lines: string[] = [];
  const spy = vi.spyOn(console, "info").mockImplementation((line: string) => void lines.push(line));
  const { headers } = await call("GET", "/auth/me?token=secret-in-query", {
    token,
    headers: { "CF-Connecting-IP": "203.0.113.9" },
  });
  spy.mockRestore();
  expect(lines.map((line) => JSON.parse(line))).toContainEqual({
    at: expect.any(String),
    level: "info",
    event: "request",
    request_id: headers.get("X-Request-Id"),
    method: "GET",
    path: "/api/auth/me",
    status: 200,
    ms: expect.any(Number),
    address: "203.0.113.9",
    user_id: "ada",
    org_id: "city",
  });
  expect(lines.join()).not.toContain("secret-in-query");
  expect(lines.join()).not.toContain(token);
});

test("over plain http any host but localhost gets a message", async () => {
  for (const path of ["/login", "/api/health"]) {
    const response = await page(path, {}, "http://lamplighter.example");
    expect(response.status).toBe(403);
    expect(await response.text()).toContain("Open this address with https: over plain http nobody can sign in.");
  }
  for (const origin of ["http://localhost:8787", "http://127.0.0.1:8787"]) {
    expect((await page("/api/health", {}, origin)).status).toBe(200);
  }
});

test.each<[string, string, string]>([
  ["SESSION_SECRET", "too-short", "SESSION_SECRET must be at least 32 characters: "],
  ["SESSION_SECRET", "", "SESSION_SECRET is missing: "],
  ["SETTINGS_KEY", "c2l4dGVlbiBieXRlcy4uLg==", "SETTINGS_KEY must be 32 bytes in base64: "],
])("with %s '%s' it says only that it is not configured, and the log says why", async (name, value, sentence) => {
  const lines: string[] = [];
  const spy = vi.spyOn(console, "error").mockImplementation((line: string) => void lines.push(line));
  const env = bindings({ [name]: value });
  const api = await sent(env, "/api/areas");
  expect(api.status).toBe(503);
  expect(await api.json()).toEqual({ detail: "Lamplighter is not configured yet" });
  const login = await sent(env, "/login");
  const html = await login.text();
  spy.mockRestore();
  expect([login.status, login.headers.get("Content-Type")]).toEqual([503, "text/html; charset=UTF-8"]);
  expect(html).toContain("Lamplighter is not configured yet");
  expect(html).not.toContain(name);
  expect(lines).toEqual([expect.stringContaining(sentence)]);
  if (value) expect(lines.join()).not.toContain(value);
});

test("a setting that has a default stops nobody", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const response = await sent(bindings({ LOG_RETENTION_DAYS: "a year", TWILIO_FROM: "+12025550123" }), "/api/health");
  expect(response.status).toBe(200);
  const told = warn.mock.calls.join("\n");
  expect(told).toContain("LOG_RETENTION_DAYS must be a whole number of days");
  expect(told).toContain("TWILIO_ACCOUNT_SID is missing: TWILIO_FROM does nothing without it.");
  warn.mockRestore();
});

async function sent(env: Bindings, path: string): Promise<Response> {
  return worker.fetch(new Request(ORIGIN + path), env, createExecutionContext());
}
