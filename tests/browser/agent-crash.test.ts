import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { aServerProcess, type ServerProcess } from "#tests/support/server";
import { signedInAs, withoutNight, type Staff } from "#tests/support/staff";
import { serve } from "#tests/yolink/server";
import { Simulator } from "#tests/yolink/simulator";

/** `npm start`, the agent's one file and a hub, each a process or a socket of its own; only the lamp is simulated. */

const LAMP = "d88b4c0100000001";

type Event = { source: string; action: string; result: string };

let server: ServerProcess;
let staff: Staff;
let simulator: Simulator;
let door: { port: number; close: () => Promise<void> };
let folder: string;
let agent: ChildProcess | null = null;
/** While it is set the hub does what it is told, and its answers wait. */
let holdsAnswers = false;
const answers: (() => void)[] = [];
let device_id: string;
let area_id: string;

beforeEach(async () => {
  const wait = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
  simulator = new Simulator({ now: () => Date.now(), wait, random: () => 0.5 });
  simulator.addHub("h1", "North hub");
  simulator.addLamp(LAMP, "Pole 1", "Switch", "h1");
  door = await serve(simulator, "h1", 0, (_, response) => {
    const answer = response.end.bind(response);
    const held = (body: string) => void (holdsAnswers ? answers.push(() => answer(body)) : answer(body));
    Object.defineProperty(response, "end", { value: held });
    return false;
  });
  folder = await mkdtemp(join(tmpdir(), "lamplighter-agent-"));
  server = await aServerProcess();
  staff = await signedInAs(server, "admin");
  await withoutNight(staff);
  await staff.call("POST", "/admin/settings/guardrails", { RETRY_BACKOFFS_SEC: [1, 1, 2, 3, 5, 8, 13, 21, 34, 55] });
  await staff.call("POST", "/admin/settings", { PROVIDER_MODE: "local" });
  const { data: area } = await staff.call("POST", "/areas", { name: "Riverside", type: "park", location: null });
  const { data: made } = await staff.call("POST", "/admin/agents", { name: "Boathouse" });
  const { data: hub } = await staff.call("POST", "/hubs", {
    name: "North hub",
    area_id: area.id,
    ip_address: "127.0.0.1",
    port: door.port,
    connection_mode: "local",
    agent_id: made.id,
    local_client_id: "client-h1",
    local_client_secret: "local+secret/h1==",
  });
  const lamp = { name: "Pole 1", area_id: area.id, hub_id: hub.id, local_ref: LAMP };
  device_id = (await staff.call("POST", "/devices", lamp)).data.id;
  area_id = area.id;
  const config = { url: server.url, secret: made.secret, networks: ["127.0.0.0/8"] };
  await writeFile(join(folder, "config.json"), JSON.stringify(config));
  await startAgent();
}, 120_000);

afterEach(async () => {
  agent?.kill("SIGKILL");
  await server.stop();
  await door.close();
  await rm(folder, { recursive: true });
});

/** Waits for it, however busy the machine is. */
function until(isSo: () => boolean): Promise<void> {
  return vi.waitFor(() => expect(isSo()).toBe(true), { timeout: 120_000, interval: 5 });
}

function release(): void {
  holdsAnswers = false;
  for (const answer of answers.splice(0)) answer();
}

/** A process that has just begun does not wait before it connects. */
async function startAgent(): Promise<void> {
  agent = spawn(process.execPath, [resolve("build/agent/agent.mjs"), "run"], {
    env: { ...process.env, LAMPLIGHTER_AGENT_CONFIG: join(folder, "config.json"), STATE_DIRECTORY: folder },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  agent.stdout?.on("data", (text) => (said += String(text)));
  await until(() => said.includes("Connected as Boathouse"));
}

async function restartAgent(): Promise<void> {
  agent?.kill("SIGKILL");
  await startAgent();
}

async function restartServer(): Promise<void> {
  await server.kill();
  release();
  await server.restart();
  await restartAgent();
}

/** What the hub was told, in turn. */
const switched = () => simulator.journal.filter(({ method }) => method.endsWith(".setState")).map(({ state }) => state);

/** How the switches of the light ended, the oldest first, once there are so many. */
function ended(count: number): Promise<string[]> {
  const told = async () => {
    const { events } = await staff.call("GET", `/scheduler/events?device_id=${device_id}`);
    const ends = events.toReversed().filter(({ result }: Event) => result !== "retry");
    expect(ends.length).toBeGreaterThanOrEqual(count);
    return ends.map(({ source, action, result }: Event) => `${source} ${action} ${result}`);
  };
  return vi.waitFor(told, { timeout: 120_000, interval: 200 });
}

/** How often the city has tried to switch the light. */
async function attempts(): Promise<number> {
  const { events } = await staff.call("GET", `/scheduler/events?device_id=${device_id}`);
  return events.filter(({ cause }: { cause: string }) => cause === "attempt").length;
}

test("no order is carried out twice, whoever is killed before the send, and after the hub has done it", async () => {
  // Before the send: the process that books is not the one that switches.
  const start = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 2_000);
  const end = new Date(start.getTime() + 3_600_000);
  const window = { start_at: start.toISOString(), end_at: end.toISOString(), rrule: null };
  await staff.call("POST", "/schedules", { title: "Practice", area_id, device_id, ...window });
  await restartServer();
  expect(await ended(1)).toEqual(["scheduler on ok"]);

  // The server, after the hub has done it and before it has heard so.
  holdsAnswers = true;
  const off = press("off");
  await until(() => switched().length === 2);
  await restartServer();
  await off;
  expect(await ended(2)).toEqual(["scheduler on ok", "manual off ok"]);

  // The agent, likewise.
  const before = switched().length;
  holdsAnswers = true;
  const on = press("on");
  await until(() => switched().length > before);
  await restartAgent();
  release();
  await on;
  expect(await ended(3)).toEqual(["scheduler on ok", "manual off ok", "manual on ok"]);
  expect(simulator.lamps.get(LAMP)?.isLit).toBe(true);
  // Each attempt is an order of its own, and a light that was seen to be right is not tried again.
  expect(switched().filter((state, n, all) => state !== all[n - 1])).toEqual(["open", "close", "open"]);
  expect(switched().length).toBeLessThanOrEqual(await attempts());
}, 400_000);

/** The answer may be lost with whoever was killed. */
const press = (action: string) =>
  staff.call("POST", `/devices/${device_id}/toggle`, { action }).catch(() => "nobody was there to answer");
