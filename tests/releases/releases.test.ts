import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "#tests/agent/until";
import { KINDS } from "#durable/state/deliveries";
import { bundleWorker } from "./bundle";
import { City } from "./city";
import { ITS_KINDS, lastRelease, unpackAgent, type Release } from "./kept";
import { agentConfig, LAMPS, PARK, parkHub, writeFiles } from "./park";
import { narrowings, shapeIn, shapeOf } from "./widening";

/** The release that is in the cities, and the code as it is now, one after the other on the state of a living city. */

const DEMO = "demo-parks";
const MIN_MS = 60_000;
const READ = [
  "/auth/me",
  "/dashboard",
  "/areas",
  "/hubs",
  "/devices",
  "/devices/demo-light-plaza-plaza-trees/explain",
  "/schedules",
  "/alarms",
  "/forecast?area_id=demo-area-linden",
  "/history/events?limit=50",
  "/scheduler/events?limit=50",
  "/workorders",
  "/admin/agents",
  "/admin/audit-logs?limit=50",
  "/admin/notifications?limit=50",
  "/admin/settings",
];

let release: Release;
let code: string;
let folder: string;
let city: City;
let hub: Awaited<ReturnType<typeof parkHub>>;
const agents: ChildProcess[] = [];
beforeAll(async () => {
  [release, code, hub] = await Promise.all([lastRelease(), bundleWorker(), parkHub()]);
  folder = await mkdtemp(join(tmpdir(), "lamplighter-releases-"));
  city = City.in(join(folder, "state"));
}, 60_000);
afterAll(async () => {
  for (const agent of agents) agent.kill("SIGKILL");
  await city.stop();
  await hub.close();
  await rm(folder, { recursive: true, force: true });
});

/** What anybody may look at answers, and a sign-in does. */
async function look(): Promise<void> {
  for (const path of READ) expect([path, (await city.call(release.token, "GET", path)).status]).toEqual([path, 200]);
  expect((await city.call(await city.signIn("manager@parks.example"), "GET", "/auth/me")).status).toBe(200);
}

async function press(light: string, body: object) {
  const { status, json } = await city.call(release.token, "POST", `/devices/demo-light-${light}/toggle`, body);
  return [status, json.success];
}

/** The lights of the demo city that burn, by what D1 says, which is what the lamps say. */
async function lit(): Promise<string[]> {
  const rows = await city.query(
    "SELECT id, cloud_device_id FROM devices WHERE org_id = ? AND current_state = 'on'",
    DEMO,
  );
  const lamps = await city.inObject(DEMO, "SELECT lamp FROM lamps WHERE state = 'on'");
  expect(rows.map((row) => row["cloud_device_id"]).toSorted()).toEqual(lamps.map((row) => row["lamp"]).toSorted());
  return rows.map(({ id }) => String(id).replace("demo-light-", "")).toSorted();
}

/** A booking of the next minutes is made, begins and ends. */
async function book(light: string, at: number): Promise<void> {
  const [device] = await city.query("SELECT area_id FROM devices WHERE id = ?", `demo-light-${light}`);
  const iso = (minutes: number) => new Date(at + minutes * MIN_MS).toISOString();
  const body = {
    title: "Rolling",
    device_id: `demo-light-${light}`,
    area_id: device?.["area_id"],
    start_at: iso(2),
    end_at: iso(5),
    rrule: null,
  };
  const made = await city.call(release.token, "POST", "/schedules", body);
  expect([made.status, made.json.detail]).toEqual([201, undefined]);
  await city.to(at + 2 * MIN_MS, DEMO);
  expect(await lit()).toContain(light);
  await city.to(at + 5 * MIN_MS, DEMO);
  expect(await lit()).not.toContain(light);
}

/** The last release's agent, on its computer in the park, where it has lit a lamp while it was alone. */
async function bootAgent(): Promise<void> {
  for (const agent of agents.splice(0)) {
    agent.kill("SIGKILL");
    await once(agent, "exit");
  }
  await city.query("UPDATE hubs SET port = ? WHERE org_id = ?", hub.port, PARK);
  await writeFile(join(folder, "config.json"), agentConfig(city.url));
  const env = {
    ...process.env,
    LAMPLIGHTER_AGENT_CONFIG: join(folder, "config.json"),
    STATE_DIRECTORY: join(folder, "agent"),
  };
  agents.push(spawn(process.execPath, [join(folder, "agent.mjs"), "run"], { env, stdio: "ignore" }));
  const there = "SELECT 1 FROM agents WHERE id = 'riverside-agent' AND status = 'online'";
  await until(async () => (await city.query(there)).length > 0, "the agent");
}

