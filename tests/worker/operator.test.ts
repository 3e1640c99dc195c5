import { createExecutionContext } from "cloudflare:test";
import { expect, test, vi } from "vitest";
import worker from "#worker/index";
import { operator } from "#worker/operator/index";
import { published } from "../support/document";
import { anOrganization, bindings, ORIGIN, rows } from "../support/door";

const TOKEN = "the operator's token of these tests, without spaces".replaceAll(" ", "-");

type Sent = {
  token?: string | null;
  address?: string;
  method?: string;
  set?: string;
  headers?: Record<string, string>;
};

/** A call of the operator's door, on a deployment whose OPERATOR_TOKEN is `set`. */
function knock(path: string, { token = TOKEN, address, method = "GET", set = TOKEN, headers }: Sent = {}) {
  const request = new Request(`${ORIGIN}/api/operator${path}`, {
    method,
    headers: {
      "CF-Connecting-IP": address ?? crypto.randomUUID(),
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
      ...headers,
    },
  });
  return worker.fetch(request, bindings({ OPERATOR_TOKEN: set }), createExecutionContext());
}

const statusOf = async (path: string, sent: Sent) => (await knock(path, sent)).status;

test("the operator's token opens the door, without a cookie", async () => {
  const response = await knock("/health");
  expect(response.status).toBe(200);
  expect(response.headers.get("Set-Cookie")).toBeNull();
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  expect(await statusOf("/health", { set: `${TOKEN}\n` })).toBe(200);
});

test.each(["", "   ", "x".repeat(31), "twenty-four-letters and spaces-twenty"])(
  "there is no operator's door where OPERATOR_TOKEN is %j",
  async (set) => {
    const lines: string[] = [];
    const spy = vi.spyOn(console, "warn").mockImplementation((line: string) => void lines.push(line));
    for (const path of ["/health", "/nothing", ""]) {
      const response = await knock(path, { set, token: set.trim() || "x" });
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({ detail: "Not found" });
    }
    spy.mockRestore();
    const isTold = lines.join().includes("OPERATOR_TOKEN must be");
    expect(isTold).toBe(set.trim() !== "");
    if (isTold) expect(lines.join()).not.toContain(set);
  },
);

test.each<[string, Sent]>([
  ["no token", { token: null }],
  ["another token", { token: "y".repeat(51) }],
  ["the token's beginning", { token: TOKEN.slice(0, -1) }],
  ["the token with more after it", { token: `${TOKEN}x` }],
  ["the token in the query only", { token: null }],
  ["the token by another scheme", { token: null, headers: { Authorization: `Basic ${TOKEN}` } }],
  ["the token as a cookie", { token: null, headers: { Cookie: `session=${TOKEN}` } }],
])("%s is refused", async (_, sent) => {
  const response = await knock(`/health?token=${TOKEN}`, sent);
  expect(response.status).toBe(401);
  expect(await response.json()).toEqual({ detail: "This is not the operator's token" });
});

test("the twenty-first wrong token of an address waits, and the right one never does", async () => {
  const address = "203.0.113.77";
  const wrong = await Promise.all(Array.from({ length: 22 }, () => knock("/health", { token: "wrong", address })));
  expect(wrong.map(({ status }) => status).toSorted()).toEqual([...Array<number>(20).fill(401), 429, 429]);
  expect(wrong.find(({ status }) => status === 429)?.headers.get("Retry-After")).toBe("900");
  expect(await statusOf("/health", { address })).toBe(200);
  expect(await rows("SELECT DISTINCT address FROM login_attempts WHERE address LIKE ?", `%${address}`)).toEqual([
    { address: `operator:${address}` },
  ]);
});

test("every call of the operator's refuses whoever has no token, and every one is missing where none is set", async () => {
  const calls = operator.routes.filter(({ method }) => method !== "ALL");
  expect(calls.length).toBeGreaterThan(0);
  for (const { method, path } of calls) {
    const below = path.replace("/api/operator", "").replace(/:\w+/g, "x");
    expect(await statusOf(below, { method, token: null }), `${method} ${path}`).toBe(401);
    expect(await statusOf(below, { method, set: "" }), `${method} ${path}`).toBe(404);
  }
});

test("the operator's health has names, schema versions and what the deployment lacks", async () => {
  await anOrganization("riverside");
  const response = await knock("/health");
  expect(response.status).toBe(200);
  const text = await response.text();
  expect(JSON.parse(text)).toMatchObject({
    status: "ok",
    settings: { deadman: false, problems: expect.any(Array) },
    organizations: [
      {
        org_id: "riverside",
        name: "riverside parks",
        state: "on_time",
        schema_version: expect.any(Number),
        agents_connected: 0,
      },
    ],
  });
  expect(text).not.toContain(TOKEN);
});

test("the operator's health says how far the archive is and when it last failed, and the public one does not", async () => {
  await anOrganization("meadow");
  await rows(
    "INSERT INTO archive_health VALUES ('meadow', '2026-06-10', '2026-01-02', '2026-06-09', 'audit-log 2026-01-02')",
  );
  const { settings, organizations } = await (
    await knock("/health")
  ).json<{
    settings: { archive: boolean };
    organizations: { org_id: string; archive: unknown }[];
  }>();
  expect(settings.archive).toBe(true);
  expect(organizations.find(({ org_id }) => org_id === "meadow")?.archive).toEqual({
    run_at: "2026-06-10",
    waiting_since: "2026-01-02",
    failed_at: "2026-06-09",
    failed: "audit-log 2026-01-02",
  });
  const open = await worker.fetch(new Request(`${ORIGIN}/api/health`), bindings({}), createExecutionContext());
  expect(await open.text()).not.toMatch(/waiting_since|"archive"/);
});

test("a request is one data point of its group, without an address or an id", async () => {
  const points: unknown[] = [];
  const writeDataPoint = (point: unknown) => void points.push(point);
  const measured = bindings({ METRICS: { writeDataPoint } });
  for (const path of ["/api/operator/health", "/api/devices/a-device", "/no-page", "/live"])
    await worker.fetch(new Request(`${ORIGIN}${path}`), measured, createExecutionContext());
  expect(points).toEqual([
    { indexes: ["operator"], blobs: ["request", "operator", "GET", "4xx"], doubles: [expect.any(Number)] },
    { indexes: ["api"], blobs: ["request", "api", "GET", "4xx"], doubles: [expect.any(Number)] },
    { indexes: ["page"], blobs: ["request", "page", "GET", expect.any(String)], doubles: [expect.any(Number)] },
    { indexes: ["live"], blobs: ["request", "live", "GET", "4xx"], doubles: [expect.any(Number)] },
  ]);
});

test("an unknown call of the operator's is 404, and a wrong method 405", async () => {
  expect(await statusOf("/nothing", {})).toBe(404);
  expect(await statusOf("/health", { method: "DELETE" })).toBe(405);
  expect(await statusOf("/nothing", { token: "wrong" })).toBe(401);
});

test("the staff's document has no operator's call", async () => {
  const { paths } = await published();
  expect(Object.keys(paths).filter((path) => path.includes("operator"))).toEqual([]);
});
