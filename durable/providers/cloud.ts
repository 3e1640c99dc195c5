import { isCloudBase } from "#domain/organization/settings-schema";
import type { SystemSettings } from "#domain/records/records";
import type { Budget } from "./cloud-budget";
import { cloudHubs } from "./cloud-hubs";
import type { Client } from "./yolink/client";
import type { Account } from "./yolink/endpoint";
import { splitUacKey } from "./yolink/uac-key";
import type { Transport } from "./transport";
import { yolinkTransport, type Reached } from "./yolink/transport";

export type CloudDeps = {
  client: Client;
  now: () => number;
  budget: Budget;
  settings: () => Pick<SystemSettings, "YOLINK_UAC_KEY" | "YOLINK_CLOUD_BASE">;
  /** Throws where it was sealed with another key. */
  unseal: (sealed: string) => Promise<string>;
  allow: { loopback: boolean };
};

/** The vendor's cloud, by the organization's UAC. Every call is taken from the budget first. */
export function cloudTransport({ client, now, budget, settings, unseal, allow }: CloudDeps): Transport {
  return yolinkTransport({
    side: "cloud",
    client,
    now,
    cachesState: true,
    reach: () => reach(settings(), unseal, allow),
    acquire: (account, device, priority) => budget.acquire(bucketOf(account), device, priority),
    backOff: (account, device, { limit, retry_after_ms }) => {
      if (limit) budget.backOff(bucketOf(account), limit === "device" ? device : null, retry_after_ms ?? 0);
    },
    ping: cloudHubs(client, now),
  });
}

async function reach(
  { YOLINK_UAC_KEY, YOLINK_CLOUD_BASE }: ReturnType<CloudDeps["settings"]>,
  unseal: CloudDeps["unseal"],
  allow: CloudDeps["allow"],
): Promise<Reached> {
  if (YOLINK_UAC_KEY === "") return { ok: false, detail: "The UAC key is not set" };
  const key = await unseal(YOLINK_UAC_KEY).catch(() => null);
  if (key === null) return { ok: false, detail: "The UAC key can't be read any more: enter it again" };
  const credentials = splitUacKey(key);
  if (!credentials) return { ok: false, detail: "UAC key must contain the UAID and the secret" };
  if (!isCloudBase(YOLINK_CLOUD_BASE, allow)) return { ok: false, detail: "The cloud base URL is not allowed" };
  const { origin } = new URL(YOLINK_CLOUD_BASE);
  return { ok: true, name: "the cloud", account: { key: "cloud", base: origin, ...credentials } };
}

function bucketOf({ client_id }: Account): string {
  return `uac:${client_id}`;
}
