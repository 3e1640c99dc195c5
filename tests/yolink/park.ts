import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startAgent, type Agent } from "#worker/agent/agent";
import { parseConfig } from "#worker/agent/config";
import { realMeans } from "#worker/agent/means";
import { aLine } from "./line";
import { serve } from "./server";
import type { Simulator } from "./simulator";

/** An address of no network that this computer is on: whoever reaches its hub does so through the agent. */
export const PARK_HUB = { id: "park", name: "Park hub", ip: "192.168.77.50", port: 1080 };
const MOST_LINES = 14;

/** A park whose hub only the on-site agent reaches, and whose line to Lamplighter can be cut. */
export type Park = {
  view: () => { hasSecret: boolean; isCut: boolean; isOn: boolean; mode: string; said: string[] };
  /** Runs a button: `enroll` with a `secret`, `line` or `power`. */
  act: (pressed: URLSearchParams) => Promise<void>;
  close: () => Promise<void>;
};

/** `city` is Lamplighter's address; the agent starts when it is given its secret. */
export async function aPark(simulator: Simulator, city: URL, given_secret = ""): Promise<Park> {
  const { id, name, ip, port } = PARK_HUB;
  simulator.addHub(id, name, ip);
  for (let n = 1; n <= 3; n += 1)
    simulator.addLamp(`d88b4c02${n.toString(16).padStart(8, "0")}`, `Park lamp ${n}`, "Switch", id);
  const door = await serve(simulator, id);
  const line = await aLine(city);
  const folder = await mkdtemp(join(tmpdir(), "lamplighter-park-"));
  const said: string[] = [];
  let secret = "";
  let agent: Agent | null = null;

  const say = (text: string) => {
    said.push(`${new Date().toLocaleTimeString()}  ${text}`);
    if (said.length > MOST_LINES) said.shift();
  };
  /** The park's own network: there, and nowhere else, is the hub's address the hub. */
  const fetcher: typeof fetch = (input, init) =>
    fetch(String(input).replace(`http://${ip}:${port}/`, `${door.base}/`), init);

  async function start(): Promise<void> {
    const parsed = parseConfig(JSON.stringify({ url: line.url, secret, networks: ["192.168.77.0/24"] }));
    if (!parsed.ok) return say(`The agent doesn't start: ${parsed.detail}`);
    agent = await startAgent(parsed.config, { folder, means: { ...realMeans(), say }, fetcher });
  }

  async function stop(): Promise<void> {
    await agent?.stop("its computer was switched off");
    agent = null;
  }

  async function enroll(typed: string): Promise<void> {
    await stop();
    secret = typed;
    await start();
  }

  if (given_secret !== "") await enroll(given_secret);
  return {
    view: () => {
      const { isCut } = line;
      return { hasSecret: secret !== "", isCut, isOn: agent !== null, mode: agent?.onSite.mode ?? "off", said };
    },
    act: async (pressed) => {
      switch (pressed.get("do")) {
        case "enroll":
          return enroll((pressed.get("secret") ?? "").trim());
        case "line":
          return line.isCut ? line.mend() : line.cut();
        case "power":
          return agent ? stop() : start();
      }
    },
    close: async () => {
      await stop();
      await Promise.all([line.close(), door.close()]);
      await rm(folder, { recursive: true });
    },
  };
}
