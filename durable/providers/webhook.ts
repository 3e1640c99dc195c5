import type { Post } from "./http-post";
import { fromBase64, toBase64 } from "#domain/fields/base64";
import { oneLine } from "./one-line";

/** What a webhook's address answered. `http_status` is null where nothing came; `answer` is its beginning, or why not. */
export type Answered = { ok: boolean; http_status: number | null; answer: string };

type Signed = { id: string; body: string; at: number };
type Target = { url: string; secrets: string[] };

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 4_096;
const MAX_ANSWER = 300;
const PREFIX = "whsec_";

/**
 * Posts a message in the form of Standard Webhooks: signed with each of the secrets, not following a redirect. What is
 * not a 2xx is a failure. `at` is in epoch ms.
 */
export async function postSigned(post: Post, { url, secrets }: Target, { id, body, at }: Signed): Promise<Answered> {
  const timestamp = String(Math.floor(at / 1000));
  const signatures = await Promise.all(secrets.map((secret) => sign(secret, `${id}.${timestamp}.${body}`)));
  const headers = {
    "Content-Type": "application/json",
    "User-Agent": "Lamplighter",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
  const reply = await post({ url, headers, body }, { timeout_ms: TIMEOUT_MS, max_bytes: MAX_BYTES });
  const { status: http_status } = reply;
  // What is too long to be read, or does not end, has been answered all the same.
  const ok = http_status !== null && http_status >= 200 && http_status < 300;
  return { ok, http_status, answer: oneLine(reply.ok ? reply.text : reply.detail, MAX_ANSWER) };
}

/** A new secret, `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return PREFIX + toBase64(crypto.getRandomValues(new Uint8Array(32)));
}

async function sign(secret: string, text: string): Promise<string> {
  const bytes = fromBase64(secret.slice(PREFIX.length));
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return `v1,${toBase64(new Uint8Array(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(text))))}`;
}
