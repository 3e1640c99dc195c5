import { beforeAll, expect, test } from "vitest";
import { as, fingerprint } from "../support/api";
import { seedCity } from "../support/city";

beforeAll(seedCity);

/** Every write of the resources, and the keys that its body may have. */
const WRITES = [
  ["POST", "/areas", ["name", "type", "location", "active"]],
  ["PUT", "/areas/park", ["name", "type", "location", "active"]],
  ["POST", "/hubs", ["name", "area_id", "ip_address", "port", "connection_mode", "notes", "local_client_id"]],
  ["PUT", "/hubs/park-hub", ["name", "area_id", "ip_address", "port", "connection_mode", "notes"]],
  ["POST", "/devices", ["name", "area_id", "hub_id", "dept_id", "model", "on_payload", "notes"]],
  ["PUT", "/devices/gate", ["name", "area_id", "hub_id", "dept_id", "model", "on_payload", "notes"]],
  ["POST", "/devices/gate/toggle", ["action"]],
  ["POST", "/schedules", ["title", "area_id", "device_id", "start_at", "end_at", "rrule", "timezone"]],
  ["PUT", "/schedules/nothing", ["title", "area_id", "device_id", "start_at", "end_at", "rrule", "timezone"]],
  ["POST", "/workorders", ["title", "description", "status", "dept_id", "device_id", "area_id", "assigned_to"]],
  ["POST", "/admin/settings", ["YOLINK_UAC_KEY", "YOLINK_CLOUD_BASE", "PROVIDER_MODE", "HUB_CHECK_INTERVAL_SEC"]],
  ["POST", "/admin/settings/guardrails", ["HARD_CURFEW_OFF", "BLACKOUT_WINDOW", "RETRY_BACKOFFS_SEC", "NOTIFY_SMS_TO"]],
  ["POST", "/admin/connectivity/ping-hub", ["hub_id"]],
  ["POST", "/admin/connectivity/action", ["device_id", "action"]],
] as const;

const VALUES: unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  "",
  "\u0000",
  "\ud800",
  "'; DROP TABLE areas; --",
  "%",
  "💡".repeat(70),
  "x".repeat(200_000),
  [],
  [[[]]],
  {},
  { toString: "x", length: 5 },
  { $ne: null },
];

test.each(WRITES)("%s %s never breaks, whatever each field is", async (method, path, keys) => {
  const admin = as("admin");
  const good = { name: "x", title: "x", area_id: "park", device_id: "gate", action: "on", hub_id: null };
  for (const key of keys) {
    for (const value of VALUES) {
      const { status, json } = await admin.call(method, path, { ...good, [key]: value });
      expect([key, value, status < 500]).toEqual([key, value, true]);
      if (status >= 400) expect(json.detail).toEqual(expect.any(String));
    }
  }
});

test.each(WRITES)("%s %s refuses what is no JSON object, and changes nothing", async (method, path) => {
  const before = await fingerprint();
  const deep = "[".repeat(50_000) + "]".repeat(50_000);
  for (const text of [
    "",
    "{",
    "null",
    "[]",
    "7",
    '"x"',
    "[{}]",
    "NaN",
    '{"a":1}}',
    deep,
    '{"__proto__":{"name":"x"}}',
  ]) {
    const { status, json } = await as("admin").call(method, path, text);
    expect([text.slice(0, 20), status < 500]).toEqual([text.slice(0, 20), true]);
    if (!path.startsWith("/admin/settings") || !text.startsWith('{"__proto__'))
      expect(status).toBeGreaterThanOrEqual(400);
    if (status >= 400) expect(json.detail).toEqual(expect.any(String));
  }
  expect(await fingerprint()).toEqual(before);
});

test("an id in the path may be anything", async () => {
  const admin = as("admin");
  for (const id of ["%00", "%27%20OR%201=1", "..%2f..", "x".repeat(5_000), "__proto__", "%F0%9F%92%A1"]) {
    for (const resource of ["areas", "hubs", "devices", "workorders"]) {
      expect((await admin.remove(`/${resource}/${id}`)).status).toBe(404);
    }
    expect((await admin.put(`/schedules/${id}/cancel`)).status).toBe(404);
    expect((await admin.post(`/devices/${id}/toggle`, { action: "on" })).status).toBe(404);
  }
});
