import type { IncomingMessage, ServerResponse } from "node:http";
import { LAMP_TYPES } from "./lamp";
import { act, PAGE, view } from "./page";
import { aPark, PARK_HUB, type Park } from "./park";
import { serve } from "./server";
import { Simulator } from "./simulator";

type Options = {
  port: number;
  hubs: number;
  lamps: number;
  /** Lamplighter's address, and the agent's secret where it is known. */
  park: { city: string; secret: string } | null;
};

type Started = { lines: string[]; end: () => Promise<void> };

/**
 * Serves the cloud and the page on `port` and a local hub on each port after it; the lamps, of every type in turn, are
 * spread over the hubs. Returns lines that say what to enter in Lamplighter, and what puts the park away.
 */
export async function start({ port, hubs, lamps, park: wanted }: Options): Promise<Started> {
  const wait = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
  const simulator = new Simulator({ now: () => Date.now(), wait, random: Math.random });
  for (let n = 1; n <= hubs; n += 1) simulator.addHub(`hub${n}`, `Simulated hub ${n}`);
  for (let n = 1; n <= lamps; n += 1) {
    const id = `d88b4c01${n.toString(16).padStart(8, "0")}`;
    const type = LAMP_TYPES[(n - 1) % LAMP_TYPES.length] ?? "Switch";
    simulator.addLamp(id, `Simulated lamp ${n}`, type, `hub${((n - 1) % hubs) + 1}`);
  }
  const reachable = [...simulator.hubs.keys()];
  const park = wanted && (await aPark(simulator, new URL(wanted.city), wanted.secret));
  const { base, addresses } = await serveDoors(simulator, reachable, port, park).catch(async (error: unknown) => {
    await park?.close();
    throw error;
  });
  const { id, secret } = simulator.cloud.credentials;
  const lines = [
    `The lamps are shown at ${base}/`,
    "",
    "In Lamplighter's Settings (it must run with DEMO=on, as npm start does):",
    `  UAC key         uac.${id}:${secret}`,
    `  Cloud base URL  ${base}`,
    "In a hub's form, one of these (the name must be the cloud's):",
    ...[...simulator.hubs.values()].map(({ id: hub, name, issuer }) => {
      const { hostname, port: at } = new URL(addresses[hub] ?? base);
      const { id: client_id, secret: client_secret } = issuer.credentials;
      return `  ${name}: IP address ${hostname}, port ${at}, local client id ${client_id}, secret ${client_secret}`;
    }),
    "In a device's form, with its hub, the cloud ID of a lamp:",
    ...[...simulator.lamps.values()].map(
      ({ id, hub, type }) => `  ${id}  ${simulator.hubs.get(hub ?? "")?.name ?? ""}, ${type}`,
    ),
    ...(park ? PARK_STEPS : []),
  ];
  return { lines, end: async () => void (await park?.close()) };
}

async function serveDoors(simulator: Simulator, hubs: string[], port: number, park: Park | null) {
  const addresses: Record<string, string> = {};
  if (park) addresses[PARK_HUB.id] = `http://${PARK_HUB.ip}:${PARK_HUB.port}`;
  const { base } = await serve(simulator, "cloud", port, page(simulator, addresses, park));
  addresses.cloud = base;
  for (const [i, id] of hubs.entries()) addresses[id] = (await serve(simulator, id, port + 1 + i)).base;
  return { base, addresses };
}

const PARK_STEPS = [
  "",
  "The park: make an agent in Lamplighter's Settings, On-site Agents, and type its secret into the page.",
  "Choose the agent in the form of the park's hub, and Provider Mode local in Settings. Then cut the line in the page.",
];

/** Serves the page and its two calls; every other path is the vendor's. */
function page(simulator: Simulator, addresses: Record<string, string>, park: Park | null) {
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const { pathname } = new URL(request.url ?? "/", "http://simulator");
    if (pathname === "/") response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(PAGE);
    else if (pathname === "/view")
      response.end(JSON.stringify({ ...view(simulator, addresses), park: park?.view() ?? null }));
    else if (pathname === "/act" && request.method === "POST") void pressed(simulator, park, request, response);
    else return false;
    return true;
  };
}

async function pressed(
  simulator: Simulator,
  park: Park | null,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  const given = new URLSearchParams(body);
  act(simulator, given);
  await park?.act(given);
  response.writeHead(204).end();
}
