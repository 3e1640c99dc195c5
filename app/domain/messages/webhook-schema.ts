import { z } from "zod";
import { flag, requiredText } from "#domain/fields/fields";
import { isPrivateAddress, parseHubAddress } from "#domain/fields/ip-address";
import { MAX_NAME } from "#domain/fields/limits";
import { isLocalName } from "#domain/fields/local-name";
import { LOOPBACK_HOSTS } from "#domain/fields/loopback";

const REQUIRED = "Webhook name and address are required";
const MAX_URL = 1_000;
const IPV4 = /^\d+(\.\d+){3}$/;
const CARRIER_NAT = /^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./;

/** The input of a webhook. An absent `active` is true, or stays as it is in an edit. */
export function webhookInput(allow: { loopback: boolean }) {
  const invalid = "The address must be https:// and reachable from the internet";
  return z.object(
    {
      name: requiredText("Webhook name", MAX_NAME, REQUIRED),
      url: requiredText("The address", MAX_URL, REQUIRED)
        .refine((text) => isWebhookUrl(text, allow), invalid)
        .describe("An https address that is reachable from the internet"),
      active: flag("Active").optional(),
    },
    REQUIRED,
  );
}
export type WebhookInput = z.infer<ReturnType<typeof webhookInput>>;

/**
 * Whether messages may be posted to this address: https on the public internet; in the demo also a loopback one. Checked
 * again at every use. A name that leads to a private address is refused by the platform, which calls none.
 */
export function isWebhookUrl(text: string, { loopback }: { loopback: boolean }): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username || password) return false;
  if (loopback && /^https?:$/.test(protocol) && LOOPBACK_HOSTS.includes(hostname)) return true;
  return protocol === "https:" && (IPV4.test(hostname) ? isPublicAddress(hostname) : isPublicName(hostname));
}

function isPublicAddress(ip: string): boolean {
  return parseHubAddress(ip, { loopback: false }) !== null && !isPrivateAddress(ip) && !CARRIER_NAT.test(ip);
}

/** With a dot, and no IPv6 address, whose private ranges are many. */
function isPublicName(name: string): boolean {
  const bare = name.replace(/\.$/, "");
  return bare.includes(".") && !bare.startsWith("[") && !isLocalName(bare);
}
