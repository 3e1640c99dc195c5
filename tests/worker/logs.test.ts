import { env } from "cloudflare:workers";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { as, asked, audits, fingerprint, servicesOf } from "../support/api";
import { seedCity } from "../support/city";

beforeAll(async () => {
  await seedCity();
  const rows = [
    ["1", "city", "gate", null],
    ["2", "city", "court", "sports"],
    ["3", "city", "weir", "rivers"],
    ["4", "harbor", "buoy", null],
    ["5", "city", null, null],
  ] as const;
  await env.DB.batch(
    rows.flatMap(([n, org_id, device_id, dept_id]) => {
      const ts = `2026-11-20T1${n}:00:00.000Z`;
      return [
        env.DB.prepare(
          `INSERT INTO scheduler_events (id, org_id, ts, device_id, dept_id, device_name, source, action, result, attempts)
           VALUES (?, ?, ?, ?, ?, ?, 'scheduler', 'on', 'ok', 1)`,
        ).bind(n, org_id, ts, device_id, dept_id, device_id),
        env.DB.prepare(
          `INSERT INTO device_events (id, org_id, created_at, device_id, dept_id, area_id, action, result, http_status)
           VALUES (?, ?, ?, ?, ?, 'park', 'on', 'success', 200)`,
        ).bind(n, org_id, ts, device_id, dept_id),
        env.DB.prepare(
          `INSERT INTO connectivity_logs (id, org_id, created_at, device_id, dept_id, action, result)
           VALUES (?, ?, ?, ?, ?, 'status_check', 'success')`,
        ).bind(n, org_id, ts, device_id, dept_id),
      ];
    }),
  );
});

const LOGS = [
  ["/scheduler/events", "events"],
  ["/history/events", "data"],
  ["/admin/connectivity/logs", "data"],
] as const;
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);

test.each(LOGS)("%s lists the latest first, by the person's departments", async (path, key) => {
  const read = async (...who: Parameters<typeof as>) => idsOf((await as(...who).get(path)).json[key]);
  expect(await read("admin")).toEqual(["5", "3", "2", "1"]);
  expect(await read("manager")).toEqual(["5", "2", "1"]);
  expect(await read("admin", { dept: "rivers" })).toEqual(["5", "3", "1"]);
  expect(await read("stranger")).toEqual(["4"]);
  expect(idsOf((await as("admin").get(`${path}?limit=1`)).json[key])).toEqual(["5"]);
});

test.each(LOGS)("%s refuses an invalid limit", async (path) => {
  for (const limit of ["0", "1001", "-1", "1.5", "ten", "", "1e2", "%00", "9".repeat(400)]) {
    const { status, json } = await as("admin").get(`${path}?limit=${limit}`);
    expect([limit, status]).toEqual([limit, 422]);
    expect(json.detail).toBe("Limit must be a whole number from 1 to 1000");
  }
  expect((await as("admin").get(`${path}?limit=1000&unknown=1`)).status).toBe(200);
});

