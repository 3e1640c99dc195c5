import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { as, asked, at, servicesOf } from "../support/api";
import { seedCity } from "../support/city";

beforeAll(async () => {
  await seedCity();
  const schedule = (id: string, device: string, title: string, from: number, to: number, rrule: string | null) =>
    env.DB.prepare(
      `INSERT INTO schedules (id, org_id, device_id, title, start_at, end_at, last_end_at, rrule, timezone)
       VALUES (?1, 'city', ?2, ?3, ?4, ?5, ?6, ?7, 'UTC')`,
    ).bind(id, device, title, at(from), at(to), rrule ? null : at(to), rrule);
  const event = (id: string, device: string, hours: number, source: string, note: string) =>
    env.DB.prepare(
      `INSERT INTO scheduler_events (id, org_id, ts, device_id, device_name, source, action, result, attempts, note)
       VALUES (?, 'city', ?, ?, ?, ?, 'on', 'ok', 1, ?)`,
    ).bind(id, at(hours), device, device, source, note);
  const workorder = (id: string, device: string, status: string, priority: string) =>
    env.DB.prepare(
      "INSERT INTO workorders (id, org_id, title, area_id, device_id, status, priority) VALUES (?1, 'city', ?1, 'park', ?2, ?3, ?4)",
    ).bind(id, device, status, priority);
  await env.DB.batch([
    schedule("nightly", "gate", "Evening lights", -1, 2, "FREQ=DAILY"),
    schedule("same", "court", "Evening lights", -1, 2, "FREQ=DAILY"),
    schedule("game", "gate", "Game", 5, 6, null),
    schedule("over", "gate", "Over", -5, -4, null),
    schedule("hidden", "weir", "Hidden", 1, 2, null),
    event("e1", "gate", -2, "manual", "Pressed by manager@parks.example"),
    event("e2", "gate", -1, "scheduler", "On until 22:00: Evening lights"),
    event("e3", "gate", -3, "manual", "Pressed by a@b.example · superseded by OFF: Pressed by c@d.example"),
    event("old", "gate", -24 * 30, "scheduler", "A month ago"),
    event("e4", "weir", -1, "scheduler", "Hidden"),
    workorder("bulb", "gate", "open", "low"),
    workorder("pole", "gate", "in_progress", "urgent"),
    workorder("done", "gate", "completed", "urgent"),
    workorder("theirs", "gate", "open", "urgent"),
    env.DB.prepare("UPDATE workorders SET dept_id = 'rivers' WHERE id = 'theirs'"),
    env.DB.prepare("UPDATE devices SET dept_id = 'rivers' WHERE id = 'weir'"),
    env.DB.prepare("UPDATE scheduler_events SET dept_id = 'rivers' WHERE id = 'e4'"),
  ]);
});

test("a device's page has its next three windows, its last actor, its hub and its open work orders", async () => {
  const { status, json } = await as("manager").get("/devices/gate");
  expect(status).toBe(200);
  const { device, explanation, hub, windows, history, workorders } = json.data;
  expect(device).toMatchObject({ id: "gate", name: "Gate light" });
  expect(explanation).toMatchObject({ device_id: "gate", sentence: "Off: nothing is scheduled" });
  expect(hub).toMatchObject({ id: "park-hub", status: "online", rtt_ms: 12 });
  expect(windows).toEqual([
    { schedule_id: "nightly", title: "Evening lights", start_at: at(-1), end_at: at(2), lights: 1, is_running: true },
    { schedule_id: "game", title: "Game", start_at: at(5), end_at: at(6), lights: 1, is_running: false },
    { schedule_id: "nightly", title: "Evening lights", start_at: at(23), end_at: at(26), lights: 1, is_running: false },
  ]);
  expect(history.map(({ id, actor }: { id: string; actor: string | null }) => [id, actor])).toEqual([
    ["e2", null],
    ["e1", "manager@parks.example"],
    ["e3", "a@b.example"],
    ["old", null],
  ]);
  expect(workorders.map(({ id }: { id: string }) => id)).toEqual(["pole", "bulb"]);
});

