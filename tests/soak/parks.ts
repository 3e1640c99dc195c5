import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startAgent, type Agent } from "#worker/agent/agent";
import { parseConfig } from "#worker/agent/config";
import { realMeans } from "#worker/agent/means";
import { aLine } from "#tests/yolink/line";
import { serve } from "#tests/yolink/server";
import { Simulator } from "#tests/yolink/simulator";

const ORG = "soak-parks";
const PARKS = [1, 2, 3];
const LAMPS = [1, 2, 3];

type Value = string | number;
type Server = {
  url: string;
  d1: { prepare: (sql: string) => { bind: (...values: Value[]) => { run: () => Promise<unknown> } } };
};

/** Parks of three lights, each behind the agent's real program with a hub beside it and a line of its own that can be cut. */
export async function addParks({ url, d1 }: Server) {
  const run = (statement: string, ...values: Value[]) =>
    d1
      .prepare(statement)
      .bind(...values)
      .run();
  const wait = (ms: number) => new Promise<void>((done) => setTimeout(done, ms / 10));
  const simulator = new Simulator({ now: () => Date.now(), wait, random: Math.random });
  await run("INSERT INTO organizations (id, name) VALUES (?, 'Soak parks')", ORG);
  await run("INSERT INTO areas (id, org_id, name, type) VALUES ('soak-area', ?, 'Parks', 'park')", ORG);
  for (const [key, value] of Object.entries({ PROVIDER_MODE: "local", HARD_CURFEW_OFF: "", BLACKOUT_WINDOW: "" }))
    await run("INSERT INTO settings (org_id, key, value) VALUES (?, ?, ?)", ORG, key, JSON.stringify(value));
  const parks = await Promise.all(PARKS.map((n) => aPark(run, simulator, new URL(url), n)));
  return {
    org_id: ORG,
    lights: PARKS.flatMap((park) => LAMPS.map((lamp) => `soak-p${park}-l${lamp}`)),
    /** Cuts the line of one for `ms`; its agent keeps the plan meanwhile. */
    cut: async (n: number, ms: number) => {
      const line = parks[n % parks.length]?.line;
      line?.cut();
      await wait(ms * 10);
      line?.mend();
    },
    stop: async () => {
      await Promise.all(parks.map((park) => park.stop()));
    },
  };
}

async function aPark(
  run: (statement: string, ...values: Value[]) => Promise<unknown>,
  simulator: Simulator,
  city: URL,
  n: number,
) {
  const agent_id = `soak-agent${n}`;
  const hub = `soak-hub${n}`;
  const name = `Soak hub ${n}`;
  const { issuer } = simulator.addHub(hub, name);
  const door = await serve(simulator, hub);
  const line = await aLine(city);
  const secret = `lla_${agent_id}_${"s".repeat(43)}`;
  const hash = createHash("sha256").update(secret).digest("hex");
  await run(
    "INSERT INTO agents (id, org_id, name, secret_hash, hint) VALUES (?1, ?2, ?1, ?3, 'ssss')",
    agent_id,
    ORG,
    hash,
  );
  await run(
    `INSERT INTO hubs (id, org_id, area_id, name, ip_address, port, connection_mode, agent_id)
     VALUES (?, ?, 'soak-area', ?, '127.0.0.1', ?, 'local', ?)`,
    hub,
    ORG,
    name,
    door.port,
    agent_id,
  );
  for (const lamp of LAMPS) {
    const id = `d88b4c0${n}${String(lamp).padStart(8, "0")}`;
    simulator.addLamp(id, id, "Switch", hub);
    await run(
      "INSERT INTO devices (id, org_id, area_id, hub_id, name, cloud_device_id) VALUES (?1, ?2, 'soak-area', ?3, ?1, ?4)",
      `soak-p${n}-l${lamp}`,
      ORG,
      hub,
      id,
    );
  }
  const { id: client_id, secret: client_secret } = issuer.credentials;
  const hubs = { [name]: { client_id, client_secret } };
  const config = parseConfig(JSON.stringify({ url: line.url, secret, networks: ["127.0.0.0/8"], hubs }));
  if (!config.ok) throw new Error(config.detail);
  const folder = await mkdtemp(join(tmpdir(), "lamplighter-soak-"));
  const agent: Agent = await startAgent(config.config, { folder, means: { ...realMeans(), say: () => undefined } });
  return {
    line,
    stop: async () => {
      await agent.stop("the soak is over");
      await Promise.all([line.close(), door.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
