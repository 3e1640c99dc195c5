import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseConfig } from "#worker/agent/config";
import { startAgent } from "#worker/agent/agent";
import { realMeans } from "#worker/agent/means";
import { seedIfEmpty } from "../../worker/local/seed";
import { until } from "#tests/agent/until";
import { City, type State } from "./city";
import { addPark, agentConfig, filesIn, LAMPS, LATE_MS, PARK, parkHub } from "./park";

/** A Sunday at 5:20 PM in the demo city: some lights burn, others are about to. */
export const KEPT_AT = Date.parse("2026-11-23T01:20:00.000Z");
export const DEMO = "demo-parks";
const MINUTE_MS = 60_000;
/** A command that waits for its lamp is in flight for so long. */
const SLOW_MS = 5_000;

/** What of a living city is kept; `token` is of somebody who has signed in, and `files` are the agent's. */
export type Kept = { token: string; state: State; files: Record<string, string> };

/**
 * A city in the middle of an evening: lights that burn by schedules and by hand, with ends and an emergency, a dead hub and its
 * alarms, a command in flight, facts that D1 was not told yet, and a park whose agent has a plan, and has just lit a lamp by it alone.
 */
export async function aLivingCity(code: string): Promise<Kept> {
  const city = City.in(await mkdtemp(join(tmpdir(), "lamplighter-release-")));
  const hub = await parkHub();
  await city.run(code, KEPT_AT - 30 * MINUTE_MS);
  await city.migrateD1();
  await seedIfEmpty(await city.d1(), KEPT_AT - 30 * MINUTE_MS);
  const token = await city.signIn("admin@parks.example");
  await city.to(KEPT_AT - 25 * MINUTE_MS, DEMO);
  await city.to(KEPT_AT - 4 * MINUTE_MS, DEMO);
  await addPark(city, hub.port, KEPT_AT);
  const press = (light: string, body: object) => city.call(token, "POST", `/devices/demo-light-${light}/toggle`, body);
  const end = new Date(KEPT_AT + 90 * MINUTE_MS).toISOString();
  await press("linden-rose-garden", { action: "on", until: end });
  await press("observatory-upper-car-park", { action: "off", until: end });
  await press("plaza-plaza-trees", { action: "on", until: end, emergency: true, reason: "A lost child" });
  await city.to(KEPT_AT - 30_000, DEMO, PARK);

  const folder = await mkdtemp(join(tmpdir(), "lamplighter-release-agent-"));
  const config = parseConfig(agentConfig(city.url));
  if (!config.ok) throw new Error(config.detail);
  const agent = await startAgent(config.config, { folder, means: realMeans() });
  await city.sync(PARK);
  await until(() => hub.simulator.lamps.get(LAMPS.early)?.isLit, "the early lamp");
  const taken = "SELECT 1 FROM standing_plans WHERE taken IS NOT NULL AND answered_rev = rev";
  await until(async () => (await city.inObject(PARK, taken)).length > 0, "the agent's plan");
  await sleep(12_000); // verified, and told

  await city.takeD1(true);
  await press("eastbank-batting-cage", { action: "off" });
  await city.inObject(
    DEMO,
    "INSERT INTO faults VALUES ('lamp:' || ?, ?)",
    await lampOf(city, "viaduct-underpass"),
    slow(),
  );
  const waits = press("viaduct-underpass", { action: "off" });
  await until(async () => (await city.inObject(DEMO, "SELECT 1 FROM calls")).length > 0, "a call under way");
  await city.inObject(DEMO, "DELETE FROM faults"); // the call waits on, and the next ones need not
  const state = await city.dump([DEMO, "demo-harbor", PARK]);
  await waits;
  const kept_at = city.now;
  await city.stop();
  const late = () => hub.simulator.lamps.get(LAMPS.late)?.isLit;
  await sleep(KEPT_AT + LATE_MS - kept_at);
  await until(late, "the late lamp, by the agent alone");
  await sleep(15_000);
  await agent.stop("the state is kept");
  await hub.close();
  return { token, state, files: await filesIn(folder) };
}

function slow(): string {
  return JSON.stringify([{ kind: "slow", ms: SLOW_MS }]);
}

async function lampOf(city: City, light: string): Promise<string> {
  const [row] = await city.query("SELECT cloud_device_id FROM devices WHERE id = ?", `demo-light-${light}`);
  return String(row?.["cloud_device_id"]);
}