test.each(["/admin/notifications", "/admin/connectivity/logs", "/admin/webhooks/deliveries"])(
  "%s goes on after a cursor, also between entries of one moment, until it answers none",
  async (path) => {
    const rows = ["1", "2", "3", "4", "5"].map((n) => {
      // Two of one moment.
      const at = `2026-11-19T1${n === "3" ? "2" : n}:00:00.000Z`;
      return [
        env.DB.prepare(
          `INSERT INTO notifications (id, org_id, incident, kind, message, recipients, status, created_at)
           VALUES (?1, 'city', ?1, 'device_failed', 'Dark', '[]', 'sent', ?2)`,
        ).bind(`n${n}`, at),
        env.DB.prepare(
          `INSERT INTO connectivity_logs (id, org_id, created_at, action, result)
           VALUES (?1, 'city', ?2, 'status_check', 'success')`,
        ).bind(`c${n}`, at),
        env.DB.prepare(
          `INSERT INTO webhook_deliveries (id, org_id, webhook_id, type, subject, body, status, created_at)
           VALUES (?1, 'city', 'w', 'test', 'Test', '', 'delivered', ?2)`,
        ).bind(`d${n}`, at),
      ];
    });
    onTestFinished(async () => {
      await env.DB.batch([
        env.DB.prepare("DELETE FROM notifications WHERE id GLOB 'n[1-5]'"),
        env.DB.prepare("DELETE FROM connectivity_logs WHERE id GLOB 'c[1-5]'"),
        env.DB.prepare("DELETE FROM webhook_deliveries WHERE id GLOB 'd[1-5]'"),
      ]);
    });
    await env.DB.batch(rows.flat());
    const admin = as("admin");
    const read = async (query: string) => (await admin.get(`${path}?limit=2${query}`)).json.data;
    const after = ({ created_at, id }: { created_at: string; id: string }) =>
      `&cursor=${encodeURIComponent(`${created_at}~${id}`)}`;
    const all = (await admin.get(path)).json.data;
    expect(all.length).toBeGreaterThan(2);
    const pages: { created_at: string; id: string }[] = [];
    let page = await read("");
    while (page.length > 0 && pages.length <= all.length) {
      pages.push(...page);
      page = await read(after(page.at(-1)));
    }
    expect(pages).toEqual(all);
    const { status, json } = await admin.get(`${path}?cursor=yesterday`);
    expect([status, json.detail]).toEqual([
      422,
      "Cursor must be the time and id of an entry, 2026-08-01T10:00:00.000Z~id",
    ]);
  },
);

test("scheduler events filter by device and since, and have the contract's fields only", async () => {
  const events = async (query: string) => (await as("admin").get(`/scheduler/events?${query}`)).json.events;
  expect(idsOf(await events("device_id=court"))).toEqual(["2"]);
  expect(await events("device_id=buoy")).toEqual([]);
  expect(idsOf(await events("since=2026-11-20T13:00:00Z"))).toEqual(["5", "3"]);
  expect(idsOf(await events("since=2026-11-20T05:00:00-08:00"))).toEqual(["5", "3"]);
  expect(idsOf(await events("since=2026-11-21"))).toEqual([]);
  expect(await events("device_id=court")).toEqual([
    {
      id: "2",
      ts: "2026-11-20T12:00:00.000Z",
      device_id: "court",
      device_name: "court",
      source: "scheduler",
      action: "on",
      result: "ok",
      attempts: 1,
      note: null,
      cause: null,
    },
  ]);
  for (const since of ["yesterday", "2026-13-01T00:00:00Z", "0", ""]) {
    expect((await as("admin").get(`/scheduler/events?since=${since}`)).status).toBe(422);
  }
});

test("device events filter by device and area", async () => {
  const events = async (query: string) => idsOf((await as("admin").get(`/history/events?${query}`)).json.data);
  expect(await events("device_id=weir")).toEqual(["3"]);
  expect(await events("area_id=park&limit=2")).toEqual(["5", "3"]);
  expect(await events("area_id=pier")).toEqual([]);
});

test("only admins and managers run connectivity tests", async () => {
  const employee = as("employee");
  for (const refused of [
    await employee.get("/admin/connectivity/logs"),
    await employee.post("/admin/connectivity/ping-hub", { hub_id: "park-hub" }),
    await employee.post("/admin/connectivity/status", { device_id: "gate" }),
    await employee.post("/admin/connectivity/action", { device_id: "gate", action: "on" }),
  ]) {
    expect([refused.status, refused.json.detail]).toEqual([403, "Permission denied"]);
  }
});

test("calls the engine for each test and returns its answer", async () => {
  asked.length = 0;
  const manager = as("manager");
  expect((await manager.post("/admin/connectivity/ping-hub", { hub_id: "park-hub" })).json).toMatchObject({
    hub_name: "Park hub",
    ip_address: null,
    result: { success: true, rtt_ms: 7, detail: null, provider: "mock" },
  });
  expect((await manager.post("/admin/connectivity/status", { device_id: "gate" })).json).toMatchObject({
    device_name: "Gate light",
    result: { success: true, state: "off", provider: "mock", error: null },
  });
  const { json } = await manager.post("/admin/connectivity/action", { device_id: "gate", action: "on" });
  expect(json).toMatchObject({ action: "on", success: true, verification_result: { state: "on" } });
  expect(asked.map(({ verb }) => verb)).toEqual(["pingHub", "readState", "testSwitch"]);
  expect((await audits()).at(-1)).toMatchObject({ action: "test", resource_type: "device" });
});

