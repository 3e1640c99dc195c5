import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startAgent, type Agent } from "#worker/agent/agent";
import { parseConfig, type Config } from "#worker/agent/config";
import type { Command } from "#worker/agent/executor";
import type { AssignedHub, ToAgent } from "#domain/agent/frames";
import { serve } from "#tests/yolink/server";
import { Simulator } from "#tests/yolink/simulator";
import { aFakeCity, type FakeCity, type Line } from "./fake-city";
import { ManualMeans } from "./manual-means";

export const AGENT = "a1";
export const SECRET = `lla_${AGENT}_${"s".repeat(43)}`;
export const LAMP = "d88b4c0100000001";
/** What the city's clock says while a test's time stands still. */
export const NOW = Date.UTC(2026, 10, 22, 20);

type Welcome = ToAgent & { type: "welcome" };

/** A park: a hub with a lamp over real HTTP, the agent's program, and a far end of its line that a test speaks for. */
export type Site = {
  simulator: Simulator;
  city: FakeCity;
  means: ManualMeans;
  config: Config;
  folder: string;
  hub: (given?: Partial<AssignedHub>) => AssignedHub;
  welcome: (given?: Partial<Welcome>) => Welcome;
  start: () => Promise<Agent>;
  /** Starts the program and welcomes it. */
  linked: () => Promise<Line>;
  /** Stops every program that was started. */
  stop: (say: string) => Promise<void>;
  /** Lets time pass second by second, while the hub answers, until something has happened or the time is over. */
  live: (ms: number, happened?: () => boolean) => Promise<void>;
  /** The switches that the hub got. */
  switched: () => unknown[];
  close: () => Promise<void>;
};

export async function aSite(): Promise<Site> {
  const means = new ManualMeans();
  const wait = (ms: number) => new Promise<void>((done) => setTimeout(done, ms / 100));
  const simulator = new Simulator({ now: () => Date.now(), wait, random: () => 0.5 });
  simulator.addHub("h1", "North hub");
  simulator.addLamp(LAMP, "Pole 1", "Switch", "h1");
  const door = await serve(simulator, "h1");
  const city = await aFakeCity();
  city.secret = `Bearer ${SECRET}`;
  const folder = await mkdtemp(join(tmpdir(), "lamplighter-agent-"));
  const parsed = parseConfig(JSON.stringify({ url: city.url, secret: SECRET, networks: ["127.0.0.0/8"] }));
  if (!parsed.ok) throw new Error(parsed.detail);
  const { config } = parsed;
  const agents: Agent[] = [];

  const hub = (more: Partial<AssignedHub> = {}): AssignedHub => ({
    id: "h1",
    name: "North hub",
    ip_address: "127.0.0.1",
    port: door.port,
    connection_mode: "local",
    credentials: { client_id: "client-h1", client_secret: "local+secret/h1==" },
    ...more,
  });
  const welcome = (more: Partial<Welcome> = {}): Welcome => ({
    type: "welcome",
    proto: 1,
    now: NOW,
    agent: { id: AGENT, name: "Riverside" },
    hubs: [hub()],
    plan_key: "",
    ask_states: [],
    ...more,
  });
  const start = async () => {
    const agent = await startAgent(config, { folder, means, fetcher });
    agents.push(agent);
    return agent;
  };

  let underWay = 0;
  const fetcher: typeof fetch = async (...given) => {
    underWay += 1;
    try {
      const response = await fetch(...given);
      return new Response(await response.arrayBuffer(), { status: response.status, headers: response.headers });
    } finally {
      underWay -= 1;
    }
  };
  const live = async (ms: number, happened = () => false) => {
    const end = means.at + ms;
    while (means.at < end && !happened()) {
      means.pass(1_000);
      for (const { onSite } of agents) await onSite.settled();
      do await new Promise((done) => setTimeout(done, 1));
      while (underWay > 0);
    }
  };

  const stop = async (say: string) => {
    for (const agent of agents.splice(0)) await agent.stop(say);
  };

  return {
    simulator,
    city,
    means,
    config,
    folder,
    hub,
    welcome,
    start,
    linked: async () => {
      const n = city.lines.length;
      await start();
      const line = await city.line(n);
      await line.saw("hello");
      line.say(welcome());
      return line;
    },
    switched: () => simulator.journal.filter(({ method }) => method.endsWith(".setState")).map(({ state }) => state),
    stop,
    live,
    close: async () => {
      await stop("the test is over");
      await Promise.all([city.close(), door.close()]);
      await rm(folder, { recursive: true });
    },
  };
}

let n = 0;

/** ON for the lamp, unless given otherwise; each is newer than the one before. */
export function aCommand(given: Partial<Command> = {}): Command {
  n += 1;
  return {
    type: "cmd",
    id: `cmd-${n}`,
    order: 1_000 + n,
    now: NOW,
    for_ms: 5_700,
    hub: "h1",
    device: "d1",
    verb: "switch",
    action: "on",
    address: {
      mode: "local",
      lamp: LAMP,
      cloud_device_id: null,
      local_ref: LAMP,
      model: null,
      on_payload: null,
      off_payload: null,
    },
    off_after_min: null,
    ...given,
  };
}
