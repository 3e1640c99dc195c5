import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { serve } from "#tests/yolink/server";
import { Simulator } from "#tests/yolink/simulator";
import type { City } from "./city";

export const PARK = "riverside";
const AGENT_SECRET = `lla_riverside-agent_${"s".repeat(43)}`;
/** One that burns when the state is kept, and one that the agent lights while it is alone. */
export const LAMPS = { early: "d88b4c0100000001", late: "d88b4c0100000002" };
export const LATE_MS = 200_000;
const HOUR_MS = 3_600_000;

/** The hub of the park and its lamps, over real HTTP. */
export async function parkHub() {
  const wait = (ms: number) => new Promise<void>((done) => setTimeout(done, ms / 100));
  const simulator = new Simulator({ now: () => Date.now(), wait, random: () => 0.5 });
  simulator.addHub("h1", "North hub");
  for (const lamp of Object.values(LAMPS)) simulator.addLamp(lamp, lamp, "Switch", "h1");
  const { port, close } = await serve(simulator, "h1");
  return { simulator, port, close };
}

/** An organization whose one hub is reached by its agent only, with a light for each of the lamps. */
export async function addPark(city: City, port: number, at: number): Promise<void> {
  const hash = createHash("sha256").update(AGENT_SECRET).digest("hex");
  const iso = (ms: number) => new Date(at + ms).toISOString();
  await city.query("INSERT INTO organizations (id, name) VALUES (?, 'Riverside')", PARK);
  await city.query("INSERT INTO areas (id, org_id, name, type) VALUES ('bank', ?, 'River bank', 'river')", PARK);
  await city.query(
    "INSERT INTO agents (id, org_id, name, secret_hash, hint) VALUES ('riverside-agent', ?, 'Boathouse', ?, 'ssss')",
    PARK,
    hash,
  );
  await city.query(
    `INSERT INTO hubs (id, org_id, area_id, name, ip_address, port, connection_mode, agent_id)
     VALUES ('north', ?, 'bank', 'North hub', '127.0.0.1', ?, 'local', 'riverside-agent')`,
    PARK,
    port,
  );
  const begins = { early: -60_000, late: LATE_MS };
  for (const [name, lamp] of Object.entries(LAMPS)) {
    await city.query(
      "INSERT INTO devices (id, org_id, area_id, hub_id, name, cloud_device_id) VALUES (?, ?, 'bank', 'north', ?, ?)",
      name,
      PARK,
      name,
      lamp,
    );
    await city.query(
      `INSERT INTO schedules (id, org_id, device_id, title, start_at, end_at, timezone)
       VALUES (?, ?, ?, 'Boats', ?, ?, 'UTC')`,
      `${name}-boats`,
      PARK,
      name,
      iso(name === "early" ? begins.early : begins.late),
      iso(2 * HOUR_MS),
    );
  }
  const settings = { PROVIDER_MODE: "local", APP_TIMEZONE: "UTC", HARD_CURFEW_OFF: "", BLACKOUT_WINDOW: "" };
  for (const [key, value] of Object.entries(settings))
    await city.query("INSERT INTO settings (org_id, key, value) VALUES (?, ?, ?)", PARK, key, JSON.stringify(value));
}

export function agentConfig(url: string): string {
  const hubs = { "North hub": { client_id: "client-h1", client_secret: "local+secret/h1==" } };
  return JSON.stringify({ url, secret: AGENT_SECRET, networks: ["127.0.0.0/8"], hubs });
}

/** What the agent keeps, by the name of the file. */
export async function filesIn(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder);
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), "utf8")])),
  );
}

export async function writeFiles(folder: string, files: Record<string, string>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}