/** A release to come may give any table of the object a column. */
async function widen(): Promise<void> {
  const tables =
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite*' AND name NOT GLOB '_cf*'";
  for (const { name } of await city.inObject(DEMO, tables))
    await city.inObject(DEMO, `ALTER TABLE ${name} ADD COLUMN later TEXT NOT NULL DEFAULT 'unknown'`);
}

test("the last release works on D1 as it is now, also while it is changed", async () => {
  const at = release.at + MIN_MS;
  await city.run(release.code, at, release.objects);
  await city.load(release.d1);
  await look();
  await city.migrateD1();
  const d1 = await shapeOf((statement) => city.query(statement));
  expect(narrowings(shapeIn(release.d1), d1)).toEqual([]);
  await city.query("UPDATE alarms SET kind = 'of_the_future' WHERE id = (SELECT MIN(id) FROM alarms)");
  await look();
  await city.to(at, DEMO);
  expect(await press("linden-east-gate", { action: "on" })).toEqual([200, true]);
  expect(await press("linden-east-gate", { action: "auto" })).toEqual([200, true]);
  await book("alder-long-jump", at + MIN_MS);
  expect(city.errors).toEqual([]);
});

test("every record that is queued for D1 is of a kind that the last release can write", () => {
  expect(KINDS.filter((kind) => !ITS_KINDS.includes(kind))).toEqual([]);
});

test("the code as it is now takes over a living city, and gives it back to the last release", async () => {
  await city.stop();
  city = City.in(join(folder, "second"));
  const upgraded_at = release.at + 6 * MIN_MS;
  await city.run("export class OrgScheduler {}; export class Runner {}; export default {};", upgraded_at);
  await city.load(release.d1);
  await city.migrateD1();
  const before = await city.query("SELECT id FROM devices WHERE org_id = ? AND current_state = 'on'", DEMO);

  await city.run(code, upgraded_at, release.objects);
  await city.to(upgraded_at, DEMO, "demo-harbor", PARK);
  await city.to(upgraded_at + MIN_MS, DEMO);
  // What was pressed before the upgrade: the one was done and not told yet, the other was under way.
  const pressed = ["eastbank-batting-cage", "viaduct-underpass"];
  const burning = before
    .map(({ id }) => String(id).replace("demo-light-", ""))
    .filter((light) => !pressed.includes(light));
  expect(await lit()).toEqual(burning.toSorted());
  expect(await city.inObject(DEMO, "SELECT * FROM outbox")).toEqual([]);
  const object = await shapeOf((statement) => city.inObject(DEMO, statement));
  expect(narrowings(shapeIn(release.objects[DEMO] ?? []), object)).toEqual([]);
  await look();

  for (const lamp of Object.values(LAMPS)) hub.simulator.lamps.get(lamp)?.turn(true, Date.now());
  await unpackAgent(join(folder, "agent.mjs"));
  await writeFiles(join(folder, "agent"), release.files);
  await bootAgent();
  const alone =
    "SELECT 1 FROM scheduler_events WHERE org_id = ? AND device_id = 'late' AND action = 'on' AND result = 'ok'";
  await until(async () => (await city.query(alone, PARK)).length > 0, "what the agent did while it was alone");
  const burns = "SELECT id FROM devices WHERE org_id = ? AND current_state = 'on'";
  await until(async () => (await city.query(burns, PARK)).length === 2, "both lights of the park");
  await book("alder-long-jump", upgraded_at + 2 * MIN_MS);
  expect(city.errors).toEqual([]);

  await widen();
  const rolled_back_at = upgraded_at + 12 * MIN_MS;
  const lights = await lit();
  await city.run(release.code, rolled_back_at);
  await city.to(rolled_back_at, DEMO, "demo-harbor", PARK);
  expect(await lit()).toEqual(expect.arrayContaining(lights));
  await look();
  expect(await press("plaza-plaza-trees", { action: "auto" })).toEqual([200, true]);
  await book("alder-long-jump", rolled_back_at + 2 * MIN_MS);
  await bootAgent();
  await city.to(release.at + 5 * 60 * MIN_MS, DEMO);
  expect(await lit()).toEqual(["viaduct-underpass"]); // whose bookings follow one another until 11 PM
  expect(city.errors).toEqual([]);
}, 120_000);