test.each([
  ["ping-hub", {}, 422, "Please select a hub first"],
  ["ping-hub", { hub_id: "pier-hub" }, 422, "Hub not found"],
  ["ping-hub", { hub_id: ["park-hub"] }, 422, "Please select a hub first"],
  ["status", {}, 422, "Please select a device first"],
  ["status", { device_id: null }, 422, "Please select a device first"],
  ["status", { device_id: "weir" }, 422, "Device not found"],
  ["status", { device_id: "buoy" }, 422, "Device not found"],
  ["action", { action: "on" }, 422, "Please select a device first"],
  ["action", { device_id: "gate" }, 422, "Action must be one of: on, off"],
  ["action", { device_id: "gate", action: "test" }, 422, "Action must be one of: on, off"],
  ["action", { device_id: "weir", action: "on" }, 422, "Device not found"],
] as const)("%s of %j answers %i and the engine is not asked", async (test, input, status, detail) => {
  asked.length = 0;
  const before = await fingerprint();
  const refused = await as("manager").post(`/admin/connectivity/${test}`, input);
  expect([refused.status, refused.json.detail]).toEqual([status, detail]);
  expect(asked).toEqual([]);
  expect(await fingerprint()).toEqual(before);
});

test("an auditor may read a light of the audited department in a test, but not switch it, nor end another's test", async () => {
  const auditor = as("auditor");
  expect((await auditor.post("/admin/connectivity/status", { device_id: "court" })).status).toBe(200);
  expect((await auditor.post("/admin/connectivity/action", { device_id: "court", action: "on" })).status).toBe(403);
  asked.length = 0;
  await expect(servicesOf("auditor").connectivity.endTest({ device_id: "court" })).rejects.toThrow("Permission denied");
  expect(asked).toEqual([]);
  await servicesOf("manager").connectivity.endTest({ device_id: "gate" });
  expect(asked).toMatchObject([{ verb: "endTest", device_id: "gate" }]);
});

test("answers 503 with a message when the engine cannot be reached", async () => {
  const manager = as("manager", { scheduler: engine(() => Promise.reject(new Error("overloaded"))) });
  for (const { status, json } of [
    await manager.post("/devices/gate/toggle", { action: "on" }),
    await manager.get("/devices/gate/explain"),
    await manager.post("/admin/connectivity/ping-hub", { hub_id: "park-hub" }),
    await manager.post("/admin/connectivity/status", { device_id: "gate" }),
    await manager.post("/admin/connectivity/action", { device_id: "gate", action: "off" }),
  ]) {
    expect(status).toBe(503);
    expect(json).toEqual({ detail: "The switching engine did not answer. Please try again." });
  }
});

test.each([
  ["cannot be asked", () => Promise.reject(new Error("overloaded"))],
  ["says nothing", () => new Promise<never>(() => undefined)],
])("lists devices without their sentences when the engine %s", async (_, ask) => {
  const { devices } = servicesOf("manager", { scheduler: engine(ask) });
  const { rows } = await devices.page({});
  expect(rows).not.toEqual([]);
  expect(await devices.told(rows)).toEqual({});
});

function engine(ask: () => Promise<never>) {
  return {
    sync: async () => {},
    noteLists: () => undefined,
    checkSessions: () => undefined,
    dropAgent: () => undefined,
    toggle: ask,
    toggleMany: ask,
    explain: ask,
    listHubAccount: ask,
    pingHub: ask,
    readState: ask,
    testSwitch: ask,
    forecast: ask,
    preview: ask,
    testEmail: ask,
    testMessage: ask,
    sendWebhook: ask,
    endTest: ask,
  };
}
