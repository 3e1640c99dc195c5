import { open, seal as sealWith } from "#db/sealed";
import { agentTransport, type AgentName } from "./agent";
import type { AgentLines } from "./agent-lines";
import { cloudBudget } from "./cloud-budget";
import { cloudTransport, type CloudDeps } from "./cloud";
import { httpPost, type Post } from "./http-post";
import { realProvider } from "./hybrid";
import { localTransport } from "./local";
import { mockProvider } from "./mock";
import type { HubAddress, Providers } from "./provider";
import { sqlSessionStore } from "./session-store";
import type { Transport } from "./transport";
import { yolinkClient } from "./yolink/client";

/** What the providers need of the object that they work for. */
export type ProviderPorts = {
  sql: SqlStorage;
  /** Epoch milliseconds. */
  now: () => number;
  /** Calls back after `ms`; answers how to call it off. */
  after: (ms: number, then: () => void) => () => void;
  settings: CloudDeps["settings"];
  /** The lines to the on-site agents, and what people call these. */
  agents: AgentLines;
  nameOf: (agent_id: string) => AgentName;
};

export type ProviderOptions = {
  /** What the UAC key and the hubs' credentials are sealed with. */
  settings_key: string;
  /** Only the demo may call loopback addresses. */
  demo: boolean;
  /** Whether we stand on the hubs' own network; without, a hub on a private address is reached by its agent only. */
  direct_hubs: boolean;
  /** Replaced where there is no network. */
  post?: Post;
  seal?: (plain: string) => Promise<string>;
  unseal?: (sealed: string) => Promise<string>;
};

/** The provider of each mode. */
export function selectProviders(
  { sql, now, after, settings, agents, nameOf }: ProviderPorts,
  { settings_key, demo, direct_hubs, post, ...given }: ProviderOptions,
): Providers {
  const mock = mockProvider(sql, now, (ms) => new Promise((done) => after(ms, done)));
  const seal = given.seal ?? ((plain: string) => sealWith(plain, settings_key));
  const unseal = given.unseal ?? ((sealed: string) => open(sealed, settings_key));
  const store = sqlSessionStore(sql, seal, unseal);
  const deps = {
    client: yolinkClient({ post: post ?? httpPost((url, init) => fetch(url, init), after), now, store }),
    now,
    unseal,
    allow: { loopback: demo, direct: demo || direct_hubs },
  };
  const transports = {
    local: localSide(localTransport(deps), agentTransport({ lines: agents, now, nameOf })),
    cloud: cloudTransport({ ...deps, budget: cloudBudget(sql, now), settings }),
  };
  const real = realProvider(transports, now);
  return (mode) => (mode === "mock" ? mock : real);
}

/** A hub that has an agent is reached through it, any other directly. */
function localSide(direct: Transport, throughAgent: Transport): Transport {
  const of = (hub: HubAddress | null) => (hub?.agent_id ? throughAgent : direct);
  return {
    switch: (address, ...how) => of(address.hub).switch(address, ...how),
    read: (address, call) => of(address.hub).read(address, call),
    ping: (hub, call) => of(hub).ping(hub, call),
    list: (hub, call) => of(hub).list(hub, call),
  };
}