test("an area's page merges equal windows, covers the last week and hides what the person may not see", async () => {
  const { json } = await as("manager").get("/areas/park");
  const { area, summary, devices, hubs, windows, history, workorders } = json.data;
  expect(area).toMatchObject({ id: "park", name: "Elm Park" });
  expect(summary).toMatchObject({ devices_total: 2, hubs_total: 1 });
  expect(devices.map(({ id, sentence }: { id: string; sentence: string }) => [id, sentence])).toEqual([
    ["court", "Off: nothing is scheduled"],
    ["gate", "Off: nothing is scheduled"],
  ]);
  expect(hubs.map(({ id }: { id: string }) => id)).toEqual(["park-hub"]);
  expect(windows[0]).toMatchObject({ title: "Evening lights", lights: 2, is_running: true });
  expect(windows.map(({ title }: { title: string }) => title)).not.toContain("Hidden");
  expect(history.map(({ id }: { id: string }) => id)).toEqual(["e2", "e1", "e3"]);
  expect(workorders).toHaveLength(2);
  const admin = await as("admin").get("/areas/park");
  expect(admin.json.data.windows.map(({ title }: { title: string }) => title)).toContain("Hidden");
  expect(admin.json.data.devices).toHaveLength(3);
});

test("a page tells of no window of a canceled booking, and an area's of no light of another area", async () => {
  const lamp = (await as("admin").post("/devices", { name: "Lamp", area_id: "field" })).json.data.id;
  const game = { title: "Called off", device_id: lamp, area_id: "field", start_at: at(1), end_at: at(2) };
  const { id } = (await as("admin").post("/schedules", game)).json.data;
  const fieldOf = async () => (await as("admin").get("/areas/field")).json.data;
  const titles = ({ windows }: { windows: { title: string }[] }) => windows.map(({ title }) => title);
  const field = await fieldOf();
  expect(field.devices.map((device: { id: string }) => device.id)).toEqual([lamp]);
  expect(titles(field)).toEqual(["Called off"]);
  await as("admin").put(`/schedules/${id}/cancel`);
  expect(titles(await fieldOf())).toEqual([]);
  expect(titles((await as("admin").get(`/devices/${lamp}`)).json.data)).toEqual([]);
  await as("admin").remove(`/devices/${lamp}`);
});

test("in an inactive area the pages of it and of its lights say of no window that it runs", async () => {
  const running = async () => {
    const pages = await Promise.all(["/areas/park", "/devices/gate"].map((page) => as("manager").get(page)));
    return pages.map(
      ({ json }) => json.data.windows.filter((window: { is_running: boolean }) => window.is_running).length,
    );
  };
  expect(await running()).toEqual([1, 1]);
  await env.DB.prepare("UPDATE areas SET active = 0 WHERE id = 'park'").run();
  expect(await running()).toEqual([0, 0]);
  await env.DB.prepare("UPDATE areas SET active = 1 WHERE id = 'park'").run();
});

test("when lights that were turned off go on again is told of those alone that the person sees", async () => {
  asked.length = 0;
  const ahead = await servicesOf("manager").devices.nextOn(["gate", "weir", "buoy"]);
  expect([...ahead.keys()]).toEqual(["gate"]);
  expect(asked).toEqual([{ verb: "explain", org_id: "city", device_ids: ["gate"] }]);
});

test("a page waits for no engine that does not answer", { timeout: 20_000 }, async () => {
  const detail = await as("admin", { scheduler: deaf() }).get("/devices/gate");
  expect(detail.json.data.explanation).toBeNull();
});

test("no page exists for another organization's or a hidden device", async () => {
  expect((await as("manager").get("/devices/weir")).status).toBe(404);
  expect((await as("admin").get("/devices/buoy")).status).toBe(404);
  expect((await as("admin").get("/areas/pier")).status).toBe(404);
});

function deaf() {
  const never = () => new Promise<never>(() => undefined);
  return {
    sync: never,
    noteLists: () => undefined,
    checkSessions: () => undefined,
    dropAgent: () => undefined,
    toggle: never,
    toggleMany: never,
    explain: never,
    pingHub: never,
    listHubAccount: never,
    readState: never,
    testSwitch: never,
    forecast: never,
    preview: never,
    testEmail: never,
    testMessage: never,
    sendWebhook: never,
    endTest: never,
  };
}

test("no words in the note of another than a person name one as who has switched a light", async () => {
  await env.DB.prepare(
    `INSERT INTO scheduler_events (id, org_id, ts, device_id, device_name, source, action, result, attempts, note)
     VALUES ('agent:a:1', 'city', ?, 'court', 'court', 'scheduler', 'on', 'ok', 1, 'Pressed by admin@parks.example')`,
  )
    .bind(at(-1))
    .run();
  const { history } = (await as("manager").get("/devices/court")).json.data;
  expect(history).toMatchObject([{ id: "agent:a:1", actor: null }]);
});
