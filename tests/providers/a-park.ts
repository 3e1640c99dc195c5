import { after } from "#durable/providers/after";
import { FORGETFUL } from "#durable/providers/session-store";
import { cloudTransport } from "#durable/providers/cloud";
import { realProvider } from "#durable/providers/hybrid";
import { localTransport } from "#durable/providers/local";
import type { Address, HubAddress, Provider } from "#durable/providers/provider";
import { yolinkClient } from "#durable/providers/yolink/client";
import { httpPost } from "#durable/providers/http-post";
import type { ConnectionMode, ProviderMode } from "#domain/enums";
import { aHub, anAddress, LAMP } from "./addresses";
import { serve } from "#tests/yolink/server";
import { Simulator } from "#tests/yolink/simulator";

export const HOW = {
  priority: "person",
  via: null,
  cached_since: null,
  not_after: null,
  device_id: "pole-1",
  order: 1,
  off_after_min: null,
} as const;

export type Park = {
  simulator: Simulator;
  provider: Provider;
  hub: (mode?: ConnectionMode) => HubAddress;
  at: (mode: ProviderMode, given?: Partial<Address>) => Address;
  /** The calls that a door got, each as 'method code'. */
  asked: (door: string) => string[];
  settings: { YOLINK_UAC_KEY: string; YOLINK_CLOUD_BASE: string };
  close: () => Promise<void>;
};

/** One lamp on one hub, over real HTTP: the cloud on one loopback port, the hub on another. */
export async function aPark(): Promise<Park> {
  const wait = (ms: number) => new Promise<void>((done) => setTimeout(done, ms / 20));
  const simulator = new Simulator({ now: () => Date.now(), wait, random: () => 0.5 });
  simulator.addHub("h1", "North hub");
  simulator.addLamp(LAMP, "Pole 1", "Switch", "h1");
  const [cloud, local] = [await serve(simulator, "cloud"), await serve(simulator, "h1")];
  const { credentials } = simulator.cloud;
  const settings = {
    YOLINK_UAC_KEY: `uac.${credentials.id}:${credentials.secret}`,
    YOLINK_CLOUD_BASE: `${cloud.base}/open/yolink/v2/api`,
  };

  const now = () => Date.now();
  const deps = {
    client: yolinkClient({ post: httpPost(fetch, after), now, store: FORGETFUL }),
    now,
    unseal: (sealed: string) => Promise.resolve(sealed),
    allow: { loopback: true, direct: true },
  };
  const budget = { acquire: () => null, backOff: () => undefined };
  const transports = {
    local: localTransport(deps),
    cloud: cloudTransport({ ...deps, budget, settings: () => settings }),
  };

  const hub = (connection_mode: ConnectionMode = "hybrid") =>
    aHub({
      connection_mode,
      ip_address: "127.0.0.1",
      port: local.port,
      local_client_id: "client-h1",
      local_client_secret: "local+secret/h1==",
    });
  return {
    simulator,
    settings,
    provider: realProvider(transports, now),
    hub,
    at: (mode, given) => anAddress({ mode, hub: hub(), ...given }),
    asked: (door) => simulator.journal.filter((e) => e.door === door).map((e) => `${e.method} ${e.code}`),
    close: async () => {
      await Promise.all([cloud.close(), local.close()]);
    },
  };
}
